/* Commands that the worker answers. Most are forwarded as typed. This file adds the envelope to the worker's
 * JSON. */
#include <stdlib.h>

#include "manager/cli/commands.h"
#include "daemon/log_params.h"
#include "base/check.h"

static struct worker_commands *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_WORKER);
    return req->context;
}

static void
command_forward(struct cli_request *req)
{
    child_call(context_of(req)->child, command_answered, req, req->argc, (const char *const *)req->argv);
}

/* Sends the worker's answer, with -j in the JSON envelope. Sends errors unchanged. */
static void
framed_answer(struct cli_request *req, int status, struct span text, int version)
{
    bool json = req->json && status == CLI_OK;
    if (json)
        cli_json_begin(req, version);
    text_str(&req->out, json ? "\n" : "");
    text_add(&req->out, text);
    if (json)
        cli_json_end(req);
    cli_done(req, status);
}

static void
counters_answered(void *arg, int status, struct span text)
{
    framed_answer(arg, status, text, 2);
}

static void
command_counters(struct cli_request *req)
{
    const char *words[] = { "counters", "-j" };
    child_call(context_of(req)->child, counters_answered, req, req->json ? 2 : 1, words);
}

static void
backends_answered(void *arg, int status, struct span text)
{
    framed_answer(arg, status, text, 3);
}

static void
own_answered(void *arg, int status, struct span text)
{
    framed_answer(arg, status, text, 2);
}

static void
health_set(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    if (status == CLI_OK)
        policies_health(context_of(req)->policies, req->argv[1], req->argv[2]);
    command_answered(req, status, text);
}

static void
command_set_health(struct cli_request *req)
{
    child_call(context_of(req)->child, health_set, req, req->argc, (const char *const *)req->argv);
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
    child_call(context_of(req)->child, backends_answered, req, n, words);
}

/* vernis.explain_key CLIENT METHOD URL [FIELD ...] */
static void
command_explain_key(struct cli_request *req)
{
    const char *words[WORDS_MAX] = { "explain_key" };
    for (unsigned i = 1; i < req->argc; i++)
        words[i] = req->argv[i];
    child_call(context_of(req)->child, own_answered, req, req->argc, words);
}

/* vernis.reasons: the worker stops when the last such connection has ended (manager.c), however its client
 * dies. */
static void
command_reasons(struct cli_request *req)
{
    const char *words[] = { "reasons", "commands", "on" };
    cli_want_reasons(req);
    log_params_reasons(REASONS_FOR_COMMANDS, true); /* for the next worker */
    child_call(context_of(req)->child, command_answered, req, 3, words);
}

/* Sends the words to the worker's command `name`, with -j first. */
static void
forward_as(struct cli_request *req, const char *name)
{
    const char *words[WORDS_MAX + 1] = { name };
    unsigned n = 1;
    if (req->json)
        words[n++] = "-j";
    for (unsigned i = 1; i < req->argc; i++)
        words[n++] = req->argv[i];
    child_call(context_of(req)->child, own_answered, req, n, words);
}

static void
command_rules(struct cli_request *req)
{
    forward_as(req, "rules");
}

static void
command_own_ban(struct cli_request *req)
{
    forward_as(req, "ban_counted");
}

static void
command_purge(struct cli_request *req)
{
    forward_as(req, "purge");
}

static void
command_purge_all(struct cli_request *req)
{
    forward_as(req, "purge_all");
}

