/* The algorithm of tablezoo/kernel/track.py for backgammon, in C: what numba is measured against.
 *
 * Boards, rows and functions are those of tablezoo/kernel/board.py and track.py, which explain them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t U;
typedef struct { U a, b, c, d; } Board;
typedef struct { Board board; U turn; } Row;
typedef struct { U free, hittable; } Turn;

enum { BAR = 25, OPPONENT = 38, MAX_PLAYS = 4096 };
static const U ONE = 1, POINTS = 0x1FFFFFE, OWN = 0x3FFFFFE, OUTSIDE = 0x3FFFF80, BAR_BIT = 0x2000000;

static inline U lowest(U x) { return (U)__builtin_ctzll(x); }
static inline U lone_bit(U x) { return x & -x; }
static inline U occupied(Board x) { return x.a | x.b | x.c | x.d; }

static inline U reverse(U x) {
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
    x = ((x >> 4) & 0x0F0F0F0F0F0F0F0F) | ((x & 0x0F0F0F0F0F0F0F0F) << 4);
    return __builtin_bswap64(x);
}

static inline Board turned(Board x) { return (Board){reverse(x.a), reverse(x.b), reverse(x.c), reverse(x.d)}; }

static inline Board add(Board x, U places) {
    x.a ^= places;
    U carry = places & ~x.a;
    x.b ^= carry;
    carry &= ~x.b;
    x.c ^= carry;
    x.d ^= carry & ~x.c;
    return x;
}

static inline Board taken(Board x, U places) {
    x.a ^= places;
    U borrow = places & x.a;
    x.b ^= borrow;
    borrow &= x.b;
    x.c ^= borrow;
    x.d ^= borrow & x.c;
    return x;
}

static inline Turn make_turn(Board x) {
    U free = POINTS & ~((x.b | x.c | x.d) >> OPPONENT);
    return (Turn){free, (x.a >> OPPONENT) & free};
}

static inline U sources(Turn turn, Board x, U number) {
    U own = occupied(x) & OWN, onto_points = own & (turn.free << number);
    if (own & BAR_BIT)
        return onto_points & BAR_BIT;
    if (own & OUTSIDE || !own)
        return onto_points;
    U highest = 63 - (U)__builtin_clzll(own);
    return onto_points | (own & (ONE << (highest < number ? highest : number)));
}

static inline Board moved(Turn turn, Board x, U source, U number) {
    U landing = source >> number ? source >> number : ONE;
    x = add(taken(x, source), landing);
    U hit = landing & (x.a >> OPPONENT) & turn.free;
    if (hit) {
        x.a ^= hit << OPPONENT;
        x = add(x, ONE << OPPONENT);
    }
    return x;
}

static inline U emit(Row *out, U n, Board board, U turn) {
    out[n] = (Row){board, turn};
    return n + 1;
}

static inline U expand(const Row *level, U first, U last, Turn turn, U number, Row *out, U n, U tag) {
    for (U i = first; i < last; i++) {
        Board board = level[i].board;
        U movable = sources(turn, board, number) & ((level[i].turn << 1) - 1);
        while (movable) {
            U source = lone_bit(movable);
            movable ^= source;
            n = emit(out, n, moved(turn, board, source, number), source & tag);
        }
    }
    return n;
}

static inline U expand_twice(const Row *level, U first, U last, Turn turn, U number, Row *out) {
    U n = 0;
    for (U i = first; i < last; i++) {
        Board board = level[i].board;
        U movable = sources(turn, board, number) & ((level[i].turn << 1) - 1);
        while (movable) {
            U source = lone_bit(movable);
            movable ^= source;
            Board after = moved(turn, board, source, number);
            U replies = sources(turn, after, number) & ((source << 1) - 1);
            while (replies) {
                U reply = lone_bit(replies);
                replies ^= reply;
                n = emit(out, n, moved(turn, after, reply, number), 0);
            }
        }
    }
    return n;
}

static U doublet(Turn turn, Board board, U number, Row *out, Row *work) {
    U n = 0, first = 0, last = 1, used = 0;
    work[0] = (Row){board, BAR_BIT};
    for (; used < 3; used++) {
        if (used == 2 && (n = expand_twice(work, first, last, turn, number, out)))
            return n;
        U end = expand(work, first, last, turn, number, work, last, ~(U)0);
        if (end == last)
            break;
        first = last;
        last = end;
    }
    if (used == 3)
        n = expand(work, first, last, turn, number, out, 0, 0);
    if (used && !n)
        for (U i = first; i < last; i++)
            n = emit(out, n, work[i].board, 0);
    return n;
}

static U one_of_two(Turn turn, Board board, U a, U b, U by_a, U by_b, Row *out) {
    U n = 0;
    for (U rest = by_a; rest; rest &= rest - 1)
        n = emit(out, n, moved(turn, board, lone_bit(rest), a), 0);
    for (U rest = by_a ? 0 : by_b; rest; rest &= rest - 1)
        n = emit(out, n, moved(turn, board, lone_bit(rest), b), 0);
    return n;
}

static U two_numbers(Turn turn, Board board, U a, U b, Row *out) {
    U paired[BAR + 1] = {0}, n = 0, chains = 0, lone = 0;
    U by_a = sources(turn, board, a), by_b = sources(turn, board, b);
    for (U movable = by_a; movable; movable &= movable - 1) {
        U p = lowest(movable);
        Board after = moved(turn, board, ONE << p, a);
        U replies = sources(turn, after, b);
        if (!replies && !(occupied(after) & OWN)) {
            n = emit(out, n, after, 0);
            if (p <= a)
                lone |= ONE << p;
        }
        for (replies &= ~(ONE << (p + b)); replies; replies &= replies - 1) {
            U q = lowest(replies);
            if (q + a == p)
                chains |= ONE << p;
            else if (p <= b && q <= b && (paired[q] >> p) & 1)
                continue;
            else
                paired[p] |= ONE << q;
            n = emit(out, n, moved(turn, after, ONE << q, b), 0);
        }
    }
    for (U movable = by_b; movable; movable &= movable - 1) {
        U q = lowest(movable);
        Board after = moved(turn, board, ONE << q, b);
        bool quiet = !(((ONE << q >> a) | (ONE << q >> b)) & turn.hittable);
        U replies = sources(turn, after, a) & ~(ONE << (q + a));
        for (; replies; replies &= replies - 1) {
            U p = lowest(replies);
            if (p + b == q) {
                if (quiet && ((chains | lone) >> q) & 1)
                    continue;
            } else if ((paired[p] >> q) & 1 || (q <= b && p <= b && (paired[q] >> p) & 1))
                continue;
            else
                paired[p] |= ONE << q;
            n = emit(out, n, moved(turn, after, ONE << p, a), 0);
        }
    }
    return n ? n : one_of_two(turn, board, a, b, by_a, by_b, out);
}

static U two_numbers_afield(Turn turn, Board board, U a, U b, Row *out) {
    U n = 0, own = occupied(board) & OWN, several = (board.b | board.c | board.d) & OWN;
    U by_a = own & (turn.free << a), by_b = own & (turn.free << b), whole = turn.free << (a + b);
    U chains = by_a & whole;
    U chains_b_first = by_b & whole & ~(chains & ~((turn.hittable << a) | (turn.hittable << b)));
    for (U movable = by_a; movable; movable &= movable - 1) {
        U p = lone_bit(movable), partners = by_b & ~(p & ~several) & ~(p << b);
        partners = chains & p ? partners | p >> a : partners & ~(p >> a);
        if (!partners)
            continue;
        Board after = moved(turn, board, p, a);
        for (; partners; partners &= partners - 1)
            n = emit(out, n, moved(turn, after, lone_bit(partners), b), 0);
    }
    for (U rest = chains_b_first; rest; rest &= rest - 1) {
        U q = lone_bit(rest);
        n = emit(out, n, moved(turn, moved(turn, board, q, b), q >> b, a), 0);
    }
    return n ? n : one_of_two(turn, board, a, b, by_a, by_b, out);
}

/* All distinct results of the roll a, b. */
static U plays(Board board, U a, U b, Row *out, Row *work) {
    Turn turn = make_turn(board);
    U n;
    if (a == b)
        n = doublet(turn, board, a, out, work);
    else {
        U own = occupied(board) & OWN, outside = own & OUTSIDE;
        bool afield = !(own & BAR_BIT) && (outside & (outside - 1) || outside & (board.b | board.c | board.d));
        n = (afield ? two_numbers_afield : two_numbers)(turn, board, a > b ? a : b, a > b ? b : a, out);
    }
    return n ? n : emit(out, 0, board, 0);
}

