/* Commands about the daemon itself, and the table of all commands. */
#include "admin/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "admin/manager.h"
#include "admin/params.h"
#include "base/check.h"
#include "base/mem.h"

/* ---- about the connection ---------------------------------------------------------------------------------------------------- */

#define RULE "-----------------------------\n"

void
cli_banner(struct manager *m, struct text *out)
{
    struct utsname u;
    CHECK(uname(&u) == 0);
    text_printf(out, RULE "Varnish Cache CLI 1.0\n" RULE "%s,%s,%s,-j%s", u.sysname, u.release, u.machine, m->jail.name);
    for (unsigned i = 0; i < m->options.n_storages; i++)
        text_str(out, ",-smalloc");
    text_printf(out, ",-hcritbit\n%s, vernis-%s\n\nType 'help' for command list.\nType 'quit' to close CLI session.\n",
                VARNISH_BANNER_VERSION, VERNIS_VERSION);
    if (m->child.state == CHILD_STOPPED)
        text_str(out, "Type 'start' to launch worker process.\n");
}

static void
command_banner(struct cli_request *req)
{
    cli_banner(req->manager, &req->out);
    cli_done(req, CLI_OK);
}

static void
command_auth(struct cli_request *req)
{
    if (cli_try_auth(req, req->argv[1]) != 0) {
        cli_answer(req, CLI_CLOSE, "Authentication failed.\n");
        return;
    }
    command_banner(req);
}

static void
command_ping(struct cli_request *req)
{
    if (req->json) {
        cli_json_begin(req, 2);
        text_str(&req->out, "\"PONG\"");
        cli_json_end(req);
    } else
        text_printf(&req->out, "PONG %lld 1.0", (long long)(clock_real_ns() / NSEC_PER_SEC));
    cli_done(req, CLI_OK);
}

static void
help_json(struct cli_request *req)
{
    cli_json_begin(req, 2);
    for (unsigned i = 0; i < n_cli_commands; i++) {
        const struct cli_command *c = &cli_commands[i];
        text_printf(&req->out, "%s\n  {\n    \"request\": ", i > 0 ? "," : "");
        text_json(&req->out, span_str(c->name));
        text_str(&req->out, ",\n    \"syntax\": ");
        text_json(&req->out, span_str(c->syntax));
        text_str(&req->out, ",\n    \"help\": ");
        text_json(&req->out, span_str(c->help));
        text_printf(&req->out, ",\n    \"minarg\": %u,\n    \"maxarg\": %u,\n    \"flags\": \"%s\",\n    \"json\": %s\n  }", c->min_args,
                    c->max_args, c->flags & COMMAND_DEBUG ? "d" : "", c->flags & COMMAND_JSON ? "true" : "false");
    }
    cli_json_end(req);
    cli_done(req, CLI_OK);
}

static void
command_help(struct cli_request *req)
{
    const char *name = req->argc > 1 ? req->argv[1] : NULL;
    bool debug = name != NULL && strcmp(name, "-d") == 0, all = name != NULL && strcmp(name, "-a") == 0;
    if (req->json) {
        help_json(req);
        return;
    }
    unsigned found = 0;
    for (unsigned i = 0; i < n_cli_commands; i++) {
        const struct cli_command *c = &cli_commands[i];
        bool is_debug = c->flags & COMMAND_DEBUG;
        if ((c->flags & COMMAND_WORKER) && !child_running(&req->manager->child))
            continue;                   /* unknown while there is nobody to ask */
        if (name != NULL && !debug && !all ? strcmp(c->name, name) != 0 : !all && is_debug != debug)
            continue;
        text_printf(&req->out, "%s\n", c->syntax);
        if (name != NULL && !debug && !all)
            text_printf(&req->out, "%s\n", c->help);
        found++;
    }
    if (found == 0)
        cli_answer(req, CLI_UNKNOWN, "Unknown request.\nType 'help' for more info.\n");
    else
        cli_done(req, CLI_OK);
}

void
commands_describe_all(struct text *out)
{
    for (unsigned i = 0; i < n_cli_commands; i++)
        text_printf(out, "%s\n    %s\n\n", cli_commands[i].syntax, cli_commands[i].help);
}

/* ---- about the worker -------------------------------------------------------------------------------------------------------- */

void
command_answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    text_add(&req->out, text);
    cli_done(req, status);
}

void
command_forward(struct cli_request *req)
{
    child_call(&req->manager->child, command_answered, req, req->argc, (const char *const *)req->argv);
}

