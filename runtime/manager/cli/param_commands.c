/* Commands about parameters. */
#include <stdio.h>
#include <stdlib.h>

#include "manager/cli/commands.h"
#include "daemon/param_idle.h"
#include "daemon/params.h"
#include "base/check.h"
#include "base/split.h"

#define LINE_COLUMNS 62u

static const struct {
    uint32_t flag;
    const char *json, *note;
} flag_rows[] = {
    { PARAM_OBJ_STICKY, "obj_sticky", "NB: This parameter acts only on responses stored from now on." },
    { PARAM_DELAYED, "delayed_effect", "NB: A change may take a while to take effect." },
    { PARAM_EXPERIMENTAL, "experimental", "NB: We do not know yet whether this is useful." },
    { PARAM_MUST_RESTART, "must_restart",
      "NB: This parameter takes effect with the next start of the worker." },
    { PARAM_MUST_RELOAD, "must_reload", "NB: This parameter takes effect for policies loaded from now on." },
};
#define N_FLAGS (sizeof flag_rows / sizeof *flag_rows)

/* Wraps a text at spaces into lines indented by eight. */
static void
wrap(struct text *out, struct span text)
{
    while (text.len > 0) {
        size_t n = text.len;
        if (n > LINE_COLUMNS) {
            n = LINE_COLUMNS;
            while (n > 0 && text.ptr[n] != ' ')
                n--;
            if (n == 0)
                n = LINE_COLUMNS;
        }
        text_printf(out, "        %.*s\n", (int)n, text.ptr);
        n += n < text.len && text.ptr[n] == ' ';
        text = span_of(text.ptr + n, text.len - n);
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
show_idle(const struct param_row *row, struct text *out)
{
    struct text lines = { 0 };
    param_idle_describe(row, &lines);
    struct span rest = text_span(&lines), line;
    while (split_next(&rest, SPAN_LIT("\n"), &line)) {
        text_str(out, "\n");
        wrap(out, line);
    }
    text_release(&lines);
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
        text_printf(out, *unit == '\0' ? "%s%s\n" : " [%s]%s\n", unit,
                    param_is_default(row) ? " (default)" : "");
        show_bounds(row, out);
    }
    text_str(out, "\n");
    wrap(out, span_str(row->doc));
    for (unsigned i = 0; row->bits != NULL && row->bits[i] != NULL; i++)
        text_printf(out, "%s           %s\n",
                    i == 0 ? "\n        Use +/- prefix to set or reset single bits:\n" : "", row->bits[i]);
    for (unsigned i = 0; i < N_FLAGS; i++) {
        if (!(row->flags & flag_rows[i].flag))
            continue;
        text_str(out, "\n");
        wrap(out, span_str(flag_rows[i].note));
    }
    show_idle(row, out);
    text_str(out, "\n");
}

static void
json_pool(const char *value, struct text *out)
{
    unsigned min = 0, max = 0, age = 0;
    (void)sscanf(value, "%u,%u,%u", &min, &max, &age);
    text_printf(out,
                "{\n        \"min_pool\": %u,\n        \"max_pool\": %u,\n        \"max_age\": %u\n    }",
                min, max, age);
}

static void
json_value(const struct param_row *row, struct text *out)
{
    struct text value = { 0 };
    param_value(row, &value);
    switch (row->kind) {
    case PARAM_BOOL: text_str(out, param_number(row->name) != 0 ? "true" : "false"); break;
    case PARAM_BYTES: text_printf(out, "%.0f", param_number(row->name)); break;
    case PARAM_UINT:
    case PARAM_REAL: text_add(out, text_span(&value)); break;
    case PARAM_DURATION: text_printf(out, "%.3f", param_number(row->name)); break;
    case PARAM_POOL: json_pool(text_cstr(&value), out); break;
    case PARAM_TEXT:
    case PARAM_BITS: text_json(out, text_span(&value)); break;
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
json_idle_bits(const struct param_row *row, struct text *out)
{
    if (row->idle_bits == NULL)
        return;
    text_str(out, ",\n    \"no_effect_bits\": [");
    for (unsigned i = 0; row->idle_bits[i].bit != NULL; i++)
        text_printf(out, "%s\"%s\"", i > 0 ? ", " : "", row->idle_bits[i].bit);
    text_str(out, "]");
}

static void
show_json(const struct param_row *row, struct text *out)
{
    bool implemented = !(row->flags & PARAM_UNAVAILABLE);
    text_printf(out, "\n  {\n    \"name\": \"%s\",\n    \"implemented\": %s,\n", row->name,
                implemented ? "true" : "false");
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
    if (row->no_effect != NULL)
        text_printf(out, "%s\n      \"no_effect\"", n++ > 0 ? "," : "");
    text_str(out, n > 0 ? "\n    ]" : "]");
    json_idle_bits(row, out);
    text_str(out, "\n  }");
}

void
param_describe_all(struct text *out)
{
    for (unsigned i = 0; i < n_param_rows; i++)
        show_long(&param_rows[i], out);
}

static void
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
        param_unknown(name, &req->out);
        cli_done(req, CLI_PARAM);
        return;
    }
    unsigned shown = 0;
    if (req->json)
        cli_json_begin(req, 2);
    for (unsigned i = 0; i < n_param_rows; i++) {
        const struct param_row *row = &param_rows[i];
        if ((one != NULL && row != one) ||
            (changed && ((row->flags & PARAM_UNAVAILABLE) || param_is_default(row))))
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

/* When a change takes effect, if not at once. */
static void
say_when(const struct param_row *row, struct text *out)
{
    if (row->no_effect != NULL)
        return;
    if (row->flags & PARAM_MUST_RESTART)
        text_str(out, "\nChange will take effect when child is restarted");
    else if (row->flags & PARAM_MUST_RELOAD)
        text_str(out, "\nChange will take effect when VCL script is reloaded");
}

/* The worker has applied the change: answers. */
static void
applied(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    const struct param_row *row = param_find(req->argv[1]);
    param_idle_log();
    if (req->json) {
        cli_json_begin(req, 2);
        show_json(row, &req->out);
        cli_json_end(req);
    } else {
        say_when(row, &req->out);
        if (req->argc > 2)
            param_idle_notes(row, req->argv[2], &req->out);
    }
    cli_done(req, CLI_OK);
}

static void
apply(struct cli_request *req, int status)
{
    if (status != 0) {
        cli_done(req, status);
        return;
    }
    param_mark_command(param_find(req->argv[1]));
    bool set = strcmp(req->argv[0], "param.set") == 0;
    const char *words[] = { "param", set ? "set" : "reset", req->argv[1], set ? req->argv[2] : "" };
    CHECK(req->file == CLI_OF_PARAM);
    struct param_commands *context = req->context;
    if (child_alive(context->child))
        child_call(context->child, applied, req, set ? 4 : 3, words);
    else
        applied(req, CLI_OK, SPAN_LIT(""));
}

static void
command_param_set(struct cli_request *req)
{
    apply(req, param_set(req->argv[1], req->argv[2], &req->out));
}

static void
command_param_reset(struct cli_request *req)
{
    apply(req, param_reset(req->argv[1], &req->out));
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* name, syntax, help, least and most arguments (without -j), flags */
static const struct cli_command rows[] = {
    { "param.reset", "param.reset <param>", "Reset a parameter to its default.", 1, 1, 0,
      command_param_reset },
    { "param.set", "param.set [-j] <param> <value>", "Set a parameter.", 2, 2, COMMAND_JSON,
      command_param_set },
    { "param.show", "param.show [-l|-j] [<param>|changed]", "Show parameters and their values.", 0, 2,
      COMMAND_JSON, command_param_show },
};

const struct cli_rows param_command_rows = { .file = CLI_OF_PARAM,
                                             .rows = rows,
                                             .n = sizeof rows / sizeof *rows };
