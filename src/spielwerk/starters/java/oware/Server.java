// An Oware move server: Server [--port PORT] (MIT licence)

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/**
 * Answers requests for moves, each client in a thread of its own.
 *
 * <p>A client sends four lines (strategy, search depth, board, moves so far); the answer has five
 * (status, author, the strategy's name, details, board), then the connection is closed.
 */
final class Server {
    private static final List<String> LINES =
            List.of("strategy", "search-depth", "initial-board", "move-history");

    private Server() {}

    public static void main(String[] args) throws IOException {
        int port = 7889;
        if (args.length == 2 && args[0].equals("--port") && args[1].matches("[0-9]{1,5}")) {
            port = Integer.parseInt(args[1]);
        } else if (args.length > 0) {
            System.err.println("usage: Server [--port PORT]");
            System.exit(2);
        }
        try (var listening = new ServerSocket(port, 128)) {
            System.out.println("listening on port " + listening.getLocalPort());
            while (true) {
                Socket client = listening.accept();
                new Thread(() -> serve(client)).start();
            }
        }
    }

    /** Reads the request of a client, answers it, and closes the connection. */
    private static void serve(Socket client) {
        try (client) {
            var connection = new Connection(client);
            connection.send(answer(connection.receive(LINES.size())));
        } catch (IOException gone) {
            System.err.println("server: " + gone.getMessage());
        }
    }

    /** The five lines for a request: the first thing that is wrong, or a move. */
    private static List<String> answer(List<String> lines) {
        Strategy strategy = Strategy.values()[0];
        var game = new Oware(Oware.START);
        if (lines.size() < LINES.size()) {
            return written("ERROR read-failure", strategy, LINES.get(lines.size()), game);
        }
        // @task Test the four lines in the order of section 5.4, and repeat a wrong one as it came.
        int number = number(lines.get(0));
        if (number < 0 || number >= Strategy.values().length) {
            return written("ERROR strategy", strategy, lines.get(0), game);
        }
        strategy = Strategy.values()[number];
        if (!lines.get(1).matches("[1-9]")) {
            return written("ERROR search-depth", strategy, lines.get(1), game);
        }
        int[] board = board(lines.get(2));
        if (board == null) {
            return written("ERROR initial-board", strategy, lines.get(2), game);
        }
        game = new Oware(board);
        String history = lines.get(3);
        for (int place = 0; place < history.length(); place++) {
            int house = history.charAt(place) - '0';
            if (!game.mayPlay(house)) {
                return written("ERROR move-history " + place, strategy, history, game);
            }
            game.play(house);
        }
        // @open
        //| int[] board = board(lines.get(2));
        //| game = new Oware(board == null ? Oware.START : board);
        // @end
        if (game.over()) {
            game.finish();
            return written("OK", strategy, "finish", game);
        }
        int house = strategy.choose(game, number(lines.get(1)));
        game.play(house);
        return written("OK", strategy, String.valueOf(house), game);
    }

    /** A number of digits without leading zeros, or -1; Integer.parseInt would take more. */
    private static int number(String word) {
        return word.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(word) : -1;
    }

    /** The 14 numbers of a board, or null if the line is anything else. */
    private static int[] board(String line) {
        int[] board = Arrays.stream(line.split(" ", -1)).mapToInt(Server::number).toArray();
        boolean numbers = Arrays.stream(board).allMatch(n -> n >= 0 && n <= Oware.STONES);
        boolean right = numbers && Arrays.stream(board).sum() == Oware.STONES;
        return right && board.length == Oware.START.length ? board : null;
    }

    private static List<String> written(
            String status, Strategy strategy, String details, Oware game) {
        return List.of(status, Strategy.AUTHOR, strategy.title, details, game.toString());
    }
}