static void
command_pid(struct cli_request *req)
{
    struct manager *m = req->manager;
    if (req->json) {
        cli_json_begin(req, 2);
        text_printf(&req->out, "\n  {\"master\": %ld", (long)m->pid);
        if (m->child.pid != 0)
            text_printf(&req->out, ", \"worker\": %ld", (long)m->child.pid);
        text_str(&req->out, "}");
        cli_json_end(req);
    } else {
        text_printf(&req->out, "Master: %10ld\n", (long)m->pid);
        if (m->child.pid != 0)
            text_printf(&req->out, "Worker: %10ld\n", (long)m->child.pid);
    }
    cli_done(req, CLI_OK);
}

static void
command_status(struct cli_request *req)
{
    struct manager *m = req->manager;
    if (req->json) {
        cli_json_begin(req, 2);
        text_printf(&req->out, "\"%s\"", child_state_name(&m->child));
        cli_json_end(req);
    } else {
        text_printf(&req->out, "Child in state %s", child_state_name(&m->child));
        /* Tools compare the line above as a whole, so this stands there only when there is something to say. */
        if (*m->supervisor.suspect != '\0')
            text_printf(&req->out, "\nPolicy '%s' is suspect and left out: workers %s; '%s' is active", m->supervisor.suspect,
                        m->supervisor.reason, m->policies.active == NULL ? "" : m->policies.active->name);
    }
    cli_done(req, CLI_OK);
}

static void
command_start(struct cli_request *req)
{
    supervisor_start(&req->manager->supervisor, command_answered, req);
}

static void
command_stop(struct cli_request *req)
{
    supervisor_stop(&req->manager->supervisor, 0, command_answered, req);
}

static void
command_panic_master(struct cli_request *req)
{
    CHECK(!"debug.panic.master");
    cli_done(req, CLI_OK);
}

static void
command_panic_show(struct cli_request *req)
{
    const struct text *panic = &req->manager->supervisor.panic;
    if (panic->len == 0) {
        cli_answer(req, CLI_CANT, "Child has not panicked or panic has been cleared");
        return;
    }
    if (req->json) {
        cli_json_begin(req, 2);
        text_json(&req->out, text_span(panic));
        cli_json_end(req);
    } else
        text_add(&req->out, text_span(panic));
    cli_done(req, CLI_OK);
}

static void
command_panic_clear(struct cli_request *req)
{
    struct supervisor *s = &req->manager->supervisor;
    bool reset = req->argc == 2 && strcmp(req->argv[1], "-z") == 0;
    if (req->argc == 2 && !reset) {
        cli_answer(req, CLI_PARAM, "Unknown parameter \"%s\".", req->argv[1]);
        return;
    }
    if (reset)
        s->died = 0;
    if (s->panic.len == 0 && !reset) {
        cli_answer(req, CLI_CANT, "No panic to clear");
        return;
    }
    text_clear(&s->panic);
    cli_done(req, CLI_OK);
}

static void
command_storage_list(struct cli_request *req)
{
    const struct options *o = &req->manager->options;
    bool has_transient = false;
    if (req->json)
        cli_json_begin(req, 2);
    else
        text_str(&req->out, "Storage devices:\n");
    for (unsigned i = 0; i <= o->n_storages; i++) {
        const char *name = i < o->n_storages ? o->storages[i].name : "Transient";
        if (i == o->n_storages && has_transient)
            break;
        has_transient |= strcmp(name, "Transient") == 0;
        const char *kind = i < o->n_storages && o->storages[i].debug ? "debug" : "malloc";
        if (req->json)
            text_printf(&req->out, "%s{\n    \"name\": \"%s\",\n    \"storage\": \"%s\"\n  }", i > 0 ? ", " : "", name, kind);
        else
            text_printf(&req->out, "\tstorage.%s = %s\n", name, kind);
    }
    if (req->json)
        cli_json_end(req);
    cli_done(req, CLI_OK);
}

static void
command_listen_address(struct cli_request *req)
{
    const struct listens *l = &req->manager->clients;
    for (unsigned i = 0; i < l->n; i++) {
        text_printf(&req->out, "%s ", l->socket[i].name.ptr);
        listen_describe(&l->socket[i], &req->out);
        text_str(&req->out, "\n");
    }
    cli_done(req, CLI_OK);
}

/* ---- our own ----------------------------------------------------------------------------------------------------------------- */

#define STATUS_PATIENCE NSEC_PER_SEC    /* an answer of the worker that is overdue by this */