static void
command_purge_key(struct cli_request *req)
{
    forward_as(req, "purge_key");
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
    child_call(context_of(req)->child, bans_answered, req, req->json ? 2 : 1, words);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* name, syntax, help, least and most arguments (without -j), flags */
static const struct cli_command rows[] = {
    { "backend.list", "backend.list [-j] [-p] [<backend_pattern>]", "List backends and directors.", 0, 2,
      COMMAND_JSON | COMMAND_WORKER, command_backend_list },
    { "backend.set_health", "backend.set_health <backend_pattern> [auto|healthy|sick]",
      "Set the health of backends by hand.", 2, 2, COMMAND_WORKER, command_set_health },
    { "ban", "ban <field> <operator> <arg> [&& <field> <oper> <arg> ...]",
      "Stop serving stored responses that meet all conditions.", 3, WORDS_MAX, COMMAND_WORKER,
      command_forward },
    { "ban.list", "ban.list [-j]", "List the active bans.", 0, 0, COMMAND_JSON | COMMAND_WORKER,
      command_ban_list },
    { "debug.clock", "debug.clock [+]<seconds>",
      "Stop the clock at a time, or move it with +, for tests. Needs debug=+test_clock.", 1, 1,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.fragfetch", "debug.fragfetch <bytes>",
      "Fetch content in pieces of at most this many bytes; 0: no limit.", 1, 1,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.longest_round", "debug.longest_round",
      "Show the longest time a loop worked without a pause, in microseconds, and begin anew.", 0, 0,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.panic.worker", "debug.panic.worker", "Crash the worker, for tests.", 0, 0,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.poll", "debug.poll <backend_pattern> [good|bad]",
      "Show the interval of a probe; with a result, count it as that of a poll. For tests, with "
      "debug=+test_clock at the start: then probes poll nothing by themselves.",
      1, 2, COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.row", "debug.row <table> <key> [<value>]",
      "Replace or add a row of a table of the active policy; without a value, remove it. For tests, with "
      "debug=+test_clock.",
      2, 3, COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.srandom", "debug.srandom [<seed>]", "Make random choices repeatable.", 0, 1,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.vmod", "debug.vmod", "List the modules of loaded policies.", 0, 0,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "debug.xid", "debug.xid [<xid> [<chunk>]]", "Show or set the next transaction id.", 0, 2,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "vcl.show", "vcl.show [-v] [<configname>]", "Show the text of a policy; -v: with its includes.", 0, 3,
      COMMAND_WORKER, command_forward },
    { "vcl.symtab", "vcl.symtab", "List the declarations and runtime functions of each loaded policy.", 0, 0,
      COMMAND_DEBUG | COMMAND_WORKER, command_forward },
    { "vernis.ban", "vernis.ban [-j] [-n] <field> <operator> <arg> [&& <field> <oper> <arg> ...]",
      "As ban, and report how many stored responses match; -n: only report.", 3, WORDS_MAX,
      COMMAND_JSON | COMMAND_WORKER, command_own_ban },
    { "vernis.counters", "vernis.counters [-j]", "Show the counters of the worker.", 0, 0,
      COMMAND_JSON | COMMAND_WORKER, command_counters },
    { "vernis.explain_key", "vernis.explain_key [-j] <client> <method> <url> [<field>...]",
      "Show the parts of a request's cache key and the objects stored under it, as JSON.", 3, WORDS_MAX,
      COMMAND_JSON | COMMAND_WORKER, command_explain_key },
    { "vernis.purge", "vernis.purge [-j] [-s] <client> <method> <url> [<field>...]",
      "Remove the stored responses of a request's cache key, as the policy computes it; -s: make them stale.",
      3, WORDS_MAX, COMMAND_JSON | COMMAND_WORKER, command_purge },
    { "vernis.purge_all", "vernis.purge_all [-j] [-s]", "Remove all stored responses; -s: make them stale.",
      0, 1, COMMAND_JSON | COMMAND_WORKER, command_purge_all },
    { "vernis.purge_key", "vernis.purge_key [-j] [-s] <key>...",
      "Remove the stored responses with these surrogate keys; -s: make them stale.", 1, WORDS_MAX,
      COMMAND_JSON | COMMAND_WORKER, command_purge_key },
    { "vernis.reasons", "vernis.reasons",
      "Log the reasons of decisions (VCL_trace, Debug) until this connection ends.", 0, 0, COMMAND_WORKER,
      command_reasons },
    { "vernis.rules", "vernis.rules [-j] [<configname>]",
      "Show how often the rules of a policy were taken, and their estimated time.", 0, 1,
      COMMAND_JSON | COMMAND_WORKER, command_rules },
};

const struct cli_rows worker_command_rows = { .file = CLI_OF_WORKER,
                                              .rows = rows,
                                              .n = sizeof rows / sizeof *rows };
