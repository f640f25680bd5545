/* Commands about parameters. */
#include <stdio.h>
#include <stdlib.h>

#include "admin/commands.h"
#include "admin/manager.h"
#include "admin/params.h"
#include "base/check.h"

#define LINE_COLUMNS 62u

static const struct { uint32_t flag; const char *json, *note; } flag_rows[] = {
    { PARAM_OBJ_STICKY, "obj_sticky", "NB: This parameter acts on responses that are stored from now on." },
    { PARAM_DELAYED, "delayed_effect", "NB: It may take a while until this takes effect." },
    { PARAM_EXPERIMENTAL, "experimental", "NB: We do not know yet whether this is useful." },
    { PARAM_MUST_RESTART, "must_restart", "NB: This parameter takes effect with the next start of the worker." },
    { PARAM_MUST_RELOAD, "must_reload", "NB: This parameter takes effect for policies that are loaded from now on." },
    { PARAM_NO_EFFECT, "no_effect", "NB: Accepted for compatibility; it has no effect here." },
};
#define N_FLAGS (sizeof flag_rows / sizeof *flag_rows)

/* Breaks a text at blanks into lines indented by eight. */
static void
wrap(struct text *out, const char *text)
{
    while (*text != '\0') {
        size_t n = strlen(text);
        if (n > LINE_COLUMNS) {
            n = LINE_COLUMNS;
            while (n > 0 && text[n] != ' ')
                n--;
            if (n == 0)
                n = LINE_COLUMNS;
        }
        text_printf(out, "        %.*s\n", (int)n, text);
        text += n + (text[n] == ' ');
    }
}

static void
show_short(const struct param_row *row, struct text *out)
{
    text_printf(out, "%-29s ", row->name);
    if (row->flags & PARAM_UNAVAILABLE) {
        text_str(out, "-\n");
        return;
    }
    param_value(row, out);
    const char *unit = param_unit(row);
    text_printf(out, *unit == '\0' ? "%s%s" : " [%s]%s", unit, param_is_default(row) ? " (default)" : "");
    text_str(out, "\n");
}

static void
show_bounds(const struct param_row *row, struct text *out)
{
    if (!param_is_default(row)) {
        text_str(out, "        Default is: ");
        param_default(row, out);
        text_str(out, "\n");
    }
    static const char *const words[] = { [PARAM_MIN] = "Minimum", [PARAM_MAX] = "Maximum" };
    for (enum param_side side = PARAM_MIN; side <= PARAM_MAX; side++) {
        struct text bound = { 0 };
        if (param_bound(row, side, &bound))
            text_printf(out, "        %s is: %s\n", words[side], text_cstr(&bound));
        text_release(&bound);
    }
}

static void
show_long(const struct param_row *row, struct text *out)
{
    text_printf(out, "%s\n", row->name);
    if (row->flags & PARAM_UNAVAILABLE) {
        text_str(out, "        Not available on this platform.\n");
    } else {
        const char *unit = param_unit(row);
        text_str(out, "        Value is: ");
        param_value(row, out);
        text_printf(out, *unit == '\0' ? "%s%s\n" : " [%s]%s\n", unit, param_is_default(row) ? " (default)" : "");
        show_bounds(row, out);
    }
    text_str(out, "\n");
    wrap(out, row->doc);
    for (unsigned i = 0; row->bits != NULL && row->bits[i] != NULL; i++)
        text_printf(out, "%s           %s\n", i == 0 ? "\n        Use +/- prefix to set or reset single bits:\n" : "", row->bits[i]);
    for (unsigned i = 0; i < N_FLAGS; i++) {
        if (!(row->flags & flag_rows[i].flag))
            continue;
        text_str(out, "\n");
        wrap(out, flag_rows[i].note);
    }
    text_str(out, "\n");
}

static void
json_pool(const char *value, struct text *out)
{
    unsigned min = 0, max = 0, age = 0;
    (void)sscanf(value, "%u,%u,%u", &min, &max, &age);
    text_printf(out, "{\n        \"min_pool\": %u,\n        \"max_pool\": %u,\n        \"max_age\": %u\n    }", min, max, age);
}

static void
json_value(const struct param_row *row, struct text *out)
{
    struct text value = { 0 };
    param_value(row, &value);
    switch (row->kind) {
    case PARAM_BOOL: text_str(out, param_number(row->name) != 0 ? "true" : "false"); break;
    case PARAM_BYTES: text_printf(out, "%.0f", param_number(row->name)); break;
    case PARAM_UINT: case PARAM_REAL: case PARAM_DURATION: text_add(out, text_span(&value)); break;
    case PARAM_POOL: json_pool(text_cstr(&value), out); break;
    case PARAM_TEXT: case PARAM_BITS: text_json(out, text_span(&value)); break;
    }
    text_release(&value);
}

