/* Growing texts: see text.h. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/check.h"

#define TEXT_FIRST_BYTES 256u

void
text_release(struct text *t)
{
    free(t->ptr);
    *t = (struct text){ 0 };
}

void
text_clear(struct text *t)
{
    t->len = 0;
    if (t->ptr != NULL)
        t->ptr[0] = '\0';
}

/* Makes room for n more bytes and the NUL. Returns n, or less where TEXT_BYTES_MAX allows less. */
static size_t
text_room(struct text *t, size_t n)
{
    if (n > TEXT_BYTES_MAX - t->len)
        n = TEXT_BYTES_MAX - t->len;
    size_t want = t->len + n + 1;
    if (want <= t->cap)
        return n;
    size_t cap = t->cap < TEXT_FIRST_BYTES ? TEXT_FIRST_BYTES : t->cap;
    while (cap < want)
        cap *= 2;
    char *ptr = realloc(t->ptr, cap);
    CHECK(ptr != NULL);
    t->ptr = ptr;
    t->cap = cap;
    return n;
}

void
text_add(struct text *t, struct span s)
{
    size_t n = text_room(t, s.len);
    if (n > 0)
        memcpy(t->ptr + t->len, s.ptr, n);
    t->len += n;
    t->ptr[t->len] = '\0';
}

void
text_str(struct text *t, const char *s)
{
    text_add(t, span_str(s));
}

void
text_vprintf(struct text *t, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    char small[512];
    int n = vsnprintf(small, sizeof small, fmt, ap);
    CHECK(n >= 0);
    if ((size_t)n < sizeof small) {
        text_add(t, span_of(small, (size_t)n));
    } else {
        char *big = malloc((size_t)n + 1);
        CHECK(big != NULL);
        vsnprintf(big, (size_t)n + 1, fmt, again);
        text_add(t, span_of(big, (size_t)n));
        free(big);
    }
    va_end(again);
}

void
text_printf(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
}

int
text_say(struct text *t, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
    return status;
}

void
text_json(struct text *t, struct span s)
{
    text_str(t, "\"");
    for (size_t i = 0; i < s.len;) {
        const unsigned char *p = (const unsigned char *)s.ptr + i;
        size_t n = utf8_len(p, s.len - i);
        if (n == 0)
            text_str(t, "\xef\xbf\xbd");
        else if (*p == '"' || *p == '\\')
            text_printf(t, "\\%c", *p);
        else if (*p == '\n')
            text_str(t, "\\n");
        else if (*p == '\t')
            text_str(t, "\\t");
        else if (*p == '\r')
            text_str(t, "\\r");
        else if (*p < 0x20 || *p == 0x7f)
            text_printf(t, "\\u%04x", *p);
        else
            text_add(t, span_of((const char *)p, n));
        i += n == 0 ? 1 : n;
    }
    text_str(t, "\"");
}

/* ---- tables -------------------------------------------------------------------------------------------- */

struct table {
    size_t width[TEXT_TABLE_COLUMNS]; /* of the widest cell, with the tab before the cell */
    size_t line;                      /* length of the longest line */
    unsigned n_columns;
};

static struct span
next_line(struct span *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t n = end == NULL ? rest->len : (size_t)(end - rest->ptr), skip = n + (end != NULL);
    struct span line = span_of(rest->ptr, n);
    *rest = span_of(rest->ptr + skip, rest->len - skip);
    return line;
}

static struct span
next_cell(struct span *line)
{
    const char *end = memchr(line->ptr, '\t', line->len);
    size_t n = end == NULL ? line->len : (size_t)(end - line->ptr), skip = n + (end != NULL);
    struct span cell = span_of(line->ptr, n);
    *line = span_of(line->ptr + skip, line->len - skip);
    return cell;
}

static bool
is_row(struct span line)
{
    return line.len > 0 && *line.ptr != ' ';
}

static void
measure(struct span rest, struct table *table)
{
    while (rest.len > 0) {
        struct span line = next_line(&rest);
        unsigned i = 0;
        if (!is_row(line))
            continue;
        table->line = line.len > table->line ? line.len : table->line;
        for (bool more = true; more && i < TEXT_TABLE_COLUMNS; i++) {
            size_t before = line.len;
            struct span cell = next_cell(&line);
            more = cell.len < before;
            size_t width = cell.len + (i > 0);
            table->width[i] = width > table->width[i] ? width : table->width[i];
        }
        table->n_columns = i > table->n_columns ? i : table->n_columns;
    }
}

static void
print_row(struct text *t, struct span line, const struct table *table, size_t gap)
{
    for (unsigned i = 0; line.len > 0; i++) {
        size_t before = line.len;
        struct span cell = next_cell(&line);
        text_add(t, cell);
        if (cell.len == before)
            return;
        size_t width = i < TEXT_TABLE_COLUMNS ? table->width[i] + gap : 0;
        text_printf(t, "%*s", width > cell.len ? (int)(width - cell.len) : 1, "");
    }
}

void
text_columns(struct text *t, struct span rows)
{
    struct table table = { 0 };
    measure(rows, &table);
    size_t spare = table.line < TEXT_TABLE_WIDTH && table.n_columns > 0
                     ? (TEXT_TABLE_WIDTH - table.line) / table.n_columns
                     : 0;
    size_t gap = spare < 1 ? 1 : spare > 3 ? 3 : spare;
    while (rows.len > 0) {
        struct span line = next_line(&rows);
        if (is_row(line))
            print_row(t, line, &table, gap);
        else
            text_add(t, line);
        text_str(t, "\n");
    }
}

void
text_drop(struct text *t, size_t n)
{
    CHECK(n <= t->len);
    if (n == 0)
        return;
    memmove(t->ptr, t->ptr + n, t->len - n);
    t->len -= n;
    t->ptr[t->len] = '\0';
}

struct span
text_span(const struct text *t)
{
    return span_of(t->ptr == NULL ? "" : t->ptr, t->len);
}

const char *
text_cstr(const struct text *t)
{
    return t->ptr == NULL ? "" : t->ptr;
}
