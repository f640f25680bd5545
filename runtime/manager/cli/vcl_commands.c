/* Commands about policies: they start the operations of policies/ and print the results and the lists. */
#include <stdio.h>
#include <stdlib.h>

#include "manager/cli/commands.h"
#include "manager/compile_request.h"
#include "daemon/frame.h"
#include "base/check.h"

static struct vcl_commands *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_VCL);
    return req->context;
}

static struct policies *
policies_of(const struct cli_request *req)
{
    return context_of(req)->policies;
}

static void
answer(void *arg, const struct policy_result *r)
{
    struct cli_request *req = arg;
    cli_done(req, policy_answer(r, &req->out));
}

/* Logs warnings as well, because a script that loads a policy may ignore the answer. */
static void
answer_load(void *arg, const struct policy_result *r)
{
    if (r->outcome == POLICY_DONE)
        policy_log_warnings(r);
    answer(arg, r);
}

static bool
has_state(const struct cli_request *req)
{
    return req->argc > 3 && strcmp(req->argv[3], "-D") != 0;
}

/* Parses the words `-D name=value` from `first` on. If they are wrong, answers and returns false. */
static bool
take_values(struct cli_request *req, unsigned first, struct text *out)
{
    const char *words[WORDS_MAX];
    unsigned n = 0;
    int status = CLI_OK;
    for (unsigned i = first; status == CLI_OK && i < req->argc; i += 2)
        if (strcmp(req->argv[i], "-D") == 0 && i + 1 < req->argc)
            words[n++] = req->argv[i + 1];
        else
            status = text_say(&req->out, CLI_PARAM, "Expected -D name=value in place of '%s'\n",
                              req->argv[i]);
    if (status == CLI_OK && compile_values(n, words, out, &req->out) != 0)
        status = CLI_PARAM;
    if (status != CLI_OK)
        cli_done(req, status);
    return status == CLI_OK;
}

/* Parses the state for a load. If the word is invalid, answers and returns false. */
static bool
take_state(struct cli_request *req, enum vcl_state *out)
{
    int state = has_state(req) ? vcl_state_of(req->argv[3]) : VCL_AUTO;
    if (state < 0) {
        answer(req, &(struct policy_result){ .verb = POLICY_LOAD, .outcome = POLICY_STATE_UNKNOWN });
        return false;
    }
    *out = (enum vcl_state)state;
    return true;
}

static void
command_vcl_load(struct cli_request *req)
{
    enum vcl_state state;
    struct text values = { 0 };
    if (take_state(req, &state) && take_values(req, has_state(req) ? 4 : 3, &values)) {
        const struct policy_source src = { .path = req->argv[2], .values = text_span(&values) };
        policies_load(policies_of(req), req->argv[1], &src, state, answer_load, req);
    }
    text_release(&values);
}

static void
command_vcl_inline(struct cli_request *req)
{
    enum vcl_state state;
    if (take_state(req, &state))
        policies_load(policies_of(req), req->argv[1],
                      &(struct policy_source){ .text = span_str(req->argv[2]) }, state, answer_load, req);
}

static void
command_load_image(struct cli_request *req)
{
    policies_load(policies_of(req), req->argv[1], &(struct policy_source){ .image = req->argv[2] }, VCL_AUTO,
                  answer_load, req);
}

static void
command_vcl_use(struct cli_request *req)
{
    policies_use(policies_of(req), req->argv[1], answer, req);
}

static void
command_reload(struct cli_request *req)
{
    struct text values = { 0 };
    if (take_values(req, 3, &values))
        policies_reload(policies_of(req), req->argv[1], req->argv[2], text_span(&values), answer_load, req);
    text_release(&values);
}

static void
command_replace_image(struct cli_request *req)
{
    policies_replace(policies_of(req), req->argv[1], req->argv[2], answer, req);
}

static void
command_vcl_label(struct cli_request *req)
{
    policies_label(policies_of(req), req->argv[1], req->argv[2], answer, req);
}

static void
command_vcl_discard(struct cli_request *req)
{
    policies_discard(policies_of(req), req->argc - 1, &req->argv[1], answer, req);
}

static void
command_vcl_state(struct cli_request *req)
{
    policies_state(policies_of(req), req->argv[1], req->argv[2], answer, req);
}

