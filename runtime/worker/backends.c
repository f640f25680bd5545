/* backend.list and backend.set_health: find the backends and directors that match a pattern, and print or
 * change their state. Runs on the worker's admin thread. */
#include <fnmatch.h>
#include <stdio.h>
#include <time.h>

#include "worker/worker.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/similar.h"
#include "origin/backend.h"
#include "origin/probe.h"

static int
fail(struct text *out, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(out, fmt, ap);
    va_end(ap);
    return status;
}

struct backend_query {
    struct worker *w;
    const char *vcl_glob, *name_glob; /* vcl_glob NULL: the active policy */
    bool json, details;
    const char *admin; /* set_health: the new state, NULL for a list */
    const char *poll;  /* debug.poll: its result, "" for none */
    double interval_s; /* debug.poll: of the last backend that has a probe */
    enum backend_admin state;
    unsigned found;
    struct similar near; /* to name_glob, among the names that it does not match */
    char near_name[SIMILAR_BYTES_MAX + 1];
    struct loaded *at;
    struct text *out;
};

static void
http_date(double seconds, char out[40])
{
    time_t t = (time_t)seconds;
    struct tm tm;
    gmtime_r(&t, &tm);
    strftime(out, 40, "%a, %d %b %Y %H:%M:%S GMT", &tm);
}

/* The Admin column. BACKEND_AUTO shows "probe" with a probe, "healthy" without one. */
static const char *
admin_text(struct backend *b, const struct probe_view *view)
{
    if (b == NULL)
        return "probe";
    switch (backend_admin_state(b)) {
    case BACKEND_AUTO: return view->probed ? "probe" : "healthy";
    case BACKEND_HEALTHY: return "healthy";
    case BACKEND_SICK: return "sick";
    }
    WRONG("admin health");
}

static void
count_member(struct director *member, void *arg)
{
    unsigned *n = arg;
    n[0] += director_healthy(member, NULL);
    n[1]++;
}

/* Health of a director, and its Probe column: good/window of a backend, healthy/all members of a director. */
static bool
health_of(struct director *d, unsigned column[2], struct probe_view *view, double *changed)
{
    struct backend *b = director_backend(d);
    *view = (struct probe_view){ 0 };
    *changed = 0;
    column[0] = column[1] = 0;
    if (b != NULL) {
        backend_probe_view(b, view);
        if (view->probed) {
            column[0] = view->good;
            column[1] = view->window;
        }
        *changed = view->last_changed_s;
    } else if (d->ops->list != NULL)
        d->ops->list(d, count_member, column);
    if (b == NULL && d->ops->healthy != NULL)
        return d->ops->healthy(d, NULL, changed);
    return director_healthy(d, NULL);
}

static const char *
health_word(struct director *d, bool healthy)
{
    struct backend *b = director_backend(d);
    bool ejected = b != NULL && backend_admin_state(b) == BACKEND_AUTO && backend_is_ejected(b);
    return ejected ? "ejected" : healthy ? "healthy" : "sick";
}

/* ---- a probe's history ---- */

static const struct {
    char letter;
    const char *name;
} steps[PROBE_STEPS] = {
    { '4', "Good IPv4" }, { '6', "Good IPv6" }, { 'U', "Good UNIX" }, { 'x', "Bad Xmit" },
    { 'X', "Good Xmit" }, { 'r', "Bad Recv" },  { 'R', "Good Recv" },
};

static void
row_history(struct text *out, uint64_t bits, char letter, const char *name)
{
    char history[65];
    for (int bit = 63; bit >= 0; bit--)
        history[63 - bit] = bits >> bit & 1 ? letter : '-';
    history[64] = '\0';
    text_printf(out, "  %s %s\n", history, name);
}

static void
probe_text(struct text *out, const struct probe_view *view)
{
    text_printf(
        out,
        " Current states  good: %2u threshold: %2u window: %2u\n  Average response time of good probes: %.6f\n"
        "  Oldest ================================================== Newest\n",
        view->good, view->threshold, view->window, view->average_s);
    for (unsigned i = 0; i < PROBE_STEPS; i++)
        if (view->step_bits[i] != 0)
            row_history(out, view->step_bits[i], steps[i].letter, steps[i].name);
    row_history(out, view->happy_bits, 'H', "Happy");
}

