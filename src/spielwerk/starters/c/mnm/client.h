/* What the parts of the client know of each other. (MIT licence) */
#ifndef CLIENT_H
#define CLIENT_H

#include "position.h"

#include <sys/types.h>

struct options {
    const char *game_id;
    const char *player; /* the wanted one; NULL for any that is free */
    const char *host, *port;
};

/* What both processes see. */
struct shared {
    pid_t thinker;
    struct position position;
};

/* processes.c: play the game with two processes; the exit status. */
int run(const struct options *options);

/* connector.c: connect and play; moves come from the thinker through the pipe. */
bool play(const struct options *options, struct shared *shared, int pipe_in);

#endif
