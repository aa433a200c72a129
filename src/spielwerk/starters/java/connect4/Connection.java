// Connections to the index server and to the other player. (MIT licence)

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A TCP connection that speaks in messages: header;parameter;parameter and a newline.
 *
 * <p>TCP carries a stream of bytes, not lines: one read may bring half a line or three of them. So
 * we take byte after byte from a buffer until a newline ends the line.
 */
final class Connection implements AutoCloseable {
    static final int PATIENCE = 10_000; // milliseconds
    private static final int LONGEST = 1 << 20; // bytes of a message

    private final Socket socket;
    private final InputStream in;

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static Connection to(String host, int port) throws IOException {
        if (port > 65535) {
            throw new ProtocolException("there is no port " + port);
        }
        var socket = new Socket();
        socket.connect(new InetSocketAddress(host, port), PATIENCE);
        return new Connection(socket);
    }

    /** Asks the index server: one connection for each question. */
    static Message ask(String host, int port, Object... words) throws IOException {
        try (var connection = to(host, port)) {
            connection.send(words);
            return connection.receive(PATIENCE);
        }
    }

    void send(Object... words) throws IOException {
        String line = new Message(words) + "\n";
        socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
    }

    /** The next message; SocketTimeoutException after so much silence (0: none is too much). */
    Message receive(int milliseconds) throws IOException {
        socket.setSoTimeout(milliseconds);
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() == LONGEST) {
                throw new ProtocolException("the other side closed the connection, or never stops");
            }
            line.write(next);
        }
        return new Message((Object[]) line.toString(StandardCharsets.UTF_8).split(";", -1));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
