/* The dashboard: see dashboard.h. Its clock, its answers to browsers, its questions to the worker. */
#include "manager/dashboard/dashboard.h"

#include <math.h>
#include <stdlib.h>

#include "manager/dashboard/answers.h"
#include "daemon/log_params.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"
#include "dashboard_pages.h"

#define PARAM_NAME "dashboard_listen"
#define TICK NSEC_PER_SEC
#define STEP (HISTORY_STEP_S * NSEC_PER_SEC)
#define ASK_BACKENDS (2 * NSEC_PER_SEC)
#define ASK_RULES (5 * NSEC_PER_SEC)
#define HISTORY_SECONDS_DEFAULT 900u

/* ---- answers to browsers ------------------------------------------------------------------------------- */

static const struct web_field fields[] = {
    { "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-store" },
    { "WWW-Authenticate", "Bearer" }, /* the last one: only with 401 */
};

static void
refuse(struct web_answer *out, unsigned status, const char *text)
{
    out->status = status;
    out->n_fields += status == 401;
    out->body = span_str(text);
}

static void
answer_history(struct dashboard *d, const struct web_request *r, struct web_answer *out)
{
    const char *asked = web_argument(r, "seconds");
    unsigned long seconds = asked == NULL ? HISTORY_SECONDS_DEFAULT : strtoul(asked, NULL, 10);
    if (seconds < HISTORY_STEP_S || seconds > (unsigned long)HISTORY_RECORDS * HISTORY_STEP_S) {
        refuse(out, 400, "seconds must be between 5 and 86400\n");
        return;
    }
    text_clear(&d->message);
    history_json(d->history, clock_real_ns(), (unsigned)seconds, &d->message);
    out->status = 200;
    out->type = "application/json";
    out->body = text_span(&d->message);
}

static void
answer_events(struct dashboard *d, struct web_answer *out)
{
    if (web_streams(d->web) >= DASHBOARD_WATCHERS_MAX) {
        refuse(out, 503, "too many browsers watch this dashboard\n");
        return;
    }
    out->status = 200;
    out->type = "text/event-stream";
    out->streams = true;
    out->body = SPAN_LIT(": welcome\n\n");
    events_timer(d->env.events, &d->tick, clock_mono_ns()); /* do not let the page wait for the next tick */
}

static void
answer(void *arg, const struct web_request *r, struct web_answer *out)
{
    struct dashboard *d = arg;
    const char *path = web_path(r);
    out->fields = fields;
    out->n_fields = sizeof fields / sizeof *fields - 1;
    for (unsigned i = 0; i < sizeof dashboard_pages / sizeof *dashboard_pages; i++)
        if (strcmp(path, dashboard_pages[i].path) == 0) {
            out->status = 200;
            out->type = dashboard_pages[i].type;
            out->body = span_of(dashboard_pages[i].bytes, dashboard_pages[i].n);
            return;
        }
    bool events = strcmp(path, "/events") == 0;
    if (!events && strcmp(path, "/history") != 0)
        refuse(out, 404, "the dashboard is at /\n");
    else if (!token_allows(d->token, web_request_field(r, "Authorization")))
        refuse(out, 401, "this needs the token: vernis dashboard prints it\n");
    else if (events)
        answer_events(d, out);
    else
        answer_history(d, r, out);
}

/* ---- questions to the worker --------------------------------------------------------------------------- */

struct dashboard_question {
    struct dashboard *d; /* NULL: the dashboard was stopped */
    bool rules;
};

static void
on_answer(void *arg, int status, struct span text)
{
    struct dashboard_question *q = arg;
    struct dashboard *d = q->d;
    if (d != NULL) {
        struct text *kept = q->rules ? &d->rules : &d->backends;
        text_clear(kept);
        if (status == CLI_OK)
            (q->rules ? rules_json : backends_json)(text, kept);
        d->question = NULL;
    }
    free(q);
}

/* One question at a time. A worker that does not answer is asked no more. */
static void
ask_worker(struct dashboard *d, nsec now)
{
    static const char *const backends[] = { "backend.list", "-j", "-p" }, *const rules[] = { "rules", "-j" };
    bool ask_rules = now - d->rules_asked >= ASK_RULES;
    if (d->question != NULL || (!ask_rules && now - d->backends_asked < ASK_BACKENDS))
        return;
    *(ask_rules ? &d->rules_asked : &d->backends_asked) = now;
    struct dashboard_question *q = mem_zalloc(sizeof *q);
    *q = (struct dashboard_question){ .d = d, .rules = ask_rules };
    d->question = q;
    child_call(d->env.child, on_answer, q, ask_rules ? 2 : 3, ask_rules ? rules : backends);
}

/* ---- the clock ----------------------------------------------------------------------------------------- */

static float
rate(const struct dashboard *d, enum figure which, double seconds)
{
    return (float)((double)figures_growth(&d->step, &d->now, which) / seconds);
}

