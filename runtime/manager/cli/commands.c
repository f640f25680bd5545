/* Commands about the daemon itself. */
#include "manager/cli/commands.h"

#include "daemon/params.h"
#include "base/check.h"

/* ---- about the connection ------------------------------------------------------------------------------ */

static struct daemon_commands *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_DAEMON);
    return req->context;
}

static void
command_banner(struct cli_request *req)
{
    cli_banner(context_of(req)->banner, &req->out);
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
    struct cli_list all;
    cli_list_all(&all);
    for (unsigned i = 0; i < all.n; i++) {
        const struct cli_command *c = all.row[i];
        text_printf(&req->out, "%s\n  {\n    \"request\": ", i > 0 ? "," : "");
        text_json(&req->out, span_str(c->name));
        text_str(&req->out, ",\n    \"syntax\": ");
        text_json(&req->out, span_str(c->syntax));
        text_str(&req->out, ",\n    \"help\": ");
        text_json(&req->out, span_str(c->help));
        text_printf(
            &req->out,
            ",\n    \"minarg\": %u,\n    \"maxarg\": %u,\n    \"flags\": \"%s\",\n    \"json\": %s\n  }",
            c->min_args, c->max_args, c->flags & COMMAND_DEBUG ? "d" : "",
            c->flags & COMMAND_JSON ? "true" : "false");
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
    struct cli_list list;
    cli_list_all(&list);
    for (unsigned i = 0; i < list.n; i++) {
        const struct cli_command *c = list.row[i];
        bool is_debug = c->flags & COMMAND_DEBUG;
        if ((c->flags & COMMAND_WORKER) && !child_running(context_of(req)->child))
            continue; /* the command is unknown without a worker */
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
    struct cli_list all;
    cli_list_all(&all);
    for (unsigned i = 0; i < all.n; i++)
        text_printf(out, "%s\n    %s\n\n", all.row[i]->syntax, all.row[i]->help);
}

/* ---- about the worker ---------------------------------------------------------------------------------- */

void
command_answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    text_add(&req->out, text);
    cli_done(req, status);
}

static void
command_pid(struct cli_request *req)
{
    const struct daemon_commands *d = context_of(req);
    if (req->json) {
        cli_json_begin(req, 2);
        text_printf(&req->out, "\n  {\"master\": %ld", (long)d->pid);
        if (d->child->pid != 0)
            text_printf(&req->out, ", \"worker\": %ld", (long)d->child->pid);
        text_str(&req->out, "}");
        cli_json_end(req);
    } else {
        text_printf(&req->out, "Master: %10ld\n", (long)d->pid);
        if (d->child->pid != 0)
            text_printf(&req->out, "Worker: %10ld\n", (long)d->child->pid);
    }
    cli_done(req, CLI_OK);
}

static void
command_status(struct cli_request *req)
{
    const struct daemon_commands *d = context_of(req);
    if (req->json) {
        cli_json_begin(req, 2);
        text_printf(&req->out, "\"%s\"", child_state_name(d->child));
        cli_json_end(req);
    } else {
        text_printf(&req->out, "Child in state %s", child_state_name(d->child));
        /* Tools compare the whole answer, so add this line only for a suspect policy. */
        if (*d->supervisor->suspect != '\0')
            text_printf(&req->out, "\nPolicy '%s' is suspect and left out: workers %s; '%s' is active",
                        d->supervisor->suspect, d->supervisor->reason,
                        d->policies->active == NULL ? "" : d->policies->active->name);
    }
    cli_done(req, CLI_OK);
}

static void
command_start(struct cli_request *req)
{
    supervisor_start(context_of(req)->supervisor, command_answered, req);
}

static void
command_stop(struct cli_request *req)
{
    supervisor_stop(context_of(req)->supervisor, 0, command_answered, req);
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
    const struct text *panic = &context_of(req)->supervisor->panic;
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
    struct supervisor *s = context_of(req)->supervisor;
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
    const struct options *o = context_of(req)->options;
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
            text_printf(&req->out, "%s{\n    \"name\": \"%s\",\n    \"storage\": \"%s\"\n  }",
                        i > 0 ? ", " : "", name, kind);
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
    const struct listens *l = context_of(req)->clients;
    for (unsigned i = 0; i < l->n; i++) {
        text_printf(&req->out, "%s ", l->socket[i].name.ptr);
        listen_describe(&l->socket[i], &req->out);
        text_str(&req->out, "\n");
    }
    cli_done(req, CLI_OK);
}

/* ---- upgrade ------------------------------------------------------------------------------------------- */

static void
upgraded(void *arg, bool ok, struct span text)
{
    struct cli_request *req = arg;
    text_add(&req->out, text);
    cli_done(req, ok ? CLI_OK : CLI_CANT);
}

static void
command_upgrade(struct cli_request *req)
{
    const struct daemon_commands *d = context_of(req);
    if (d->options->debug)
        cli_answer(req, CLI_CANT,
                   "A daemon in debug mode (-d) cannot be upgraded: its terminal is the command line.\n");
    else
        upgrade_start(d->upgrade, upgraded, req);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* name, syntax, help, least and most arguments (without -j), flags */
static const struct cli_command rows[] = {
    { "auth", "auth <response>", "Authenticate.", 1, 1, COMMAND_UNAUTH, command_auth },
    { "banner", "banner", "Print the welcome text.", 0, 0, 0, command_banner },
    { "debug.listen_address", "debug.listen_address", "List the listen addresses for clients.", 0, 0,
      COMMAND_DEBUG | COMMAND_WORKER, command_listen_address },
    { "debug.panic.master", "debug.panic.master", "Crash the manager, for tests.", 0, 0, COMMAND_DEBUG,
      command_panic_master },
    { "help", "help [-j|<command>]", "List commands, or describe one.", 0, 1, COMMAND_JSON | COMMAND_UNAUTH,
      command_help },
    { "panic.clear", "panic.clear [-z]",
      "Clear the report of the last crash; -z: also reset the count of crashes.", 0, 1, 0,
      command_panic_clear },
    { "panic.show", "panic.show [-j]", "Show the report of the last worker crash.", 0, 0, COMMAND_JSON,
      command_panic_show },
    { "pid", "pid [-j]", "Show the process ids of manager and worker.", 0, 0, COMMAND_JSON, command_pid },
    { "ping", "ping [-j] [<timestamp>]", "Check that the manager answers.", 0, 1,
      COMMAND_JSON | COMMAND_UNAUTH, command_ping },
    { "quit", "quit", "Close this connection.", 0, 0, COMMAND_UNAUTH, cli_quit },
    { "start", "start", "Start the worker.", 0, 0, 0, command_start },
    { "status", "status [-j]", "Show the state of the worker.", 0, 0, COMMAND_JSON, command_status },
    { "stop", "stop", "Stop the worker.", 0, 0, 0, command_stop },
    { "storage.list", "storage.list [-j]", "List storages.", 0, 0, COMMAND_JSON, command_storage_list },
    { "vernis.status", "vernis.status [-j]",
      "Show processes, active policy, worker deaths with reasons, and counters.", 0, 0, COMMAND_JSON,
      command_vernis_status },
    { "vernis.upgrade", "vernis.upgrade",
      "Start a new daemon with the same options, which takes over the sockets; then drain this one.", 0, 0,
      COMMAND_WORKER, command_upgrade },
};

const struct cli_rows daemon_command_rows = { .file = CLI_OF_DAEMON,
                                              .rows = rows,
                                              .n = sizeof rows / sizeof *rows };
