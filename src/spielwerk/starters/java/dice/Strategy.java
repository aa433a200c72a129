// Where you come in. (MIT licence)

/** Decides whether to go on. */
final class Strategy {
    private static final int HOLD = 20;

    private Strategy() {}

    /**
     * ROLL for more points, or SAVE those of this turn.
     *
     * <p>race.points() are the points of this turn, race.saved(Race.ME) your own that are safe, and
     * race.saved(0), race.saved(1) those of the others: 0 is the next player, 1 the one after. The
     * first player with 150 wins, saved points and those of the turn together; a double loses the
     * turn. Try: hold at another number, take more risk when another player is close to the end.
     */
    static String choose(Race race) {
        boolean wins = race.saved(Race.ME) + race.points() >= Race.TARGET;
        return wins || race.points() >= HOLD ? "SAVE" : "ROLL";
    }
}
