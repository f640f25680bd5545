/* CSV (RFC 4180): fields between commas, lines that end with LF or CRLF, fields in quotes with `""` for a
 * quote. Empty lines and a byte order mark at the start are skipped. A field without quotes is lent from the
 * content; one with quotes is copied without them. */
#include "base/check.h"
#include "match/table/read_internal.h"
#include "match/table/table_internal.h"

struct csv {
    struct reading *r;
    const char *at, *end, *line_start;
    uint32_t line;
    struct pages unquoted[TABLE_COLUMNS_MAX]; /* of each column, reused */
    unsigned n_columns, key, value;           /* key and value: their places in a line */
};

struct field {
    struct span text;
    struct table_place at;
    bool ascii; /* certainly; false: it may have other characters */
};

static struct table_place
place_of(const struct csv *c, const char *at)
{
    return (struct table_place){ .line = c->line, .column = (uint32_t)(at - c->line_start) + 1 };
}

/* ---- UTF-8 --------------------------------------------------------------------------------------------- */

/* The length of the character at the front. 0: it is none. */
static size_t
character(const uint8_t *p, size_t n)
{
    if (p[0] < 0x80)
        return 1;
    size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] > 0x9f, beyond = p[0] == 0xf4 && p[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : len;
}

static bool
is_utf8(struct span text)
{
    const uint8_t *p = (const uint8_t *)text.ptr;
    for (size_t i = 0, len; i < text.len; i += len) {
        len = character(p + i, text.len - i);
        if (len == 0)
            return false;
    }
    return true;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static bool
ends_line(const struct csv *c, const char *at)
{
    return at == c->end || *at == '\n' || (*at == '\r' && at + 1 < c->end && at[1] == '\n');
}

/* A field in quotes; c->at is behind the opening one. */
static int
quoted_field(struct csv *c, struct pages *copy, struct field *out)
{
    copy->len = 0;
    for (;;) {
        const char *quote = memchr(c->at, '"', (size_t)(c->end - c->at));
        if (quote == NULL)
            return reading_fail(c->r, out->at, ERR_SYNTAX, "the quoted field has no end");
        size_t n = (size_t)(quote - c->at);
        memcpy(pages_add(copy, n + 1), c->at, n);
        copy->len--;
        for (const char *lf = c->at; (lf = memchr(lf, '\n', (size_t)(quote - lf))) != NULL; lf++) {
            c->line++;
            c->line_start = lf + 1;
        }
        c->at = quote + 1;
        if (c->at == c->end || *c->at != '"')
            break;
        *(char *)pages_add(copy, 1) = '"';
        c->at++;
    }
    out->text = span_of(copy->ptr, copy->len);
    if (!ends_line(c, c->at) && *c->at != ',')
        return reading_fail(c->r, place_of(c, c->at), ERR_SYNTAX,
                            "a comma or the end of the line is missing behind the quoted field");
    return 0;
}

/* The bytes that end a field without quotes, and those that it cannot have. */
static const bool special[256] = { [','] = true, ['\n'] = true, ['\r'] = true, ['"'] = true };

static int
plain_field(struct csv *c, struct field *out)
{
    const char *at = c->at;
    unsigned seen = 0; /* the bits of all bytes */
    while (at < c->end && !special[(uint8_t)*at])
        seen |= (uint8_t)*at++;
    out->text = span_of(c->at, (size_t)(at - c->at));
    out->ascii = seen < 0x80;
    c->at = at;
    if (ends_line(c, at) || *at == ',')
        return 0;
    return reading_fail(c->r, place_of(c, at), ERR_SYNTAX,
                        *at == '"'
                            ? "a quote within a field: put the field in quotes and write \"\" for this one"
                            : "a carriage return without a line feed");
}

/* Reads one line. *n is the number of its fields; 0: it is empty. */
static int
read_line(struct csv *c, struct field fields[TABLE_COLUMNS_MAX], unsigned *n)
{
    *n = 0;
    while (!ends_line(c, c->at) || *n > 0) {
        struct field *f = &fields[*n];
        *f = (struct field){ .at = place_of(c, c->at) };
        bool quoted = c->at < c->end && *c->at == '"';
        c->at += quoted;
        int err = quoted ? quoted_field(c, &c->unquoted[*n], f) : plain_field(c, f);
        if (err == 0 && !f->ascii && !is_utf8(f->text))
            err = reading_fail(c->r, f->at, ERR_SYNTAX, "the field is not UTF-8");
        if (err != 0)
            return err;
        ++*n;
        if (ends_line(c, c->at))
            break;
        c->at++; /* the comma */
        if (*n == TABLE_COLUMNS_MAX)
            return reading_fail(c->r, place_of(c, c->at), ERR_LIMIT, "the line has more than 64 columns");
    }
    if (c->at < c->end)
        c->at += *c->at == '\r' ? 2 : 1;
    return 0;
}

static void
next_line(struct csv *c)
{
    c->line++;
    c->line_start = c->at;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static int
find_column(struct csv *c, const struct field *fields, unsigned n, struct span name, unsigned *out)
{
    for (unsigned i = 0; i < n; i++)
        if (span_eq(fields[i].text, name)) {
            *out = i;
            return 0;
        }
    return reading_fail(c->r, (struct table_place){ c->line, 1 }, ERR_SYNTAX,
                        "the head line has no column \"%.*s\"", (int)name.len, name.ptr);
}

static int
read_head(struct csv *c)
{
    struct field fields[TABLE_COLUMNS_MAX];
    const struct table_form *f = c->r->form;
    if (f->key_column.ptr == NULL) {
        c->n_columns = 2;
        c->value = 1;
        return 0;
    }
    int err = read_line(c, fields, &c->n_columns);
    if (err == 0)
        err = find_column(c, fields, c->n_columns, f->key_column, &c->key);
    if (err == 0)
        err = find_column(c, fields, c->n_columns, f->value_column, &c->value);
    next_line(c);
    return err;
}

static int
read_lines(struct csv *c)
{
    struct field fields[TABLE_COLUMNS_MAX];
    int err = 0;
    while (err == 0 && c->at < c->end) {
        unsigned n;
        struct table_place at = place_of(c, c->at);
        err = read_line(c, fields, &n);
        if (err == 0 && n > 0 && n != c->n_columns)
            err = reading_fail(c->r, at, ERR_SYNTAX, "the line has %u column%s instead of %u", n,
                               n == 1 ? "" : "s", c->n_columns);
        else if (err == 0 && n > 0)
            err = reading_add(c->r, fields[c->key].text, fields[c->key].at, fields[c->value].text,
                              fields[c->value].at);
        next_line(c);
    }
    return err;
}

int
csv_read(struct reading *r)
{
    struct span content = r->content;
    if (content.len >= 3 && memcmp(content.ptr, "\xef\xbb\xbf", 3) == 0)
        content = span_of(content.ptr + 3, content.len - 3);
    struct csv c = {
        .r = r, .at = content.ptr, .end = content.ptr + content.len, .line_start = content.ptr, .line = 1
    };
    int err = content.len == 0 && r->form->key_column.ptr == NULL ? 0 : read_head(&c);
    if (err == 0)
        err = read_lines(&c);
    for (unsigned i = 0; i < TABLE_COLUMNS_MAX; i++)
        pages_release(&c.unquoted[i]);
    return err;
}
