/* vernis.status: the state of the daemon, as text and as JSON, with the counters of the worker. */
#include <stdlib.h>

#include "manager/cli/commands.h"
#include "manager/jail_users.h"
#include "manager/tls/expiry.h"
#include "daemon/params.h"
#include "base/check.h"
#include "base/cpus.h"
#include "base/mem.h"
#include "base/params.h"

#define CERTIFICATES_SHOWN 5u        /* those that expire first */
#define STATUS_PATIENCE NSEC_PER_SEC /* vernis.status reports a longer wait for the worker */

static const struct daemon_commands *
daemon_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_DAEMON);
    return req->context;
}

/* The active policy; a label stands for its policy. */
struct active {
    const char *name, *file; /* NULL: none */
};

static struct active
active_of(const struct policies *p)
{
    if (p->active == NULL)
        return (struct active){ NULL, NULL };
    return (struct active){ p->active->name, vcl_policy(p->active)->source };
}

static int
by_expiry(const void *left, const void *right)
{
    const struct certificate *const *a = left, *const *b = right;
    return (*a)->not_after<(*b)->not_after ? -1 : (*a)->not_after>(*b)->not_after;
}

/* Those in use, the one that expires first at the front. The caller frees the array. */
static struct certificate **
expiring(const struct daemon_commands *d, unsigned *n)
{
    struct certificate **set = certificates_set(d->certificates, false, n);
    qsort(set, *n, sizeof(struct certificate *), by_expiry);
    return set;
}

static void
status_certificates(const struct daemon_commands *d, struct text *out)
{
    unsigned n;
    struct certificate **set = expiring(d, &n);
    for (unsigned i = 0; i < n && i < CERTIFICATES_SHOWN; i++)
        text_printf(out, "certificate %s: %lld days, %s\n", set[i]->id, certificate_days(set[i]),
                    set[i]->names);
    if (n > CERTIFICATES_SHOWN)
        text_printf(out, "            and %u more: tls.cert.list\n", n - CERTIFICATES_SHOWN);
    free(set);
}

static void
status_text(const struct daemon_commands *d, struct text *out)
{
    const struct supervisor *s = d->supervisor;
    nsec now = clock_mono_ns();
    text_printf(out, "state      %s\nmaster     %ld, up %lld s\n", child_state_name(d->child), (long)d->pid,
                (long long)((now - d->started) / NSEC_PER_SEC));
    if (d->child->pid != 0)
        text_printf(out, "worker     %ld, up %lld s\n", (long)d->child->pid,
                    (long long)((now - d->child->started) / NSEC_PER_SEC));
    nsec oldest = child_oldest_call(d->child);
    if (oldest != NSEC_NEVER && now - oldest > STATUS_PATIENCE)
        text_printf(out, "hangs      no answer for %lld s\n", (long long)((now - oldest) / NSEC_PER_SEC));
    struct active a = active_of(d->policies);
    text_printf(out, "active     %s\npolicies   %u\n", a.name == NULL ? "(none)" : a.name, d->policies->n);
    if (a.file != NULL)
        text_printf(out, "file       %s\n", a.file);
    if (a.name != NULL)
        text_printf(out, "activated  %lld s ago by %s\n",
                    (long long)((clock_real_ns() - d->policies->active_since) / NSEC_PER_SEC),
                    d->policies->active_by);
    text_printf(out, "deaths     %u\n", s->died);
    if (*s->reason != '\0' && s->died > 0)
        text_printf(out, "last death %s, %lld s ago\n", s->reason,
                    (long long)((clock_real_ns() - s->reason_at) / NSEC_PER_SEC));
    if (s->backoff > 0)
        text_printf(out, "back-off   %lld s between starts\n", (long long)(s->backoff / NSEC_PER_SEC));
    if (*s->suspect != '\0')
        text_printf(out, "suspect    %s: left out, workers died after it became active\n", s->suspect);
    text_printf(out, "compiler   %s, %u started, %u died, %u compiled\n",
                d->compiler->pid != 0 ? "warm" : "not running", d->compiler->starts, d->compiler->deaths,
                d->compiler->compiled);
    const struct cpus *cpus = cpus_here();
    text_printf(out, "loops      %u on %u CPUs", params.loops, cpus->allowed);
    if (cpus->quota > 0)
        text_printf(out, " with a quota of %.4g", cpus->quota);
    text_printf(out, *param_text("loop_cpus") == '\0' ? ", not pinned" : ", pinned (loop_cpus=%s)",
                param_text("loop_cpus"));
    text_str(out, "\nconfined   ");
    jail_describe(d->compiler->env.sandbox, out);
    text_str(out, "\n");
    for (unsigned i = 0; i < d->clients->n; i++) {
        const struct listen_socket *l = &d->clients->socket[i];
        text_printf(out, "listens    %s %s", l->name.ptr, l->endpoint.ptr);
        text_printf(out, l->kind == LISTEN_HTTP ? "\n" : " (%s)\n", listen_kinds[l->kind].word);
    }
    status_certificates(d, out);
}

static void
json_pair(struct text *out, const char *key, const char *value)
{
    text_printf(out, "    \"%s\": ", key);
    if (value == NULL || *value == '\0')
        text_str(out, "null");
    else
        text_json(out, span_str(value));
    text_str(out, ",\n");
}

