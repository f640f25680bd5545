/* The ring of a shard director: see shard.h. Rings are small and rarely change, so each change builds all
 * points again. A request only reads, under the read lock. */
#include "origin/shard.h"

#include <math.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/txn.h"

#define SHARD_POINTS_MAX 4194304u /* per ring: 32 MiB */
#define NUMBER_DIGITS 10          /* of a point's number */
#define NOBODY UINT32_MAX

uint32_t
text_hash32(struct span text)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)(text.ptr == NULL ? "" : text.ptr), text.ptr == NULL ? 0 : text.len,
           digest);
    const uint8_t *last = digest + sizeof digest - 4;
    return (uint32_t)last[3] << 24 | (uint32_t)last[2] << 16 | (uint32_t)last[1] << 8 | last[0];
}

void
shard_init(struct shard_ring *r, const struct director *d)
{
    *r = (struct shard_ring){ .director = d };
    pthread_rwlock_init(&r->lock, NULL);
}

static void
drop_changes(struct shard_ring *r)
{
    for (uint32_t i = 0; i < r->n_changes; i++)
        free(r->changes[i].host.ident);
    r->n_changes = 0;
}

void
shard_release(struct shard_ring *r)
{
    for (uint32_t i = 0; i < r->n_hosts; i++)
        free(r->hosts[i].ident);
    drop_changes(r);
    free(r->hosts);
    free(r->points);
    free(r->changes);
    pthread_rwlock_destroy(&r->lock);
}

/* ---- changes ------------------------------------------------------------------------------------------- */

#define NO_TRANSACTION UINT64_MAX

/* Identifies the transaction by its id in the log; 0: vcl_init and vcl_fini. */
static uint64_t
transaction_of(const struct policy_ctx *ctx)
{
    if (ctx == NULL)
        return NO_TRANSACTION;
    return ctx->log != NULL ? ctx->log->id : 0;
}

int
shard_change(const struct policy_ctx *ctx, struct shard_ring *r, enum shard_change_kind kind,
             struct director *d, struct span ident, double rampup_s, double weight)
{
    struct shard_change change = { kind, { .director = d, .rampup_s = rampup_s, .weight = weight } };
    if (ident.len > 0)
        change.host.ident = mem_text(ident);
    pthread_rwlock_wrlock(&r->lock);
    if (kind == SHARD_CLEAR) /* cancels all earlier changes */
        drop_changes(r);
    int err = r->n_changes < DIRECTOR_MEMBERS_MAX ? 0 : ERR_LIMIT;
    if (err == 0) {
        r->changes = realloc(r->changes, (r->n_changes + 1) * sizeof *r->changes);
        CHECK(r->changes != NULL);
        r->changes[r->n_changes++] = change;
        r->changed_by = transaction_of(ctx);
    } else
        free(change.host.ident);
    pthread_rwlock_unlock(&r->lock);
    return err;
}

static struct span
ident_of(const struct shard_host *h)
{
    return h->ident != NULL ? span_str(h->ident) : h->director->name;
}

static bool
same_host(const struct shard_host *a, const struct shard_host *b)
{
    if (a->ident == NULL && b->ident == NULL)
        return a->director == b->director;
    return span_eq(a->ident != NULL || a->director != NULL ? ident_of(a) : SPAN_NULL, ident_of(b));
}

static void
say_known(const struct shard_ring *r, const struct shard_host *h, const struct policy_ctx *ctx)
{
    struct span of = r->director->name, name = h->director->name;
    log_printf(ctx != NULL && ctx->log != NULL ? ctx->log : &log_untied, TAG_NOTICE,
               "vmod_directors: shard %.*s: backend %.*s%s%s already exists - skipping", (int)of.len, of.ptr,
               (int)name.len, name.ptr, h->ident != NULL ? "/" : "", h->ident != NULL ? h->ident : "");
}

