/* Two processes: the child is the connector, the parent the thinker. (MIT licence)
 *
 * The connector writes the position into shared memory and sends SIGUSR1; the thinker answers with
 * a move through a pipe. When the connector ends, the thinker is told by SIGCHLD; when the thinker
 * ends, the connector finds the pipe closed. So neither of them is ever left alone.
 */
#include "client.h"
#include "strategy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* @task Share memory, make a pipe, fork, and have the parent think whenever SIGUSR1 comes. */
/* Memory that both processes will see; NULL after a message. */
static struct shared *share(void)
{
    int segment = shmget(IPC_PRIVATE, sizeof(struct shared), IPC_CREAT | 0600);
    void *memory = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);
    if (memory == (void *)-1)
        perror("shared memory");
    /* It is to be removed: that happens when no process has it any more, even after a crash. */
    if (segment >= 0)
        shmctl(segment, IPC_RMID, NULL);
    return memory == (void *)-1 ? NULL : memory;
}

/* Find a move and hand it to the connector; if there is none, the connector may go. */
static void think(const struct shared *shared, pid_t connector, int pipe_out)
{
    char move[MOVE_SIZE] = "";
    if (!choose(&shared->position, move) || write(pipe_out, move, sizeof move) < 0) {
        fprintf(stderr, "the thinker has no move\n");
        kill(connector, SIGTERM);
    }
}

/* Think whenever the connector asks, until it has ended; its exit status. */
static int think_until_over(const struct shared *shared, pid_t connector, int pipe_out,
                            const sigset_t *signals)
{
    int number, status;
    for (;;) {
        sigwait(signals, &number); /* sleeps; a signal that came before is not lost */
        if (number == SIGUSR1)
            think(shared, connector, pipe_out);
        else if (number != SIGCHLD)
            kill(connector, SIGTERM); /* we are to end: the connector first */
        else if (waitpid(connector, &status, WNOHANG) == connector)
            return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
    }
}

/* Block the signals that the thinker waits for, before there is anyone who could send them. */
static sigset_t block_signals(sigset_t *before)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, before);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN); /* write() says it, too */
    return signals;
}

int run(const struct options *options)
{
    int pipe_ends[2];
    sigset_t before, signals = block_signals(&before);
    struct shared *shared = share();
    if (!shared || pipe(pipe_ends) < 0)
        return EXIT_FAILURE;
    shared->thinker = getpid();
    pid_t connector = fork();
    if (connector < 0) {
        perror("fork");
        return EXIT_FAILURE;
    }
    int status;
    if (connector == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        close(pipe_ends[1]);
        status = play(options, shared, pipe_ends[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
        close(pipe_ends[0]);
    } else {
        close(pipe_ends[0]);
        srand((unsigned)time(NULL) ^ (unsigned)getpid());
        status = think_until_over(shared, connector, pipe_ends[1], &signals);
        close(pipe_ends[1]);
    }
    shmdt(shared);
    return status;
}
/* @open */
/*| int run(const struct options *options) */
/*| { */
/*|     static struct shared shared; */
/*|     return play(options, &shared, -1) ? EXIT_SUCCESS : EXIT_FAILURE; */
/*| } */
/* @end */
