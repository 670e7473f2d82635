/* Backgammon's plays the plain way, in C: an array of points, plays tried one by one, and a hash table that drops those met before. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 25, SLOTS = 8192, MOST = 4096 };

/* Checkers on points 1 to 24, the opponent's negative; 25 the mover's bar, 0 the opponent's. The mover goes down. */
typedef struct { int8_t at[32]; } Board;
typedef struct { Board boards[MOST]; int n; } List;

static uint16_t found[SLOTS];
static uint32_t stamps[SLOTS], stamp;

static void clear(List *list) {
    list->n = 0;
    stamp++;
}

static void keep(List *list, const Board *board) {
    uint64_t words[4], hash = 0;
    memcpy(words, board->at, sizeof words);
    for (int i = 0; i < 4; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
    uint32_t slot = (uint32_t)hash % SLOTS;
    for (; stamps[slot] == stamp; slot = (slot + 1) % SLOTS)
        if (!memcmp(&list->boards[found[slot]], board, sizeof *board))
            return;
    stamps[slot] = stamp;
    found[slot] = (uint16_t)list->n;
    list->boards[list->n++] = *board;
}

/* The board after a step, if it is legal. */
static inline bool step(const Board *board, int from, int number, Board *after) {
    int to = from - number;
    if (board->at[from] < 1 || (from < BAR && board->at[BAR]))
        return false;
    if (to > 0 ? board->at[to] < -1 : from > 6)
        return false;
    if (to <= 0)
        for (int p = to < 0 ? from + 1 : 7; p <= BAR; p++)
            if (board->at[p] > 0)
                return false;
    *after = *board;
    after->at[from]--;
    if (to > 0 && after->at[to] < 0) {
        after->at[to] = 1;
        after->at[0]--;
    } else if (to > 0)
        after->at[to]++;
    return true;
}

/* Plays a number so many times more, from points no higher than the last one; keeps the boards where most steps were made. */
static void repeat(const Board *board, int number, int left, int highest, int made, int *most, List *list) {
    bool stuck = true;
    Board after;
    for (int from = highest; left && from; from--)
        if (step(board, from, number, &after)) {
            stuck = false;
            repeat(&after, number, left - 1, from, made + 1, most, list);
        }
    if (!stuck || made < *most || !made)
        return;
    if (made > *most) {
        clear(list);
        *most = made;
    }
    keep(list, board);
}

static void plays(const Board *board, int a, int b, List *list) {
    int most = 0, singles = 0, larger = a > b ? a : b;
    Board single[2 * BAR], after, last;
    clear(list);
    if (a == b) {
        repeat(board, a, 4, BAR, 0, &most, list);
        return;
    }
    for (int order = 0; order < 2; order++) {
        int first = order ? a + b - larger : larger, second = a + b - first;
        for (int from = BAR; from; from--) {
            if (!step(board, from, first, &after))
                continue;
            bool stuck = true;
            for (int next = BAR; next; next--)
                if (step(&after, next, second, &last)) {
                    stuck = false;
                    keep(list, &last);
                }
            if (stuck)
                single[singles++] = after;
        }
        if (!order)
            most = singles;
    }
    if (!list->n)
        for (int i = 0; i < (most ? most : singles); i++)
            keep(list, &single[i]);
}

static Board turned(const Board *board) {
    Board other = {{0}};
    for (int p = 0; p <= BAR; p++)
        other.at[p] = (int8_t)-board->at[BAR - p];
    return other;
}

static uint64_t leaves(const Board *board, int depth) {
    List *list = malloc(sizeof *list);
    uint64_t total = 0;
    for (int a = 1; a <= 6; a++)
        for (int b = 1; b <= a; b++) {
            plays(board, a, b, list);
            if (!list->n)
                list->boards[list->n++] = *board;
            if (depth == 1)
                total += (uint64_t)list->n;
            else
                for (int i = 0; i < list->n; i++) {
                    Board next = turned(&list->boards[i]);
                    total += leaves(&next, depth - 1);
                }
        }
    free(list);
    return total;
}

/* Leaves so many turns below backgammon's start, over the 21 rolls; depths at which no game has ended. */
uint64_t perft(int depth) {
    static const Board start = {{0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0}};
    return leaves(&start, depth);
}
