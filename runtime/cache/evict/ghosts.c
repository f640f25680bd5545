/* The table of ghosts: see ghosts.h. */
#include "cache/evict/ghosts.h"

#include <stdlib.h>

#include "base/check.h"

#define GHOSTS_MIN 1024u
#define GHOSTS_MAX (1u << 26)
#define PART_SETS 1024u
#define PART_BYTES (PART_SETS * GHOST_WAYS * sizeof(struct ghost))
#define PARTS_MIN 16u

void
ghosts_release(struct ghosts *g)
{
    for (uint32_t i = 0; i < g->n_parts; i++)
        free(g->parts[i]);
    free(g->parts);
    *g = (struct ghosts){ 0 };
}

static struct ghost *
set_at(const struct ghosts *g, uint32_t number)
{
    DEBUG_CHECK(number / PART_SETS < g->n_parts);
    return &g->parts[number / PART_SETS][number % PART_SETS * GHOST_WAYS];
}

static struct ghost *
set_of(const struct ghosts *g, uint32_t hash)
{
    uint32_t number = hash & (2 * g->whole - 1);
    return set_at(g, number < g->n_sets ? number : hash & (g->whole - 1));
}

/* ---- growth ---- */

static bool
add_part(struct ghosts *g)
{
    bool full = g->n_parts == 0 || (g->n_parts >= PARTS_MIN && (g->n_parts & (g->n_parts - 1)) == 0);
    uint32_t room = g->n_parts == 0 ? PARTS_MIN : 2 * g->n_parts;
    struct ghost **wider = full ? realloc(g->parts, room * sizeof(*g->parts)) : g->parts;
    if (wider == NULL)
        return false;
    g->parts = wider;
    struct ghost *part = calloc(1, PART_BYTES);
    if (part == NULL)
        return false;
    g->parts[g->n_parts++] = part;
    return true;
}

/* Moves those ghosts to the new set whose hash has one more bit. */
static void
split_one(struct ghosts *g)
{
    struct ghost *from = set_at(g, g->n_sets - g->whole), *to = set_at(g, g->n_sets);
    for (unsigned i = 0; i < GHOST_WAYS; i++)
        if (from[i].when != 0 && (from[i].hash & g->whole) != 0) {
            to[i] = from[i];
            from[i].when = 0;
        }
    if (++g->n_sets == 2 * g->whole)
        g->whole = g->n_sets;
}

uint64_t
ghosts_fit(struct ghosts *g, uint64_t n_objects)
{
    /* Sets that are not yet split hold twice as many ghosts. */
    uint64_t wanted = (n_objects < GHOSTS_MAX / 2 ? n_objects + n_objects / 2 : GHOSTS_MAX) / GHOST_WAYS;
    uint64_t grown = 0;
    if (g->n_sets == 0) {
        if (!add_part(g))
            return 0;
        g->n_sets = g->whole = GHOSTS_MIN / GHOST_WAYS;
    }
    for (unsigned visited = 0; g->n_sets < wanted && visited < GHOSTS_STEP; visited += 2 * GHOST_WAYS) {
        bool needs_part = g->n_sets == g->n_parts * PART_SETS;
        if (needs_part && !add_part(g))
            break;
        grown += needs_part ? PART_BYTES : 0;
        split_one(g);
    }
    return grown;
}

/* ---- ghosts ---- */

void
ghosts_add(struct ghosts *g, uint32_t hash)
{
    if (g->n_sets == 0)
        return;
    struct ghost *set = set_of(g, hash), *oldest = set;
    g->clock++;
    for (unsigned i = 0; i < GHOST_WAYS; i++)
        if (g->clock - set[i].when > g->clock - oldest->when)
            oldest = &set[i];
    *oldest = (struct ghost){ hash, g->clock };
}

bool
ghosts_take(struct ghosts *g, uint32_t hash, uint64_t n_main)
{
    uint64_t window = n_main > GHOSTS_MIN ? n_main : GHOSTS_MIN;
    if (g->n_sets == 0)
        return false;
    struct ghost *set = set_of(g, hash);
    for (unsigned i = 0; i < GHOST_WAYS; i++) {
        if (set[i].when == 0 || set[i].hash != hash || g->clock - set[i].when >= window)
            continue;
        set[i].when = 0;
        return true;
    }
    return false;
}
