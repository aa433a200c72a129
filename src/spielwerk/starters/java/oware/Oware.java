// Oware: boards, legal moves, sowing and collecting, and when a game is over. (MIT licence)

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A board, whose turn it is, and every situation there has been.
 *
 * <p>A board has 14 numbers: the stones that A and B have taken, A's houses 0 to 5, B's houses 0 to
 * 5. Player 0 is A, player 1 is B.
 */
final class Oware {
    static final int[] START = {0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static final int STONES = 48;
    private static final int MAJORITY = 25; // more than half of them

    private final int[] board;
    private int player;
    private final Set<String> seen = new HashSet<>();
    private boolean repeated;

    /** A game that begins with this board; A is to move. */
    Oware(int[] board) {
        this.board = board.clone();
        seen.add(situation());
    }

    /** A copy, to try a move on. */
    Oware copy() {
        var copy = new Oware(board);
        copy.player = player;
        copy.repeated = repeated;
        copy.seen.addAll(seen);
        return copy;
    }

    int player() {
        return player;
    }

    /** The stones that a player has taken. */
    int taken(int who) {
        return board[who];
    }

    /** The houses from which the player may sow; an opponent without stones must get some. */
    int[] moves() {
        int first = firstHouse(player);
        boolean hungry = onSide(1 - player) == 0;
        return IntStream.range(0, 6)
                .filter(house -> board[first + house] > 0)
                .filter(house -> !hungry || house + board[first + house] >= 6)
                .toArray();
    }

    boolean mayPlay(int house) {
        return !over() && Arrays.stream(moves()).anyMatch(move -> move == house);
    }

    /** Sows from a house, and collects. */
    void play(int house) {
        // @task Sow and collect, as sections 2.5.1 to 2.5.4 of the task say.
        int last = sow(firstHouse(player) + house);
        collect(last);
        // @open
        //| board[firstHouse(player) + house] = 0;
        // @end
        player = 1 - player;
        repeated = !seen.add(situation());
    }

    /** Whether it has ended: a majority, no move, or a situation that was there before. */
    boolean over() {
        return Math.max(board[0], board[1]) >= MAJORITY || moves().length == 0 || repeated;
    }

    /** The end: both take the stones on their own side. */
    void finish() {
        board[0] += onSide(0);
        board[1] += onSide(1);
        Arrays.fill(board, 2, 14, 0);
    }

    /** The 14 numbers, as the protocol has them. */
    @Override
    public String toString() {
        return Arrays.toString(board).replaceAll("[\\[\\],]", "");
    }

    private String situation() {
        return player + ": " + this;
    }

    private static int firstHouse(int who) {
        return 2 + 6 * who;
    }

    private int onSide(int who) {
        return IntStream.range(0, 6).map(house -> board[firstHouse(who) + house]).sum();
    }

    // @task Write sowing, with the house that is skipped, and collecting, with the grand slam.
    /** Sows the stones of a place; where the last one fell. The place itself is always skipped. */
    private int sow(int origin) {
        int stones = board[origin];
        board[origin] = 0;
        int place = origin;
        while (stones > 0) {
            place = place == 13 ? 2 : place + 1;
            if (place != origin) {
                board[place]++;
                stones--;
            }
        }
        return place;
    }

    /** Takes twos and threes backwards from the last stone, but never all that the other has. */
    private void collect(int last) {
        int first = firstHouse(1 - player);
        int gain = 0;
        int place = last;
        while (place >= first && place < first + 6 && (board[place] == 2 || board[place] == 3)) {
            gain += board[place];
            place--;
        }
        if (gain < onSide(1 - player)) {
            Arrays.fill(board, place + 1, last + 1, 0);
            board[player] += gain;
        }
    }
    // @open
    // @end
}
