import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import sun.misc.Signal;

/**
 * Wuerfelbot: DiceBot -n BOTNAME [-p PORT] HOST
 * Strategie: bei 20 Punkten in der Runde (oder wenn es zum Sieg reicht) sichern.
 */
public final class DiceBot {
    private static final int DEFAULT_PORT = 9001;
    private static final int HOLD_AT = 20;
    private static final int GOAL = 150;
    private static final int ME = 2;               // eigene Spieler-ID in THRW

    private static volatile boolean terminating = false;
    private static final Socket socket = new Socket();

    /** Fehler, der zum Abbruch mit Exitcode 1 fuehrt. */
    private static final class BotException extends Exception {
        BotException(String message) {
            super(message);
        }
    }

    private final int[] saved = new int[3];        // gesicherte Punkte, Index = Spieler-ID
    private int thrower = -1;                      // wer zuletzt gewuerfelt hat
    private int round = 0;                         // dessen laufende Rundensumme

    private String name;
    private String host;
    private int port = DEFAULT_PORT;
    private BufferedReader in;
    private OutputStream out;

    public static void main(String[] args) {
        DiceBot bot = new DiceBot();
        if (!bot.parseArguments(args)) {
            System.err.println("Usage: DiceBot -n <bot-name> [-p <server-port>] <server-hostname>");
            System.exit(1);
        }
        for (String signal : new String[] {"INT", "QUIT", "TERM"}) {
            try {
                Signal.handle(new Signal(signal), s -> terminate());
            } catch (IllegalArgumentException e) {
                // SIGQUIT gehoert der JVM (Thread-Dump) und laesst sich nicht abfangen
            }
        }
        int status = 0;
        try {
            bot.connect();
            bot.play();
        } catch (BotException e) {
            status = fail(e.getMessage());
        } catch (IOException e) {
            status = fail("connection to " + bot.host + ":" + bot.port + " failed: " + e.getMessage());
        } finally {
            closeSocket();
        }
        if (!terminating) {
            System.exit(status);
        }
    }

    private static int fail(String message) {
        if (!terminating) {
            System.err.println("DiceBot: " + message);
        }
        return 1;
    }

    private static void terminate() {
        if (terminating) {
            return;
        }
        terminating = true;
        System.err.println("Received termination request - terminating...");
        closeSocket();
        System.exit(0);
    }

    private static void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            // beim Beenden ohne Bedeutung
        }
    }

    /** Wie getopt: "-n x", "-nx", beliebige Reihenfolge, "--" beendet die Optionen. */
    private boolean parseArguments(String[] args) {
        boolean options = true;
        for (int i = 0; i < args.length; i++) {
            String a = args[i];
            if (options && a.equals("--")) {
                options = false;
            } else if (options && a.length() > 1 && a.startsWith("-")) {
                char option = a.charAt(1);
                if (option != 'n' && option != 'p') {
                    return false;
                }
                String value = a.substring(2);
                if (value.isEmpty()) {
                    if (++i >= args.length) {
                        return false;
                    }
                    value = args[i];
                }
                if (option == 'n') {
                    name = value;
                } else {
                    try {
                        port = Integer.parseInt(value);
                    } catch (NumberFormatException e) {
                        return false;
                    }
                    if (port < 1 || port > 65535) {
                        return false;
                    }
                }
            } else if (host == null) {
                host = a;
            } else {
                return false;
            }
        }
        // nur englische Buchstaben und Ziffern; "AUTH name\n" hoechstens 100 Zeichen
        return host != null && name != null && name.matches("[A-Za-z0-9]{1,94}");
    }

    private void connect() throws IOException, BotException {
        InetAddress address = null;
        try {
            for (InetAddress a : InetAddress.getAllByName(host)) {
                if (a instanceof Inet4Address) {
                    address = a;
                    break;
                }
            }
        } catch (UnknownHostException e) {
            // unten behandelt
        }
        if (address == null) {
            throw new BotException("no IPv4 address for " + host);
        }
        socket.connect(new InetSocketAddress(address, port));
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        out = socket.getOutputStream();
    }

    private void send(String message) throws IOException {
        out.write((message + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private void play() throws IOException, BotException {
        boolean byeSent = false;
        while (true) {
            String line = in.readLine();
            if (line == null) {
                throw new BotException("server closed the connection unexpectedly");
            }
            String[] word = line.trim().split(" +");
            switch (word[0]) {
                case "HELO":
                    send("AUTH " + name);
                    break;
                case "TURN":
                    turn(number(word, 1, line));
                    break;
                case "THRW":
                    thrown(number(word, 1, line), number(word, 2, line), number(word, 3, line), line);
                    break;
                case "WIN":
                case "DEF":
                    endRound();                     // der Sieger war zuletzt am Wurf
                    send("BYE " + saved[ME] + " " + saved[0] + " " + saved[1]);
                    byeSent = true;
                    System.out.println((word[0].equals("WIN") ? "won" : "lost") + ": "
                            + saved[ME] + " " + saved[0] + " " + saved[1]);
                    break;
                case "BYE":
                    if (!byeSent) {
                        throw new BotException("unexpected message from server: " + line);
                    }
                    return;
                case "ERR":
                    throw new BotException("server reported an error: " + line.substring(3).trim());
                default:
                    throw new BotException("unexpected message from server: " + line);
            }
        }
    }

    private static int number(String[] word, int index, String line) throws BotException {
        try {
            return Integer.parseInt(word[index]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new BotException("malformed message from server: " + line);
        }
    }

    /** Rundensumme des letzten Werfers gutschreiben. SAVE der Gegner sieht man nur indirekt. */
    private void endRound() {
        if (thrower >= 0) {
            saved[thrower] += round;
        }
        thrower = -1;
        round = 0;
    }

    private void turn(int points) throws IOException {
        if (thrower != ME) {
            endRound();                             // ein Gegner hat gesichert
            thrower = ME;
        }
        int total = saved[ME] + round;
        if (points != total && points != saved[ME] && points != round) {
            System.err.println("DiceBot: server says " + points + " points, own count is " + total);
        }
        if (round >= HOLD_AT || total >= GOAL) {
            endRound();
            send("SAVE");
        } else {
            send("ROLL");
        }
    }

    private void thrown(int id, int w1, int w2, String line) throws BotException {
        if (id < 0 || id > 2 || w1 < 1 || w1 > 6 || w2 < 1 || w2 > 6) {
            throw new BotException("malformed message from server: " + line);
        }
        if (id != thrower) {
            endRound();
            thrower = id;
        }
        if (w1 == w2) {                             // Pasch: Runde verloren
            thrower = -1;
            round = 0;
        } else {
            round += w1 + w2;
        }
    }
}
