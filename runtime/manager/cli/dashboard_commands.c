/* The command about the dashboard: starts or stops it, and prints its links. */
#include "manager/cli/commands.h"
#include "manager/dashboard/dashboard.h"
#include "base/check.h"

static struct dashboard *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_DASHBOARD);
    return req->context;
}

static void
answer_links(struct cli_request *req)
{
    const struct dashboard *d = context_of(req);
    if (req->json) {
        cli_json_begin(req, 2);
        text_str(&req->out, dashboard_runs(d) ? "[\"" : "[");
        dashboard_links(d, "\", \"", &req->out);
        text_str(&req->out, dashboard_runs(d) ? "\"]" : "]");
        cli_json_end(req);
    } else if (dashboard_runs(d)) {
        dashboard_links(d, "\n", &req->out);
        text_str(&req->out, "\n");
    } else
        text_str(&req->out, "The dashboard is off. vernis.dashboard start turns it on.\n");
    cli_done(req, CLI_OK);
}

/* Keeps a dashboard that already runs, unless another address is asked for. */
static void
start(struct cli_request *req, const char *address)
{
    struct dashboard *d = context_of(req);
    if (dashboard_runs(d) && address != NULL) {
        cli_answer(req, CLI_CANT, "The dashboard already runs. vernis.dashboard stop ends it.\n");
        return;
    }
    if (!dashboard_runs(d) &&
        dashboard_start(d, address == NULL ? DASHBOARD_LISTEN_DEFAULT : address, &req->out) != 0) {
        cli_done(req, CLI_CANT);
        return;
    }
    answer_links(req);
}

/* vernis.dashboard [-j] [start [ADDRESS] | stop] */
static void
command_dashboard(struct cli_request *req)
{
    const char *verb = req->argc > 1 ? req->argv[1] : "";
    if (strcmp(verb, "start") == 0)
        start(req, req->argc > 2 ? req->argv[2] : NULL);
    else if (strcmp(verb, "stop") == 0 && req->argc == 2) {
        dashboard_stop(context_of(req));
        answer_links(req);
    } else if (*verb == '\0')
        answer_links(req);
    else
        cli_answer(req, CLI_PARAM, "Expected start, start <address>, or stop.\n");
}

static const struct cli_command rows[] = {
    { "vernis.dashboard", "vernis.dashboard [-j] [start [<address>]|stop]",
      "Start or stop the dashboard, and show its links, which contain its token.", 0, 2, COMMAND_JSON,
      command_dashboard },
};

const struct cli_rows dashboard_command_rows = { .file = CLI_OF_DASHBOARD,
                                                 .rows = rows,
                                                 .n = sizeof rows / sizeof *rows };
