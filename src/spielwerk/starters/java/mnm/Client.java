// A client of the game server: Client -g GAME-ID [-p PLAYER] [-s HOST:PORT] (MIT licence)

import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plays Quarto and Nine Men's Morris, whichever the game is, on servers of any year. */
final class Client {
    private static final String USAGE = "usage: Client -g GAME-ID [-p PLAYER] [-s HOST:PORT]";
    private static final int RESERVE = 300; // milliseconds that we leave to the network

    private final Connection connection;
    private String game; // Quarto or NMMorris
    private int player;

    private Client(Connection connection) {
        this.connection = connection;
    }

    public static void main(String[] args) {
        Map<String, String> options = options(args);
        String where = options.getOrDefault("-s", "localhost:1357");
        if (!options.containsKey("-g") || !where.matches("[^:]+(:[0-9]{1,5})?")) {
            System.err.println(USAGE);
            System.exit(2);
        }
        String[] server = where.split(":");
        int port = server.length > 1 ? Integer.parseInt(server[1]) : 1357;
        try (var connection = new Connection(server[0], port)) {
            new Client(connection).play(options.get("-g"), options.get("-p"));
        } catch (IOException error) {
            System.err.println("client: " + error.getMessage());
            System.exit(1);
        }
    }

    /** The options with their values; none if the command line is wrong. */
    private static Map<String, String> options(String[] args) {
        var options = new TreeMap<String, String>();
        for (int index = 0; index < args.length; index += 2) {
            if (!List.of("-g", "-p", "-s").contains(args[index]) || index + 1 == args.length) {
                return Map.of();
            }
            options.put(args[index], args[index + 1]);
        }
        return options;
    }

    /** What the server's next line says behind its +; ProtocolException if it begins with -. */
    private String heard() throws IOException {
        String line = connection.receive();
        if (line.startsWith("+ ")) {
            return line.substring(2);
        }
        throw new ProtocolException("the server says: " + line.replaceFirst("^- ", ""));
    }

    /** The server's lines before this one. */
    private List<String> heardUntil(String end) throws IOException {
        var lines = new ArrayList<String>();
        for (String line = heard(); !line.equals(end); line = heard()) {
            lines.add(line);
        }
        return lines;
    }

    /** The whole conversation, in its three phases. */
    private void play(String id, String wanted) throws IOException {
        prolog(id, wanted);
        // @task Write the course of the game: WAIT, MOVE and GAMEOVER until QUIT.
        while (true) {
            String[] words = heard().split(" ");
            switch (words[0]) {
                case "WAIT" -> connection.send("OKWAIT");
                case "MOVE" -> move(Integer.parseInt(words[1]));
                case "GAMEOVER" -> {
                    gameOver(words.length > 1 ? words[1] : "");
                    return;
                }
                default -> throw new ProtocolException("unexpected: " + String.join(" ", words));
            }
        }
        // @open
        //| throw new ProtocolException("the game of player " + player + " is not written yet");
        // @end
    }

    /** Joins the game: what is played, and who we are. */
    private void prolog(String id, String wanted) throws IOException {
        // @task Write the prolog: VERSION, ID and PLAYER, each when the server expects it.
        String version = heard().split(" ")[2]; // MNM Gameserver v1.0 accepting connections
        connection.send("VERSION " + version.replaceAll("^v|[.].*", "") + ".0");
        while (!heard().startsWith("Client version accepted")) {
            // servers of some years greet with more than one line
        }
        connection.send("ID " + id);
        game = heard().replaceFirst("^PLAYING ", "");
        if (!Position.ENDS.containsKey(game)) {
            throw new ProtocolException("we do not play " + game);
        }
        System.out.println("playing " + game + ": " + heard());
        connection.send(wanted == null ? "PLAYER" : "PLAYER " + wanted);
        String[] us = heard().split(" ", 3); // YOU 0 Player 1
        player = Integer.parseInt(us[1]);
        System.out.println("we are player " + player + " (" + us[2] + ")");
        for (String line : heardUntil("ENDPLAYERS")) { // TOTAL 2, then 1 Player 2 0
            if (!line.startsWith("TOTAL")) {
                int end = line.lastIndexOf(' '); // names may have blanks
                String ready = line.endsWith(" 1") ? " is ready" : " is not ready";
                System.out.println("player " + line.substring(0, end) + ready);
            }
        }
        // @open
        //| String line = heard();
        //| throw new ProtocolException("no prolog yet: " + id + ", " + wanted + ", " + line);
        // @end
    }

    /** Reads the position, says that we think, and plays. */
    private void move(int milliseconds) throws IOException {
        // @task Read the position, say THINKING, and PLAY what Strategy.choose finds.
        Position position = Position.read(game, player, heardUntil(Position.ENDS.get(game)));
        connection.send("THINKING");
        expect("OKTHINK");
        connection.send("PLAY " + Strategy.choose(position, milliseconds - RESERVE));
        expect("MOVEOK");
        // @open
        //| throw new ProtocolException("no move in " + (milliseconds - RESERVE) + " ms yet");
        // @end
    }

    private void expect(String word) throws IOException {
        String line = heard();
        if (!line.equals(word)) {
            throw new ProtocolException(word + " was due, not " + line);
        }
    }

    /** Says how the game ended; servers of later years name the winners after the position. */
    private void gameOver(String winner) throws IOException {
        var won = new ArrayList<String>();
        if (!winner.isEmpty()) {
            won.add(winner);
        }
        for (String line : heardUntil("QUIT")) { // PLAYER0WON Yes
            if (line.startsWith("PLAYER") && line.endsWith("Yes")) {
                won.add(line.substring("PLAYER".length(), "PLAYER".length() + 1));
            }
        }
        boolean ours = won.contains(String.valueOf(player));
        System.out.println(won.size() != 1 ? "drawn" : ours ? "won" : "lost");
    }
}
