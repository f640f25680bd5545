/* Chains of processors: see filter.h. A stage is a changer and the lookers that follow it. Lookers before the
 * first changer see the bytes that this changer consumed. A buffer lies between two stages. */
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "base/split.h"
#include "filter/lists.h"

/* Limit for the input and output of all changers in one push. A few KB of gzip can unpack to a thousand
 * times as much, which the next changer packs again: without a limit, one push could run for long with no
 * output. */
#define WORK_BYTES ((size_t)64 * 1024)

struct stage {
    struct filter *changer;
    struct filter *lookers[FILTERS_MAX]; /* they see the changer's output */
    unsigned n_lookers;
    char *buffer;   /* holds the changer's output; NULL for the last stage */
    size_t at, end; /* bytes of the buffer that the next stage has not consumed */
    bool ended;
};

struct filter_chain {
    /* The first stage has no changer: its lookers see the input of the chain. */
    struct stage stages[FILTERS_MAX + 1];
    unsigned n;
    size_t buffer_bytes;
    const char *why;
    const struct filter *gzip;
};

static int
add_filter(struct filter_chain *c, struct filter *f)
{
    struct stage *last = &c->stages[c->n - 1];
    if (f->gzip != NULL)
        c->gzip = f;
    if (f->ops->push == NULL) {
        last->lookers[last->n_lookers++] = f;
        return 0;
    }
    if (last->changer != NULL && (last->buffer = malloc(c->buffer_bytes)) == NULL) {
        f->ops->close(f);
        return ERR_NOMEM;
    }
    c->stages[c->n++].changer = f;
    return 0;
}

static int
add_named(struct filter_chain *c, struct span name, const struct filter_wants *wants)
{
    const struct filter_kind *kind = filter_kind(name, wants->side);
    struct filter *f = NULL;
    CHECK(kind != NULL);
    if (kind->open == NULL)
        return 0;
    int err = kind->open(wants, &f);
    return err != 0 ? err : add_filter(c, f);
}

static bool
is_empty(const struct filter_chain *c)
{
    return c->n == 1 && c->stages[0].n_lookers == 0;
}

int
chain_open(struct span names, const struct filter_wants *wants, struct filter_chain **out)
{
    struct filter_wants here = *wants;
    struct span name;
    unsigned n = 0;
    *out = NULL;
    struct filter_chain *c = calloc(1, sizeof *c);
    int err = c == NULL ? ERR_NOMEM : 0;
    if (err == 0) {
        c->n = 1;
        c->buffer_bytes = params.gzip_buffer_bytes;
    }
    while (err == 0 && split_next(&names, SPAN_LIT(" "), &name)) {
        err = n++ < FILTERS_MAX ? add_named(c, name, &here) : ERR_LIMIT;
        here.known = NULL; /* `known` describes only the input of the first filter */
    }
    if (err != 0 || is_empty(c))
        chain_close(&c);
    *out = c;
    return err;
}

size_t
chain_bytes(struct span names, enum filter_side side)
{
    struct span name;
    size_t n = 0;
    while (split_next(&names, SPAN_LIT(" "), &name)) {
        const struct filter_kind *kind = filter_kind(name, side);
        if (kind != NULL && kind->open != NULL)
            n += kind->bytes() + (kind->changes ? params.gzip_buffer_bytes : 0);
    }
    return n == 0 ? 0 : n + sizeof(struct filter_chain);
}

bool
chain_changes(const struct filter_chain *c)
{
    return c->n > 1;
}

bool
chain_holds_back(const struct filter_chain *c)
{
    for (unsigned i = 1; i < c->n; i++)
        if (c->stages[i].changer->holds_back)
            return true;
    return false;
}

static int
failed(struct filter_chain *c, const struct filter *f, int err)
{
    c->why = f->why;
    return err;
}

static int
show(struct filter_chain *c, struct stage *s, struct span bytes, bool last)
{
    for (unsigned i = 0; i < s->n_lookers; i++) {
        int err = s->lookers[i]->ops->look(s->lookers[i], bytes, last);
        if (err != 0)
            return failed(c, s->lookers[i], err);
    }
    return 0;
}

