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

void
command_vcl_label(struct cli_request *req)
{
    policies_label(&req->manager->policies, req->argv[1], req->argv[2], command_answered, req);
}

/* ---- vcl.discard ------------------------------------------------------------------------------------------------------------- */

#define DEPENDENTS_SHOWN 5u

/* Marks what the pattern matches. */
static int
mark(struct policies *p, const char *pattern, struct text *why)
{
    unsigned found = 0;
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->loading || fnmatch(pattern, vcl->name, 0) != 0)
            continue;
        found++;
        vcl->marked = true;
        if (vcl == p->active) {
            text_printf(why, "Cannot discard active VCL program %s\n", vcl->name);
            return CLI_CANT;
        }
        if (vcl->pending > 0) {
            text_printf(why, "Cannot discard %s: another command is about to use it\n", vcl->name);
            return CLI_CANT;
        }
    }
    if (found > 0)
        return CLI_OK;
    text_printf(why, "No VCL name matches %s\n", pattern);
    return CLI_PARAM;
}

static bool
needs(const struct vcl *from, const struct vcl *to)
{
    for (unsigned i = 0; i < from->n_needs; i++)
        if (from->needs[i] == to)
            return true;
    return false;
}

/* Whether all that need it go as well. */
static int
check_dependents(struct policies *p, const struct vcl *vcl, struct text *why)
{
    unsigned shown = 0, staying = 0;
    list_each(it, &p->list)
        staying += !container_of(it, struct vcl, link)->marked && needs(container_of(it, struct vcl, link), vcl);
    if (staying == 0)
        return CLI_OK;
    text_printf(why, vcl->state == VCL_LABEL ? "Cannot discard VCL label %s, other VCLs depend on it:\n"
                                             : "Cannot discard labeled VCL program %s:\n", vcl->name);
    list_each(it, &p->list) {
        if (!needs(container_of(it, struct vcl, link), vcl))
            continue;
        if (shown++ == DEPENDENTS_SHOWN) {
            text_str(why, "\t[...]");
            break;
        }
        text_printf(why, "\t%s\n", container_of(it, struct vcl, link)->name);
    }
    return CLI_CANT;
}

/* What is needed goes after what needs it. */
static void
discard_marked(struct policies *p)
{
    for (bool more = true; more;) {
        more = false;
        list_each(it, &p->list) {
            struct vcl *vcl = container_of(it, struct vcl, link);
            if (!vcl->marked || vcl->needed > 0)
                continue;
            policies_discard(p, vcl);
            more = true;
        }
    }
}

/* Nothing happens unless every pattern finds something and all that was found may go. */
void
command_vcl_discard(struct cli_request *req)
{
    struct policies *p = &req->manager->policies;
    int status = CLI_OK;
    for (unsigned i = 1; status == CLI_OK && i < req->argc; i++)
        status = mark(p, req->argv[i], &req->out);
    list_each(it, &p->list)
        if (status == CLI_OK && container_of(it, struct vcl, link)->marked)
            status = check_dependents(p, container_of(it, struct vcl, link), &req->out);
    if (status == CLI_OK)
        discard_marked(p);
    list_each(it, &p->list)
        container_of(it, struct vcl, link)->marked = false;
    cli_done(req, status);
}

/* ---- vcl.state --------------------------------------------------------------------------------------------------------------- */

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
    if (vcl->state == VCL_LABEL) {
        cli_answer(req, CLI_PARAM, "Labels are always warm");
        return;
    }
    if (!take_state(req, 2, &state))
        return;
    if (state == VCL_COLD && (vcl->needed > 0 || vcl == p->active)) {
        cli_answer(req, CLI_CANT, vcl->needed > 0 ? "A labeled VCL cannot be set cold" : "Cannot set the active VCL cold.");
        return;
    }
    bool was_cold = vcl_is_cold(vcl), cold = state == VCL_COLD || (state == VCL_AUTO && was_cold);
    vcl->state = state;
    vcl->cooled = state == VCL_AUTO && cold;    /* auto: as it is, until it is used or its time comes */
    vcl->idle_since = clock_mono_ns();
    const char *words[] = { "temperature", vcl->name, cold ? "cold" : "warm" };
    if (was_cold == cold || !child_alive(&req->manager->child) || vcl->absent)
        cli_done(req, CLI_OK);
    else
        child_call(&req->manager->child, command_answered, req, 3, words);
}