static void
host_add(struct shard_ring *r, struct shard_host *h, uint32_t replicas, const struct policy_ctx *ctx)
{
    uint32_t i = 0;
    while (i < r->n_hosts && !same_host(h, &r->hosts[i]))
        i++;
    if (i < r->n_hosts || i == DIRECTOR_MEMBERS_MAX) {
        if (i < r->n_hosts)
            say_known(r, &r->hosts[i], ctx);
        free(h->ident);
        return;
    }
    double points = (double)replicas * h->weight;
    h->replicas = points < SHARD_REPLICAS_MAX ? (uint32_t)points : SHARD_REPLICAS_MAX;
    r->hosts = realloc(r->hosts, (r->n_hosts + 1) * sizeof *r->hosts);
    CHECK(r->hosts != NULL);
    r->hosts[r->n_hosts++] = *h;
}

/* Without an ident, removes all entries of the backend; with an ident, only entries with that ident. */
static void
host_remove(struct shard_ring *r, const struct shard_host *h)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n_hosts; i++) {
        bool match = h->ident == NULL ? h->director == r->hosts[i].director : same_host(h, &r->hosts[i]);
        if (match)
            free(r->hosts[i].ident);
        else
            r->hosts[kept++] = r->hosts[i];
    }
    r->n_hosts = kept;
}

static void
hosts_clear(struct shard_ring *r)
{
    for (uint32_t i = 0; i < r->n_hosts; i++)
        free(r->hosts[i].ident);
    r->n_hosts = 0;
}

static void
apply(struct shard_ring *r, struct shard_change *change, uint32_t replicas, const struct policy_ctx *ctx)
{
    switch (change->kind) {
    case SHARD_ADD: host_add(r, &change->host, replicas, ctx); return;
    case SHARD_REMOVE: host_remove(r, &change->host); break;
    case SHARD_CLEAR: hosts_clear(r); break;
    }
    free(change->host.ident);
}

static int
compare_points(const void *a, const void *b)
{
    const struct shard_point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->host > q->host) - (p->host < q->host);
}

/* Hashes each point from the ident of its host and the number of the point. */
static void
add_points(struct shard_ring *r, uint32_t host, uint32_t n)
{
    struct span ident = ident_of(&r->hosts[host]);
    char *text = mem_zalloc(ident.len + NUMBER_DIGITS + 1);
    memcpy(text, ident.ptr, ident.len);
    for (uint32_t i = 0; i < n; i++) {
        int digits = snprintf(text + ident.len, NUMBER_DIGITS + 1, "%u", i);
        r->points[r->n_points++] = (struct shard_point){
            text_hash32(span_of(text, ident.len + (size_t)digits)), host
        };
    }
    free(text);
}

static void
build_points(struct shard_ring *r)
{
    CHECK(r->n_hosts <= DIRECTOR_MEMBERS_MAX);
    uint32_t most = r->n_hosts == 0 ? 0 : SHARD_POINTS_MAX / r->n_hosts;
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->n_hosts; i++)
        n += r->hosts[i].replicas < most ? r->hosts[i].replicas : most;
    free(r->points);
    r->points = mem_zalloc(n * sizeof *r->points + 1);
    r->n_points = 0;
    for (uint32_t i = 0; i < r->n_hosts; i++)
        add_points(r, i, r->hosts[i].replicas < most ? r->hosts[i].replicas : most);
    qsort(r->points, r->n_points, sizeof *r->points, compare_points);
    for (uint32_t i = 0; (r->shown & SHARD_SHOW_POINTS) != 0 && i < r->n_points; i++)
        log_printf(&log_untied, TAG_DEBUG,
                   "vmod_directors: shard: hashcircle[%5u] = {point = %8x, host = %2u}", i, r->points[i].at,
                   r->points[i].host);
}