int
chain_look(struct filter_chain *c, struct span bytes, bool last)
{
    CHECK(!chain_changes(c) && c->why == NULL);
    return show(c, &c->stages[0], bytes, last);
}

struct progress {
    bool moved;  /* a stage consumed, produced or ended in this round */
    bool busy;   /* a stage has worked long enough for one call */
    size_t work; /* bytes in all rounds */
};

/* Pushes stage i once. */
static int
push_stage(struct filter_chain *c, unsigned i, struct filter_io *io, struct progress *p)
{
    struct stage *s = &c->stages[i];
    struct filter_io was = *io;
    if (s->ended || io->room == 0)
        return 0;
    int r = s->changer->ops->push(s->changer, io);
    if (r < 0)
        return failed(c, s->changer, r);
    CHECK(r != FILTER_MORE || io->in.len == 0 || io->room == 0);
    s->ended = r == FILTER_END;
    p->busy |= r == FILTER_BUSY;
    size_t work = was.in.len - io->in.len + was.room - io->room;
    p->moved |= s->ended || work > 0;
    p->work += work;
    return show(c, s, span_of(was.out, (size_t)(io->out - was.out)), s->ended);
}

/* The input of stage i is the output of the stage before it. Its output goes to its own buffer, or to the
 * caller for the last stage. */
static int
push_within(struct filter_chain *c, unsigned i, struct filter_io *io, struct progress *p)
{
    struct stage *s = &c->stages[i], *before = &c->stages[i - 1];
    bool first = i == 1, last = i == c->n - 1;
    bool was_ended = s->ended;
    struct filter_io own = { 0 };
    own.in = first ? io->in : span_of(before->buffer + before->at, before->end - before->at);
    own.last = first ? io->last : before->ended;
    own.flush = io->flush && !own.last;
    if (s->at == s->end)
        s->at = s->end = 0;
    own.out = last ? io->out : s->buffer + s->end;
    own.room = last ? io->room : c->buffer_bytes - s->end;
    int err = push_stage(c, i, &own, p);
    if (first) {
        size_t consumed = io->in.len - own.in.len;
        if (err == 0 && (consumed > 0 || s->ended != was_ended))
            err = show(c, before, span_of(io->in.ptr, consumed), s->ended);
        io->in = own.in;
    } else
        before->at = before->end - own.in.len;
    if (last) {
        io->out = own.out;
        io->room = own.room;
    } else
        s->end = c->buffer_bytes - own.room;
    return err;
}

int
chain_push(struct filter_chain *c, struct filter_io *io)
{
    CHECK(chain_changes(c) && c->why == NULL);
    struct progress p = { .moved = true };
    while (p.moved && !c->stages[c->n - 1].ended) {
        /* A single changer stops by itself, for lack of input or room. */
        if (p.busy || (p.work >= WORK_BYTES && c->n > 2))
            return FILTER_BUSY;
        p.moved = false;
        for (unsigned i = c->n - 1; i >= 1; i--) { /* last stage first, so that earlier stages find room */
            int err = push_within(c, i, io, &p);
            if (err != 0)
                return err;
        }
    }
    return c->stages[c->n - 1].ended ? FILTER_END : FILTER_MORE;
}

const char *
chain_why(const struct filter_chain *c)
{
    return c->why != NULL ? c->why : "a filter failed";
}

const struct gzip_facts *
chain_gzip(const struct filter_chain *c)
{
    return c->gzip == NULL ? NULL : c->gzip->gzip;
}

void
chain_close(struct filter_chain **cp)
{
    struct filter_chain *c = *cp;
    *cp = NULL;
    if (c == NULL)
        return;
    for (unsigned i = 0; i < c->n; i++) {
        struct stage *s = &c->stages[i];
        if (s->changer != NULL)
            s->changer->ops->close(s->changer);
        for (unsigned k = 0; k < s->n_lookers; k++)
            s->lookers[k]->ops->close(s->lookers[k]);
        free(s->buffer);
    }
    free(c);
}
