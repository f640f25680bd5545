/* Parameters and bits without effect: see param_idle.h. Bits of one group stand together in the rows, so that
 * one line names them all. */
#include "daemon/param_idle.h"

#include "base/check.h"
#include "base/span.h"
#include "base/split.h"
#include "log/report.h"

#define IDLE_ROWS_MAX 256u
#define IDLE_BITS_MAX 128u

/* The first state is for the whole parameter, the others for its bits in the order of the row's table. */
enum idle_state { IDLE_QUIET, IDLE_MARKED, IDLE_NAMED };
static unsigned char states[IDLE_ROWS_MAX][1 + IDLE_BITS_MAX];

static unsigned char *
states_of(const struct param_row *row)
{
    size_t i = (size_t)(row - param_rows);
    CHECK(i < n_param_rows && n_param_rows <= IDLE_ROWS_MAX);
    return states[i];
}

/* Whether a word of the value asks for the state that the bit never has. */
static bool
word_is_in_vain(struct span word, const struct param_idle_bit *b)
{
    if (span_eq_nocase(word, SPAN_LIT("all")))
        return !b->on;
    if (span_eq_nocase(word, SPAN_LIT("none")))
        return b->on;
    if (word.len < 2 || (*word.ptr == '+') == b->on)
        return false;
    return span_eq_nocase(span_of(word.ptr + 1, word.len - 1), span_str(b->bit));
}

static bool
value_is_in_vain(const char *value, const struct param_idle_bit *b)
{
    struct span rest = span_str(value), word;
    while (split_next(&rest, SPAN_LIT(", "), &word))
        if (word_is_in_vain(word, b))
            return true;
    return false;
}

static bool
is_default(const char *value)
{
    return strcmp(value, "default") == 0;
}

/* Prints the names of the bits in the group of `b` for which chosen() is true. Returns the first bit of the
 * next group. */
static const struct param_idle_bit *
group_names(const struct param_idle_bit *b, bool (*chosen)(const void *arg, const struct param_idle_bit *b),
            const void *arg, struct text *out, unsigned *n)
{
    const char *note = b->note;
    *n = 0;
    for (; b->bit != NULL && strcmp(b->note, note) == 0; b++)
        if (chosen(arg, b))
            text_printf(out, "%s%s", (*n)++ > 0 ? ", " : "", b->bit);
    return b;
}

static void
group_lines(const struct param_row *row, bool (*chosen)(const void *arg, const struct param_idle_bit *b),
            const void *arg, struct text *out)
{
    for (const struct param_idle_bit *b = row->idle_bits; b != NULL && b->bit != NULL;) {
        const char *note = b->note;
        struct text names = { 0 };
        unsigned n;
        b = group_names(b, chosen, arg, &names, &n);
        if (n > 0)
            text_printf(out, "%s of %s %s no effect here: %s\n", text_cstr(&names), row->name,
                        n == 1 ? "has" : "have", note);
        text_release(&names);
    }
}

static bool
chosen_by_value(const void *value, const struct param_idle_bit *b)
{
    return value_is_in_vain(value, b);
}

void
param_idle_notes(const struct param_row *row, const char *value, struct text *out)
{
    if (is_default(value))
        return;
    if (row->no_effect != NULL)
        text_printf(out, "%s has no effect here: %s\n", row->name, row->no_effect);
    else
        group_lines(row, chosen_by_value, value, out);
}

static void
mark(unsigned char *state)
{
    if (*state == IDLE_QUIET)
        *state = IDLE_MARKED;
}

void
param_idle_mark(const struct param_row *row, const char *value)
{
    unsigned char *of = states_of(row);
    if (is_default(value))
        return;
    if (row->no_effect != NULL)
        mark(&of[0]);
    for (unsigned i = 0; row->idle_bits != NULL && row->idle_bits[i].bit != NULL; i++) {
        CHECK(i < IDLE_BITS_MAX);
        if (value_is_in_vain(value, &row->idle_bits[i]))
            mark(&of[1 + i]);
    }
}

/* ---- the log ------------------------------------------------------------------------------------------- */

static bool
chosen_by_mark(const void *arg, const struct param_idle_bit *b)
{
    const struct param_row *row = arg;
    return states_of(row)[1 + (b - row->idle_bits)] == IDLE_MARKED;
}

static void
log_lines(const struct text *lines)
{
    struct span rest = text_span(lines), line;
    while (split_next(&rest, SPAN_LIT("\n"), &line))
        log_line(LOG_LEVEL_WARNING, "%.*s", (int)line.len, line.ptr);
}

static void
log_row(const struct param_row *row)
{
    struct text lines = { 0 };
    unsigned char *of = states_of(row);
    if (of[0] == IDLE_MARKED)
        text_printf(&lines, "%s has no effect here: %s\n", row->name, row->no_effect);
    group_lines(row, chosen_by_mark, row, &lines);
    for (unsigned i = 0; i < 1 + IDLE_BITS_MAX; i++)
        if (of[i] == IDLE_MARKED)
            of[i] = IDLE_NAMED;
    log_lines(&lines);
    text_release(&lines);
}

void
param_idle_log(void)
{
    for (unsigned i = 0; i < n_param_rows; i++)
        log_row(&param_rows[i]);
}

/* ---- param.show ---------------------------------------------------------------------------------------- */

static bool
chosen_always(const void *arg, const struct param_idle_bit *b)
{
    return true;
}

void
param_idle_describe(const struct param_row *row, struct text *out)
{
    if (row->no_effect != NULL)
        text_printf(out, "NB: Accepted for compatibility; it has no effect here: %s\n", row->no_effect);
    else
        group_lines(row, chosen_always, NULL, out);
}
