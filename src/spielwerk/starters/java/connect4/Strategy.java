// Where you come in. (MIT licence)

import java.util.List;
import java.util.Random;

/** Finds moves. */
final class Strategy {
    private static final Random RANDOM = new Random();

    private Strategy() {}

    /**
     * One of the legal moves, found within ten seconds; we are Board.INITIATOR or Board.OPPONENT.
     *
     * <p>Try: complete four where that is possible, keep the other player from it, look ahead.
     */
    static int choose(Board board, int player) {
        List<Integer> moves = board.moves();
        return moves.get(RANDOM.nextInt(moves.size()));
    }
}
