// Connect Four: the board, flat or solid, all legal moves, and the end of a game. (MIT licence)

import java.net.ProtocolException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Field (k, i, j) of layer, row and column has the number k * width * height + i * width + j. */
final class Board {
    static final int FREE = 0;
    static final int INITIATOR = 1;
    static final int OPPONENT = 2;
    static final int DRAW = 0; // outcomes: this, INITIATOR, OPPONENT or RUNNING
    static final int RUNNING = -1;
    private static final int LARGEST = 100_000; // fields

    private final int width;
    private final int height;
    private final int depth;
    private final int[] states;

    /** An empty board; a flat one has the depth 0 or 1. */
    Board(int width, int height, int depth) throws ProtocolException {
        this.width = width;
        this.height = height;
        this.depth = Math.max(1, depth);
        double size = (double) width * height * this.depth; // a product of ints could overflow
        if (width < 1 || height < 1 || size > LARGEST) {
            throw new ProtocolException("no such board: " + width + "x" + height + "x" + depth);
        }
        states = new int[(int) size];
    }

    int size() {
        return states.length;
    }

    int state(int field) {
        return states[field];
    }

    void set(int field, int state) throws ProtocolException {
        if (field < 0 || field >= states.length || state < FREE || state > OPPONENT) {
            throw new ProtocolException("there is no field " + field + " or no state " + state);
        }
        states[field] = state;
    }

    /** What an outcome is called. */
    static String name(int outcome) {
        return switch (outcome) {
            case DRAW -> "a draw";
            case INITIATOR -> "the initiator has won";
            case OPPONENT -> "the opponent has won";
            default -> "not at all";
        };
    }

    /** Stones fall: a field can be taken if it is free and the one below is not. */
    boolean isLegal(int field) {
        if (field < 0 || field >= states.length || states[field] != FREE) {
            return false;
        }
        boolean lowest = field / width % height == 0;
        return lowest || states[field - width] != FREE;
    }

    List<Integer> moves() {
        return IntStream.range(0, states.length).filter(this::isLegal).boxed().toList();
    }

    /** INITIATOR or OPPONENT if that player has four in a line, else DRAW or RUNNING. */
    int outcome() {
        for (int field = 0; field < states.length; field++) {
            for (int direction = 14; direction < 27; direction++) { // those behind (0, 0, 0)
                int k = direction / 9 - 1;
                int i = direction / 3 % 3 - 1;
                int j = direction % 3 - 1;
                if (states[field] != FREE && isFour(field, k, i, j)) {
                    return states[field];
                }
            }
        }
        return Arrays.stream(states).anyMatch(state -> state == FREE) ? RUNNING : DRAW;
    }

    private boolean isFour(int field, int k, int i, int j) {
        boolean inside = isInside(field / width / height + 3 * k, depth)
                && isInside(field / width % height + 3 * i, height)
                && isInside(field % width + 3 * j, width);
        int step = k * width * height + i * width + j;
        return inside
                && IntStream.range(1, 4).allMatch(n -> states[field + n * step] == states[field]);
    }

    private static boolean isInside(int place, int end) {
        return place >= 0 && place < end;
    }
}
