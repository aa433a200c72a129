// Offers a game: Host INDEX-HOST INDEX-PORT PORT GAME [WIDTH HEIGHT DEPTH] (MIT licence)

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Registers a game with the index server, waits for an opponent, and plays. */
final class Host {
    private static final int BETWEEN_HEARTBEATS = 10_000; // milliseconds

    private final InetSocketAddress index;
    private final int port;
    private final String game;
    private final List<Integer> size; // width, height, depth
    private final Board board;
    private final CompletableFuture<Opponent> joined = new CompletableFuture<>();
    private String guid; // the game's, from the index server
    private volatile String problem = "the initiator has left"; // empty when the game is over

    private record Opponent(Connection connection, String version) {}

    /** What a thread does. */
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    public static void main(String[] args) {
        Host host = null;
        try {
            host = new Host(List.of(args));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | IOException wrong) {
            System.err.println("usage: Host INDEX-HOST INDEX-PORT PORT GAME [WIDTH HEIGHT DEPTH]");
            System.exit(2);
        }
        try {
            host.run();
        } catch (IOException error) {
            System.err.println("host: " + error.getMessage());
            System.exit(1);
        }
    }

    private Host(List<String> args) throws IOException {
        index = new InetSocketAddress(args.get(0), Integer.parseInt(args.get(1)));
        port = Integer.parseInt(args.get(2));
        game = args.get(3);
        List<String> sides = args.size() > 4 ? args.subList(4, 7) : List.of("7", "6", "1");
        size = sides.stream().map(Integer::valueOf).toList();
        board = new Board(size.get(0), size.get(1), size.get(2));
    }

    private void run() throws IOException {
        var server = new ServerSocket(port);
        var udp = new DatagramSocket(port);
        udp.setSoTimeout(1); // milliseconds: heartbeats() only looks whether one has come
        register();
        Runtime.getRuntime().addShutdownHook(new Thread(this::leave)); // after Ctrl-C, too
        start(() -> heartbeats(udp));
        start(() -> {
            while (true) {
                Socket visitor = server.accept(); // a silent one must not keep others waiting
                start(() -> welcome(new Connection(visitor)));
            }
        });
        Opponent opponent = joined.join();
        try {
            play(opponent);
        } catch (IOException error) {
            problem = problem.isEmpty() ? "" : error.getMessage().replace(';', ',');
            throw error;
        }
    }

    /** Does a task in a thread that keeps the program from ending no longer than the game. */
    private static void start(Task task) {
        var thread = new Thread(() -> attempt(task));
        thread.setDaemon(true);
        thread.start();
    }

    private static void attempt(Task task) {
        try {
            task.run();
        } catch (IOException | InterruptedException error) {
            System.err.println("host: " + error.getMessage());
        }
    }

    private Message ask(Object... words) throws IOException {
        return Connection.ask(index.getHostString(), index.getPort(), words);
    }

    private void register() throws IOException {
        String address;
        try (var probe = new DatagramSocket()) {
            probe.connect(index); // sends nothing, but shows which of our addresses leads there
            address = probe.getLocalAddress().getHostAddress();
        }
        String player = System.getProperty("user.name");
        Message answer = ask("register_game", player, game,
                size.get(0), size.get(1), size.get(2), address, port);
        if (!answer.header().matches("register(_game)?_success")) {
            throw new ProtocolException("the index server says: " + answer);
        }
        guid = answer.text(1);
    }

    /** Sends heartbeats, and ends the program if none comes back for a minute. */
    private void heartbeats(DatagramSocket udp) throws IOException, InterruptedException {
        byte[] beat = "heartbeat\n".getBytes(StandardCharsets.UTF_8);
        for (int silent = 0; silent < 6; silent++) {
            udp.send(new DatagramPacket(beat, beat.length, index));
            Thread.sleep(BETWEEN_HEARTBEATS);
            try {
                udp.receive(new DatagramPacket(new byte[100], 100));
                silent = -1;
            } catch (SocketTimeoutException none) {
                // the next one may come
            }
        }
        problem = "no heartbeat from the index server";
        System.err.println("host: " + problem);
        System.exit(1);
    }

    /** The first visitor with a right request is the opponent; all others are refused. */
    private void welcome(Connection visitor) throws IOException {
        Message request = visitor.receive(Connection.PATIENCE);
        boolean right = request.words().length == 4
                && request.header().equals("join_game")
                && request.text(2).equals(game)
                && request.text(3).matches("V[12]");
        if (!right || !joined.complete(new Opponent(visitor, request.text(3)))) {
            visitor.send("join_game_failed", right ? "the game has begun" : "no such game");
            visitor.close();
        }
    }

    /** Plays until the game is over. */
    private void play(Opponent opponent) throws IOException {
        Connection connection = opponent.connection;
        // @task Write the game: join_game_success, seal_game, start_game, moves, end_game.
        connection.send("join_game_success", opponent.version);
        Message sealed = ask("seal_game", guid);
        if (!sealed.header().equals("seal_game_success")) {
            throw new ProtocolException("the index server says: " + sealed);
        }
        int player = new Random().nextBoolean() ? Board.INITIATOR : Board.OPPONENT;
        if (player == Board.OPPONENT) {
            connection.send("start_game");
        }
        while (board.outcome() == Board.RUNNING) {
            boolean ours = player == Board.INITIATOR;
            int field = ours ? Strategy.choose(board, player) : theirMove(connection);
            board.set(field, player);
            show(opponent, field);
            player = ours ? Board.OPPONENT : Board.INITIATOR;
        }
        connection.send("end_game", board.outcome());
        problem = "";
        System.out.println("ended: " + Board.name(board.outcome()));
        // @open
        //| throw new ProtocolException("the game is not written yet: " + connection);
        // @end
    }

    /** The opponent's move, if it is legal. */
    private int theirMove(Connection connection) throws IOException {
        Message message = connection.receive(Connection.PATIENCE);
        if (!message.header().equals("move")) {
            boolean aborted = message.header().equals("abort_game");
            problem = aborted ? "" : problem; // one who aborts need not be told
            throw new ProtocolException("the opponent says: " + message);
        }
        int field = message.number(1);
        if (!board.isLegal(field)) {
            connection.send("moved_failed", "field " + field + " cannot be taken");
            throw new ProtocolException("an illegal move: " + field);
        }
        return field;
    }

    /** Tells of a move: the whole board in V1, the changed field in V2. */
    private void show(Opponent opponent, int changed) throws IOException {
        if (opponent.version.equals("V2")) {
            opponent.connection.send("updated_game_board", changed, board.state(changed));
            return;
        }
        var words = new ArrayList<Object>(List.of("synchronize_game_board", board.size()));
        for (int field = 0; field < board.size(); field++) {
            words.addAll(List.of(field, board.state(field)));
        }
        opponent.connection.send(words.toArray());
    }

    /** However the program ends: tells an opponent whose game is not over, and the index server. */
    private void leave() {
        if (joined.isDone() && !problem.isEmpty()) {
            attempt(() -> joined.join().connection.send("abort_game", problem));
        }
        attempt(() -> ask("unregister_game", guid));
    }
}
