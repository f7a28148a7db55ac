// The loops of the lab as a person writes them in C: one word, two halves, three draws each, rejection, one table.
#include <stdint.h>

static inline uint64_t mix(uint64_t n) {
    n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9ULL;
    n = (n ^ (n >> 27)) * 0x94D049BB133111EBULL;
    return n ^ (n >> 31);
}

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15ULL;

// The bound of everything here: the words alone.
uint64_t words_only(uint64_t key, uint64_t words) {
    uint64_t seen = 0;
    for (uint64_t n = 0; n < words; n++) seen ^= mix(key + n * GOLDEN);
    return seen;
}

// A flat Player: what every round brings, added up.
int64_t flat(uint64_t key, int64_t rounds, uint64_t below, uint64_t sides, const int64_t *brings) {
    int64_t total = 0;
    for (uint64_t n = 0; rounds > 0; n++) {
        uint64_t word = mix(key + n * GOLDEN);
        for (int side = 0; side < 2; side++) {
            uint64_t half = side ? word >> 32 : word & 0xFFFFFFFFULL;
            uint64_t one = half * sides, two = (one & 0xFFFFFFFFULL) * sides, three = (two & 0xFFFFFFFFULL) * sides;
            if ((three & 0xFFFFFFFFULL) < below) continue;
            if (rounds-- > 0) total += brings[one >> 32];
            if (rounds-- > 0) total += brings[two >> 32];
            if (rounds-- > 0) total += brings[three >> 32];
        }
    }
    return total;
}

// The same, counting what was drawn: every box of the layout at once.
void histogram(uint64_t key, int64_t rounds, uint64_t below, uint64_t sides, int64_t *counts) {
    for (uint64_t n = 0; rounds > 0; n++) {
        uint64_t word = mix(key + n * GOLDEN);
        for (int side = 0; side < 2; side++) {
            uint64_t half = side ? word >> 32 : word & 0xFFFFFFFFULL;
            uint64_t one = half * sides, two = (one & 0xFFFFFFFFULL) * sides, three = (two & 0xFFFFFFFFULL) * sides;
            if ((three & 0xFFFFFFFFULL) < below) continue;
            if (rounds-- > 0) counts[one >> 32]++;
            if (rounds-- > 0) counts[two >> 32]++;
            if (rounds-- > 0) counts[three >> 32]++;
        }
    }
}

// Sessions of a strategy as a table of states: balance, peak, deepest fall; all rounds played, and the sum of results.
int64_t sessions(uint64_t key, uint64_t count, uint64_t below, uint64_t sides, const uint64_t *group,
                 const int64_t *pays, const uint64_t *moves, const int64_t *cost, const int64_t *need, int64_t base,
                 const int64_t *result, int64_t bankroll, int64_t floor, int64_t target, int64_t most, uint64_t words,
                 int64_t *visits, int64_t *sums) {
    int64_t all = 0;
    for (uint64_t session = 0; session < count; session++) {
        uint64_t n = session * words, word = 0, state = 0;
        int64_t balance = bankroll, peak = bankroll, fall = 0, played = 0;
        int high = 0, end = balance < need[0];
        while (!end) {
            uint64_t half;
            if (high) half = word >> 32;
            else { word = mix(key + n++ * GOLDEN); half = word & 0xFFFFFFFFULL; }
            high = !high;
            uint64_t one = half * sides, two = (one & 0xFFFFFFFFULL) * sides, three = (two & 0xFFFFFFFFULL) * sides;
            if ((three & 0xFFFFFFFFULL) < below) continue;
            uint64_t drawn[3] = {one >> 32, two >> 32, three >> 32};
            for (int i = 0; i < 3; i++) {
                uint64_t cell = state + group[drawn[i]];
                if (cost[state] <= balance) { visits[state]++; balance += pays[cell]; }
                else balance += balance / base * result[cell - state];
                state = moves[cell];
                played++;
                if (balance > peak) peak = balance;
                if (peak - balance > fall) fall = peak - balance;
                if (balance >= target || balance <= floor || balance < need[state] || played >= most) { end = 1; break; }
            }
        }
        all += played;
        sums[0] += balance - bankroll;
        sums[1] += fall;
    }
    return all;
}