static bool
settle(struct shard_ring *r, uint32_t replicas, const struct policy_ctx *ctx)
{
    CHECK(r->n_changes <= DIRECTOR_MEMBERS_MAX && r->n_hosts <= DIRECTOR_MEMBERS_MAX);
    pthread_rwlock_wrlock(&r->lock);
    for (uint32_t i = 0; i < r->n_changes; i++)
        apply(r, &r->changes[i], replicas, ctx);
    bool changed = r->n_changes > 0;
    r->n_changes = 0;
    if (changed)
        build_points(r);
    bool some = !changed || r->n_hosts > 0;
    pthread_rwlock_unlock(&r->lock);
    return some;
}

/* Applies the changes that another transaction left queued. */
static void
settle_if_due(struct shard_ring *r, const struct policy_ctx *ctx)
{
    pthread_rwlock_rdlock(&r->lock);
    bool due = r->n_changes > 0 && r->changed_by != transaction_of(ctx);
    pthread_rwlock_unlock(&r->lock);
    if (due)
        settle(r, SHARD_REPLICAS, ctx);
}

bool
shard_settle(struct shard_ring *r, uint32_t replicas, const struct policy_ctx *ctx)
{
    settle_if_due(r, ctx);
    return settle(r, replicas, ctx);
}

void
shard_show(struct shard_ring *r, unsigned shown)
{
    pthread_rwlock_wrlock(&r->lock);
    r->shown = shown;
    pthread_rwlock_unlock(&r->lock);
}

void
shard_set_warmup(struct shard_ring *r, double warmup)
{
    pthread_rwlock_wrlock(&r->lock);
    r->warmup = warmup;
    pthread_rwlock_unlock(&r->lock);
}

void
shard_set_rampup(struct shard_ring *r, double seconds)
{
    pthread_rwlock_wrlock(&r->lock);
    r->rampup_s = seconds;
    pthread_rwlock_unlock(&r->lock);
}

/* ---- choice -------------------------------------------------------------------------------------------- */

struct seen {
    uint32_t host;
    double changed_s; /* time of the last health change */
};

struct walk { /* a walk along the ring that visits each host once */
    const struct shard_ring *ring;
    const struct policy_ctx *ctx; /* transaction that asks */
    uint32_t at, met;             /* current point; number of hosts met */
    uint8_t *marks;               /* a bit per host */
    struct seen before, last;
};

/* Returns the first point at or after the key. A key after the last point gets the last point, not the first,
 * as in Varnish: proxies must agree on the host of a key. */