/* ---- vcl.list, vcl.deps -------------------------------------------------------------------------------- */

struct list_row {
    const char *status, *state;
    char name[POLICY_NAME_BYTES], temperature[16], busy[24];
    const struct vcl *vcl; /* NULL: discarded, only the worker has it */
};

/* Reads one entry of the worker's answer: name, requests, temperature, "loaded" or "discarded". False at the
 * end. */
static bool
next_use(struct span *uses, struct list_row *row, bool *discarded)
{
    struct span name, busy, temperature, kind;
    if (!frame_word(uses, &name) || !frame_word(uses, &busy) || !frame_word(uses, &temperature) ||
        !frame_word(uses, &kind))
        return false;
    snprintf(row->name, sizeof row->name, "%s", name.ptr);
    snprintf(row->busy, sizeof row->busy, "%s", busy.ptr);
    snprintf(row->temperature, sizeof row->temperature, "%s", temperature.ptr);
    *discarded = span_eq(kind, SPAN_LIT("discarded"));
    return true;
}

/* Adds requests and temperature of a loaded policy, from the worker if it has the policy. */
static void
add_uses(struct span uses, struct list_row *row)
{
    struct list_row use;
    bool discarded;
    snprintf(row->busy, sizeof row->busy, "-");
    snprintf(row->temperature, sizeof row->temperature, "%s",
             vcl_is_cold(row->vcl) || row->vcl->absent ? "cold" : "warm");
    while (next_use(&uses, &use, &discarded)) {
        if (discarded || strcmp(use.name, row->name) != 0)
            continue;
        memcpy(row->busy, use.busy, sizeof row->busy);
        memcpy(row->temperature, use.temperature, sizeof row->temperature);
    }
}

static void
row_text(const struct list_row *row, struct text *out)
{
    const struct vcl *vcl = row->vcl;
    text_printf(out, "%s\t%s\t%s\t%6s\t%s", row->status, row->state, row->temperature, row->busy, row->name);
    if (vcl != NULL && vcl->state == VCL_LABEL) {
        text_printf(out, "\t->\t%s", vcl_policy((struct vcl *)vcl)->name);
        if (vcl->needed > 0)
            text_printf(out, " (%u return(vcl)%s)", vcl->needed, vcl->needed > 1 ? "'s" : "");
    } else if (vcl != NULL && vcl->needed > 0)
        text_printf(out, "\t<-\t(%u label%s)", vcl->needed, vcl->needed > 1 ? "s" : "");
    if (vcl != NULL && vcl->values != NULL)
        text_printf(out, "\t-D\t%s", vcl->values);
    text_str(out, "\n");
}

static void
row_json(const struct list_row *row, struct text *out)
{
    const struct vcl *vcl = row->vcl;
    text_printf(out,
                "%s\n  {\n    \"status\": \"%s\",\n    \"state\": \"%s\",\n    \"temperature\": \"%s\",\n",
                out->len > 0 ? "," : "", row->status, row->state, row->temperature);
    if (strcmp(row->busy, "-") != 0)
        text_printf(out, "    \"busy\": %s,\n", row->busy);
    text_printf(out, "    \"name\": \"%s\"", row->name);
    if (vcl != NULL && vcl->state == VCL_LABEL) {
        text_printf(out, ",\n    \"label\": {\n      \"name\": \"%s\"", vcl_policy((struct vcl *)vcl)->name);
        if (vcl->needed > 0)
            text_printf(out, ",\n      \"refs\": %u", vcl->needed);
        text_str(out, "\n    }");
    } else if (vcl != NULL && vcl->needed > 0)
        text_printf(out, ",\n    \"labels\": %u", vcl->needed);
    if (vcl != NULL && vcl->values != NULL)
        text_printf(out, ",\n    \"params\": %s", vcl->values);
    text_str(out, "\n  }");
}

