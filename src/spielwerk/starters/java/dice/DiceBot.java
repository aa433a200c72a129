// A bot for the dice contest: DiceBot -n NAME [-p PORT] HOST (MIT licence)

import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.List;

/** Plays one game. The script dicebot starts it, and sees to the signals. */
final class DiceBot {
    private static final String USAGE = "usage: dicebot -n NAME [-p PORT] HOST";

    private final Connection connection;
    private final String name;
    private final Race race = new Race();

    private DiceBot(Connection connection, String name) {
        this.connection = connection;
        this.name = name;
    }

    public static void main(String[] args) {
        try {
            Options options = Options.read(args);
            try (var connection = new Connection(options.host, options.port)) {
                new DiceBot(connection, options.name).play();
            }
        } catch (IllegalArgumentException error) {
            end(2, error.getMessage() + "\n" + USAGE);
        } catch (IOException error) {
            end(1, error.getMessage());
        }
    }

    private static void end(int status, String message) {
        System.err.println("dicebot: " + message);
        System.exit(status);
    }

    /** What the command line says. */
    private record Options(String name, int port, String host) {
        Options {
            if (name == null || host == null) {
                throw new IllegalArgumentException("a name and a host are needed");
            }
            if (!name.matches("[A-Za-z0-9]+")) {
                throw new IllegalArgumentException("-n " + name + ": letters and digits only");
            }
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("-p " + port + ": ports are 1 to 65535");
            }
        }

        /** Reads it as getopt does: in any order, with a blank behind -n and -p or without. */
        static Options read(String[] args) {
            String name = null;
            String host = null;
            int port = 9001;
            var words = new ArrayDeque<>(List.of(args));
            while (!words.isEmpty()) {
                String word = words.remove();
                if (word.startsWith("-n")) {
                    name = value(word, words);
                } else if (word.startsWith("-p")) {
                    port = Integer.parseInt(value(word, words));
                } else if (word.startsWith("-") || host != null) {
                    throw new IllegalArgumentException("unexpected: " + word);
                } else {
                    host = word;
                }
            }
            return new Options(name, port, host);
        }

        private static String value(String word, ArrayDeque<String> words) {
            if (word.length() == 2 && words.isEmpty()) {
                throw new IllegalArgumentException(word + ": what?");
            }
            return word.length() > 2 ? word.substring(2) : words.remove();
        }
    }

    /** Answers the server's lines until it says BYE; IOException if it says ERR or closes. */
    private void play() throws IOException {
        // @task Answer every message of the server; answer() is where to begin.
        for (String line = connection.receive(); !line.equals("BYE"); line = connection.receive()) {
            answer(line);
        }
        // @open
        //| answer(connection.receive());
        // @end
    }

    /** Does what one line of the server asks for. */
    private void answer(String line) throws IOException {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "HELO" -> connection.send("AUTH " + name);
            // @task Understand TURN, THRW, WIN, DEF and ERR.
            case "TURN" -> {
                race.turnOf(Race.ME);
                connection.send(Strategy.choose(race));
            }
            case "THRW" -> race.thrown(number(words[1]), number(words[2]), number(words[3]));
            case "WIN", "DEF" -> {
                race.endTurn(); // the winning throw counts
                int own = race.saved(Race.ME);
                connection.send("BYE " + own + " " + race.saved(0) + " " + race.saved(1));
            }
            case "ERR" -> throw new ProtocolException("the server says: " + line);
            // @open
            // @end
            default -> throw new ProtocolException("unexpected: " + line);
        }
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }
}