static uint32_t
place_of(const struct shard_ring *r, uint32_t key)
{
    uint32_t low = 0, high = r->n_points - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->points[middle].at < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
met_before(struct walk *w, uint32_t host)
{
    uint8_t bit = (uint8_t)(1u << host % 8);
    bool known = (w->marks[host / 8] & bit) != 0;
    w->marks[host / 8] |= bit;
    w->met += !known;
    return known;
}

/* Moves to the next host that counts, after skipping `skip` such hosts. Returns false when the ring has no
 * more. The host found becomes `last`, and the old `last` becomes `before`. */
static bool
walk_on(struct walk *w, int64_t skip, bool healthy_only)
{
    while (w->met < w->ring->n_hosts) {
        uint32_t host = w->ring->points[w->at].host;
        if (!met_before(w, host)) {
            struct seen seen = { host, 0 };
            struct director *d = w->ring->hosts[host].director;
            bool healthy = d->ops->healthy(d, w->ctx, &seen.changed_s);
            if ((healthy || !healthy_only) && skip-- == 0) {
                if (w->last.host != NOBODY)
                    w->before = w->last;
                w->last = seen;
                return true;
            }
            if (healthy)
                w->before = seen;
        }
        w->at = w->at + 1 == w->ring->n_points ? 0 : w->at + 1;
    }
    return false;
}

static double
rampup_of(const struct shard_ring *r, uint32_t host)
{
    return isnan(r->hosts[host].rampup_s) ? r->rampup_s : r->hosts[host].rampup_s;
}

/* True if the next host in the ring takes this request. Either the key's own host became healthy a short time
 * ago and gets its share gradually (rampup), or the next host is to stay warm as a replacement (warmup). */
static bool
next_one_takes_it(const struct walk *w, const struct shard_pick *p, double warmup, double now)
{
    double young = now - w->before.changed_s, rampup = rampup_of(w->ring, w->before.host);
    if (young < rampup)
        return p->rampup && now - w->last.changed_s >= rampup_of(w->ring, w->last.host) &&
               random_unit() * rampup >= young;
    return warmup > 0 && random_unit() <= warmup;
}

static uint32_t
choose(struct walk *w, const struct shard_pick *p, double now)
{
    const struct shard_ring *r = w->ring;
    CHECK(r->n_points > 0 && r->n_hosts > 0);
    int64_t alternative = p->alternative < 0          ? 0
                        : p->alternative < r->n_hosts ? p->alternative
                                                      : r->n_hosts - 1;
    w->at = place_of(r, p->key);
    if (r->shown & SHARD_SHOW_CHOICES)
        log_printf(&log_untied, TAG_DEBUG, "vmod_directors: shard: lookup key %x idx %u host %u", p->key,
                   w->at, r->points[w->at].host);
    if (alternative > 0 && !walk_on(w, alternative - 1, p->healthy == SHARD_ALL))
        return w->before.host;
    if (!walk_on(w, 0, p->healthy != SHARD_IGNORE))
        return w->before.host;
    uint32_t chosen = w->last.host;
    double warmup = p->warmup == -1 ? r->warmup : p->warmup;
    bool alone = alternative > 0 || p->healthy == SHARD_IGNORE || (!p->rampup && warmup == 0) ||
                 !walk_on(w, 0, true);
    return !alone && next_one_takes_it(w, p, warmup, now) ? w->last.host : chosen;
}

struct director *
shard_pick(struct shard_ring *r, const struct shard_pick *pick, const struct policy_ctx *ctx)
{
    struct director *found = NULL;
    settle_if_due(r, ctx);
    pthread_rwlock_rdlock(&r->lock);
    if (r->n_points > 0) {
        uint8_t few[32] = { 0 }, *marks = r->n_hosts <= 8 * sizeof few ? few : mem_zalloc(r->n_hosts / 8 + 1);
        struct walk w = {
            .ring = r, .ctx = ctx, .marks = marks, .before = { .host = NOBODY }, .last = { .host = NOBODY }
        };
        uint32_t host = choose(&w, pick, ctx->now);
        found = host == NOBODY ? NULL : r->hosts[host].director;
        if (marks != few)
            free(marks);
    }
    pthread_rwlock_unlock(&r->lock);
    return found;
}

bool
shard_is_empty(struct shard_ring *r)
{
    pthread_rwlock_rdlock(&r->lock);
    bool empty = r->n_hosts == 0;
    pthread_rwlock_unlock(&r->lock);
    return empty;
}

bool
shard_any_healthy(struct shard_ring *r, const struct policy_ctx *ctx, double *changed_s)
{
    bool healthy = false;
    double latest = 0;
    settle_if_due(r, ctx);
    pthread_rwlock_rdlock(&r->lock);
    for (uint32_t i = 0; i < r->n_hosts; i++) {
        double changed = 0;
        struct director *d = r->hosts[i].director;
        healthy |= d->ops->healthy(d, ctx, changed_s == NULL ? NULL : &changed);
        latest = changed > latest ? changed : latest;
    }
    pthread_rwlock_unlock(&r->lock);
    if (changed_s != NULL)
        *changed_s = latest;
    return healthy;
}

void
shard_each(struct shard_ring *r, void (*each)(struct director *member, void *arg), void *arg)
{
    settle_if_due(r, NULL);
    pthread_rwlock_rdlock(&r->lock);
    for (uint32_t i = 0; i < r->n_hosts; i++)
        each(r->hosts[i].director, arg);
    pthread_rwlock_unlock(&r->lock);
}
