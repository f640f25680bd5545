/* Run-time parameters by name: see params.h. This file keeps numbers as double (exact to 2^53, above every
 * limit here) and copies them to the plain fields that other rooms read. */
#include "daemon/params.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/param_idle.h"
#include "daemon/params_parse.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/similar.h"
#include "base/mem.h"
#include "base/params.h"

#define PARAM_BITS_MAX 128u
#define PARAM_ROWS_MAX 256u
#define PARAM_TEXT_BYTES_MAX 8192u

struct value {
    double number;
    char *text; /* TEXT, POOL; owned */
    bool bits[PARAM_BITS_MAX];
    bool protect, by_command;
};

static struct value values[PARAM_ROWS_MAX], defaults[PARAM_ROWS_MAX];

static struct value *
value_of(const struct param_row *row)
{
    return &values[row - param_rows];
}

/* Former names, and those of later releases of Varnish; param.show does not list them. */
static const struct {
    const char *old, *name;
} aliases[] = {
    { "deprecated_dummy", "debug" },
    { "h2_rapid_reset_period", "h2_budget_period" },
    { "vcc_feature", "vcc_err_unref" }, /* to show; param_set() takes each bit */
};

const struct param_row *
param_find(const char *name)
{
    for (unsigned i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].old, name) == 0)
            name = aliases[i].name;
    for (unsigned i = 0; i < n_param_rows; i++)
        if (strcmp(param_rows[i].name, name) == 0)
            return &param_rows[i];
    return NULL;
}

/* ---- bits and bounds ----------------------------------------------------------------------------------- */

/* The bits as a number for struct params; the first bit is the lowest. */
static uint32_t
mask_of(const struct param_row *row, const bool bits[])
{
    uint32_t mask = 0;
    for (unsigned i = 0; row->bits[i] != NULL; i++) {
        CHECK(i < 32);
        mask |= (uint32_t)bits[i] << i;
    }
    return mask;
}

/* `word`: sign and name */
static int
refuse_bit(const struct param_row *row, struct span word, struct text *why)
{
    struct similar s = similar_to(span_of(word.ptr + 1, word.len - 1));
    for (unsigned i = 0; row->bits[i] != NULL; i++)
        similar_try(&s, row->bits[i]);
    text_printf(why, "Unknown %s bit (%.*s)\n", row->name, (int)word.len, word.ptr);
    if (s.name != NULL)
        text_printf(why, "Did you mean %c%s?\n", *word.ptr, s.name);
    return CLI_PARAM;
}

/* Changes `v` only if the whole list is valid. A setting changes only the bits it names. */
static int
parse_bits(const struct param_row *row, const char *text, const struct value *def, struct value *v,
           struct text *why)
{
    bool bits[PARAM_BITS_MAX];
    memcpy(bits, v->bits, sizeof bits);
    while (*text != '\0') {
        size_t n = strcspn(text, ", ");
        struct span word = span_of(text, n);
        text += n + strspn(text + n, ", ");
        if (n == 0)
            continue;
        if (span_eq_nocase(word, SPAN_LIT("default"))) {
            memcpy(bits, def->bits, sizeof bits);
            continue;
        }
        bool all = span_eq_nocase(word, SPAN_LIT("all"));
        if (all || span_eq_nocase(word, SPAN_LIT("none"))) {
            for (unsigned i = 0; row->bits[i] != NULL; i++)
                bits[i] = all;
            continue;
        }
        if (*word.ptr != '+' && *word.ptr != '-') {
            text_printf(why, "Missing '+' or '-' (%.*s)\n", (int)n, word.ptr);
            return CLI_PARAM;
        }
        unsigned i = 0;
        while (row->bits[i] != NULL && !span_eq_nocase(span_of(word.ptr + 1, n - 1), span_str(row->bits[i])))
            i++;
        if (row->bits[i] == NULL)
            return refuse_bit(row, word, why);
        bits[i] = *word.ptr == '+';
    }
    memcpy(v->bits, bits, sizeof bits);
    v->number = row->field == PARAM_NO_FIELD ? 0 : mask_of(row, bits);
    return 0;
}

static bool ready; /* params_init has ended: bounds relative to other parameters are
                    * known */

/* A bound as text and number. "@95% name" means 95 % of another parameter. */
static bool
bound_of(const struct param_row *row, enum param_side side, double *number, struct text *out)
{
    const char *bound = side == PARAM_MIN ? row->min : row->max;
    if (bound == NULL || (*bound == '@' && !ready))
        return false;
    if (*bound != '@') {
        bool right = param_parse_number(row, bound, number) == NULL;
        if (right && (row->kind == PARAM_DURATION))
            text_printf(out, "%.3f", *number);
        else
            text_str(out, bound);
        return right;
    }
    unsigned percent = 100;
    int skip = 0;
    (void)sscanf(bound, "@%u%% %n", &percent, &skip);
    *number = floor(param_number(bound + (skip > 0 ? skip : 1)) * percent / 100);
    text_printf(out, "%.0f", *number);
    return true;
}

