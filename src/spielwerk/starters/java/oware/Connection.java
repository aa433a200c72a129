// The connection to a client: its lines in, our answer out. (MIT licence)

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A TCP connection that speaks in lines.
 *
 * <p>TCP carries a stream of bytes, not lines: one read may bring half a line or three of them. So
 * we take byte after byte from a buffer until a newline ends the line. (BufferedReader.readLine
 * would also end lines at a carriage return, and take half a line at the end for a whole one.)
 */
final class Connection {
    /** A character for every byte and back, so that a wrong line is repeated as it came. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private static final int LONGEST = 65536; // bytes of a line
    private static final int PATIENCE = 30_000; // milliseconds of silence

    private final Socket socket;
    private final InputStream in;

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Up to so many lines, without their newlines; fewer if the client is silent or gone. */
    List<String> receive(int count) throws IOException {
        var lines = new ArrayList<String>();
        try {
            while (lines.size() < count) {
                String line = line();
                if (line == null) {
                    break;
                }
                lines.add(line);
            }
        } catch (SocketTimeoutException silence) {
            // what has come is judged
        }
        return lines;
    }

    /** The next line; null if it has no end, or is too long. */
    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() == LONGEST) {
                return null;
            }
            line.write(next);
        }
        return line.toString(BYTES);
    }

    /** Sends lines, all at once; println would end them as the platform likes. */
    void send(List<String> lines) throws IOException {
        socket.getOutputStream().write((String.join("\n", lines) + "\n").getBytes(BYTES));
    }
}
