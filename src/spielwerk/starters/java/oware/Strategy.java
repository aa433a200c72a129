// Where you come in. (MIT licence)

import java.util.Random;

/** Finds moves; strategy 0 is the first one, strategy 1 the second one. */
enum Strategy {
    GREEDY("Greedy"),
    RANDOM("Random");

    static final String AUTHOR = "Your Name";
    private static final Random CHANCE = new Random();

    final String title;

    Strategy(String title) {
        this.title = title;
    }

    /**
     * One of the legal moves; depth is how many moves the client wants you to look ahead.
     *
     * <p>Try: look ahead with minimax to the depth that is asked for, then with alpha-beta, and
     * count more than the stones that were taken.
     */
    int choose(Oware game, int depth) {
        int[] moves = game.moves();
        return switch (this) {
            case RANDOM -> moves[CHANCE.nextInt(moves.length)];
            case GREEDY -> greedy(game, moves);
        };
    }

    /** The move that takes most stones. */
    private static int greedy(Oware game, int[] moves) {
        int best = moves[0];
        for (int move : moves) {
            if (gain(game, move) > gain(game, best)) {
                best = move;
            }
        }
        return best;
    }

    private static int gain(Oware game, int move) {
        Oware after = game.copy();
        after.play(move);
        return after.taken(game.player()) - game.taken(game.player());
    }
}
