/* Those who connect to the host, and heartbeats. (MIT licence)
 *
 * While the opponent thinks, others may come and must be told that the game has begun, and
 * heartbeats are due. poll() waits for all of that at once, so no threads are needed.
 */
#include "guests.h"
#include "message.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

int guests_open(struct guests *guests, int port)
{
    int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr *any = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    for (int number = 0; number < GUESTS; number++)
        guests->guest[number].socket = -1;
    guests->listener = socket(AF_INET, SOCK_STREAM, 0);
    guests->udp = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(guests->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(guests->listener, any, size) < 0 || listen(guests->listener, GUESTS) < 0 ||
        getsockname(guests->listener, any, &size) < 0 || bind(guests->udp, any, size) < 0) {
        perror("listen");
        return -1;
    }
    return ntohs(address.sin_port);
}

static void welcome(struct guests *guests)
{
    int socket = accept(guests->listener, NULL, NULL);
    for (int number = 0; number < GUESTS && socket >= 0; number++)
        if (guests->guest[number].socket < 0 && &guests->guest[number] != guests->opponent) {
            connection_take(&guests->guest[number], socket);
            guests->since[number] = now();
            return;
        }
    if (socket >= 0)
        close(socket); /* there are too many */
}

/* What is wrong with join_game;PLAYER;GAME;VERSION; NULL if nothing is. */
static const char *judge(struct guests *guests, char *request)
{
    /* @task Say who may join: with the right words, the right game, and before another one. */
    const char *word = next_part(&request), *player = next_part(&request);
    const char *game = next_part(&request), *version = next_part(&request);
    if (strcmp(word, "join_game") != 0 || !player || !game || !version)
        return "join_game was due";
    if (strcmp(game, guests->game) != 0)
        return "there is no such game";
    if (guests->opponent)
        return "the game has begun";
    guests->version = strcmp(version, "V2") == 0 ? 2 : 1;
    printf("%s joins\n", player);
    return NULL;
    /* @open */
    /*| const char *word = next_part(&request); */
    /*| return guests->opponent ? "the game has begun" : word ? NULL : "join_game was due"; */
    /* @end */
}

/* Bytes of a guest have come. */
static void hear(struct guests *guests, struct connection *guest)
{
    bool open = connection_fill(guest);
    char *request = guest == guests->opponent ? NULL : connection_line(guest);
    if (request) {
        const char *problem = judge(guests, request);
        if (!problem) {
            guests->opponent = guest;
        } else {
            connection_send(guest, "join_game_failed;%s", problem);
            open = false;
        }
    }
    if (!open)
        connection_close(guest);
}

static void send_heartbeat(struct guests *guests)
{
    static const char heartbeat[] = "heartbeat\n";
    const struct sockaddr *address = (const struct sockaddr *)&guests->index;
    if (now() < guests->heartbeat)
        return;
    /* It may be lost, as all datagrams; the next one will arrive. */
    sendto(guests->udp, heartbeat, strlen(heartbeat), 0, address, sizeof guests->index);
    guests->heartbeat = now() + HEARTBEAT;
}

void guests_attend(struct guests *guests)
{
    enum { LISTENER = GUESTS, UDP, COUNT };
    struct pollfd watched[COUNT];
    send_heartbeat(guests);
    for (int number = 0; number < GUESTS; number++) /* poll overlooks -1 */
        watched[number] = (struct pollfd){guests->guest[number].socket, POLLIN, 0};
    watched[LISTENER] = (struct pollfd){guests->listener, POLLIN, 0};
    watched[UDP] = (struct pollfd){guests->udp, POLLIN, 0};
    if (poll(watched, COUNT, 1000) < 0)
        return; /* a signal */
    char datagram[64]; /* the index server's heartbeats: the document draws no conclusion */
    if (watched[UDP].revents)
        recv(guests->udp, datagram, sizeof datagram, MSG_DONTWAIT);
    for (int number = 0; number < GUESTS; number++) {
        struct connection *guest = &guests->guest[number];
        if (watched[number].revents)
            hear(guests, guest);
        else if (guest->socket >= 0 && guest != guests->opponent &&
                 now() - guests->since[number] > MOVE_TIME)
            connection_close(guest); /* it has said nothing */
    }
    if (watched[LISTENER].revents)
        welcome(guests);
}

void guests_close(struct guests *guests)
{
    for (int number = 0; number < GUESTS; number++)
        if (guests->guest[number].socket >= 0)
            connection_close(&guests->guest[number]);
    close(guests->listener);
    close(guests->udp);
}
