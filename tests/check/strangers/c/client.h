/* Gemeinsame Definitionen fuer Connector und Thinker (Quarto-Client). */
#ifndef CLIENT_H
#define CLIENT_H

#include <signal.h>
#include <sys/types.h>

#define GAMEKINDNAME  "Quarto"
#define PORTNUMBER    1357
#define HOSTNAME      "sysprak.priv.lab.nm.ifi.lmu.de"
#define CLIENTVERSION "1.0"
#define GAMEIDLENGTH  11
#define MAXSIZE       26            /* Spalten A..Z */
#define EMPTY         (-1)

/* Liegt im geteilten Speicher: Connector schreibt, Thinker liest. */
struct shared {
    pid_t thinker;
    int   myNumber, players, moveTime;
    int   next;                     /* zu setzender Stein */
    int   width, height;
    int   field[MAXSIZE][MAXSIZE];  /* [y][x], y = 0 ist Zeile 1 */
    volatile sig_atomic_t think;    /* 1: Thinker soll rechnen */
};

/* performConnection.c: 0 bei regulaerem Spielende, sonst -1 */
int performConnection(int sock, int pipefd, struct shared *g,
                      const char *gameId, int player);
/* thinker.c: schreibt den Zug nach move, -1 wenn kein Feld frei ist */
int think(const struct shared *g, char *move, size_t size);

#endif