bool
param_bound(const struct param_row *row, enum param_side side, struct text *out)
{
    double number;
    return bound_of(row, side, &number, out);
}

static int
check_bound(const struct param_row *row, double number, enum param_side side, struct text *why)
{
    static const char *const words[2][2] = { { "Must be at least", "Must be no more than" },
                                             { "Must be greater or equal to",
                                               "Must be less than or equal to" } };
    const char *bound = side == PARAM_MIN ? row->min : row->max;
    struct text text = { 0 };
    double limit = 0;
    int status = 0;
    if (number == 0 && (row->flags & PARAM_OR_ZERO) != 0)
        return 0;
    if (bound_of(row, side, &limit, &text) && (side == PARAM_MIN ? number < limit : number > limit)) {
        bool real = row->kind == PARAM_DURATION || row->kind == PARAM_REAL;
        text_printf(why, "%s %s", words[real][side], text_cstr(&text));
        if (*bound == '@') {
            const char *blank = strchr(bound, ' ');
            int n = (int)(blank == NULL ? strlen(bound) : (size_t)(blank - bound)) - 1;
            text_printf(why, blank == NULL ? " (%.*s)" : " (%.*s of %s)", n, bound + 1,
                        blank == NULL ? "" : blank + 1);
        }
        text_str(why, "\n");
        status = CLI_PARAM;
    }
    text_release(&text);
    return status;
}

static int
check_bounds(const struct param_row *row, double number, struct text *why)
{
    int status = check_bound(row, number, PARAM_MIN, why);
    return status != 0 ? status : check_bound(row, number, PARAM_MAX, why);
}

/* ---- the plain fields ---------------------------------------------------------------------------------- */

static void
store_field(const struct param_row *row, double number)
{
    if (row->field == PARAM_NO_FIELD)
        return;
    char *at = (char *)&params + row->field;
    if (row->field_bytes == sizeof(bool))
        *(bool *)at = number != 0;
    else if (row->field_bytes == sizeof(uint32_t))
        *(uint32_t *)at = (uint32_t)number;
    else if (row->kind == PARAM_BYTES)
        *(uint64_t *)at = (uint64_t)number;
    else
        *(double *)at = number;
}

static double
load_field(const struct param_row *row)
{
    const char *at = (const char *)&params + row->field;
    if (row->field_bytes == sizeof(bool))
        return *(const bool *)at;
    if (row->field_bytes == sizeof(uint32_t))
        return *(const uint32_t *)at;
    return row->kind == PARAM_BYTES ? (double)*(const uint64_t *)at : *(const double *)at;
}

static int
set_value(const struct param_row *row, const char *text, struct value *v, struct text *why)
{
    double number = 0;
    if (row->kind == PARAM_BITS)
        return parse_bits(row, text, &defaults[row - param_rows], v, why);
    if (row->kind == PARAM_TEXT || row->kind == PARAM_POOL) {
        const char *bad = row->kind == PARAM_POOL ? param_parse_pool(text) : NULL;
        if (row->check != NULL)
            bad = row->check(text);
        if (bad == NULL && strlen(text) > PARAM_TEXT_BYTES_MAX)
            bad = "Text too long";
        if (bad != NULL) {
            text_printf(why, "%s\n", bad);
            return CLI_PARAM;
        }
        char *copy = strdup(text);
        CHECK(copy != NULL);
        free(v->text);
        v->text = copy;
        return 0;
    }
    const char *bad = param_parse_number(row, text, &number);
    if (bad != NULL) {
        bool show = strcmp(bad, NOT_A_NUMBER) == 0 || strcmp(bad, INVALID_NUMBER) == 0;
        text_printf(why, show ? "%s (%s)\n" : "%s\n", bad, text);
        return CLI_PARAM;
    }
    int status = check_bounds(row, number, why);
    if (status == 0 && row->kind == PARAM_BYTES && row->field_bytes == sizeof(uint32_t) &&
        number > UINT32_MAX) {
        text_printf(why, "Must be no more than %ub\n", UINT32_MAX);
        status = CLI_PARAM;
    }
    if (status == 0)
        v->number = number;
    return status;
}

