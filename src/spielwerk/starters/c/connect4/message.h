/* Messages: a word and its parameters, with semicolons between them. (MIT licence) */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "connection.h"

/* Cut the next part off a message; NULL if none is left. The parts may be empty. */
char *next_part(char **message);

/* Cut the next part off, which must be a number of digits alone. */
bool next_number(char **message, int *number);

/* The index server, which gets a new connection for each request. */
struct index_server {
    const char *host, *port;
    struct connection connection;
};

/* Send a request; the answer, valid until the next one, NULL after a message. */
char *ask_index(struct index_server *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