static void
json_bounds(const struct param_row *row, struct text *out)
{
    static const char *const keys[] = { [PARAM_MIN] = "minimum", [PARAM_MAX] = "maximum" };
    for (enum param_side side = PARAM_MIN; side <= PARAM_MAX; side++) {
        struct text bound = { 0 };
        if (param_bound(row, side, &bound))
            text_printf(out, ",\n    \"%s\": \"%s\"", keys[side], text_cstr(&bound));
        text_release(&bound);
    }
}

static void
show_json(const struct param_row *row, struct text *out)
{
    bool implemented = !(row->flags & PARAM_UNAVAILABLE);
    text_printf(out, "\n  {\n    \"name\": \"%s\",\n    \"implemented\": %s,\n", row->name, implemented ? "true" : "false");
    if (implemented) {
        struct text def = { 0 };
        text_str(out, "    \"value\": ");
        json_value(row, out);
        if (*param_unit(row) != '\0')
            text_printf(out, ",\n    \"units\": \"%s\"", param_unit(row));
        param_default(row, &def);
        text_str(out, ",\n    \"default\": ");
        text_json(out, text_span(&def));
        text_release(&def);
        json_bounds(row, out);
        text_str(out, ",\n");
    }
    text_str(out, "    \"description\": ");
    text_json(out, span_str(row->doc));
    text_str(out, ",\n    \"flags\": [");
    unsigned n = 0;
    for (unsigned i = 0; i < N_FLAGS; i++)
        if (row->flags & flag_rows[i].flag)
            text_printf(out, "%s\n      \"%s\"", n++ > 0 ? "," : "", flag_rows[i].json);
    text_str(out, n > 0 ? "\n    ]\n  }" : "]\n  }");
}

void
param_describe_all(struct text *out)
{
    for (unsigned i = 0; i < n_param_rows; i++)
        show_long(&param_rows[i], out);
}

void
command_param_show(struct cli_request *req)
{
    bool as_long = !req->json && req->argc > 1 && strcmp(req->argv[1], "-l") == 0;
    const char *name = req->argc > 1u + as_long ? req->argv[1 + as_long] : NULL;
    if (req->argc > 2u + as_long) {
        cli_answer(req, CLI_TOO_MANY, "Too many parameters\n");
        return;
    }
    bool changed = name != NULL && strcmp(name, "changed") == 0;
    const struct param_row *one = name == NULL || changed ? NULL : param_find(name);
    if (name != NULL && !changed && one == NULL) {
        cli_answer(req, CLI_PARAM, "Unknown parameter \"%s\".", name);
        return;
    }
    unsigned shown = 0;
    if (req->json)
        cli_json_begin(req, 2);
    for (unsigned i = 0; i < n_param_rows; i++) {
        const struct param_row *row = &param_rows[i];
        if ((one != NULL && row != one) || (changed && ((row->flags & PARAM_UNAVAILABLE) || param_is_default(row))))
            continue;
        if (req->json) {
            text_str(&req->out, shown > 0 ? "," : "");
            show_json(row, &req->out);
        } else if (as_long || one != NULL)
            show_long(row, &req->out);
        else
            show_short(row, &req->out);
        shown++;
    }
    if (req->json)
        cli_json_end(req);
    cli_done(req, CLI_OK);
}

/* The worker has taken it over: the answer. */
static void
applied(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    const struct param_row *row = param_find(req->argv[1]);
    if (req->json) {
        cli_json_begin(req, 2);
        show_json(row, &req->out);
        cli_json_end(req);
    } else if (row->flags & PARAM_MUST_RESTART)
        text_str(&req->out, "\nChange will take effect when child is restarted");
    else if (row->flags & PARAM_MUST_RELOAD)
        text_str(&req->out, "\nChange will take effect when VCL script is reloaded");
    cli_done(req, CLI_OK);
}

static void
apply(struct cli_request *req, int status)
{
    if (status != 0) {
        cli_done(req, status);
        return;
    }
    bool set = strcmp(req->argv[0], "param.set") == 0;
    const char *words[] = { "param", set ? "set" : "reset", req->argv[1], set ? req->argv[2] : "" };
    if (child_alive(&req->manager->child))
        child_call(&req->manager->child, applied, req, set ? 4 : 3, words);
    else
        applied(req, CLI_OK, SPAN_LIT(""));
}

void
command_param_set(struct cli_request *req)
{
    apply(req, param_set(req->argv[1], req->argv[2], &req->out));
}

void
command_param_reset(struct cli_request *req)
{
    apply(req, param_reset(req->argv[1], &req->out));
}
