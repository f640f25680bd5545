/* Finds and runs the command of a request, and prints the envelope of JSON answers. The commands:
 * commands.h. */
#include <ctype.h>
#include <stdlib.h>

#include "manager/child.h"
#include "manager/cli/cli_internal.h"
#include "manager/cli/commands.h"
#include "base/check.h"
#include "base/similar.h"

static const struct cli_rows *const files[CLI_FILES] = { &daemon_command_rows, &vcl_command_rows,
                                                         &param_command_rows,  &dashboard_command_rows,
                                                         &table_command_rows,  &tls_command_rows,
                                                         &worker_command_rows };

static int
by_name(const void *a, const void *b)
{
    return strcmp((*(const struct cli_command *const *)a)->name,
                  (*(const struct cli_command *const *)b)->name);
}

void
cli_list_all(struct cli_list *out)
{
    *out = (struct cli_list){ 0 };
    for (unsigned i = 0; i < CLI_FILES; i++) {
        CHECK(out->n + files[i]->n <= CLI_COMMANDS_MAX);
        for (unsigned k = 0; k < files[i]->n; k++)
            out->row[out->n++] = &files[i]->rows[k];
    }
    qsort(out->row, out->n, sizeof *out->row, by_name);
    for (unsigned i = 1; i < out->n; i++)
        CHECK(strcmp(out->row[i - 1]->name, out->row[i]->name) < 0);
}

/* The command of this name, and its file. NULL: unknown. */
static const struct cli_command *
find_command(const char *name, enum cli_file *file)
{
    for (unsigned i = 0; i < CLI_FILES; i++) {
        *file = files[i]->file;
        for (unsigned k = 0; k < files[i]->n; k++)
            if (strcmp(files[i]->rows[k].name, name) == 0)
                return &files[i]->rows[k];
    }
    return NULL;
}

/* Without authentication only the commands that need none are named. */
static void
answer_unknown(struct cli_request *req, bool authenticated)
{
    bool upper = isupper((unsigned char)req->argv[0][0]);
    struct similar near = similar_to(span_str(req->argv[0]));
    struct cli_list all;
    cli_list_all(&all);
    for (unsigned i = 0; i < all.n && !upper; i++)
        if (authenticated || (all.row[i]->flags & COMMAND_UNAUTH))
            similar_try(&near, all.row[i]->name);
    text_str(&req->out, "Unknown request.\nType 'help' for more info.\n");
    if (near.name != NULL)
        text_printf(&req->out, "Did you mean %s?\n", near.name);
    cli_answer(req, CLI_UNKNOWN, "%s", upper ? "all commands are in lower-case.\n" : "");
}

void
cli_dispatch(struct cli_request *req, const struct cli_env *env, bool authenticated)
{
    const struct cli_command *cmd = find_command(req->argv[0], &req->file);
    unsigned args = req->argc - 1;
    if (req->argv[0][0] == '\0')
        cli_answer(req, CLI_SYNTAX, "Empty CLI command.\n");
    else if (cmd == NULL || (!authenticated && !(cmd->flags & COMMAND_UNAUTH)))
        answer_unknown(req, authenticated);
    else if (req->json && !(cmd->flags & COMMAND_JSON))
        cli_answer(req, CLI_UNIMPLEMENTED, "JSON unimplemented\n");
    else if (args < cmd->min_args)
        cli_answer(req, CLI_TOO_FEW, "Too few parameters\nUsage: %s\n", cmd->syntax);
    else if (args > cmd->max_args)
        cli_answer(req, CLI_TOO_MANY, "Too many parameters\nUsage: %s\n", cmd->syntax);
    else if ((cmd->flags & COMMAND_WORKER) && !child_running(env->child))
        cli_answer(req, CLI_UNKNOWN,
                   "Unknown request in manager process (child not running).\nType 'help' for more info.");
    else {
        req->context = env->contexts[req->file];
        CHECK(req->context != NULL);
        cmd->fn(req);
    }
}

void
cli_json_begin(struct cli_request *req, int version)
{
    nsec now = clock_real_ns();
    text_printf(&req->out, "[ %d, [", version);
    for (unsigned i = 0; i < req->words.n; i++) {
        text_str(&req->out, i > 0 ? ", " : "");
        text_json(&req->out, span_str(req->words.w[i]));
    }
    text_printf(&req->out, "], %lld.%03lld, ", (long long)(now / NSEC_PER_SEC),
                (long long)(now % NSEC_PER_SEC / NSEC_PER_MSEC));
}

void
cli_json_end(struct cli_request *req)
{
    struct text *out = &req->out;
    if (out->len >= 2 && memcmp(out->ptr + out->len - 2, ", ", 2) == 0)
        out->len -= 2; /* an empty payload leaves no comma behind */
    text_str(&req->out, "\n]\n");
}
