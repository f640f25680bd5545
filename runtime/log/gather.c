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
    unsigned head_words;          /* of a batch */
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

static const uint32_t *
batch_limit(const struct chains *c, unsigned i)
{
    return i + 1 < c->n ? c->batches[i + 1].head : c->end;
}

static struct ring_piece
piece(const uint32_t *from, const uint32_t *end)
{
    return (struct ring_piece){ from, (size_t)(end - from) };
}

/* Lists a chain of batches, as one batch. Returns the end of the list. */
static struct ring_piece *
put_chain(struct ring_piece *out, const struct chains *c, unsigned first)
{
    uint32_t *head = c->batches[first].head;
    *out = piece(head, batch_limit(c, first));
    size_t words = out++->n - c->head_words;
    for (unsigned k = c->next[first]; k != NO_NEXT; k = c->next[k]) {
        *out = piece(c->batches[k].head + c->head_words, batch_limit(c, k));
        words += out++->n;
    }
    head[1] = (uint32_t)(words * sizeof *head);
    return out;
}

unsigned
log_gather(struct ring_piece *out, const struct log_batch *batches, unsigned n, const uint32_t *end)
{
    struct chains c;
    struct ring_piece *at = out;
    c.batches = batches;
    c.n = n;
    c.end = end;
    c.head_words = log_form_head_words(ring_is_later());
    chain(&c);
    for (unsigned i = 0; i < n; i++) {
        if (!batches[i].gather)
            *at++ = piece(batches[i].head, batch_limit(&c, i));
        else if (c.next[i] == NO_NEXT)
            at = put_chain(at, &c, c.first[i]);
    }
    return (unsigned)(at - out);
}
