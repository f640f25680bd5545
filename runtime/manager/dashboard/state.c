/* The message of the dashboard to its watchers: one JSON object without line breaks. */
#include "manager/dashboard/dashboard.h"

#include "manager/options.h"
#include "manager/workdir/workdir.h"
#include "version.h"

static void
add_pair(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\":", key);
    if (value == NULL)
        text_str(out, "null");
    else
        text_json(out, span_str(value));
    text_str(out, ",");
}

/* Rates of counters, a second; null in the first second and after a new worker began. */
static void
add_rates(const struct dashboard *d, struct text *out)
{
    double seconds = nsec_seconds(d->now_at - d->before_at);
    bool known = d->before.known && d->now.known && d->before_at != 0 && seconds > 0;
    text_str(out, "\"rates\":");
    if (!known) {
        text_str(out, "null,");
        return;
    }
    for (unsigned i = FIGURE_REQUESTS; i < FIGURE_OBJECTS; i++)
        text_printf(out, "%s\"%s\":%.3f", i == FIGURE_REQUESTS ? "{" : ",", figure_names[i],
                    (double)figures_growth(&d->before, &d->now, (enum figure)i) / seconds);
    text_str(out, "},");
}

static void
add_values(const struct dashboard *d, struct text *out)
{
    text_str(out, "\"values\":{");
    for (unsigned i = 0; i < FIGURES; i++)
        text_printf(out, "%s\"%s\":%llu", i == 0 ? "" : ",", figure_names[i],
                    (unsigned long long)d->now.n[i]);
    text_str(out, "},");
}

/* 0: no limit */
static uint64_t
limit_of(const struct options *o, const char *name)
{
    for (unsigned i = 0; i < o->n_storages; i++)
        if (strcmp(o->storages[i].name, name) == 0)
            return o->storages[i].limit_bytes;
    return 0;
}

static void
add_storages(const struct dashboard *d, struct text *out)
{
    text_str(out, "\"storages\":[");
    for (unsigned i = 0; i < d->now.n_storages; i++) {
        const struct figure_storage *s = &d->now.storages[i];
        text_str(out, i > 0 ? ",{" : "{");
        add_pair(out, "name", s->name);
        text_printf(out, "\"used\":%llu,\"limit\":%llu}", (unsigned long long)s->used_bytes,
                    (unsigned long long)limit_of(d->env.options, s->name));
    }
    text_str(out, "],");
}

static void
add_policies(const struct dashboard *d, struct text *out)
{
    const struct policies *p = d->env.policies;
    const char *between = "";
    text_str(out, "\"policies\":[");
    list_each(it, (struct list *)&p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        text_printf(out, "%s{", between);
        between = ",";
        add_pair(out, "name", vcl->name);
        add_pair(out, "state", vcl->loading ? "loading" : vcl_state_name(vcl->state));
        add_pair(out, "policy", vcl->state == VCL_LABEL ? vcl_policy(vcl)->name : NULL);
        add_pair(out, "file", vcl->source);
        add_pair(out, "by", vcl->activated_by);
        text_printf(out, "\"active\":%s,\"suspect\":%s,\"activated\":%.3f}",
                    vcl == p->active ? "true" : "false", vcl->suspect ? "true" : "false",
                    nsec_seconds(vcl->activated));
    }
    text_str(out, "],");
}

static void
add_backend_counters(const struct dashboard *d, struct text *out)
{
    double seconds = nsec_seconds(d->now_at - d->before_at);
    text_str(out, "\"backend_rates\":{");
    for (unsigned i = 0; i < d->now.n_backends; i++) {
        const struct figure_backend *b = &d->now.backends[i];
        const struct figure_backend *old = i < d->before.n_backends ? &d->before.backends[i] : NULL;
        bool same = old != NULL && seconds > 0 && strcmp(old->name, b->name) == 0 &&
                    old->requests <= b->requests;
        text_str(out, i > 0 ? "," : "");
        text_json(out, span_str(b->name));
        text_printf(out, ":{\"requests\":%.3f,\"connections\":%llu,\"failures\":%llu}",
                    same ? (double)(b->requests - old->requests) / seconds : 0.0,
                    (unsigned long long)b->connections, (unsigned long long)b->failures);
    }
    text_str(out, "},");
}

/* An answer of the worker. null: none came, or no worker runs. */
static void
add_answer(const char *key, const struct text *answer, struct text *out)
{
    text_printf(out, "\"%s\":%s,", key, answer == NULL || answer->len == 0 ? "null" : text_cstr(answer));
}

void
dashboard_describe(struct dashboard *d, struct text *out)
{
    nsec mono = clock_mono_ns();
    bool running = child_running(d->env.child);
    text_printf(out, "{\"now\":%.3f,", nsec_seconds(clock_real_ns()));
    add_pair(out, "identity", *d->env.identity);
    add_pair(out, "version", VERNIS_VERSION);
    add_pair(out, "worker", child_state_name(d->env.child));
    text_printf(out, "\"manager_up\":%.0f,\"worker_up\":%.0f,", nsec_seconds(mono - d->env.started),
                running ? nsec_seconds(mono - d->env.child->started) : 0.0);
    add_rates(d, out);
    add_values(d, out);
    add_storages(d, out);
    add_policies(d, out);
    add_backend_counters(d, out);
    if (d->origin.n > 0)
        text_printf(out, "\"origin\":{\"p50\":%.6f,\"p95\":%.6f,\"n\":%u},", d->origin.p50_s, d->origin.p95_s,
                    d->origin.n);
    add_answer("backends", running ? &d->backends : NULL, out);
    add_answer("rules", running ? &d->rules : NULL, out);
    urls_json(d->urls, out);
    text_str(out, "}");
}
