/* The counters that the dashboard shows: see figures.h. */
#include "manager/dashboard/figures.h"

#include <stdio.h>
#include <string.h>

#include "log/vsc_read.h"

const char *const figure_names[FIGURES] = {
    [FIGURE_UPTIME] = "uptime",
    [FIGURE_REQUESTS] = "requests",
    [FIGURE_HITS] = "hits",
    [FIGURE_GRACE_HITS] = "grace_hits",
    [FIGURE_MISSES] = "misses",
    [FIGURE_HIT_FOR_MISS] = "hit_for_miss",
    [FIGURE_HIT_FOR_PASS] = "hit_for_pass",
    [FIGURE_PASSES] = "passes",
    [FIGURE_2XX] = "s2xx",
    [FIGURE_3XX] = "s3xx",
    [FIGURE_4XX] = "s4xx",
    [FIGURE_5XX] = "s5xx",
    [FIGURE_FETCHES] = "fetches",
    [FIGURE_FETCHES_FAILED] = "fetches_failed",
    [FIGURE_HEAD_BYTES] = "head_bytes",
    [FIGURE_BODY_BYTES] = "body_bytes",
    [FIGURE_EVICTED] = "evicted",
    [FIGURE_OBJECTS] = "objects",
    [FIGURE_SESSIONS] = "sessions",
    [FIGURE_REQUESTS_NOW] = "requests_now",
    [FIGURE_FETCHES_NOW] = "fetches_now",
};

/* the counter of each figure: log/counter_rows.h */
static const struct {
    const char *ident, *name;
} counters[FIGURES] = {
    [FIGURE_UPTIME] = { "MAIN", "uptime" },
    [FIGURE_REQUESTS] = { "MAIN", "client_req" },
    [FIGURE_HITS] = { "MAIN", "cache_hit" },
    [FIGURE_GRACE_HITS] = { "MAIN", "cache_hit_grace" },
    [FIGURE_MISSES] = { "MAIN", "cache_miss" },
    [FIGURE_HIT_FOR_MISS] = { "MAIN", "cache_hitmiss" },
    [FIGURE_HIT_FOR_PASS] = { "MAIN", "cache_hitpass" },
    [FIGURE_PASSES] = { "MAIN", "s_pass" },
    [FIGURE_2XX] = { "VERNIS", "resp_2xx" },
    [FIGURE_3XX] = { "VERNIS", "resp_3xx" },
    [FIGURE_4XX] = { "VERNIS", "resp_4xx" },
    [FIGURE_5XX] = { "VERNIS", "resp_5xx" },
    [FIGURE_FETCHES] = { "MAIN", "backend_req" },
    [FIGURE_FETCHES_FAILED] = { "MAIN", "fetch_failed" },
    [FIGURE_HEAD_BYTES] = { "MAIN", "s_resp_hdrbytes" },
    [FIGURE_BODY_BYTES] = { "MAIN", "s_resp_bodybytes" },
    [FIGURE_EVICTED] = { "MAIN", "n_lru_nuked" },
    [FIGURE_OBJECTS] = { "MAIN", "n_object" },
    [FIGURE_SESSIONS] = { "VERNIS", "sess_live" },
    [FIGURE_REQUESTS_NOW] = { "VERNIS", "req_live" },
    [FIGURE_FETCHES_NOW] = { "VERNIS", "fetch_live" },
};

static void
take_figure(struct figures *f, const struct vsc_sample *s)
{
    for (unsigned i = 0; i < FIGURES; i++)
        if (strcmp(s->name, counters[i].name) == 0 && strcmp(s->ident, counters[i].ident) == 0) {
            f->n[i] = s->value;
            f->known = true;
        }
}

static void
take_storage(struct figures *f, const char *name, const struct vsc_sample *s)
{
    if (strcmp(s->name, "g_bytes") != 0 || f->n_storages == FIGURE_STORAGES_MAX)
        return;
    struct figure_storage *storage = &f->storages[f->n_storages++];
    *storage = (struct figure_storage){ .used_bytes = s->value };
    snprintf(storage->name, sizeof storage->name, "%s", name);
}

/* The counters of one backend come together. */
static void
take_backend(struct figures *f, const char *name, const struct vsc_sample *s)
{
    struct figure_backend *last = f->n_backends == 0 ? NULL : &f->backends[f->n_backends - 1];
    bool requests = strcmp(s->name, "req") == 0, connections = strcmp(s->name, "conn") == 0;
    bool failures = strcmp(s->name, "fail") == 0;
    if (!requests && !connections && !failures)
        return;
    if (last == NULL || strcmp(last->name, name) != 0) {
        if (f->n_backends == FIGURE_BACKENDS_MAX)
            return;
        last = &f->backends[f->n_backends++];
        *last = (struct figure_backend){ 0 };
        snprintf(last->name, sizeof last->name, "%s", name);
    }
    *(requests ? &last->requests : connections ? &last->connections : &last->failures) = s->value;
}

static void
take(void *arg, const struct vsc_sample *s)
{
    if (strncmp(s->ident, "SMA.", 4) == 0)
        take_storage(arg, s->ident + 4, s);
    else if (strncmp(s->ident, "VBE.", 4) == 0)
        take_backend(arg, s->ident + 4, s);
    else
        take_figure(arg, s);
}

void
figures_read(const char *folder, struct figures *out)
{
    memset(out, 0, sizeof *out);
    (void)vsc_read(folder, take, out);
}

uint64_t
figures_used_bytes(const struct figures *f)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < f->n_storages; i++)
        sum += f->storages[i].used_bytes;
    return sum;
}

uint64_t
figures_growth(const struct figures *before, const struct figures *now, enum figure which)
{
    return now->n[which] < before->n[which] ? 0 : now->n[which] - before->n[which];
}