static void
status_text(struct manager *m, struct text *out)
{
    const struct supervisor *s = &m->supervisor;
    nsec now = clock_mono_ns();
    text_printf(out, "state      %s\nmaster     %ld, up %lld s\n", child_state_name(&m->child), (long)m->pid,
                (long long)((now - m->started) / NSEC_PER_SEC));
    if (m->child.pid != 0)
        text_printf(out, "worker     %ld, up %lld s\n", (long)m->child.pid, (long long)((now - m->child.started) / NSEC_PER_SEC));
    nsec oldest = child_oldest_call(&m->child);
    if (oldest != NSEC_NEVER && now - oldest > STATUS_PATIENCE)
        text_printf(out, "hangs      no answer for %lld s\n", (long long)((now - oldest) / NSEC_PER_SEC));
    text_printf(out, "active     %s\npolicies   %u\n", m->policies.active == NULL ? "(none)" : m->policies.active->name, m->policies.n);
    text_printf(out, "deaths     %u\n", s->died);
    if (*s->reason != '\0' && s->died > 0)
        text_printf(out, "last death %s, %lld s ago\n", s->reason, (long long)((clock_real_ns() - s->reason_at) / NSEC_PER_SEC));
    if (s->backoff > 0)
        text_printf(out, "back-off   %lld s between starts\n", (long long)(s->backoff / NSEC_PER_SEC));
    if (*s->suspect != '\0')
        text_printf(out, "suspect    %s: left out, workers died after it became active\n", s->suspect);
    text_printf(out, "compiler   %s, %u started, %u died, %u compiled\n", m->compiler.pid != 0 ? "warm" : "not running",
                m->compiler.starts, m->compiler.deaths, m->compiler.compiled);
    for (unsigned i = 0; i < m->clients.n; i++)
        text_printf(out, "listens    %s %s%s\n", m->clients.socket[i].name.ptr, m->clients.socket[i].endpoint.ptr,
                    m->clients.socket[i].proxy_protocol ? " (PROXY)" : "");
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
status_json(struct cli_request *req, struct span counters)
{
    struct manager *m = req->manager;
    const struct supervisor *s = &m->supervisor;
    struct text *out = &req->out;
    nsec now = clock_mono_ns();
    cli_json_begin(req, 2);
    text_str(out, "\n  {\n");
    json_pair(out, "state", child_state_name(&m->child));
    text_printf(out, "    \"master\": %ld,\n    \"worker\": %ld,\n", (long)m->pid, (long)m->child.pid);
    text_printf(out, "    \"master_uptime_s\": %.3f,\n    \"worker_uptime_s\": %.3f,\n", nsec_seconds(now - m->started),
                m->child.pid == 0 ? 0.0 : nsec_seconds(now - m->child.started));
    json_pair(out, "active", m->policies.active == NULL ? NULL : m->policies.active->name);
    json_pair(out, "suspect", s->suspect);
    json_pair(out, "last_death", s->died > 0 ? s->reason : NULL);
    text_printf(out, "    \"policies\": %u,\n    \"worker_starts\": %u,\n    \"worker_deaths\": %u,\n    \"backoff_s\": %lld,\n",
                m->policies.n, s->starts, s->died, (long long)(s->backoff / NSEC_PER_SEC));
    text_printf(out, "    \"compiler\": %ld,\n    \"compiler_starts\": %u,\n    \"compiler_deaths\": %u,\n    \"listens\": [",
                (long)m->compiler.pid, m->compiler.starts, m->compiler.deaths);
    for (unsigned i = 0; i < m->clients.n; i++) {
        text_str(out, i > 0 ? ", " : "");
        text_json(out, m->clients.socket[i].endpoint);
    }
    text_str(out, "],\n    \"counters\":");
    text_add(out, counters);
    text_str(out, "\n  }");
    cli_json_end(req);
}

/* A worker that hangs shall not keep this command from saying so: the counters are left out when they do not come in time. */
struct status_wait {
    struct cli_request *req;            /* NULL once answered */
    struct manager *manager;
    struct event_timer timer;
};

static void
status_answer(struct status_wait *wait, struct span counters)
{
    struct cli_request *req = wait->req;
    wait->req = NULL;
    events_timer_cancel(&wait->manager->events, &wait->timer);
    if (req->json) {
        status_json(req, counters.ptr == NULL ? SPAN_LIT(" {}") : counters);
    } else {
        status_text(req->manager, &req->out);
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

static void
command_vernis_status(struct cli_request *req)
{
    const char *words[] = { "counters", "-j" };
    struct status_wait *wait = mem_zalloc(sizeof *wait);
    *wait = (struct status_wait){ .req = req, .manager = req->manager, .timer.fn = status_overdue };
    events_timer(&req->manager->events, &wait->timer, clock_mono_ns() + STATUS_PATIENCE);
    child_call(&req->manager->child, status_counted, wait, req->json ? 2 : 1, words);
}

static void
counters_answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    bool json = req->json && status == CLI_OK;
    if (json)
        cli_json_begin(req, 2);
    text_str(&req->out, json ? "\n" : "");
    text_add(&req->out, text);
    if (json)
        cli_json_end(req);
    cli_done(req, status);
}

static void
command_counters(struct cli_request *req)
{
    const char *words[] = { "counters", "-j" };
    child_call(&req->manager->child, counters_answered, req, req->json ? 2 : 1, words);
}

static void
backends_answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    bool json = req->json && status == CLI_OK;
    if (json)
        cli_json_begin(req, 3);
    text_str(&req->out, json ? "\n" : "");
    text_add(&req->out, text);
    if (json)
        cli_json_end(req);
    cli_done(req, status);
}

static void
health_set(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    if (status == CLI_OK)
        policies_health(&req->manager->policies, req->argv[1], req->argv[2]);
    command_answered(req, status, text);
}

static void
command_set_health(struct cli_request *req)
{
    child_call(&req->manager->child, health_set, req, req->argc, (const char *const *)req->argv);
}

static void
command_backend_list(struct cli_request *req)
{
    const char *words[WORDS_MAX + 1] = { "backend.list" };
    unsigned n = 1;
    bool both = req->argc > 1 && (strcmp(req->argv[1], "-pj") == 0 || strcmp(req->argv[1], "-jp") == 0);
    req->json |= both;
    if (req->json)
        words[n++] = "-j";
    if (both)
        words[n++] = "-p";
    for (unsigned i = 1 + both; i < req->argc; i++)
        words[n++] = req->argv[i];
    child_call(&req->manager->child, backends_answered, req, n, words);
}

static void
bans_answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    bool json = req->json && status == CLI_OK;
    if (json)
        cli_json_begin(req, 2);
    text_add(&req->out, text);
    if (json)
        cli_json_end(req);
    cli_done(req, status);
}