static void
list_counted(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    struct policies *p = policies_of(req);
    void (*print)(const struct list_row *, struct text *) = req->json ? row_json : row_text;
    struct span uses = status == CLI_OK ? text : SPAN_NULL;
    struct text list = { 0 };
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        struct list_row row = { .status = vcl == p->active ? "active" : "available",
                                .state = vcl_state_name(vcl->state),
                                .vcl = vcl };
        if (vcl->loading)
            continue;
        memcpy(row.name, vcl->name, sizeof row.name);
        add_uses(uses, &row);
        print(&row, &list);
    }
    struct list_row row = { .status = "discarded", .state = "auto" };
    bool discarded;
    while (next_use(&uses, &row, &discarded))
        if (discarded)
            print(&row, &list);
    if (req->json) {
        cli_json_begin(req, 2);
        text_add(&req->out, text_span(&list));
        cli_json_end(req);
    } else
        text_columns(&req->out, text_span(&list));
    text_release(&list);
    cli_done(req, CLI_OK);
}

static void
command_vcl_list(struct cli_request *req)
{
    const char *words[] = { "uses" };
    child_call(context_of(req)->child, list_counted, req, 1, words);
}

static void
deps_text(struct policies *p, struct text *out)
{
    struct text rows = { 0 };
    list_each(it, &p->list)
    {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->n_needs == 0)
            text_printf(&rows, "%s\n", vcl->name);
        for (unsigned i = 0; i < vcl->n_needs; i++)
            text_printf(&rows, "%s\t%s\n", vcl->name, vcl->needs[i]->name);
    }
    text_columns(out, text_span(&rows));
    text_release(&rows);
}

static void
deps_json(struct policies *p, struct text *out)
{
    unsigned n = 0;
    list_each(it, &p->list)
    {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        text_printf(out, "%s\n  {\n    \"name\": \"%s\",\n    \"deps\": [", n++ > 0 ? "," : "", vcl->name);
        for (unsigned i = 0; i < vcl->n_needs; i++)
            text_printf(out, "%s\n      \"%s\"", i > 0 ? "," : "", vcl->needs[i]->name);
        text_str(out, vcl->n_needs > 0 ? "\n    ]\n  }" : "]\n  }");
    }
}

static void
command_vcl_deps(struct cli_request *req)
{
    if (req->json) {
        cli_json_begin(req, 1);
        deps_json(policies_of(req), &req->out);
        cli_json_end(req);
    } else
        deps_text(policies_of(req), &req->out);
    cli_done(req, CLI_OK);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* name, syntax, help, least and most arguments (without -j), flags */
static const struct cli_command rows[] = {
    { "vcl.deps", "vcl.deps [-j]", "List policies and labels with their dependencies.", 0, 0, COMMAND_JSON,
      command_vcl_deps },
    { "vcl.discard", "vcl.discard <name_pattern>...", "Unload policies; patterns are globs.", 1, WORDS_MAX, 0,
      command_vcl_discard },
    { "vcl.inline", "vcl.inline <configname> <quoted_VCLstring> [auto|cold|warm]",
      "Compile and load a policy given as text.", 2, 3, 0, command_vcl_inline },
    { "vcl.label", "vcl.label <label> <configname>", "Point a label to a policy.", 2, 2, 0,
      command_vcl_label },
    { "vcl.list", "vcl.list [-j]", "List loaded policies.", 0, 0, COMMAND_JSON, command_vcl_list },
    { "vcl.load", "vcl.load <configname> <filename> [auto|cold|warm] [-D <name=value>]...",
      "Compile and load a policy from a file; -D gives its parameters values.", 2, WORDS_MAX, 0,
      command_vcl_load },
    { "vcl.state", "vcl.state <configname> [auto|cold|warm]", "Set the state of a policy.", 2, 2, 0,
      command_vcl_state },
    { "vcl.use", "vcl.use <configname|label>", "Activate a policy; when the answer comes, all loops use it.",
      1, 1, 0, command_vcl_use },
    { "vernis.load_image", "vernis.load_image <configname> <path>", "Load a compiled policy.", 2, 2, 0,
      command_load_image },
    { "vernis.reload", "vernis.reload <configname> <filename> [-D <name=value>]...",
      "Load and activate a policy, discard the previous one; a failure undoes everything.", 2, WORDS_MAX, 0,
      command_reload },
    { "vernis.replace_image", "vernis.replace_image <configname> <path>",
      "Replace the code of a loaded policy and keep its state.", 2, 2, 0, command_replace_image },
};

const struct cli_rows vcl_command_rows = { .file = CLI_OF_VCL,
                                           .rows = rows,
                                           .n = sizeof rows / sizeof *rows };
