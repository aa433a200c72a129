// Where you come in. (MIT licence)

import java.util.List;
import java.util.Random;

/** Finds moves. */
final class Strategy {
    private static final Random RANDOM = new Random();

    private Strategy() {}

    /**
     * One of the legal moves, found within so many milliseconds.
     *
     * <p>position.moves() has all of them; Quarto.java and Morris.java say what else a position
     * knows: begin with {@code if (position instanceof Quarto quarto)}. Try: win at once where that
     * is possible, hand on no stone with which the other player wins, look two moves ahead, ...
     */
    static String choose(Position position, long milliseconds) {
        List<String> moves = position.moves();
        return moves.get(RANDOM.nextInt(moves.size()));
    }
}
