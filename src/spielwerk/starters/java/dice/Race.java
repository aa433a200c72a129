// The race: who has saved what, and the points of the turn that is being played. (MIT licence)

/**
 * The points of all three players.
 *
 * <p>The server tells every throw to all, but not who saves: a turn is over when another player
 * throws, or when we are asked. The points of the turn are saved then, unless it ended with a
 * double.
 */
final class Race {
    static final int TARGET = 150;
    static final int ME = 2; // the server calls us 2 in every THRW; the others are 0 and 1

    private final int[] saved = new int[3];
    private int points; // of the turn that is being played
    private int player = ME; // whose turn it is

    /** The points that a player has saved. */
    int saved(int who) {
        return saved[who];
    }

    /** The points of the turn that is being played. */
    int points() {
        return points;
    }

    /** A player is about to decide: if it is another than before, the turn before is over. */
    void turnOf(int who) {
        if (who != player) {
            endTurn();
            player = who;
        }
    }

    /** Saves the points of the turn. */
    void endTurn() {
        saved[player] += points;
        points = 0;
    }

    /** A player has thrown: a double loses the points of the turn, and ends it. */
    void thrown(int who, int first, int second) {
        turnOf(who);
        points = first == second ? 0 : points + first + second;
    }
}
