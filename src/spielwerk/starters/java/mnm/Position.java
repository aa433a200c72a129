// What the two games have in common. (MIT licence)

import java.util.List;
import java.util.Map;

/** A position in which we are to move. */
sealed interface Position permits Quarto, Morris {
    /** The games that we play, as the server calls them, and the lines that end their positions. */
    Map<String, String> ENDS = Map.of("Quarto", "ENDFIELD", "NMMorris", "ENDPIECELIST");

    /** Our number: 0 or 1. */
    int player();

    /** All legal moves, as PLAY wants them. */
    List<String> moves();

    /** Reads the position of a game; its lines as the server sent them, without the last. */
    static Position read(String game, int player, List<String> lines) {
        return game.equals("Quarto") ? Quarto.read(player, lines) : Morris.read(player, lines);
    }
}