void
params_init(void)
{
    CHECK(n_param_rows <= PARAM_ROWS_MAX);
    struct text why = { 0 };
    for (unsigned i = 0; i < n_param_rows; i++) {
        const struct param_row *row = &param_rows[i];
        CHECK(i == 0 || strcmp(param_rows[i - 1].name, row->name) < 0);
        if (row->def != NULL)
            CHECK(set_value(row, row->def, &defaults[i], &why) == 0);
        else
            defaults[i].number = load_field(row);
        values[i] = defaults[i];
        if (defaults[i].text != NULL)
            values[i].text = strdup(defaults[i].text);
        store_field(row, values[i].number);
    }
    ready = true;
    text_release(&why);
}

void
param_unknown(const char *name, struct text *why)
{
    struct similar s = similar_to(span_str(name));
    for (unsigned i = 0; i < n_param_rows; i++)
        similar_try(&s, param_rows[i].name);
    text_printf(why, "Unknown parameter \"%s\".", name);
    if (s.name != NULL)
        text_printf(why, "\nDid you mean %s?", s.name);
    else
        text_str(why, "\nparam.show lists all parameters.");
}

void
param_set_default(const char *name, const char *value)
{
    const struct param_row *row = param_find(name);
    struct text why = { 0 };
    CHECK(row != NULL && set_value(row, value, &defaults[row - param_rows], &why) == 0);
    text_release(&why);
    CHECK(param_reset(name, &why) == 0);
    text_release(&why);
}

/* vcc_feature of Varnish 9 has parameters of earlier releases as its bits. */
static int
set_compiler_bits(const char *text, struct text *why)
{
    static const char *const names[] = { "err_unref", "allow_inline_c", "unsafe_path", NULL };
    static const char *const rows[] = { "vcc_err_unref", "vcc_allow_inline_c", "vcc_unsafe_path" };
    static const struct param_row row = {
        .name = "vcc_feature", .kind = PARAM_BITS, .field = PARAM_NO_FIELD, .bits = names
    };
    struct value v = { 0 }, def = { .bits = { true, false, true } };
    for (unsigned i = 0; names[i] != NULL; i++)
        v.bits[i] = param_number(rows[i]) != 0;
    int status = parse_bits(&row, text, &def, &v, why);
    for (unsigned i = 0; names[i] != NULL && status == 0; i++)
        status = param_set(rows[i], v.bits[i] ? "on" : "off", why);
    return status;
}

int
param_set(const char *name, const char *value, struct text *why)
{
    if (strcmp(name, "vcc_feature") == 0)
        return set_compiler_bits(value, why);
    const struct param_row *row = param_find(name);
    if (row == NULL) {
        param_unknown(name, why);
        return CLI_PARAM;
    }
    if (row->flags & PARAM_UNAVAILABLE) {
        text_printf(why, "parameter \"%s\" is not available on this platform.", name);
        return CLI_CANT;
    }
    if (value_of(row)->protect) {
        text_printf(why, "parameter \"%s\" is protected.", name);
        return CLI_AUTH;
    }
    int status = strcmp(value, "default") == 0 ? param_reset(name, why)
                                               : set_value(row, value, value_of(row), why);
    if (status == 0) {
        store_field(row, value_of(row)->number);
        param_idle_mark(row, value);
    } else
        text_printf(why, "\n(attempting to set param '%s' to '%s')\nparam.show %s explains it.", name, value,
                    name);
    return status;
}

int
param_reset(const char *name, struct text *why)
{
    const struct param_row *row = param_find(name);
    if (row == NULL || (row->flags & PARAM_UNAVAILABLE) || value_of(row)->protect)
        return param_set(name, "", why);
    struct value *v = value_of(row), *def = &defaults[row - param_rows];
    if (row->min != NULL || row->max != NULL) {
        /* bounds may depend on other parameters, which may have changed */
        int status = check_bounds(row, def->number, why);
        if (status != 0)
            return status;
    }
    v->number = def->number;
    memcpy(v->bits, def->bits, sizeof v->bits);
    if (def->text != NULL) {
        free(v->text);
        v->text = strdup(def->text);
        CHECK(v->text != NULL);
    }
    store_field(row, v->number);
    return 0;
}

int
param_protect(const char *name)
{
    const struct param_row *row = param_find(name);
    if (row == NULL)
        return ERR_NOTFOUND;
    value_of(row)->protect = true;
    return 0;
}

void
param_mark_command(const struct param_row *row)
{
    value_of(row)->by_command = true;
}

