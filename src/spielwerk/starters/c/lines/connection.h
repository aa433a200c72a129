/* A TCP connection that speaks in lines. (MIT licence) */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST = 4096 }; /* bytes of a line */

struct connection {
    int socket;
    char buffer[LONGEST]; /* what has come and was not asked for yet */
    size_t filled;        /* bytes in the buffer */
    size_t used;          /* of these, the bytes of the line that was received last */
};

/* Connect; false after a message if that is not possible. */
bool connection_open(struct connection *connection, const char *host, const char *port);

/* Send a line, written as with printf, without its newline; false after a message. */
bool connection_send(struct connection *connection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The next line without its newline, valid until the next call; NULL after a message. */
char *connection_receive(struct connection *connection);

void connection_close(struct connection *connection);

#endif