/* Total number of plays of n nodes; a turn word counts in three bits for each face how often it may be played. */
U count_plays(const Row *nodes, U n) {
    Row *out = malloc(sizeof(Row) * MAX_PLAYS), *work = malloc(sizeof(Row) * MAX_PLAYS);
    U total = 0;
    for (U i = 0; i < n; i++) {
        U numbers = nodes[i].turn & 0x3FFFF;
        total += plays(nodes[i].board, (63 - (U)__builtin_clzll(numbers)) / 3 + 1, lowest(numbers) / 3 + 1, out, work);
    }
    free(out);
    free(work);
    return total;
}

static U leaves(Board board, int depth, Row *out, Row *work) {
    U total = 0;
    for (U a = 1; a <= 6; a++)
        for (U b = 1; b <= a; b++) {
            U n = plays(board, a, b, out, work);
            if (depth == 1)
                total += n;
            else
                for (U i = 0; i < n; i++)
                    total += occupied(out[i].board) & OWN ? leaves(turned(out[i].board), depth - 1, out + MAX_PLAYS, work) : 1;
        }
    return total;
}

/* Leaves so many turns below a board, over the 21 rolls. */
U perft(const Row *start, int depth) {
    Row *out = malloc(sizeof(Row) * MAX_PLAYS * (U)depth), *work = malloc(sizeof(Row) * MAX_PLAYS);
    U total = leaves(start->board, depth, out, work);
    free(out);
    free(work);
    return total;
}
