/* Structured Field Values: a cursor that reads a field once. Grammar and limits follow RFC 9651, section
 * 4.2. */
#include "http/structured.h"

#include "base/check.h"
#include "http/chars.h"

#define INTEGER_DIGITS_MAX 15
#define DECIMAL_DIGITS_MAX 12 /* before the point; 3 after it */
#define DECIMAL_PLACES_MAX 3

struct sf_reader
sf_reader(struct span field)
{
    struct sf_reader r = { field.ptr, field.ptr + field.len, false };
    while (r.at < r.end && *r.at == ' ')
        r.at++;
    return r;
}

static bool
take(struct sf_reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void
skip_blanks(struct sf_reader *r)
{
    while (r->at < r->end && char_is_blank(*r->at))
        r->at++;
}

static bool
is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool
is_alpha(char c)
{
    return is_lower(ascii_lower(c));
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- bare items ---- */

static bool
is_key_mark(char c)
{
    return c == '_' || c == '-' || c == '.' || c == '*';
}

static int
take_key(struct sf_reader *r, struct span *key)
{
    const char *start = r->at;
    if (r->at == r->end || !(is_lower(*r->at) || *r->at == '*'))
        return ERR_SYNTAX;
    while (r->at < r->end && (is_lower(*r->at) || is_digit(*r->at) || is_key_mark(*r->at)))
        r->at++;
    *key = span_of(start, (size_t)(r->at - start));
    return 0;
}

static unsigned
take_digits(struct sf_reader *r, int64_t *value)
{
    unsigned n = 0;
    for (; r->at < r->end && is_digit(*r->at) && n <= INTEGER_DIGITS_MAX; r->at++, n++)
        *value = *value * 10 + (*r->at - '0');
    return n;
}

static int
take_number(struct sf_reader *r, struct sf_item *out)
{
    int64_t whole = 0, places = 0;
    bool negative = take(r, '-');
    unsigned n = take_digits(r, &whole);
    out->type = SF_INTEGER;
    out->integer = negative ? -whole : whole;
    if (!take(r, '.'))
        return n > 0 && n <= INTEGER_DIGITS_MAX ? 0 : ERR_SYNTAX;
    unsigned behind = take_digits(r, &places);
    out->type = SF_DECIMAL;
    return n > 0 && n <= DECIMAL_DIGITS_MAX && behind > 0 && behind <= DECIMAL_PLACES_MAX ? 0 : ERR_SYNTAX;
}

static int
take_string(struct sf_reader *r, struct sf_item *out)
{
    const char *start = ++r->at;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        if (*r->at < 0x20 || *r->at == 0x7f)
            return ERR_SYNTAX; /* this also refuses bytes above 127: they are negative */
        if (*r->at == '\\' && (++r->at == r->end || (*r->at != '"' && *r->at != '\\')))
            return ERR_SYNTAX;
    }
    out->type = SF_STRING;
    out->text = span_of(start, (size_t)(r->at - start));
    return take(r, '"') ? 0 : ERR_SYNTAX;
}

static int
take_token(struct sf_reader *r, struct sf_item *out)
{
    const char *start = r->at;
    while (r->at < r->end && (char_is(*r->at, CHAR_TOKEN) || *r->at == ':' || *r->at == '/'))
        r->at++;
    out->type = SF_TOKEN;
    out->text = span_of(start, (size_t)(r->at - start));
    return 0;
}

static int
take_bytes(struct sf_reader *r, struct sf_item *out)
{
    const char *start = ++r->at;
    while (r->at < r->end &&
           (is_alpha(*r->at) || is_digit(*r->at) || *r->at == '+' || *r->at == '/' || *r->at == '='))
        r->at++;
    out->type = SF_BYTES;
    out->text = span_of(start, (size_t)(r->at - start));
    return take(r, ':') ? 0 : ERR_SYNTAX;
}

static int
take_boolean(struct sf_reader *r, struct sf_item *out)
{
    r->at++;
    if (r->at == r->end || (*r->at != '0' && *r->at != '1'))
        return ERR_SYNTAX;
    out->type = SF_BOOLEAN;
    out->integer = *r->at++ == '1';
    return 0;
}

static int
take_date(struct sf_reader *r, struct sf_item *out)
{
    r->at++;
    int err = take_number(r, out);
    if (err != 0 || out->type != SF_INTEGER)
        return ERR_SYNTAX;
    out->type = SF_DATE;
    return 0;
}

static int
take_display_string(struct sf_reader *r, struct sf_item *out)
{
    r->at++;
    if (r->at == r->end || *r->at != '"')
        return ERR_SYNTAX;
    const char *start = ++r->at;
    for (; r->at < r->end && *r->at != '"'; r->at++)
        if (*r->at < 0x20 || *r->at == 0x7f)
            return ERR_SYNTAX;
    out->type = SF_DISPLAY;
    out->text = span_of(start, (size_t)(r->at - start));
    return take(r, '"') ? 0 : ERR_SYNTAX;
}

static int
take_bare_item(struct sf_reader *r, struct sf_item *out)
{
    *out = (struct sf_item){ SF_BOOLEAN, 0, SPAN_NULL };
    char c = r->at < r->end ? *r->at : '\0';
    if (c == '-' || is_digit(c))
        return take_number(r, out);
    if (is_alpha(c))
        return take_token(r, out);
    switch (c) {
    case '"': return take_string(r, out);
    case '*': return take_token(r, out);
    case ':': return take_bytes(r, out);
    case '?': return take_boolean(r, out);
    case '@': return take_date(r, out);
    case '%': return take_display_string(r, out);
    default: return ERR_SYNTAX;
    }
}

/* ---- items and members ---- */

static int
skip_parameters(struct sf_reader *r)
{
    struct span key;
    struct sf_item value;
    int err = 0;
    while (err == 0 && take(r, ';')) {
        while (take(r, ' '))
            ;
        err = take_key(r, &key);
        if (err == 0 && take(r, '='))
            err = take_bare_item(r, &value);
    }
    return err;
}

static int
take_inner_list(struct sf_reader *r, struct sf_item *out)
{
    struct sf_item inner;
    const char *start = ++r->at;
    for (;;) {
        while (take(r, ' '))
            ;
        if (take(r, ')'))
            break;
        int err = take_bare_item(r, &inner);
        if (err == 0)
            err = skip_parameters(r);
        if (err != 0 || r->at == r->end || (*r->at != ' ' && *r->at != ')'))
            return ERR_SYNTAX;
    }
    *out = (struct sf_item){ SF_INNER_LIST, 0, span_of(start, (size_t)(r->at - start)) };
    return 0;
}

static int
take_member(struct sf_reader *r, struct sf_item *out)
{
    int err = r->at < r->end && *r->at == '(' ? take_inner_list(r, out) : take_bare_item(r, out);
    return err == 0 ? skip_parameters(r) : err;
}

/* Returns 1 if a member begins here, 0 at the end. */
static int
begin_member(struct sf_reader *r)
{
    if (!r->begun) {
        r->begun = true;
        return r->at < r->end;
    }
    skip_blanks(r);
    if (r->at == r->end)
        return 0;
    if (!take(r, ','))
        return ERR_SYNTAX;
    skip_blanks(r);
    return r->at < r->end ? 1 : ERR_SYNTAX;
}

int
sf_next_of_list(struct sf_reader *r, struct sf_item *value)
{
    int more = begin_member(r);
    if (more != 1)
        return more;
    return take_member(r, value) == 0 ? 1 : ERR_SYNTAX;
}

int
sf_next_of_dictionary(struct sf_reader *r, struct span *key, struct sf_item *value)
{
    int more = begin_member(r);
    if (more != 1)
        return more;
    if (take_key(r, key) != 0)
        return ERR_SYNTAX;
    if (take(r, '='))
        return take_member(r, value) == 0 ? 1 : ERR_SYNTAX;
    *value = (struct sf_item){ SF_BOOLEAN, 1, SPAN_NULL };
    return skip_parameters(r) == 0 ? 1 : ERR_SYNTAX;
}
