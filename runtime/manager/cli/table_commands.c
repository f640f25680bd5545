/* Commands about tables of policies. The worker reads the files and answers. */
#include "manager/cli/commands.h"
#include "manager/policies/policy_tables.h"
#include "base/check.h"

static struct vcl_commands *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_TABLE);
    return req->context;
}

/* The worker answers in JSON if the client wants it; errors are text. */
static void
answered(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    bool json = req->json && status == CLI_OK;
    if (json) {
        cli_json_begin(req, 2);
        text_str(&req->out, "\n    ");
    }
    text_add(&req->out, text);
    if (json)
        cli_json_end(req);
    cli_done(req, status);
}

static void
command_list(struct cli_request *req)
{
    const char *words[] = { "table_list", "-j" };
    child_call(context_of(req)->child, answered, req, req->json ? 2 : 1, words);
}

/* table.show [-j] NAME [KEY] */
static void
command_show(struct cli_request *req)
{
    struct text why = { 0 };
    const char *words[5] = { "table_show" }, *table;
    unsigned n = 1;
    struct vcl *vcl = policies_of_table(context_of(req)->policies, req->argv[1], &table, &why);
    if (vcl == NULL) {
        cli_answer(req, CLI_PARAM, "%s", text_cstr(&why));
        text_release(&why);
        return;
    }
    if (req->json)
        words[n++] = "-j";
    words[n++] = vcl->name;
    words[n++] = table;
    if (req->argc > 2)
        words[n++] = req->argv[2];
    child_call(context_of(req)->child, answered, req, n, words);
}

static void
command_diff(struct cli_request *req)
{
    policies_table(context_of(req)->policies, TABLE_DIFF, req->argv[1], req->argv[2], req->json, answered,
                   req);
}

static void
command_replace(struct cli_request *req)
{
    policies_table(context_of(req)->policies, TABLE_REPLACE, req->argv[1], req->argv[2], req->json, answered,
                   req);
}

static const struct cli_command rows[] = {
    { "table.diff", "table.diff [-j] <table> <file>",
      "Show what table.replace would change: rows added, removed and changed.", 2, 2,
      COMMAND_JSON | COMMAND_WORKER, command_diff },
    { "table.list", "table.list [-j]", "List the tables of loaded policies.", 0, 0,
      COMMAND_JSON | COMMAND_WORKER, command_list },
    { "table.replace", "table.replace [-j] <table> <file>",
      "Replace the rows of a table, [policy.]name, by those of a file, for all new transactions at once.", 2,
      2, COMMAND_JSON | COMMAND_WORKER, command_replace },
    { "table.show", "table.show [-j] <table> [<key>]",
      "Show the first rows of a table, or the row that a key leads to.", 1, 2, COMMAND_JSON | COMMAND_WORKER,
      command_show },
};

const struct cli_rows table_command_rows = { .file = CLI_OF_TABLE,
                                             .rows = rows,
                                             .n = sizeof rows / sizeof *rows };
