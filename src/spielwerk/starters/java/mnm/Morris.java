// Nine Men's Morris: the stones as the server shows them, and all legal moves. (MIT licence)

import java.util.ArrayList;
import java.util.List;

/**
 * Where the stones are.
 *
 * @param player our number
 * @param captures how many stones of the other player we have to take now
 * @param stones for each player and each stone: A (in hand), C (captured) or its place; places are
 *     A (outer ring), B and C (inner ring), each from 0 at the top left clockwise to 7
 */
record Morris(int player, int captures, List<List<String>> stones) implements Position {
    private static final String RINGS = "ABC";

    /** Reads CAPTURE, PIECELIST and the stones. */
    static Morris read(int player, List<String> lines) {
        int captures = Integer.parseInt(lines.get(0).split(" ")[1]); // CAPTURE 1
        List<List<String>> stones = List.of(new ArrayList<>(), new ArrayList<>());
        for (String line : lines.subList(2, lines.size())) { // PIECE0.3 A5
            int owner = line.charAt("PIECE".length()) - '0';
            stones.get(owner).add(line.substring(line.indexOf(' ') + 1));
        }
        return new Morris(player, captures, stones);
    }

    /** The places of a player's stones. */
    List<String> onBoard(int owner) {
        return stones.get(owner).stream().filter(place -> place.length() == 2).toList();
    }

    /** The places without a stone. */
    List<String> free() {
        var free = new ArrayList<String>();
        for (char ring : RINGS.toCharArray()) {
            for (int number = 0; number < 8; number++) {
                free.add("" + ring + number);
            }
        }
        free.removeAll(onBoard(0));
        free.removeAll(onBoard(1));
        return free;
    }

    /** The places that a line connects with this one. */
    static List<String> neighbours(String place) {
        int ring = RINGS.indexOf(place.charAt(0));
        int number = place.charAt(1) - '0';
        var found = new ArrayList<String>();
        found.add("" + place.charAt(0) + (number + 1) % 8);
        found.add("" + place.charAt(0) + (number + 7) % 8);
        boolean spoke = number % 2 == 1; // only these go from ring to ring
        if (spoke && ring > 0) {
            found.add("" + RINGS.charAt(ring - 1) + number);
        }
        if (spoke && ring < 2) {
            found.add("" + RINGS.charAt(ring + 1) + number);
        }
        return found;
    }

    /** Capture, place, fly or slide. */
    @Override
    public List<String> moves() {
        if (captures > 0) {
            return onBoard(1 - player);
        }
        List<String> free = free();
        if (stones.get(player).contains("A")) {
            return free;
        }
        List<String> own = onBoard(player);
        boolean flies = own.size() == 3;
        var moves = new ArrayList<String>();
        for (String start : own) {
            for (String target : flies ? free : neighbours(start)) {
                if (free.contains(target)) {
                    moves.add(start + ":" + target);
                }
            }
        }
        return moves;
    }
}
