/* The race: who has saved what, and the points of the turn that is being played. (MIT licence) */
#ifndef RACE_H
#define RACE_H

enum { ME = 2 }; /* the server calls us 2 in every THRW; the others are 0 and 1 */

struct race {
    int saved[3]; /* of the others, 0 and 1, and of ourselves, 2 */
    int points;   /* of the turn that is being played */
    int player;   /* whose turn it is */
};

/* A player is about to decide: if it is another than before, the turn before is over. */
void race_turn_of(struct race *race, int player);

/* Save the points of the turn. */
void race_end_turn(struct race *race);

/* A player has thrown. */
void race_thrown(struct race *race, int player, int first, int second);

#endif