static void
probe_json(struct text *out, const struct probe_view *view)
{
    text_str(out, "{\n");
    for (unsigned i = 0; i < PROBE_STEPS; i++)
        text_printf(out, "        \"bits_%c\": %llu,\n", steps[i].letter,
                    (unsigned long long)view->step_bits[i]);
    text_printf(
        out,
        "        \"bits_H\": %llu,\n        \"good\": %u,\n        \"threshold\": %u,\n        \"window\": %u\n      }",
        (unsigned long long)view->happy_bits, view->good, view->threshold, view->window);
}

/* ---- a director's members ---- */

struct member_list {
    struct text *out;
    bool json;
    struct director_view view;
    double total_weight; /* of the healthy members */
    unsigned n;
};

static void
add_weight(const struct director_member *m, void *arg)
{
    struct member_list *l = arg;
    l->total_weight += director_healthy(m->director, NULL) ? m->weight : 0;
}

/* A member of a ring that turns healthy gets its share of requests over rampup_s: the part reached, and the
 * time left. */
static void
rampup_of(const struct director_member *m, bool healthy, double *share, double *left_s)
{
    double changed = 0;
    (void)m->director->ops->healthy(m->director, NULL, &changed);
    double since = nsec_seconds(clock_real_ns()) - changed;
    bool under_way = healthy && since < m->rampup_s;
    *share = !healthy ? 0 : under_way ? since / m->rampup_s : 1;
    *left_s = under_way ? m->rampup_s - since : 0;
}

static void
member_text(const struct director_member *m, void *arg)
{
    static const char *const columns[] = {
        [DETAIL_HEALTH] = "Weight\tHealth",
        [DETAIL_WEIGHT] = "Weight\tHealth",
        [DETAIL_TURN] = "Current\tHealth",
        [DETAIL_RING] = "Ident\tHealth\tRampup  Remaining",
    };
    struct member_list *l = arg;
    bool healthy = director_healthy(m->director, NULL);
    const char *health = health_word(m->director, healthy);
    double share, left_s, weight = healthy && l->total_weight > 0 ? 100 * m->weight / l->total_weight : 0;
    if (l->n++ == 0)
        text_printf(l->out, "\n\tBackend\t%s\n", columns[l->view.detail]);
    text_printf(l->out, "\t%.*s\t", (int)m->director->name.len, m->director->name.ptr);
    switch (l->view.detail) {
    case DETAIL_HEALTH: text_printf(l->out, "-\t%s\n", health); break;
    case DETAIL_WEIGHT: text_printf(l->out, "%6.2f%%\t%s\n", weight, health); break;
    case DETAIL_TURN: text_printf(l->out, "%s\t%s\n", m->current ? "*" : "", health); break;
    case DETAIL_RING:
        rampup_of(m, healthy, &share, &left_s);
        text_printf(l->out, "%.*s\t%s\t%6.2f%% %8.3fs\n", (int)m->ident.len, m->ident.ptr, health,
                    share * 100, left_s);
        break;
    }
}

static void
member_json(const struct director_member *m, void *arg)
{
    struct member_list *l = arg;
    bool healthy = director_healthy(m->director, NULL);
    double share, left_s;
    text_str(l->out, l->n++ == 0 ? "\n          " : ",\n          ");
    text_json(l->out, m->director->name);
    text_str(l->out, ": {\n            ");
    if (l->view.detail == DETAIL_WEIGHT)
        text_printf(l->out, "\"weight\": %f,\n            ", healthy ? m->weight : 0);
    if (l->view.detail == DETAIL_TURN)
        text_printf(l->out, "\"current\": %s,\n            ", m->current ? "true" : "false");
    if (l->view.detail == DETAIL_RING) {
        rampup_of(m, healthy, &share, &left_s);
        text_str(l->out, "\"ident\": ");
        text_json(l->out, m->ident);
        text_printf(l->out,
                    ",\n            \"rampup\": %f,\n            \"rampup_remaining\": %.3f,\n            ",
                    share, left_s);
    }
    text_printf(l->out, "\"health\": \"%s\"\n          }", health_word(m->director, healthy));
}

static void
plain_member(struct director *member, void *arg)
{
    struct member_list *l = arg;
    (l->json ? member_json : member_text)(&(struct director_member){ .director = member }, l);
}

static void
list_members(struct director *d, struct member_list *l)
{
    if (d->ops->view != NULL)
        d->ops->view(d, &l->view, l->json ? member_json : member_text, l);
    else
        d->ops->list(d, plain_member, l);
}