/* ---- vcl.list, vcl.deps ------------------------------------------------------------------------------------------------------ */

struct list_row {
    const char *status, *state;
    char name[POLICY_NAME_BYTES], temperature[16], busy[24];
    const struct vcl *vcl;              /* NULL: discarded, known to the worker only */
};

/* "name requests temperature loaded|discarded" of the worker. How many bytes it took, 0 at the end. */
static int
next_use(const char *at, struct list_row *row, bool *discarded)
{
    char kind[16];
    int used = 0;
    if (sscanf(at, "%127s %23s %15s %15s\n%n", row->name, row->busy, row->temperature, kind, &used) != 4)
        return 0;
    *discarded = strcmp(kind, "discarded") == 0;
    return used;
}

/* Requests and temperature of a loaded one, when there is a worker that has it. */
static void
add_uses(const char *uses, struct list_row *row)
{
    struct list_row use;
    bool discarded;
    snprintf(row->busy, sizeof row->busy, "-");
    snprintf(row->temperature, sizeof row->temperature, "%s", vcl_is_cold(row->vcl) || row->vcl->absent ? "cold" : "warm");
    for (int n; (n = next_use(uses, &use, &discarded)) > 0; uses += n) {
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
    text_str(out, "\n");
}

static void
row_json(const struct list_row *row, struct text *out)
{
    const struct vcl *vcl = row->vcl;
    text_printf(out, "%s\n  {\n    \"status\": \"%s\",\n    \"state\": \"%s\",\n    \"temperature\": \"%s\",\n", out->len > 0 ? "," : "",
                row->status, row->state, row->temperature);
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
    text_str(out, "\n  }");
}

static void
list_counted(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    struct policies *p = &req->manager->policies;
    void (*print)(const struct list_row *, struct text *) = req->json ? row_json : row_text;
    struct text uses = { 0 }, rows = { 0 };
    if (status == CLI_OK)
        text_add(&uses, text);
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        struct list_row row = { .status = vcl == p->active ? "active" : "available", .state = vcl_state_name(vcl->state), .vcl = vcl };
        if (vcl->loading)
            continue;
        memcpy(row.name, vcl->name, sizeof row.name);
        add_uses(text_cstr(&uses), &row);
        print(&row, &rows);
    }
    struct list_row row = { .status = "discarded", .state = "auto" };
    bool discarded;
    const char *at = text_cstr(&uses);
    for (int n; (n = next_use(at, &row, &discarded)) > 0; at += n)
        if (discarded)
            print(&row, &rows);
    if (req->json) {
        cli_json_begin(req, 2);
        text_add(&req->out, text_span(&rows));
        cli_json_end(req);
    } else
        text_columns(&req->out, text_span(&rows));
    text_release(&uses);
    text_release(&rows);
    cli_done(req, CLI_OK);
}

void
command_vcl_list(struct cli_request *req)
{
    const char *words[] = { "uses" };
    child_call(&req->manager->child, list_counted, req, 1, words);
}

static void
deps_text(struct policies *p, struct text *out)
{
    struct text rows = { 0 };
    list_each(it, &p->list) {
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
    list_each(it, &p->list) {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        text_printf(out, "%s\n  {\n    \"name\": \"%s\",\n    \"deps\": [", n++ > 0 ? "," : "", vcl->name);
        for (unsigned i = 0; i < vcl->n_needs; i++)
            text_printf(out, "%s\n      \"%s\"", i > 0 ? "," : "", vcl->needs[i]->name);
        text_str(out, vcl->n_needs > 0 ? "\n    ]\n  }" : "]\n  }");
    }
}

void
command_vcl_deps(struct cli_request *req)
{
    if (req->json) {
        cli_json_begin(req, 1);
        deps_json(&req->manager->policies, &req->out);
        cli_json_end(req);
    } else
        deps_text(&req->manager->policies, &req->out);
    cli_done(req, CLI_OK);
}
