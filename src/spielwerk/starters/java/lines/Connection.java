// The connection to a server: lines out, lines in. (MIT licence)

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A TCP connection that speaks in lines.
 *
 * <p>TCP carries a stream of bytes, not lines: one read may bring half a line or three of them. So
 * we take byte after byte from a buffer until a newline ends the line. (BufferedReader.readLine
 * would also end lines at a carriage return, and take half a line at the end for a whole one.)
 */
final class Connection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Connection(String host, int port) throws IOException {
        socket = new Socket(host, port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a line, in one piece; println would end it as the platform likes. */
    void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The server's next line, without its newline; EOFException if there is none. */
    String receive() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
