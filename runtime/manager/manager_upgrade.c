/* The manager's side of an upgrade (upgrade/upgrade.h): what may be upgraded, what the old daemon lets go of,
 * and what the new one takes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/params.h"
#include "base/split.h"
#include "daemon/params.h"
#include "log/report.h"
#include "manager/manager_internal.h"
#include "manager/notify.h"
#include "manager/passed.h"

/* Names a policy by its file and values, or, if it was typed in, by its own name. */
static void
identify(const struct vcl *vcl, struct text *out)
{
    text_clear(out);
    if (vcl != NULL)
        text_printf(out, "%s%s%s", vcl->source != NULL ? vcl->source : vcl->name,
                    vcl->values != NULL ? " -D " : "", vcl->values != NULL ? vcl->values : "");
}

void
manager_note_start(struct manager *m)
{
    list_each(it, &m->policies.list) container_of(it, struct vcl, link)->from_start = true;
    identify(m->policies.active == NULL ? NULL : vcl_policy(m->policies.active), &m->start_policy);
}

/* upgrade.c has logged the result. */
static void
upgraded_by_signal(void *arg, bool ok, struct span text)
{
}

void
manager_upgrade(struct manager *m)
{
    if (m->options.debug || m->shutting_down || !child_running(&m->child))
        log_line(LOG_LEVEL_WARNING, "no upgrade: debug mode, or the worker does not run");
    else
        upgrade_start(&m->upgrade, upgraded_by_signal, m);
}

/* The new daemon activates the policy of the start. Clients must not get another policy by an upgrade. */
static bool
may_upgrade(void *arg, struct text *why)
{
    struct manager *m = arg;
    struct text now = { 0 };
    const struct vcl *active = m->policies.active == NULL ? NULL : vcl_policy(m->policies.active);
    identify(active, &now);
    bool same = active != NULL && m->start_policy.len > 0 &&
                span_eq(text_span(&now), text_span(&m->start_policy));
    if (m->start_policy.len == 0)
        text_str(
            why,
            "No policy on the command line (-f or -b): an upgrade does not take over policies loaded by commands.\n");
    else if (!same)
        text_printf(
            why,
            "The active policy %s was loaded from %s, but the new daemon would load %s, with which this one started: "
            "clients would get another policy. Activate that one first (vernis reload), "
            "or change the options of the service and restart it.\n",
            active == NULL ? "" : active->name, text_cstr(&now), text_cstr(&m->start_policy));
    text_release(&now);
    return same;
}

static void
save(void *arg, int fd)
{
    const struct manager *m = arg;
    if (fd < 0 || carried_write(&m->policies, &m->certificates, &m->tickets, fd) != 0)
        log_line(LOG_LEVEL_ERROR, "upgrade: parameters and states of backends are lost: %s", strerror(errno));
}

static void
describe(void *arg, struct text *out)
{
    struct manager *m = arg;
    unsigned connections = m->cli.n_tcp + m->cli.n_unix;
    if (connections > 0 && m->upgrade.done != upgraded_by_signal)
        connections--; /* that of the command */
    carried_describe(&m->policies, &m->certificates, &m->carried_counts, connections,
                     *m->dashboard_at != '\0' && *param_text("dashboard_listen") == '\0', out);
}

static void
detached(void *arg, int status, struct span text)
{
    struct manager *m = arg;
    struct span stored, bans;
    m->carried_counts = (struct carried_counts){ 0 };
    if (split_next(&text, SPAN_LIT(" "), &stored) && split_next(&text, SPAN_LIT(" "), &bans))
        m->carried_counts = (struct carried_counts){ strtoull(stored.ptr, NULL, 10),
                                                     strtoull(bans.ptr, NULL, 10) };
    upgrade_detached(&m->upgrade);
}

static void
detach(void *arg)
{
    struct manager *m = arg;
    supervisor_detach(&m->supervisor, detached, m);
}