static void
enter_step(struct dashboard *d, nsec now)
{
    static const enum figure rates[HISTORY_VALUES] = {
        [HISTORY_REQUESTS] = FIGURE_REQUESTS, [HISTORY_HITS] = FIGURE_HITS,
        [HISTORY_MISSES] = FIGURE_MISSES,     [HISTORY_PASSES] = FIGURE_PASSES,
        [HISTORY_2XX] = FIGURE_2XX,           [HISTORY_3XX] = FIGURE_3XX,
        [HISTORY_4XX] = FIGURE_4XX,           [HISTORY_5XX] = FIGURE_5XX,
        [HISTORY_FETCHES] = FIGURE_FETCHES,
    };
    float values[HISTORY_VALUES];
    double seconds = nsec_seconds(now - d->step_at);
    for (unsigned i = 0; i < HISTORY_VALUES; i++)
        values[i] = rate(d, rates[i], seconds);
    values[HISTORY_BYTES] = rate(d, FIGURE_HEAD_BYTES, seconds) + rate(d, FIGURE_BODY_BYTES, seconds);
    bool answered = urls_origin_times(d->urls, &d->origin);
    values[HISTORY_ORIGIN_P50] = answered ? (float)d->origin.p50_s : NAN;
    values[HISTORY_ORIGIN_P95] = answered ? (float)d->origin.p95_s : NAN;
    values[HISTORY_USED_BYTES] = (float)figures_used_bytes(&d->now);
    values[HISTORY_OBJECTS] = (float)d->now.n[FIGURE_OBJECTS];
    if (d->step.known && d->now.known)
        history_add(d->history, clock_real_ns(), values);
    urls_age(d->urls, seconds);
}

static void
take_figures(struct dashboard *d, const char *folder, nsec now)
{
    d->before = d->now;
    d->before_at = d->now_at;
    figures_read(folder, &d->now);
    d->now_at = now;
    if (d->step_at != 0 && now - d->step_at < STEP)
        return;
    if (d->step_at != 0)
        enter_step(d, now);
    d->step = d->now;
    d->step_at = now;
}

/* A page that opens moves the tick forward, so the last one may have been a moment ago. */
static void
look(struct dashboard *d, bool watched, nsec now)
{
    char folder[PATH_MAX];
    shared_worker_path(d->env.shared, folder);
    log_read(&d->log, folder, urls_record, d->urls);
    if (now - d->now_at >= TICK / 2 && (watched || now - d->step_at >= STEP))
        take_figures(d, folder, now);
}

static void
tick(struct event_timer *t)
{
    struct dashboard *d = container_of(t, struct dashboard, tick);
    nsec now = clock_mono_ns();
    bool watched = web_streams(d->web) > 0;
    look(d, watched, now);
    if (watched) {
        ask_worker(d, now);
        text_clear(&d->message);
        text_str(&d->message, "data: ");
        dashboard_describe(d, &d->message);
        text_str(&d->message, "\n\n");
        web_publish(d->web, text_span(&d->message));
    }
    events_timer(d->env.events, t, now + TICK);
}

static void
reasons_answered(void *arg, int status, struct span text)
{
}

/* The worker logs the reasons of requests that are no hits while the dashboard is on. */
static void
want_reasons(struct dashboard *d, bool on)
{
    const char *words[] = { "reasons", "dashboard", on ? "on" : "off" };
    log_params_reasons(REASONS_FOR_DASHBOARD, on); /* for the next worker */
    if (child_alive(d->env.child))
        child_call(d->env.child, reasons_answered, NULL, 3, words);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

void
dashboard_init(struct dashboard *d, const struct dashboard_env *env)
{
    *d = (struct dashboard){ .env = *env, .tick.fn = tick };
}

static bool
is_local(const struct listen_socket *s)
{
    return strncmp(s->endpoint.ptr, "127.", 4) == 0 || strncmp(s->endpoint.ptr, "[::1]", 5) == 0;
}

int
dashboard_start(struct dashboard *d, const char *address, struct text *why)
{
    const struct web_env env = { .events = d->env.events,
                                 .name = "dashboard",
                                 .sockets = &d->sockets,
                                 .parameter = PARAM_NAME,
                                 .answer = answer,
                                 .arg = d };
    CHECK(d->web == NULL);
    int err = token_open(d->env.dir->path, d->token, why);
    if (err == 0)
        err = web_open(&env, address, &d->web, why);
    if (err != 0) {
        web_close(&d->web);
        return err;
    }
    d->history = history_open(d->env.dir->path);
    d->urls = urls_new();
    for (unsigned i = 0; i < d->sockets.n; i++) {
        log_line(LOG_LEVEL_INFO, "dashboard at http://%s/", d->sockets.socket[i].endpoint.ptr);
        if (!is_local(&d->sockets.socket[i]))
            log_line(LOG_LEVEL_WARNING,
                     "dashboard at %s: without TLS, others on the network can read the token and the figures",
                     d->sockets.socket[i].endpoint.ptr);
    }
    want_reasons(d, true);
    events_timer(d->env.events, &d->tick, clock_mono_ns());
    return 0;
}

int
dashboard_open(struct dashboard *d, struct text *why)
{
    const char *address = param_text(PARAM_NAME);
    CHECK(param_protect(PARAM_NAME) == 0);
    return *address == '\0' ? 0 : dashboard_start(d, address, why);
}

void
dashboard_stop(struct dashboard *d)
{
    if (d->web == NULL)
        return;
    want_reasons(d, false);
    events_timer_cancel(d->env.events, &d->tick);
    web_close(&d->web);
    if (d->question != NULL)
        d->question->d = NULL;
    history_close(&d->history);
    log_reader_release(&d->log);
    urls_free(&d->urls);
    text_release(&d->backends);
    text_release(&d->rules);
    text_release(&d->message);
    const struct dashboard_env env = d->env;
    dashboard_init(d, &env);
}

bool
dashboard_runs(const struct dashboard *d)
{
    return d->web != NULL;
}

void
dashboard_links(const struct dashboard *d, const char *between, struct text *out)
{
    for (unsigned i = 0; i < d->sockets.n; i++)
        text_printf(out, "%shttp://%s/#%s", i > 0 ? between : "", d->sockets.socket[i].endpoint.ptr,
                    d->token);
}
