/* An Oware move server: server [--port PORT] (MIT licence)
 *
 * A client sends four lines (strategy, search depth, board, moves so far); the answer has five
 * (status, author, strategy's name, details, board), then the connection is closed. Every client
 * has a thread of its own.
 */
#include "answer.h"
#include "request.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 30, FAREWELL = 1, BACKLOG = 128 };

static void set_patience(int client, int seconds)
{
    struct timeval time = {.tv_sec = seconds};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

/* End the connection so that the answer arrives: if bytes that nobody has read are left when a
 * socket is closed, the other side gets a reset, and may lose what it has not read yet. */
static void part(int client, struct request *request)
{
    shutdown(client, SHUT_WR);
    set_patience(client, FAREWELL);
    for (int times = 0; times < 64; times++)
        if (recv(client, request->buffer, sizeof request->buffer, 0) <= 0)
            break;
}

/* One client: its request is read and answered. */
static void *serve(void *argument)
{
    int client = (int)(intptr_t)argument;
    struct request *request = malloc(sizeof *request);
    FILE *out = fdopen(client, "w");
    if (request && out) {
        set_patience(client, PATIENCE);
        request_read(request, client);
        answer(out, request);
        fflush(out);
        part(client, request);
    }
    if (out)
        fclose(out); /* closes the connection, too */
    else
        close(client);
    free(request);
    return NULL;
}

static int listen_at(int port)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, BACKLOG) < 0) {
        perror("listen");
        exit(EXIT_FAILURE);
    }
    getsockname(listener, (struct sockaddr *)&address, &size); /* port 0 is any that is free */
    printf("listening on port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s [--port PORT]\n", program);
    exit(EXIT_FAILURE);
}

static int read_options(int argc, char **argv)
{
    static const struct option known[] = {{"port", required_argument, NULL, 'p'}, {0}};
    long port = 7889;
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        char *end = NULL;
        if (option == 'p')
            port = strtol(optarg, &end, 10);
        if (!end || end == optarg || *end != '\0' || port < 0 || port > 65535)
            usage(argv[0]);
    }
    if (optind < argc)
        usage(argv[0]);
    return (int)port;
}

/* Accept clients for ever, and start a thread for each. */
static void *accept_clients(void *listener)
{
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED); /* no one waits for them */
    for (;;) {
        pthread_t thread;
        int client = accept(*(int *)listener, NULL, NULL);
        if (client < 0)
            sleep(1); /* too many at once, most likely: some will go */
        else if (pthread_create(&thread, &detached, serve, (void *)(intptr_t)client) != 0)
            close(client);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int listener = listen_at(read_options(argc, argv)), number;
    sigset_t ends; /* signals are blocked in all threads, and waited for here */
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN); /* a client that has gone must not end the server */
    srand((unsigned)time(NULL));
    pthread_t acceptor;
    if (pthread_create(&acceptor, NULL, accept_clients, &listener) != 0)
        return EXIT_FAILURE;
    sigwait(&ends, &number);
    pthread_cancel(acceptor);
    pthread_join(acceptor, NULL);
    close(listener);
    return EXIT_SUCCESS;
}
