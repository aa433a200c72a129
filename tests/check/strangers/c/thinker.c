/* "KI": zufaelliges freies Feld, zufaelliger noch verfuegbarer Stein. */
#include <stdio.h>
#include <stdlib.h>
#include "client.h"

int think(const struct shared *g, char *move, size_t size)
{
    int stones = g->width * g->height, nfree = 0, nleft = 0;
    int cells[MAXSIZE * MAXSIZE], left[MAXSIZE * MAXSIZE];
    char used[MAXSIZE * MAXSIZE] = { 0 };

    if (g->next >= 0 && g->next < stones)
        used[g->next] = 1;
    for (int i = 0; i < stones; i++) {
        int s = g->field[i / g->width][i % g->width];
        if (s == EMPTY)
            cells[nfree++] = i;
        else if (s >= 0 && s < stones)
            used[s] = 1;
    }
    for (int s = 0; s < stones; s++)
        if (!used[s])
            left[nleft++] = s;
    if (nfree == 0)
        return -1;

    int c = cells[rand() % nfree], x = c % g->width, y = c / g->width;
    if (nfree == 1 || nleft == 0)      /* letzter Zug: kein Stein fuer den Gegner */
        snprintf(move, size, "%c%d", 'A' + x, y + 1);
    else
        snprintf(move, size, "%c%d,%d", 'A' + x, y + 1, left[rand() % nleft]);
    return 0;
}