static void
attach(void *arg)
{
    struct manager *m = arg;
    if (!m->shutting_down)
        supervisor_attach(&m->supervisor);
}

/* Stops accepting connections of the command line; connected clients still get their answers. */
static void
let_go(void *arg)
{
    struct manager *m = arg;
    for (unsigned i = 0; i < m->cli_tcp.n + m->cli_unix.n; i++)
        events_remove(&m->events, &m->cli_listens[i].event);
    snprintf(m->dashboard_at, sizeof m->dashboard_at, "%s",
             dashboard_runs(&m->dashboard) ? m->dashboard.sockets.socket[0].endpoint.ptr : "");
    dashboard_stop(&m->dashboard);
    metrics_close(&m->metrics);
    m->upgrade.env.listens[UPGRADE_METRICS] = NULL;
    shared_leave(&m->shared, passed()->generation + 1);
    workdir_leave(&m->dir);
}

static void
take_back(void *arg)
{
    struct manager *m = arg;
    struct text why = { 0 };
    if (workdir_take(&m->dir, &why) != 0 || shared_take(&m->shared) != 0)
        log_line(LOG_LEVEL_ERROR, "upgrade: cannot take everything back: %s", text_cstr(&why));
    text_clear(&why);
    if (*m->dashboard_at != '\0' && dashboard_start(&m->dashboard, m->dashboard_at, &why) != 0)
        log_line(LOG_LEVEL_ERROR, "upgrade: the dashboard stays off: %s", text_cstr(&why));
    text_release(&why);
    for (unsigned i = 0; i < m->cli_tcp.n + m->cli_unix.n; i++)
        events_add(&m->events, &m->cli_listens[i].event);
}

static void
retire(void *arg)
{
    struct manager *m = arg;
    m->shutting_down = true;
    workdir_close(&m->dir); /* the lock must end with the new daemon */
    cli_masters_stop(&m->masters);
    cli_server_release(&m->cli);
    supervisor_retire(&m->supervisor, params.upgrade_drain_s, manager_stopped, m);
}

static void
taken(void *arg)
{
    struct manager *m = arg;
    struct span lost = text_span(&m->carried.lost), line;
    while (split_next(&lost, SPAN_LIT("\n"), &line))
        log_line(LOG_LEVEL_WARNING, "upgrade: not kept: %.*s", (int)line.len, line.ptr);
    supervisor_open(&m->supervisor);
    manager_take_commands(m);
    manager_serving(m);
    upgrade_taken(&m->upgrade, text_span(&m->carried.lost));
    text_release(&m->carried.lost);
}

/* In the new daemon: the old one has given up everything that only one daemon can hold. */
static void
take_place(void *arg)
{
    struct manager *m = arg;
    struct text why = { 0 };
    if (workdir_take(&m->dir, &why) != 0 || shared_take(&m->shared) != 0)
        log_line(LOG_LEVEL_ERROR, "upgrade: cannot take everything over: %s",
                 why.len > 0 ? text_cstr(&why) : strerror(errno));
    text_release(&why);
    carried_apply(&m->carried, passed()->settings_fd, taken, m);
}

void
manager_connect_upgrade(struct manager *m, char **argv)
{
    upgrade_init(&m->upgrade,
                 &(struct upgrade_env){ .events = &m->events,
                                        .argv = argv,
                                        .listens = { &m->clients, &m->cli_tcp, &m->cli_unix,
                                                     &m->dashboard.sockets, metrics_listens(m->metrics) },
                                        .lock_fd = &m->dir.lock_fd,
                                        .pid_fd = &m->dir.pid_fd,
                                        .notify_socket = notify_socket(),
                                        .may = may_upgrade,
                                        .save = save,
                                        .describe = describe,
                                        .detach = detach,
                                        .attach = attach,
                                        .let_go = let_go,
                                        .go_on = take_back,
                                        .retire = retire,
                                        .take = take_place,
                                        .arg = m });
}