bool
param_by_command(const struct param_row *row)
{
    return value_of(row)->by_command;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

/* Picks the largest unit in which the value is a multiple of a quarter. */
static void
print_bytes(double number, struct text *out)
{
    static const char units[] = "kMGT";
    static const char *const quarters[] = { "", ".25", ".50", ".75" };
    uint64_t n = (uint64_t)number;
    for (int i = 3; i >= 0; i--) {
        unsigned shift = 10 * ((unsigned)i + 1) - 2;
        uint64_t parts = n >> shift;
        if (parts > 0 && parts << shift == n) {
            text_printf(out, "%llu%s%c", (unsigned long long)(parts / 4), quarters[parts % 4], units[i]);
            return;
        }
    }
    text_printf(out, "%llub", (unsigned long long)n);
}

/* Prints the bits relative to "none" or "all", whichever is shorter. */
static void
print_bits(const struct param_row *row, const struct value *v, struct text *out)
{
    unsigned on = 0, off = 0, shown = 0;
    for (unsigned i = 0; row->bits[i] != NULL; i++) {
        on += v->bits[i];
        off += !v->bits[i];
    }
    bool from_all = strncmp(row->def, "all", 3) == 0 && off < on;
    for (unsigned i = 0; row->bits[i] != NULL; i++)
        if (v->bits[i] != from_all)
            text_printf(out, "%s%c%s", shown++ > 0 ? "," : "", from_all ? '-' : '+', row->bits[i]);
    if (shown == 0)
        text_str(out, from_all ? "all" : "none");
}

static void
print_duration(double s, struct text *out)
{
    if (s == PARAM_NEVER_S)
        text_str(out, "never");
    else
        text_printf(out, "%.3f", s);
}

static void
print_value(const struct param_row *row, const struct value *v, struct text *out)
{
    switch (row->kind) {
    case PARAM_BOOL: text_str(out, v->number != 0 ? "on" : "off"); break;
    case PARAM_UINT: text_printf(out, "%.0f", v->number); break;
    case PARAM_REAL: text_printf(out, "%g", v->number); break;
    case PARAM_BYTES: print_bytes(v->number, out); break;
    case PARAM_DURATION: print_duration(v->number, out); break;
    case PARAM_TEXT:
    case PARAM_POOL: text_str(out, v->text); break;
    case PARAM_BITS: print_bits(row, v, out); break;
    }
}

void
param_value(const struct param_row *row, struct text *out)
{
    print_value(row, value_of(row), out);
}

/* Printed numbers are rounded. Of bits name only those that differ from the default: param_idle_mark() would
 * warn of others. */
void
param_setting(const struct param_row *row, struct text *out)
{
    const struct value *v = value_of(row);
    switch (row->kind) {
    case PARAM_REAL:
    case PARAM_DURATION: text_printf(out, "%.9f", v->number); break;
    case PARAM_BYTES: text_printf(out, "%.0fb", v->number); break;
    case PARAM_BITS:
        text_str(out, "default,");
        for (unsigned i = 0; row->bits[i] != NULL; i++)
            if (v->bits[i] != defaults[row - param_rows].bits[i])
                text_printf(out, "%c%s,", v->bits[i] ? '+' : '-', row->bits[i]);
        break;
    case PARAM_BOOL:
    case PARAM_UINT:
    case PARAM_TEXT:
    case PARAM_POOL: print_value(row, v, out); break;
    }
}

void
param_default(const struct param_row *row, struct text *out)
{
    print_value(row, &defaults[row - param_rows], out);
}

bool
param_is_default(const struct param_row *row)
{
    const struct value *v = value_of(row), *def = &defaults[row - param_rows];
    if (row->kind == PARAM_TEXT || row->kind == PARAM_POOL)
        return strcmp(v->text, def->text) == 0;
    return v->number == def->number && memcmp(v->bits, def->bits, sizeof v->bits) == 0;
}

bool
param_bit(const char *name, const char *bit)
{
    const struct param_row *row = param_find(name);
    if (row == NULL || row->kind != PARAM_BITS)
        return false;
    for (unsigned i = 0; row->bits[i] != NULL; i++)
        if (strcmp(row->bits[i], bit) == 0)
            return value_of(row)->bits[i];
    return false;
}

double
param_number_of(const struct param_row *row)
{
    CHECK(row != NULL && row->kind != PARAM_TEXT && row->kind != PARAM_POOL && row->kind != PARAM_BITS);
    return value_of(row)->number;
}

double
param_number(const char *name)
{
    return param_number_of(param_find(name));
}

const char *
param_text(const char *name)
{
    const struct param_row *row = param_find(name);
    CHECK(row != NULL && (row->kind == PARAM_TEXT || row->kind == PARAM_POOL));
    return value_of(row)->text;
}

const char *
param_unit(const struct param_row *row)
{
    switch (row->kind) {
    case PARAM_BOOL: return "bool";
    case PARAM_BYTES: return "bytes";
    case PARAM_DURATION: return "seconds";
    case PARAM_UINT:
    case PARAM_REAL:
    case PARAM_TEXT:
    case PARAM_POOL:
    case PARAM_BITS: break;
    }
    return row->unit == NULL ? "" : row->unit;
}