static void
command_ban_list(struct cli_request *req)
{
    const char *words[] = { "ban.list", "-j" };
    child_call(&req->manager->child, bans_answered, req, req->json ? 2 : 1, words);
}

/* ---- the table --------------------------------------------------------------------------------------------------------------- */

/* name, syntax, help, least and most arguments (without -j), flags */
const struct cli_command cli_commands[] = {
    { "auth", "auth <response>", "Authenticate.", 1, 1, COMMAND_UNAUTH, command_auth },
    { "backend.list", "backend.list [-j] [-p] [<backend_pattern>]", "List backends and directors.", 0, 2,
      COMMAND_JSON | COMMAND_WORKER, command_backend_list },
    { "backend.set_health", "backend.set_health <backend_pattern> [auto|healthy|sick]", "Set the health of backends by hand.", 2, 2,
      COMMAND_WORKER, command_set_health },
    { "ban", "ban <field> <operator> <arg> [&& <field> <oper> <arg> ...]",
      "Stored responses that meet all of this are not served any more.", 3, WORDS_MAX, COMMAND_WORKER, command_forward },
    { "ban.list", "ban.list [-j]", "List the bans that are in force.", 0, 0, COMMAND_JSON | COMMAND_WORKER, command_ban_list },
    { "banner", "banner", "Print the welcome text.", 0, 0, 0, command_banner },
    { "debug.fragfetch", "debug.fragfetch <bytes>", "Fetch content in pieces of at most that many bytes; 0: as they come.", 1, 1,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.listen_address", "debug.listen_address", "Addresses clients are served on.", 0, 0, COMMAND_DEBUG | COMMAND_WORKER,
      command_listen_address },
    { "debug.panic.master", "debug.panic.master", "Crash the manager, to see what becomes of it.", 0, 0, COMMAND_DEBUG,
      command_panic_master },
    { "debug.panic.worker", "debug.panic.worker", "Crash the worker, to see what becomes of it.", 0, 0, COMMAND_DEBUG | COMMAND_WORKER,
      command_forward },
    { "debug.srandom", "debug.srandom [<seed>]", "Let chance follow a known sequence.", 0, 1, COMMAND_DEBUG | COMMAND_WORKER,
      command_forward },
    { "debug.vmod", "debug.vmod", "Modules of the loaded policies.", 0, 0, COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.xid", "debug.xid [<xid> [<chunk>]]", "Show or set the next transaction id.", 0, 2, COMMAND_DEBUG | COMMAND_WORKER,
      command_forward },
    { "help", "help [-j|<command>]", "List commands, or tell about one.", 0, 1, COMMAND_JSON | COMMAND_UNAUTH, command_help },
    { "panic.clear", "panic.clear [-z]", "Forget the last crash; -z: and how many there were.", 0, 1, 0, command_panic_clear },
    { "panic.show", "panic.show [-j]", "Show the report of the last crash of a worker.", 0, 0, COMMAND_JSON, command_panic_show },
    { "param.reset", "param.reset <param>", "Give a parameter its default.", 1, 1, 0, command_param_reset },
    { "param.set", "param.set [-j] <param> <value>", "Set a parameter.", 2, 2, COMMAND_JSON, command_param_set },
    { "param.show", "param.show [-l|-j] [<param>|changed]", "Show parameters and their values.", 0, 2, COMMAND_JSON, command_param_show },
    { "pid", "pid [-j]", "Process ids of manager and worker.", 0, 0, COMMAND_JSON, command_pid },
    { "ping", "ping [-j] [<timestamp>]", "Ask for a sign of life.", 0, 1, COMMAND_JSON | COMMAND_UNAUTH, command_ping },
    { "quit", "quit", "Close this connection.", 0, 0, COMMAND_UNAUTH, cli_quit },
    { "start", "start", "Start the worker.", 0, 0, 0, command_start },
    { "status", "status [-j]", "State of the worker.", 0, 0, COMMAND_JSON, command_status },
    { "stop", "stop", "Stop the worker.", 0, 0, 0, command_stop },
    { "storage.list", "storage.list [-j]", "List storages.", 0, 0, COMMAND_JSON, command_storage_list },
    { "vcl.deps", "vcl.deps [-j]", "List policies and labels, and what each needs.", 0, 0, COMMAND_JSON, command_vcl_deps },
    { "vcl.discard", "vcl.discard <name_pattern>...", "Unload policies; patterns are globs.", 1, WORDS_MAX, 0, command_vcl_discard },
    { "vcl.inline", "vcl.inline <configname> <quoted_VCLstring> [auto|cold|warm]", "Compile and load a policy given as text.", 2, 3, 0,
      command_vcl_inline },
    { "vcl.label", "vcl.label <label> <configname>", "Let a label name a policy.", 2, 2, 0, command_vcl_label },
    { "vcl.list", "vcl.list [-j]", "List loaded policies.", 0, 0, COMMAND_JSON, command_vcl_list },
    { "vcl.load", "vcl.load <configname> <filename> [auto|cold|warm]", "Compile and load a policy from a file.", 2, 3, 0,
      command_vcl_load },
    { "vcl.show", "vcl.show [-v] [<configname>]", "Show the text of a policy; -v: with all it includes.", 0, 3, COMMAND_WORKER,
      command_forward },
    { "vcl.state", "vcl.state <configname> [auto|cold|warm]", "Set the state of a policy.", 2, 2, 0, command_vcl_state },
    { "vcl.symtab", "vcl.symtab", "What each loaded policy declares and calls.", 0, 0, COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "vcl.use", "vcl.use <configname|label>", "Make a policy the active one, on all loops before the answer.", 1, 1, 0, command_vcl_use },
    { "vernis.counters", "vernis.counters [-j]", "Counters of the worker.", 0, 0, COMMAND_JSON | COMMAND_WORKER, command_counters },
    { "vernis.load_image", "vernis.load_image <configname> <path>", "Load a policy that is compiled already.", 2, 2, 0,
      command_load_image },
    { "vernis.reload", "vernis.reload <configname> <filename>", "Load, use, and discard the one before; undone when anything fails.", 2, 2,
      0, command_reload },
    { "vernis.replace_image", "vernis.replace_image <configname> <path>", "Other code for a loaded policy, under the same state.", 2, 2, 0,
      command_replace_image },
    { "vernis.status", "vernis.status [-j]", "Processes, active policy, deaths and their reasons, counters.", 0, 0, COMMAND_JSON,
      command_vernis_status },
};

const unsigned n_cli_commands = sizeof cli_commands / sizeof *cli_commands;
