// Joins a game of Connect Four: Join INDEX-HOST INDEX-PORT [GAME] (MIT licence)

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;

/** Asks the index server for games, joins the first open one (or the one named), and plays. */
final class Join {
    private static final int JOINING = 30_000; // milliseconds for the initiator to let us in

    private Join() {}

    public static void main(String[] args) {
        if (args.length < 2 || !args[1].matches("[0-9]{1,5}")) {
            System.err.println("usage: Join INDEX-HOST INDEX-PORT [GAME]");
            System.exit(2);
        }
        try {
            playAny(args[0], Integer.parseInt(args[1]), args.length > 2 ? args[2] : "");
        } catch (IOException error) {
            System.err.println("join: " + error.getMessage());
            System.exit(1);
        }
    }

    /** Goes through the list until a game takes us. */
    private static void playAny(String host, int port, String wanted) throws IOException {
        Message list = Connection.ask(host, port, "request_game_list");
        if (!list.header().equals("answer_game_list")) {
            throw new ProtocolException("the index server says: " + list);
        }
        int end = 2 + 8 * list.number(1); // status, player, name, width, height, depth, host, port
        for (int at = 2; at < end; at += 8) {
            String name = list.text(at + 2);
            boolean ours = wanted.isEmpty() || wanted.equals(name);
            if (ours && list.text(at).equals("Open") && plays(list, at, name)) {
                return;
            }
        }
        throw new ProtocolException("there is no game that we can join");
    }

    /** Joins a game of the list and plays it; false if it does not take us. */
    private static boolean plays(Message list, int at, String name) throws IOException {
        var board = new Board(list.number(at + 3), list.number(at + 4), list.number(at + 5));
        try (var connection = Connection.to(list.text(at + 6), list.number(at + 7))) {
            // @task Write joining: join_game, and what the initiator may answer.
            connection.send("join_game", System.getProperty("user.name"), name, "V2");
            Message answer = connection.receive(JOINING);
            if (!answer.header().equals("join_game_success")) {
                System.err.println(name + ": " + answer);
                return false;
            }
            play(connection, board);
            return true;
            // @open
            //| throw new ProtocolException("joining " + name + " is not written yet: " + connection);
            // @end
        } catch (ConnectException gone) {
            System.err.println(name + ": " + gone.getMessage());
            return false;
        }
    }

    /** Plays until the initiator says how it ended. */
    private static void play(Connection connection, Board board) throws IOException {
        // @task Write the game: start_game, the board (V1, V2), move, end_game and abort_game.
        while (true) {
            Message message = connection.receive(0); // the initiator may think
            if (message.header().equals("end_game")) {
                System.out.println("ended: " + Board.name(message.number(1)));
                return;
            }
            boolean turn = switch (message.header()) {
                case "start_game" -> true;
                case "updated_game_board", "update_game_board" -> read(message, 1, 1, board); // V2
                case "synchronize_game_board" -> read(message, 2, message.number(1), board); // V1
                default -> throw new ProtocolException("the initiator says: " + message);
            };
            if (turn && board.outcome() == Board.RUNNING) {
                connection.send("move", Strategy.choose(board, Board.OPPONENT));
            }
        }
        // @open
        //| throw new ProtocolException("playing is not written yet: " + connection + board);
        // @end
    }

    /** Reads fields and their states; whether the initiator has a new stone: it is our turn. */
    private static boolean read(Message message, int first, int count, Board board)
            throws ProtocolException {
        boolean moved = false;
        for (int at = first; at < first + 2 * count; at += 2) {
            int field = message.number(at);
            int state = message.number(at + 1);
            boolean known = field < board.size() && board.state(field) == state;
            board.set(field, state);
            moved |= !known && state == Board.INITIATOR;
        }
        return moved;
    }
}
