// Quarto: the field as the server shows it, and all legal moves. (MIT licence)

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A field and the stone that we have to place.
 *
 * @param player our number
 * @param stone the stone in our hand; the bits of its number are its attributes
 * @param field the stones by place (A1, B1, ...); FREE where there is none
 */
record Quarto(int player, int stone, Map<String, Integer> field) implements Position {
    static final int FREE = -1;

    /** Reads NEXT, FIELD and the rows. */
    static Quarto read(int player, List<String> lines) {
        int stone = Integer.parseInt(lines.get(0).split(" ")[1]); // NEXT 3
        var field = new LinkedHashMap<String, Integer>();
        for (String row : lines.subList(2, lines.size())) { // 4 * * 15 *
            String[] words = row.split(" ");
            for (int column = 1; column < words.length; column++) {
                String place = (char) ('A' + column - 1) + words[0];
                String cell = words[column];
                field.put(place, cell.equals("*") ? FREE : Integer.parseInt(cell));
            }
        }
        return new Quarto(player, stone, field);
    }

    /** The free places. */
    List<String> free() {
        return field.keySet().stream().filter(place -> field.get(place) == FREE).toList();
    }

    /** The stones that are neither on the field nor in our hand. */
    List<Integer> stones() {
        return IntStream.range(0, field.size())
                .filter(one -> one != stone && !field.containsValue(one))
                .boxed()
                .toList();
    }

    /** Where to place our stone, and which one to hand on, if one is left. */
    @Override
    public List<String> moves() {
        List<Integer> stones = stones();
        if (stones.isEmpty()) {
            return free();
        }
        var moves = new ArrayList<String>();
        for (String place : free()) {
            for (int next : stones) {
                moves.add(place + "," + next);
            }
        }
        return moves;
    }
}
