/* A TCP connection that speaks in lines. (MIT licence) */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST = 1 << 19 }; /* bytes of a line: a whole board of 32 x 32 x 32 has half as many */

struct connection {
    int socket;           /* -1 if there is none */
    char buffer[LONGEST]; /* what has come and was not asked for yet */
    size_t filled;        /* bytes in the buffer */
    size_t used;          /* of these, the bytes of the line that was taken last */
};

/* Connect; false after a message if that is not possible. */
bool connection_open(struct connection *connection, const char *host, const char *port);

/* Speak over a socket that is connected already. */
void connection_take(struct connection *connection, int socket);

/* Wait at most so many seconds whenever we receive; 0 is for ever. */
void connection_patience(struct connection *connection, int seconds);

/* Send a line, written as with printf, without its newline; false after a message. */
bool connection_send(struct connection *connection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool connection_send_bytes(struct connection *connection, const char *bytes, size_t length);

/* The next line without its newline, valid until the next call; NULL after a message. */
char *connection_receive(struct connection *connection);

/* The two halves of it, where poll() says when to receive: take a line out of the buffer, NULL if
 * none has come whole; receive some bytes once, false if that is the end. */
char *connection_line(struct connection *connection);
bool connection_fill(struct connection *connection);

void connection_close(struct connection *connection);

#endif
