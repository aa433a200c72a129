/* Offers a game of Connect Four (MIT licence):
 *
 *     host INDEX-HOST INDEX-PORT [PORT [GAME [WIDTH HEIGHT DEPTH]]]
 */
#include "board.h"
#include "guests.h"
#include "message.h"
#include "strategy.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char name[] = "starter";
static struct index_server server; /* too large for the stack */
static struct guests guests;
static struct board board;
static volatile sig_atomic_t stopped; /* by Ctrl-C; poll ends early then */

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

/* End the game before its end: tell the opponent, if there is still one, and ourselves. */
static bool give_up(const char *reason)
{
    fprintf(stderr, "host: %s\n", reason);
    if (guests.opponent && guests.opponent->socket >= 0)
        connection_send(guests.opponent, "abort_game;%s", reason);
    return false;
}

/* @task Write the game: how moves are read and tested, and how the board is told. */
/* The opponent's next line; NULL if the opponent is gone, or has been silent for too long. */
static char *hear_opponent(void)
{
    time_t end = now() + MOVE_TIME;
    char *line;
    while (!(line = connection_line(guests.opponent))) {
        if (guests.opponent->socket < 0 || now() > end || stopped)
            return NULL;
        guests_attend(&guests);
    }
    return line;
}

/* The opponent's move; -1 if there is none, and the game is over. */
static int opponent_move(void)
{
    char *rest = hear_opponent();
    if (!rest) {
        give_up(stopped ? "the host was stopped" : "no move came in time");
        return -1;
    }
    const char *word = next_part(&rest);
    int field;
    if (strcmp(word, "move") != 0) {
        give_up("a move was due");
        return -1;
    }
    if (next_number(&rest, &field) && !rest && board_legal(&board, field))
        return field;
    connection_send(guests.opponent, "moved_failed;no stone can be put there");
    give_up("a move was not possible");
    return -1;
}

/* V1: all fields and their states. */
static bool send_board(void)
{
    int count = board_count(&board), length;
    char *text = malloc((size_t)count * 16 + 64);
    if (!text)
        return false;
    length = sprintf(text, "synchronize_game_board;%d", count);
    for (int field = 0; field < count; field++)
        length += sprintf(text + length, ";%d;%d", field, board.fields[field]);
    text[length++] = '\n';
    bool well = connection_send_bytes(guests.opponent, text, length);
    free(text);
    return well;
}

static bool publish(int field, int player)
{
    board.fields[field] = (char)player;
    if (guests.opponent->socket < 0)
        return give_up("the opponent is gone");
    if (guests.version == 1)
        return send_board();
    return connection_send(guests.opponent, "updated_game_board;%d;%d", field, player);
}
/* @open */
/* @end */

/* Play with the opponent, who has joined; false if the game came to no end. */
static bool play(const char *guid)
{
    /* @task Write the course: join_game_success, seal_game, start_game, moves, end_game. */
    int turn = rand() / 2 % 2 ? INITIATOR : OPPONENT, result;
    if (!connection_send(guests.opponent, "join_game_success;V%d", guests.version))
        return false;
    const char *answer = ask_index(&server, "seal_game;%s", guid);
    if (!answer)
        return give_up("the index server is gone");
    if (strcmp(answer, "seal_game_success") != 0)
        fprintf(stderr, "host: the index server says: %s\n", answer);
    if (turn == OPPONENT && !connection_send(guests.opponent, "start_game"))
        return false;
    while ((result = board_result(&board)) == RUNNING) {
        int field = turn == INITIATOR ? choose(&board, INITIATOR) : opponent_move();
        if (field < 0 || !publish(field, turn))
            return false;
        turn = turn == INITIATOR ? OPPONENT : INITIATOR;
    }
    static const char *const results[] = {"drawn", "won", "lost"};
    puts(results[result]);
    return connection_send(guests.opponent, "end_game;%d", result);
    /* @open */
    /*| printf("%s: we would begin with %d\n", guid, choose(&board, INITIATOR)); */
    /*| return give_up("not written yet"); */
    /* @end */
}

/* Where the index server is, and which of our addresses leads there. */
static bool find_addresses(char own[INET_ADDRSTRLEN])
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
    if (getaddrinfo(server.host, server.port, &hints, &found) != 0)
        return give_up("there is no such index server");
    memcpy(&guests.index, found->ai_addr, sizeof guests.index);
    freeaddrinfo(found);
    struct sockaddr_in address = guests.index;
    socklen_t size = sizeof address;
    int probe = socket(AF_INET, SOCK_DGRAM, 0); /* connecting by UDP sends nothing */
    bool well = connect(probe, (struct sockaddr *)&address, size) == 0 &&
                getsockname(probe, (struct sockaddr *)&address, &size) == 0 &&
                inet_ntop(AF_INET, &address.sin_addr, own, INET_ADDRSTRLEN);
    close(probe);
    return well || give_up("no way leads to the index server");
}

/* Put the game into the index server's list; its GUID, to be freed, NULL after a message. */
static char *register_game(int port, int depth)
{
    char own[INET_ADDRSTRLEN];
    if (!find_addresses(own))
        return NULL;
    char *rest = ask_index(&server, "register_game;%s;%s;%d;%d;%d;%s;%d", name, guests.game,
                           board.width, board.height, depth, own, port);
    const char *word = next_part(&rest), *guid = next_part(&rest);
    if (guid && strcmp(word, "register_success") == 0)
        return strdup(guid);
    if (guid && strcmp(word, "register_game_success") == 0) /* as some index servers say */
        return strdup(guid);
    fprintf(stderr, "host: not registered: %s %s\n", word ? word : "", guid ? guid : "");
    return NULL;
}

/* Offer the game, play it, and take it out of the list. */
static bool offer(int port, int depth)
{
    char *guid = register_game(port, depth);
    if (!guid)
        return false;
    printf("%s is registered; we listen at port %d\n", guests.game, port);
    while (!guests.opponent && !stopped)
        guests_attend(&guests);
    bool well = guests.opponent && play(guid);
    ask_index(&server, "unregister_game;%s", guid);
    free(guid);
    return well;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void usage(void)
{
    fprintf(stderr, "usage: host INDEX-HOST INDEX-PORT [PORT [GAME [WIDTH HEIGHT DEPTH]]]\n");
    exit(EXIT_FAILURE);
}

/* A word of the command line, which must be a number. */
static int number_of(char *word)
{
    int number;
    if (!next_number(&word, &number))
        usage();
    return number;
}

int main(int argc, char **argv)
{
    if ((argc < 3 || argc > 5) && argc != 8)
        usage();
    char game[64]; /* names must be new to the index server */
    snprintf(game, sizeof game, "starter %d", (int)getpid());
    guests.game = argc > 4 ? argv[4] : game;
    int wanted = argc > 3 ? number_of(argv[3]) : 0, depth = argc > 7 ? number_of(argv[7]) : 1;
    int width = argc > 7 ? number_of(argv[5]) : 7, height = argc > 7 ? number_of(argv[6]) : 6;
    if (wanted > 65535 || !board_begin(&board, width, height, depth) || strpbrk(guests.game, ";\n"))
        usage();
    catch_signals();
    setvbuf(stdout, NULL, _IOLBF, 0);
    srand((unsigned)time(NULL) ^ ((unsigned)getpid() << 8));
    server.host = argv[1];
    server.port = argv[2];
    int port = guests_open(&guests, wanted);
    bool well = port > 0 && offer(port, depth);
    guests_close(&guests);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
