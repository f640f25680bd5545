/* Field values: lists, numbers, entity tags, ranges. Pure functions of text from untrusted peers: arithmetic
 * saturates or reports overflow, and every function accepts malformed text. Dates are in date.c. */
#include "http/fields.h"

#include "base/check.h"
#include "http/chars.h"

struct span
span_trim(struct span s)
{
    while (s.len > 0 && char_is_blank(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && char_is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool
is_token(struct span s)
{
    return s.ptr != NULL && s.len > 0 && char_skip(s.ptr, s.ptr + s.len, CHAR_TOKEN) == s.ptr + s.len;
}

bool
is_field_value(struct span s)
{
    return char_find_control(s.ptr, s.ptr + s.len) == s.ptr + s.len;
}

/* Returns the end of the quoted string that begins at `start`. An unclosed quote is an ordinary byte: it must
 * not hide the items after it ("max-age=\"60, no-store"). */
static const char *
skip_quoted(const char *start, const char *end)
{
    const char *p = start + 1;
    for (; p < end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < end)
            p++;
    return p < end ? p + 1 : start + 1;
}

/* Steps over one byte, an escaped quote or a quoted string. A quote after a backslash opens no string. Every
 * quote after an unclosed one is escaped, or it would close that string; so a list is searched for a closing
 * quote at most once without success. */
static const char *
list_step(const char *p, const char *end)
{
    if (*p == '\\' && p + 1 < end && p[1] == '"')
        return p + 2;
    return *p == '"' ? skip_quoted(p, end) : p + 1;
}

bool
list_next(struct span *rest, struct span *item)
{
    while (rest->ptr != NULL && rest->len > 0) {
        const char *start = rest->ptr, *end = start + rest->len, *p = start;
        while (p < end && *p != ',')
            p = char_is(*p, CHAR_TOKEN) ? char_skip(p, end, CHAR_TOKEN) : list_step(p, end);
        *item = span_trim(span_of(start, (size_t)(p - start)));
        *rest = p < end ? span_of(p + 1, (size_t)(end - p - 1)) : span_of(end, 0);
        if (item->len > 0)
            return true;
    }
    return false;
}

bool
list_has_token(struct span list, struct span token)
{
    struct span item;
    while (list_next(&list, &item)) {
        const char *semicolon = memchr(item.ptr, ';', item.len);
        if (semicolon != NULL)
            item = span_trim(span_of(item.ptr, (size_t)(semicolon - item.ptr)));
        if (span_eq_nocase(item, token))
            return true;
    }
    return false;
}

int
parse_uint(struct span s, uint64_t *out)
{
    uint64_t n = 0;
    if (s.ptr == NULL || s.len == 0)
        return ERR_SYNTAX;
    bool over = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!char_is(s.ptr[i], CHAR_DIGIT))
            return ERR_SYNTAX;
        over |= __builtin_mul_overflow(n, 10, &n);
        over |= __builtin_add_overflow(n, (uint64_t)(s.ptr[i] - '0'), &n);
    }
    if (over)
        return ERR_LIMIT;
    *out = n;
    return 0;
}

int
parse_delta_seconds(struct span s, int64_t *out_s)
{
    uint64_t n;
    if (s.ptr != NULL && s.len >= 2 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"')
        s = span_of(s.ptr + 1, s.len - 2);
    int err = parse_uint(s, &n);
    if (err == ERR_SYNTAX)
        return err;
    *out_s = err == ERR_LIMIT || n > (uint64_t)DELTA_SECONDS_MAX ? DELTA_SECONDS_MAX : (int64_t)n;
    return 0;
}

struct span
whole_seconds(struct span s)
{
    if (s.len > 0 && s.ptr[0] == '+')
        s = span_of(s.ptr + 1, s.len - 1);
    const char *dot = s.len == 0 ? NULL : memchr(s.ptr, '.', s.len);
    return dot == NULL ? s : span_of(s.ptr, (size_t)(dot - s.ptr));
}

/* ---- entity tags (RFC 9110, 8.8.3) ---- */

static struct span
etag_opaque(struct span s)
{
    if (s.len >= 2 && s.ptr[0] == 'W' && s.ptr[1] == '/')
        return span_of(s.ptr + 2, s.len - 2);
    return s;
}

bool
etag_weak_match(struct span a, struct span b)
{
    return a.ptr != NULL && b.ptr != NULL && span_eq(etag_opaque(a), etag_opaque(b));
}

/* An entity tag may hold commas and backslashes, so list_next() cannot split this list: a tag ends at its
 * second quote. */
static bool
etag_next(struct span *rest, struct span *tag)
{
    const char *p = rest->ptr, *end = p + rest->len;
    while (p < end && (*p == ',' || char_is_blank(*p)))
        p++;
    const char *start = p;
    if (end - p >= 2 && p[0] == 'W' && p[1] == '/')
        p += 2;
    if (p < end && *p == '"') {
        p = char_skip(p + 1, end, CHAR_ETAG);
        if (p < end && *p == '"')
            p++;
    }
    /* Not an entity tag: skip to the comma. */
    p = p == start || p[-1] != '"' ? memchr(start, ',', (size_t)(end - start)) : p;
    if (p == NULL)
        p = end;
    *tag = span_trim(span_of(start, (size_t)(p - start)));
    *rest = span_of(p, (size_t)(end - p));
    return tag->len > 0;
}

static bool
list_match(struct span list, struct span etag, bool (*match)(struct span a, struct span b))
{
    struct span tag;
    if (list.ptr == NULL || etag.ptr == NULL)
        return false;
    if (span_eq(span_trim(list), SPAN_LIT("*")))
        return true;
    while (etag_next(&list, &tag))
        if (match(tag, etag))
            return true;
    return false;
}

bool
etag_list_match(struct span list, struct span etag)
{
    return list_match(list, etag, etag_weak_match);
}

/* Both tags are equal and strong (RFC 9110, 8.8.3.2). */
static bool
etag_strong_match(struct span a, struct span b)
{
    return etag_weak_match(a, b) && etag_opaque(a).len == a.len && etag_opaque(b).len == b.len;
}

bool
etag_list_match_strong(struct span list, struct span etag)
{
    return list_match(list, etag, etag_strong_match);
}

/* ---- ranges (RFC 9110, 14.1) ---- */

static int
suffix_wish(struct span digits, struct range_wish *out)
{
    uint64_t n;
    int err = parse_uint(digits, &n);
    if (err == ERR_SYNTAX || (err == 0 && n == 0))
        return ERR_LIMIT;
    *out = (struct range_wish){ .bytes.last = err == 0 ? n : UINT64_MAX, .suffix = true };
    return 1;
}

static int
int_wish(struct span first_digits, struct span last_digits, struct range_wish *out)
{
    uint64_t first, last = UINT64_MAX;
    int last_err = last_digits.len == 0 ? ERR_LIMIT : parse_uint(last_digits, &last);
    if (parse_uint(first_digits, &first) != 0 || last_err == ERR_SYNTAX)
        return ERR_LIMIT;
    if (last_err == ERR_LIMIT)
        last = UINT64_MAX;
    if (last < first)
        return ERR_LIMIT;
    *out = (struct range_wish){ .bytes = { first, last } };
    return 1;
}

int
range_spec_parse(struct span spec, struct range_wish *out)
{
    const char *dash = spec.len == 0 ? NULL : memchr(spec.ptr, '-', spec.len);
    if (dash == NULL)
        return ERR_LIMIT;
    struct span first = span_of(spec.ptr, (size_t)(dash - spec.ptr));
    struct span last = span_of(dash + 1, spec.len - first.len - 1);
    return first.len == 0 ? suffix_wish(last, out) : int_wish(first, last, out);
}

int
range_wish_parse(struct span value, struct range_wish *out)
{
    value = span_trim(value);
    const char *equals = value.len == 0 ? NULL : memchr(value.ptr, '=', value.len);
    if (equals == NULL)
        return ERR_LIMIT;
    struct span unit = span_of(value.ptr, (size_t)(equals - value.ptr));
    if (!span_eq_nocase(unit, SPAN_LIT("bytes")))
        return is_token(unit) ? 0 : ERR_LIMIT;
    struct span spec = span_of(equals + 1, value.len - unit.len - 1);
    return memchr(equals, ',', spec.len + 1) != NULL ? 0 : range_spec_parse(spec, out);
}

int
range_place(const struct range_wish *w, int64_t total, struct byte_range *out)
{
    uint64_t whole = (uint64_t)total, n = w->bytes.last;
    if (total == 0 || (total > 0 && !w->suffix && w->bytes.first >= whole))
        return ERR_LIMIT;
    if (total < 0)
        return 0;
    if (w->suffix)
        *out = (struct byte_range){ .first = n >= whole ? 0 : whole - n, .last = whole - 1 };
    else
        *out = (struct byte_range){ .first = w->bytes.first, .last = n >= whole ? whole - 1 : n };
    return 1;
}

int
range_parse(struct span value, int64_t total, struct byte_range *out)
{
    struct range_wish wish;
    int found = range_wish_parse(value, &wish);
    return found == 1 ? range_place(&wish, total, out) : found;
}

/* Parses the number before the byte `end`, and removes the number and `end` from *rest. */
static int
number_before(struct span *rest, char end, uint64_t *out)
{
    const char *at = rest->len == 0 ? NULL : memchr(rest->ptr, end, rest->len);
    if (at == NULL)
        return ERR_SYNTAX;
    struct span digits = span_of(rest->ptr, (size_t)(at - rest->ptr));
    *rest = span_of(at + 1, rest->len - digits.len - 1);
    return parse_uint(digits, out);
}

static const struct span bytes_unit = { "bytes ", 6 };

bool
content_range_is_of_bytes(struct span value)
{
    value = span_trim(value);
    return value.len >= bytes_unit.len && span_eq_nocase(span_of(value.ptr, bytes_unit.len), bytes_unit);
}

int
content_range_parse_open(struct span value, struct byte_range *out, uint64_t *total)
{
    value = span_trim(value);
    if (!content_range_is_of_bytes(value))
        return ERR_SYNTAX;
    struct span rest = span_of(value.ptr + bytes_unit.len, value.len - bytes_unit.len);
    if (number_before(&rest, '-', &out->first) != 0 || number_before(&rest, '/', &out->last) != 0)
        return ERR_SYNTAX;
    *total = TOTAL_UNKNOWN;
    if (!span_eq(rest, SPAN_LIT("*")) && parse_uint(rest, total) != 0)
        return ERR_SYNTAX;
    return out->first <= out->last && out->last < *total ? 0 : ERR_SYNTAX;
}

int
content_range_parse(struct span value, struct byte_range *out, uint64_t *total)
{
    int err = content_range_parse_open(value, out, total);
    return err == 0 && *total == TOTAL_UNKNOWN ? ERR_SYNTAX : err;
}

/* Takes the next part between semicolons from *rest. */
static bool
part_next(struct span *rest, struct span *part)
{
    if (rest->ptr == NULL)
        return false;
    const char *semi = rest->len == 0 ? NULL : memchr(rest->ptr, ';', rest->len);
    size_t n = semi == NULL ? rest->len : (size_t)(semi - rest->ptr);
    *part = span_trim(span_of(rest->ptr, n));
    *rest = semi == NULL ? SPAN_NULL : span_of(semi + 1, rest->len - n - 1);
    return true;
}

#define WEIGHT_FULL 1000

/* Returns thousandths, at least 1 for a weight above 0 (RFC 9110, 12.4.2). Malformed weights count as 0. */
static int
weight_value(struct span weight)
{
    int value = 0, unit = WEIGHT_FULL;
    bool positive = false, point = false;
    for (size_t i = 0; i < weight.len; i++) {
        char c = weight.ptr[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            return 0;
        unit = point ? unit / 10 : unit;
        value += (c - '0') * unit;
        value = value > WEIGHT_FULL ? WEIGHT_FULL : value;
        positive |= c != '0';
    }
    return value == 0 && positive ? 1 : value;
}

struct span
weighted_item(struct span item, int *weight)
{
    struct span name, part;
    (void)part_next(&item, &name);
    *weight = WEIGHT_FULL;
    while (part_next(&item, &part)) {
        if (part.len == 0 || ascii_lower(part.ptr[0]) != 'q')
            continue;
        struct span value = span_trim(span_of(part.ptr + 1, part.len - 1));
        if (value.len == 0 || value.ptr[0] != '=')
            continue;
        *weight = weight_value(span_trim(span_of(value.ptr + 1, value.len - 1)));
        break;
    }
    return name;
}

/* q=0 refuses a coding (RFC 9110, 12.5.3) for the spelling that carries it: "gzip;q=0, x-gzip" accepts
 * gzip. */
bool
accepts_gzip(struct span accept_encoding)
{
    struct span rest = accept_encoding, item;
    bool any = false, refused = false;
    while (list_next(&rest, &item)) {
        int weight = 0;
        struct span name = weighted_item(item, &weight);
        bool gzip = span_eq_nocase(name, SPAN_LIT("gzip")) || span_eq_nocase(name, SPAN_LIT("x-gzip"));
        bool wanted = weight > 0;
        if (gzip && wanted)
            return true;
        refused |= gzip;
        any |= wanted && span_eq(name, SPAN_LIT("*"));
    }
    return any && !refused;
}
