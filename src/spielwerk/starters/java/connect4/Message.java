// What is said: a header and parameters, with semicolons in between. (MIT licence)

import java.net.ProtocolException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A message; word 0 is its header, the parameters are words 1, 2, ... */
record Message(Object... words) {
    String header() {
        return words[0].toString();
    }

    /** A word; ProtocolException if there are not so many. */
    String text(int index) throws ProtocolException {
        if (index >= words.length) {
            throw new ProtocolException("a parameter is missing: " + this);
        }
        return words[index].toString();
    }

    /** A word that is a number; ProtocolException if it is not. */
    int number(int index) throws ProtocolException {
        if (!text(index).matches("[0-9]{1,9}")) {
            throw new ProtocolException("not a number: " + text(index));
        }
        return Integer.parseInt(text(index));
    }

    @Override
    public String toString() {
        return Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(";"));
    }
}