static void
director_json(struct director *d, struct member_list *l)
{
    text_str(l->out, "{\n        ");
    if (l->view.detail == DETAIL_WEIGHT)
        text_printf(l->out, "\"total_weight\": %f,\n        ", l->total_weight);
    if (l->view.detail == DETAIL_TURN)
        text_printf(l->out, "\"sticky\": %s,\n        ", l->view.sticky ? "true" : "false");
    if (l->view.detail == DETAIL_RING)
        text_printf(l->out, "\"warmup\": %f,\n        \"rampup_duration\": %f,\n        ", l->view.warmup,
                    l->view.rampup_s);
    text_str(l->out, "\"backends\": {");
    list_members(d, l);
    text_str(l->out, l->n > 0 ? "\n        }\n      }" : "}\n      }");
}

/* Output of -p: the history of a probe, or the members of a director. */
static void
details(struct backend_query *q, struct director *d, const struct probe_view *probe)
{
    struct member_list l = { .out = q->out, .json = q->json };
    if (probe->probed) {
        (q->json ? probe_json : probe_text)(q->out, probe);
    } else if (d->ops->list == NULL) {
        text_str(q->out, q->json ? "{}" : "");
    } else {
        if (d->ops->view != NULL)
            d->ops->view(d, &l.view, add_weight, &l);
        if (q->json)
            director_json(d, &l);
        else
            list_members(d, &l);
    }
}

/* ---- rows ---- */

static void
row_text(struct backend_query *q, const char *full, struct director *d)
{
    unsigned column[2];
    struct probe_view view;
    double changed;
    char date[40];
    bool healthy = health_of(d, column, &view, &changed);
    http_date(changed, date);
    text_printf(q->out, "%s\t%s\t%u/%u\t%s\t%s\n", full, admin_text(director_backend(d), &view), column[0],
                column[1], health_word(d, healthy), date);
    if (!q->details)
        return;
    size_t before = q->out->len;
    details(q, d, &view);
    if (q->out->len > before)
        text_str(q->out, "\n");
}

static void
row_json(struct backend_query *q, const char *full, struct director *d)
{
    unsigned column[2];
    struct probe_view view;
    double changed;
    bool healthy = health_of(d, column, &view, &changed);
    text_str(q->out, q->found > 1 ? ",\n    " : "\n    ");
    text_json(q->out, span_str(full));
    text_printf(
        q->out,
        ": {\n      \"type\": \"%s\",\n      \"admin_health\": \"%s\",\n      \"probe_message\": [%u, %u, \"%s\"],\n",
        d->ops->type, admin_text(director_backend(d), &view), column[0], column[1], health_word(d, healthy));
    if (q->details) {
        text_str(q->out, "      \"probe_details\": ");
        details(q, d, &view);
        text_str(q->out, ",\n");
    }
    text_printf(q->out, "      \"last_change\": %.3f\n    }", changed);
}

/* The caller's text ends before the answer is written: keep a copy of the nearest name. */
static void
try_near(struct backend_query *q, const char *name)
{
    similar_try(&q->near, name);
    if (q->near.name != name)
        return;
    snprintf(q->near_name, sizeof q->near_name, "%.*s", (int)SIMILAR_BYTES_MAX, name);
    q->near.name = q->near_name;
}

static void
poll_by_hand(struct backend_query *q, struct backend *b)
{
    if (b == NULL || backend_probe_interval(b) < 0)
        return;
    q->interval_s = backend_probe_interval(b);
    if (*q->poll != '\0')
        (void)backend_poll_by_hand(b, strcmp(q->poll, "good") == 0);
}

static void
visit_backend(struct director *d, void *arg)
{
    struct backend_query *q = arg;
    char name[512], full[800];
    if (d->name.ptr == NULL || d->name.len >= sizeof name)
        return;
    memcpy(name, d->name.ptr, d->name.len);
    name[d->name.len] = '\0';
    if (fnmatch(q->name_glob, name, 0) != 0) {
        try_near(q, name);
        return;
    }
    q->found++;
    snprintf(full, sizeof full, "%s.%s", q->at->name, name);
    if (q->poll != NULL) {
        poll_by_hand(q, director_backend(d));
    } else if (q->admin != NULL) {
        if (director_backend(d) != NULL)
            backend_set_admin(director_backend(d), q->state);
    } else if (q->json)
        row_json(q, full, d);
    else
        row_text(q, full, d);
}

