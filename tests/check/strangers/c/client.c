/* Quarto-Client: Elternprozess = Thinker, Kindprozess = Connector. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "client.h"

static void usage(const char *prog)
{
    fprintf(stderr, "Aufruf: %s -g GAMEID [-p SPIELER] [-s HOST[:PORT]]\n", prog);
    exit(EXIT_FAILURE);
}

static int connectTo(const char *host, const char *port)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *res, *a;
    int fd = -1, rc = getaddrinfo(host, port, &hints, &res);
    if (rc != 0) {
        fprintf(stderr, "Host %s: %s\n", host, gai_strerror(rc));
        return -1;
    }
    for (a = res; a != NULL; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) == 0)
            break;
        perror("Verbindung zum Gameserver");
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(res);
    return fd;
}

/* Wartet auf Signale, bis der Connector fertig ist; liefert den Exit-Code. */
static int thinkerLoop(struct shared *g, pid_t child, int pipefd, const sigset_t *set)
{
    int status, sig, interrupted = 0;
    for (;;) {
        if (sigwait(set, &sig) != 0)
            continue;
        if (sig == SIGUSR1 && g->think) {
            char move[32];
            g->think = 0;
            if (think(g, move, sizeof move) < 0) {
                fprintf(stderr, "Thinker: kein freies Feld\n");
                kill(child, SIGTERM);
            } else if (write(pipefd, move, strlen(move)) < 0) {
                perror("write (Pipe)");
                kill(child, SIGTERM);
            }
        } else if (sig == SIGINT || sig == SIGTERM) {
            interrupted = sig;
            kill(child, SIGTERM);
        } else if (sig == SIGCHLD && waitpid(child, &status, WNOHANG) == child) {
            break;
        }
    }
    if (interrupted)
        return 128 + interrupted;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *gameId = NULL;
    char host[256] = HOSTNAME, port[16], *end;
    int player = -1, opt, fd[2];

    snprintf(port, sizeof port, "%d", PORTNUMBER);
    while ((opt = getopt(argc, argv, "g:p:s:")) != -1) {
        if (opt == 'g') {
            gameId = optarg;
        } else if (opt == 'p') {
            player = (int)strtol(optarg, &end, 10);
            if (end == optarg || *end || player < 0)
                usage(argv[0]);
        } else if (opt == 's') {
            char *colon = strrchr(optarg, ':');
            if (colon) {
                *colon = '\0';
                snprintf(port, sizeof port, "%s", colon + 1);
            }
            snprintf(host, sizeof host, "%s", optarg);
        } else {
            usage(argv[0]);
        }
    }
    if (gameId == NULL || optind != argc)
        usage(argv[0]);
    if (strlen(gameId) != GAMEIDLENGTH) {
        fprintf(stderr, "Die Game-ID muss %d-stellig sein\n", GAMEIDLENGTH);
        return EXIT_FAILURE;
    }

    int shm = shmget(IPC_PRIVATE, sizeof(struct shared), IPC_CREAT | 0600);
    if (shm < 0) {
        perror("shmget");
        return EXIT_FAILURE;
    }
    struct shared *g = shmat(shm, NULL, 0);
    /* Sofort zum Loeschen vormerken: verschwindet, wenn beide Prozesse weg sind */
    if (shmctl(shm, IPC_RMID, NULL) < 0)
        perror("shmctl");
    if (g == (void *)-1) {
        perror("shmat");
        return EXIT_FAILURE;
    }
    if (pipe(fd) < 0) {
        perror("pipe");
        return EXIT_FAILURE;
    }

    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &old);         /* vor fork(): kein Signal geht verloren */
    g->thinker = getpid();

    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return EXIT_FAILURE;
    }
    if (child == 0) {                           /* Connector */
        sigprocmask(SIG_SETMASK, &old, NULL);
        close(fd[1]);
        int sock = connectTo(host, port), rc = -1;
        if (sock >= 0)
            rc = performConnection(sock, fd[0], g, gameId, player);
        shmdt(g);
        return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    close(fd[0]);                               /* Thinker */
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    int rc = thinkerLoop(g, child, fd[1], &set);
    close(fd[1]);
    shmdt(g);
    return rc;
}