static void
json_certificates(const struct daemon_commands *d, struct text *out)
{
    unsigned n;
    struct certificate **set = expiring(d, &n);
    text_str(out, "    \"certificates\": [");
    for (unsigned i = 0; i < n; i++) {
        text_str(out, i > 0 ? ", { \"id\": " : "{ \"id\": ");
        text_json(out, span_str(set[i]->id));
        text_printf(out, ", \"days\": %lld, \"not_after\": %lld, \"names\": ", certificate_days(set[i]),
                    set[i]->not_after);
        text_json(out, span_str(set[i]->names));
        text_str(out, " }");
    }
    text_str(out, "],\n");
    free(set);
}

static void
status_json(struct cli_request *req, struct span counters)
{
    const struct daemon_commands *d = daemon_of(req);
    const struct supervisor *s = d->supervisor;
    struct text *out = &req->out;
    nsec now = clock_mono_ns();
    cli_json_begin(req, 2);
    text_str(out, "\n  {\n");
    json_pair(out, "state", child_state_name(d->child));
    text_printf(out, "    \"master\": %ld,\n    \"worker\": %ld,\n", (long)d->pid, (long)d->child->pid);
    text_printf(out, "    \"master_uptime_s\": %.3f,\n    \"worker_uptime_s\": %.3f,\n",
                nsec_seconds(now - d->started),
                d->child->pid == 0 ? 0.0 : nsec_seconds(now - d->child->started));
    struct active a = active_of(d->policies);
    json_pair(out, "active", a.name);
    json_pair(out, "active_file", a.file);
    json_pair(out, "active_by", a.name == NULL ? NULL : d->policies->active_by);
    text_printf(out, "    \"active_since\": %.3f,\n", nsec_seconds(d->policies->active_since));
    json_pair(out, "suspect", s->suspect);
    const struct cpus *cpus = cpus_here();
    text_printf(out, "    \"loops\": %u,\n    \"cpus\": %u,\n    \"cpu_quota\": ", params.loops,
                cpus->allowed);
    text_printf(out, cpus->quota > 0 ? "%.4f,\n" : "null,\n", cpus->quota);
    json_pair(out, "loop_cpus", param_text("loop_cpus"));
    struct text confined = { 0 };
    jail_describe(d->compiler->env.sandbox, &confined);
    json_pair(out, "confined", text_cstr(&confined));
    text_release(&confined);
    json_pair(out, "last_death", s->died > 0 ? s->reason : NULL);
    text_printf(out, "    \"last_death_at\": %.3f,\n", s->died > 0 ? nsec_seconds(s->reason_at) : 0.0);
    text_printf(
        out,
        "    \"policies\": %u,\n    \"worker_starts\": %u,\n    \"worker_deaths\": %u,\n    \"backoff_s\": %lld,\n",
        d->policies->n, s->starts, s->died, (long long)(s->backoff / NSEC_PER_SEC));
    text_printf(
        out,
        "    \"compiler\": %ld,\n    \"compiler_starts\": %u,\n    \"compiler_deaths\": %u,\n    \"listens\": [",
        (long)d->compiler->pid, d->compiler->starts, d->compiler->deaths);
    for (unsigned i = 0; i < d->clients->n; i++) {
        text_str(out, i > 0 ? ", " : "");
        text_json(out, d->clients->socket[i].endpoint);
    }
    text_str(out, "],\n");
    json_certificates(d, out);
    text_str(out, "    \"counters\":");
    text_add(out, counters);
    text_str(out, "\n  }");
    cli_json_end(req);
}

/* vernis.status must answer even if the worker hangs: without counters then. */
struct status_wait {
    struct cli_request *req; /* NULL once answered */
    struct events *events;
    struct event_timer timer;
};

static void
status_answer(struct status_wait *wait, struct span counters)
{
    struct cli_request *req = wait->req;
    wait->req = NULL;
    events_timer_cancel(wait->events, &wait->timer);
    if (req->json) {
        status_json(req, counters.ptr == NULL ? SPAN_LIT(" {}") : counters);
    } else {
        status_text(daemon_of(req), &req->out);
        text_str(&req->out, counters.ptr == NULL ? "" : "\n");
        text_add(&req->out, counters);
    }
    cli_done(req, CLI_OK);
}

static void
status_overdue(struct event_timer *t)
{
    status_answer(container_of(t, struct status_wait, timer), SPAN_NULL);
}

static void
status_counted(void *arg, int status, struct span text)
{
    struct status_wait *wait = arg;
    if (wait->req != NULL)
        status_answer(wait, status == CLI_OK ? text : SPAN_NULL);
    free(wait);
}

void
command_vernis_status(struct cli_request *req)
{
    const char *words[] = { "counters", "-j" };
    struct status_wait *wait = mem_zalloc(sizeof *wait);
    *wait = (struct status_wait){ .req = req, .events = daemon_of(req)->events, .timer.fn = status_overdue };
    events_timer(daemon_of(req)->events, &wait->timer, clock_mono_ns() + STATUS_PATIENCE);
    child_call(daemon_of(req)->child, status_counted, wait, req->json ? 2 : 1, words);
}
