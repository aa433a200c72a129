/* A request: four lines of bytes. (MIT licence) */
#ifndef REQUEST_H
#define REQUEST_H

#include <stddef.h>

enum { LINES = 4, LONGEST = 65536 /* bytes of a line */ };

/* Not a string of C: a line may hold any bytes, zeros, too. */
struct line {
    const char *text;
    size_t length;
};

struct request {
    struct line lines[LINES];
    int count; /* of the lines that came whole */
    char buffer[LINES * (LONGEST + 1)];
};

/* Read up to four lines from a client. Only a newline ends a line, and only whole lines count. */
void request_read(struct request *request, int client);

#endif
