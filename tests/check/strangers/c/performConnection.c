/* Connector: Protokollphasen Prolog, Spielverlauf und Spielzug. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "client.h"

static FILE *in, *out;        /* gepufferte Stroeme ueber dem Socket */
static char line[1024];       /* zuletzt gelesene Zeile */

static int protocolError(void)
{
    fprintf(stderr, "Unerwartete Zeile vom Gameserver: %s\n", line);
    return -1;
}

/* Liest genau eine Zeile (fgets puffert); liefert den Text hinter "+ " oder NULL. */
static char *receive(void)
{
    fflush(stdout);
    if (fgets(line, sizeof line, in) == NULL) {
        if (ferror(in))
            perror("Lesen vom Gameserver");
        else
            fprintf(stderr, "Gameserver hat die Verbindung unerwartet beendet\n");
        return NULL;
    }
    if (strchr(line, '\n') == NULL) {
        fprintf(stderr, "Unvollstaendige oder zu lange Zeile vom Gameserver\n");
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '-') {
        fprintf(stderr, "Fehler vom Gameserver: %s\n", line + 1 + (line[1] == ' '));
        return NULL;
    }
    if (line[0] != '+') {
        protocolError();
        return NULL;
    }
    return line + 1 + (line[1] == ' ');
}

__attribute__((format(printf, 1, 2)))
static int transmit(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int rc = vfprintf(out, fmt, ap);
    va_end(ap);
    if (rc < 0 || fputc('\n', out) == EOF || fflush(out) == EOF) {
        perror("Senden an den Gameserver");
        return -1;
    }
    return 0;
}

static int prolog(struct shared *g, const char *gameId, int player)
{
    char version[64], *t;
    int num, pos;

    if (!(t = receive()))
        return -1;
    if (sscanf(t, "MNM Gameserver %63s accepting", version) != 1)
        return protocolError();
    printf("Verbunden mit MNM Gameserver %s\n", version);

    if (transmit("VERSION %s", CLIENTVERSION) < 0 || !receive())
        return -1;
    printf("Client-Version %s wurde akzeptiert\n", CLIENTVERSION);

    if (transmit("ID %s", gameId) < 0 || !(t = receive()))
        return -1;
    if (strncmp(t, "PLAYING ", 8) != 0)
        return protocolError();
    if (strcmp(t + 8, GAMEKINDNAME) != 0) {
        fprintf(stderr, "Falsche Spielart: Server spielt \"%s\", dieser Client nur \"%s\"\n",
                t + 8, GAMEKINDNAME);
        return -1;
    }
    if (!(t = receive()))
        return -1;
    printf("Spiel: %s (%s)\n", t, GAMEKINDNAME);

    if ((player >= 0 ? transmit("PLAYER %d", player) : transmit("PLAYER")) < 0
        || !(t = receive()))
        return -1;
    if (sscanf(t, "YOU %d%n", &g->myNumber, &pos) != 1)
        return protocolError();
    printf("Wir sind Spieler %d (%s)\n", g->myNumber, t + pos + (t[pos] == ' '));
    if (!(t = receive()))
        return -1;
    if (sscanf(t, "TOTAL %d", &g->players) != 1)
        return protocolError();
    printf("Anzahl der Spieler: %d\n", g->players);

    while ((t = receive()) && strcmp(t, "ENDPLAYERS") != 0) {
        /* <nummer> <name, evtl. mit Leerzeichen> <bereit> */
        char *ready = strrchr(t, ' ');
        if (sscanf(t, "%d%n", &num, &pos) != 1 || ready < t + pos)
            return protocolError();
        *ready = '\0';
        printf("Spieler %d (%s) ist %sbereit\n", num, ready > t + pos ? t + pos + 1 : "",
               atoi(ready + 1) ? "" : "noch nicht ");
    }
    return t ? 0 : -1;
}

/* FIELD ... ENDFIELD lesen und anzeigen */
static int readField(struct shared *g)
{
    char *t = receive(), *tok, *end;
    if (t == NULL)
        return -1;
    if (sscanf(t, "FIELD %d , %d", &g->width, &g->height) != 2
        || g->width < 1 || g->height < 1 || g->width > MAXSIZE || g->height > MAXSIZE)
        return protocolError();
    for (int i = 0; i < g->height; i++) {
        if (!(t = receive()))
            return -1;
        int y = (int)strtol(t, &end, 10);
        if (end == t || y < 1 || y > g->height)
            return protocolError();
        printf("%3d |", y);
        strtok(t, " ");
        for (int x = 0; x < g->width; x++) {
            if (!(tok = strtok(NULL, " ")))
                return protocolError();
            g->field[y - 1][x] = strcmp(tok, "*") ? atoi(tok) : EMPTY;
            printf(" %3s", tok);
        }
        printf("\n");
    }
    if (!(t = receive()))
        return -1;
    return strcmp(t, "ENDFIELD") == 0 ? 0 : protocolError();
}

/* Befehlssequenz Move und Phase Spielzug; die MOVE-Zeile ist schon gelesen */
static int makeMove(struct shared *g, int pipefd)
{
    char move[32], *t = receive();
    if (t == NULL)
        return -1;
    if (sscanf(t, "NEXT %d", &g->next) != 1)
        return protocolError();
    printf("Wir sind am Zug (%d ms), zu setzender Stein: %d\n", g->moveTime, g->next);
    if (readField(g) < 0 || transmit("THINKING") < 0)
        return -1;
    g->think = 1;
    if (kill(g->thinker, SIGUSR1) < 0) {          /* Thinker wecken */
        perror("kill");
        return -1;
    }
    if (!(t = receive()))
        return -1;
    if (strcmp(t, "OKTHINK") != 0)
        return protocolError();
    ssize_t n = read(pipefd, move, sizeof move - 1);
    if (n <= 0) {
        fprintf(stderr, "Keine Antwort vom Thinker\n");
        return -1;
    }
    move[n] = '\0';
    printf("Zug: %s\n", move);
    if (transmit("PLAY %s", move) < 0 || !(t = receive()))
        return -1;
    return strcmp(t, "MOVEOK") == 0 ? 0 : protocolError();
}

int performConnection(int sock, int pipefd, struct shared *g,
                      const char *gameId, int player)
{
    char *t;
    int num, pos;

    if (!(in = fdopen(sock, "r")) || !(out = fdopen(dup(sock), "w"))) {
        perror("fdopen");
        return -1;
    }
    if (prolog(g, gameId, player) < 0)
        return -1;
    while ((t = receive())) {
        if (strcmp(t, "WAIT") == 0) {
            if (transmit("OKWAIT") < 0)
                return -1;
        } else if (sscanf(t, "MOVE %d", &g->moveTime) == 1) {
            if (makeMove(g, pipefd) < 0)
                return -1;
        } else if (strncmp(t, "GAMEOVER", 8) == 0) {
            if (sscanf(t + 8, "%d%n", &num, &pos) == 1)
                printf("Spielende: Spieler %d (%s) gewinnt, wir haben %s\n", num,
                       t + 8 + pos + (t[8 + pos] == ' '), num == g->myNumber ? "gewonnen" : "verloren");
            else
                printf("Spielende: unentschieden\n");
            if (readField(g) < 0 || !(t = receive()))
                return -1;
            return strcmp(t, "QUIT") == 0 ? 0 : protocolError();
        } else {
            return protocolError();
        }
    }
    return -1;
}
