/* Joins batches: see gather.h. */
#include "log/gather.h"

#include <string.h>

#include "log/form.h"

#define CHAIN_SLOTS (2 * GATHER_BATCHES_MAX)
#define NO_NEXT UINT16_MAX

/* The batches of a buffer, those of each id as a chain in their order. */
struct chains {
    const struct log_batch *batches;
    unsigned n;
    const uint32_t *end;          /* of the records */
    uint16_t newest[CHAIN_SLOTS]; /* by the last bits of the id, or a later slot: newest batch + 1; 0: none */
    uint16_t first[GATHER_BATCHES_MAX]; /* of the chain; valid for its newest batch */
    uint16_t next[GATHER_BATCHES_MAX];  /* index; NO_NEXT at the newest batch */
};

static uint16_t *
slot_of(struct chains *c, uint32_t id)
{
    uint32_t at = id % CHAIN_SLOTS;
    while (c->newest[at] != 0 && c->batches[c->newest[at] - 1].id != id)
        at = (at + 1) % CHAIN_SLOTS;
    return &c->newest[at];
}

static void
chain(struct chains *c)
{
    memset(c->newest, 0, sizeof c->newest);
    for (unsigned i = 0; i < c->n; i++) {
        c->next[i] = NO_NEXT;
        c->first[i] = (uint16_t)i;
        if (!c->batches[i].gather)
            continue;
        uint16_t *newest = slot_of(c, c->batches[i].id);
        if (*newest != 0) {
            c->next[*newest - 1] = (uint16_t)i;
            c->first[i] = c->first[*newest - 1];
        }
        *newest = (uint16_t)(i + 1);
    }
}

static uint32_t *
copy_words(uint32_t *to, const uint32_t *from, const uint32_t *end)
{
    memcpy(to, from, (size_t)(end - from) * sizeof *to);
    return to + (end - from);
}

static const uint32_t *
batch_limit(const struct chains *c, unsigned i)
{
    return i + 1 < c->n ? c->batches[i + 1].head : c->end;
}

/* Joins a chain of batches into one. Returns the end of the joined batch. */
static uint32_t *
put_chain(uint32_t *to, const struct chains *c, unsigned first)
{
    uint32_t *records = copy_words(to, c->batches[first].head, c->batches[first].head + LOG_HEAD_WORDS);
    uint32_t *end = records;
    for (unsigned k = first; k != NO_NEXT; k = c->next[k])
        end = copy_words(end, c->batches[k].head + LOG_HEAD_WORDS, batch_limit(c, k));
    to[1] = (uint32_t)(end - records) * (uint32_t)sizeof *to;
    return end;
}

__attribute__((cold)) uint32_t *
log_gather(uint32_t *to, const struct log_batch *batches, unsigned n, const uint32_t *end)
{
    struct chains c;
    c.batches = batches;
    c.n = n;
    c.end = end;
    chain(&c);
    for (unsigned i = 0; i < n; i++) {
        if (!batches[i].gather)
            to = copy_words(to, batches[i].head, batch_limit(&c, i));
        else if (c.next[i] == NO_NEXT)
            to = put_chain(to, &c, c.first[i]);
    }
    return to;
}
