/* Those who connect to the host: one of them becomes the opponent. (MIT licence) */
#ifndef GUESTS_H
#define GUESTS_H

#include "connection.h"

#include <netinet/in.h>
#include <time.h>

enum { GUESTS = 8, MOVE_TIME = 10, HEARTBEAT = 10 }; /* the latter two in seconds */

struct guests {
    int listener, udp;               /* both at the same port */
    struct sockaddr_in index;        /* where heartbeats go */
    time_t heartbeat;                /* when the next one is due */
    const char *game;                /* which may be joined */
    struct connection guest[GUESTS]; /* their sockets are -1 where there is none */
    time_t since[GUESTS];
    struct connection *opponent;     /* the guest who has joined */
    int version;                     /* which this one wants: 1 or 2 */
};

/* Seconds that only go forwards. */
time_t now(void);

/* Listen at a port, 0 for any that is free; the port, -1 after a message. */
int guests_open(struct guests *guests, int port);

/* Wait for something to happen, a second at most, and see to it: guests who come, join or go,
 * heartbeats, and bytes of the opponent, which are kept in its connection. */
void guests_attend(struct guests *guests);

void guests_close(struct guests *guests);

#endif