/* Lists also the backends that a module's director makes at run time: only the director knows them. */
static void
visit_director(struct director *d, void *arg)
{
    visit_backend(d, arg);
    if (d->ops->owns_members)
        d->ops->list(d, visit_backend, arg);
}

static void
visit_backends(struct backend_query *q)
{
    q->found = 0;
    list_each(it, &q->w->policies)
    {
        struct loaded *l = container_of(it, struct loaded, link);
        bool active = q->w->active != NULL && worker_policy(q->w->active) == l;
        if (l->discarded || l->policy == NULL ||
            (q->vcl_glob == NULL ? !active : fnmatch(q->vcl_glob, l->name, 0) != 0))
            continue;
        q->at = l;
        policy_each_director(l->policy, visit_director, q);
    }
}

/* "vcl.backend" selects by policy and backend; a glob without a dot selects backends of the active policy.
 * Writes into `pattern`. */
static void
split_pattern(char *pattern, struct backend_query *q)
{
    char *dot = strrchr(pattern, '.');
    q->name_glob = pattern;
    if (dot == NULL)
        return;
    *dot = '\0';
    q->vcl_glob = pattern;
    q->name_glob = dot[1] == '\0' ? "*" : dot + 1;
}

/* backend.list [-j] [-p] [glob] */
int
worker_backend_list(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct backend_query q = { .w = w, .name_glob = "*", .out = out };
    unsigned i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        for (const char *flag = argv[i] + 1; *flag != '\0'; flag++) {
            if (*flag != 'p' && *flag != 'j')
                return fail(out, CLI_PARAM, "Invalid flag %c", *flag);
            q.details |= *flag == 'p';
            q.json |= *flag == 'j';
        }
    }
    if (argc > i + 1)
        return fail(out, CLI_TOO_MANY, "Too many parameters\n");
    if (i < argc)
        split_pattern(argv[i], &q);
    if (q.json) {
        text_str(out, "  {");
        visit_backends(&q);
        text_str(out, q.found > 0 ? "\n  }" : "}");
        return CLI_OK;
    }
    struct text table = { 0 };
    q.out = &table;
    text_str(&table, "Backend name\tAdmin\tProbe\tHealth\tLast change\n");
    visit_backends(&q);
    text_columns(out, text_span(&table));
    text_release(&table);
    return CLI_OK;
}

/* backend.set_health glob state */
int
worker_set_health(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    static const char *const states[] = { [BACKEND_AUTO] = "auto",
                                          [BACKEND_HEALTHY] = "healthy",
                                          [BACKEND_SICK] = "sick" };
    if (argc != 3)
        return fail(out, argc < 3 ? CLI_TOO_FEW : CLI_TOO_MANY, "Too %s parameters\n",
                    argc < 3 ? "few" : "many");
    struct backend_query q = { .w = w, .admin = argv[2], .out = out };
    unsigned state = 0;
    while (state < 3 && strcmp(states[state], argv[2]) != 0)
        state++;
    if (state == 3)
        return fail(out, CLI_PARAM, "Invalid state %s", argv[2]);
    q.state = (enum backend_admin)state;
    split_pattern(argv[1], &q);
    q.near = similar_to(span_str(q.name_glob));
    visit_backends(&q);
    if (q.found > 0)
        return CLI_OK;
    if (q.near.name == NULL)
        return fail(out, CLI_PARAM, "No Backends matches");
    return fail(out, CLI_PARAM, "No Backends matches\nDid you mean %s?", q.near.name);
}

/* debug.poll glob [good|bad]: a poll of the probe, by hand. Answers with the interval of the probe. */
int
worker_poll_by_hand(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct backend_query q = { .w = w, .poll = argc > 2 ? argv[2] : "", .interval_s = -1, .out = out };
    if (!probes_held())
        return fail(out, CLI_CANT, "Polls by hand are for tests: start with -p debug=+test_clock");
    if (*q.poll != '\0' && strcmp(q.poll, "good") != 0 && strcmp(q.poll, "bad") != 0)
        return fail(out, CLI_PARAM, "Invalid result %s: good or bad", q.poll);
    split_pattern(argv[1], &q);
    visit_backends(&q);
    if (q.interval_s < 0)
        return fail(out, CLI_PARAM, q.found > 0 ? "The backend has no probe" : "No Backends matches");
    text_printf(out, "%.6f", q.interval_s);
    return CLI_OK;
}
