/* Commands about policies: from words to the operations in policies.c, and their lists. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "admin/commands.h"
#include "admin/manager.h"
#include "base/check.h"

/* The optional state at argv[i]. Answers and returns false when it is none. */
static bool
take_state(struct cli_request *req, unsigned i, enum vcl_state *out)
{
    int state = req->argc > i ? vcl_state_of(req->argv[i]) : VCL_AUTO;
    if (state < 0) {
        cli_answer(req, CLI_PARAM, "State must be one of auto, cold or warm.");
        return false;
    }
    *out = (enum vcl_state)state;
    return true;
}

void
command_vcl_load(struct cli_request *req)
{
    enum vcl_state state;
    if (take_state(req, 3, &state))
        policies_load(&req->manager->policies, req->argv[1], &(struct policy_source){ .path = req->argv[2] }, state, command_answered, req);
}

void
command_vcl_inline(struct cli_request *req)
{
    enum vcl_state state;
    if (take_state(req, 3, &state))
        policies_load(&req->manager->policies, req->argv[1], &(struct policy_source){ .text = span_str(req->argv[2]) }, state,
                      command_answered, req);
}

void
command_load_image(struct cli_request *req)
{
    policies_load(&req->manager->policies, req->argv[1], &(struct policy_source){ .image = req->argv[2] }, VCL_AUTO, command_answered, req);
}

void
command_vcl_use(struct cli_request *req)
{
    policies_use(&req->manager->policies, req->argv[1], command_answered, req);
}

void
command_reload(struct cli_request *req)
{
    policies_reload(&req->manager->policies, req->argv[1], req->argv[2], command_answered, req);
}

void
command_replace_image(struct cli_request *req)
{
    policies_replace(&req->manager->policies, req->argv[1], req->argv[2], command_answered, req);
}

/* ---- vcl.discard ---------------------------------------------------------------------------------------------------------------- */

static bool
matches_any(struct cli_request *req, const char *name)
{
    for (unsigned i = 1; i < req->argc; i++)
        if (fnmatch(req->argv[i], name, 0) == 0)
            return true;
    return false;
}

/* Nothing happens unless every pattern finds something and all that was found may go. */
static int
check_discard(struct cli_request *req, struct text *why)
{
    struct policies *p = &req->manager->policies;
    for (unsigned i = 1; i < req->argc; i++) {
        unsigned found = 0;
        list_each(it, &p->list)
            found += !container_of(it, struct vcl, link)->loading && fnmatch(req->argv[i], container_of(it, struct vcl, link)->name, 0) == 0;
        if (found == 0) {
            text_printf(why, "No VCL name matches %s\n", req->argv[i]);
            return CLI_PARAM;
        }
    }
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (!matches_any(req, vcl->name) || vcl->loading)
            continue;
        if (vcl == p->active) {
            text_printf(why, "Cannot discard active VCL program %s\n", vcl->name);
            return CLI_CANT;
        }
        if (vcl->pending > 0) {
            text_printf(why, "Cannot discard %s: another command is about to use it\n", vcl->name);
            return CLI_CANT;
        }
    }
    return CLI_OK;
}

void
command_vcl_discard(struct cli_request *req)
{
    struct policies *p = &req->manager->policies;
    int status = check_discard(req, &req->out);
    if (status == CLI_OK) {
        list_each(it, &p->list) {
            struct vcl *vcl = container_of(it, struct vcl, link);
            if (matches_any(req, vcl->name) && !vcl->loading)
                policies_discard(p, vcl);
        }
    }
    cli_done(req, status);
}

/* ---- vcl.state ------------------------------------------------------------------------------------------------------------------ */

void
command_vcl_state(struct cli_request *req)
{
    struct policies *p = &req->manager->policies;
    struct vcl *vcl = policies_find(p, req->argv[1]);
    enum vcl_state state;
    if (vcl == NULL || vcl->loading) {
        cli_answer(req, CLI_PARAM, "No VCL named %s known\n", req->argv[1]);
        return;
    }
    if (!take_state(req, 2, &state))
        return;
    if (state == VCL_COLD && vcl == p->active) {
        cli_answer(req, CLI_CANT, "Cannot set the active VCL cold.");
        return;
    }
    bool was_cold = vcl_is_cold(vcl), cold = state == VCL_COLD;
    vcl->state = state;
    vcl->cooled = false;
    vcl->idle_since = clock_mono_ns();
    const char *words[] = { "temperature", vcl->name, cold ? "cold" : "warm" };
    if (was_cold == cold || !child_alive(&req->manager->child) || vcl->absent)
        cli_done(req, CLI_OK);
    else
        child_call(&req->manager->child, command_answered, req, 3, words);
}

/* ---- vcl.list ------------------------------------------------------------------------------------------------------------------- */

struct list_row {
    const char *status, *state, *temperature, *name;
    char busy[24];
};

static void
print_row(struct cli_request *req, const struct list_row *row, unsigned i)
{
    if (!req->json) {
        text_printf(&req->out, "%-11s %-6s %-9s %4s    %s\n", row->status, row->state, row->temperature, row->busy, row->name);
        return;
    }
    text_printf(&req->out, "%s\n  {\n    \"status\": \"%s\",\n    \"state\": \"%s\",\n    \"temperature\": \"%s\",\n    \"busy\": %s,\n    \"name\": ",
                i > 0 ? "," : "", row->status, row->state, row->temperature, strcmp(row->busy, "-") == 0 ? "0" : row->busy);
    text_json(&req->out, span_str(row->name));
    text_str(&req->out, "\n  }");
}

/* The count of a loaded policy in the worker's lines "name count loaded|discarded". */
static void
find_busy(const char *uses, const char *name, char out[24])
{
    char row[POLICY_NAME_BYTES], kind[16], count[24];
    int used = 0;
    snprintf(out, 24, "-");
    for (const char *at = uses; sscanf(at, "%127s %23s %15s\n%n", row, count, kind, &used) == 3; at += used)
        if (strcmp(row, name) == 0 && strcmp(kind, "loaded") == 0)
            snprintf(out, 24, "%s", count);
}

static void
list_counted(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    struct policies *p = &req->manager->policies;
    struct text uses = { 0 };
    unsigned n = 0;
    if (status == CLI_OK)
        text_add(&uses, text);
    if (req->json)
        cli_json_begin(req, 2);
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        struct list_row row = { .status = vcl == p->active ? "active" : "available", .state = vcl_state_name(vcl->state),
                                .temperature = vcl_is_cold(vcl) || vcl->absent ? "cold" : "warm", .name = vcl->name };
        if (vcl->loading)
            continue;
        find_busy(text_cstr(&uses), vcl->name, row.busy);
        print_row(req, &row, n++);
    }
    char name[POLICY_NAME_BYTES], kind[16];
    struct list_row row = { .status = "discarded", .state = "auto", .temperature = "busy", .name = name };
    int used = 0;
    for (const char *at = text_cstr(&uses); sscanf(at, "%127s %23s %15s\n%n", name, row.busy, kind, &used) == 3; at += used)
        if (strcmp(kind, "discarded") == 0)
            print_row(req, &row, n++);
    text_release(&uses);
    if (req->json)
        cli_json_end(req);
    cli_done(req, CLI_OK);
}

void
command_vcl_list(struct cli_request *req)
{
    const char *words[] = { "uses" };
    child_call(&req->manager->child, list_counted, req, 1, words);
}
