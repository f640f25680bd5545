/* Parses request and response heads (RFC 9112, 2 to 5) in one pass, from the start again when more bytes
 * arrive. Requests must follow the grammar. Responses may also have a bare LF as line end and blanks before a
 * colon: origins send these, and they have one meaning only. A request may use bare LF if every line does:
 * between CR LF lines, a server in front of us may have taken a bare LF as part of a field. docs/http1.md
 * lists all refusals. */
#include <stdio.h>

#include "base/check.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/http1.h"

/* A shorter incomplete head is parsed again. For a longer one, search its end first, so that a peer that
 * sends byte by byte cannot make us parse 32 KiB each time. */
#define REPARSE_BYTES 2048

#define LINE_END_BYTES 2
#define BOGUS_SHOWN_BYTES 20        /* of a field in a BogoHeader record */
#define STATUS_REFUSED_RESPONSE 503 /* the client's status when an origin's head is refused */

enum head_step { STEP_FAILED = -1, STEP_MORE = 0, STEP_DONE = 1 };

struct parser {
    char *buf, *p, *end;
    const char *line; /* start of the line at p */
    const struct http1_limits *lim;
    struct http_message *out;
    struct http1_error *error;
    int err;
    bool is_request;
    bool lf_only; /* the first line of this request ends with a bare LF */
};

static enum head_step
refuse(struct parser *ps, const char *at, unsigned status, int err, const char *why)
{
    ps->error->status = (uint16_t)(ps->is_request ? status : STATUS_REFUSED_RESPONSE);
    ps->error->why = why;
    ps->error->offset = (uint32_t)(at - ps->buf);
    ps->error->bogus = BOGUS_NOTHING;
    ps->err = err;
    return STEP_FAILED;
}

static enum head_step
malformed(struct parser *ps, const char *at, const char *why)
{
    return refuse(ps, at, 400, ERR_SYNTAX, why);
}

/* Refuses the head for a mistake in a field, which the log records as BogoHeader. */
static enum head_step
bogus(struct parser *ps, const char *at, enum http1_bogus what, const char *why)
{
    refuse(ps, at, 400, ERR_SYNTAX, why);
    ps->error->bogus = what;
    return STEP_FAILED;
}

size_t
http1_bogus_text(const struct http1_error *e, const char *buf, size_t len, char out[HTTP1_BOGUS_TEXT_BYTES])
{
    static const char *const lead[] = {
        [BOGUS_TOO_LONG] = "Header too long: ",    [BOGUS_FIRST_BLANK] = "1st header has white space: ",
        [BOGUS_NO_NAME] = "Missing header name: ", [BOGUS_NO_COLON] = "Header without ':' ",
        [BOGUS_TOO_MANY] = "Too many headers: ",
    };
    size_t left = e->offset < len ? len - e->offset : 0;
    const char *at = buf + (left > 0 ? e->offset : 0);
    const char *end = memchr(at, '\n', left);
    size_t line = end == NULL ? left : (size_t)(end - at);
    while (line > 0 && at[line - 1] == '\r')
        line--;
    int shown = line > BOGUS_SHOWN_BYTES ? BOGUS_SHOWN_BYTES : (int)line;
    unsigned byte = left > 0 ? (unsigned char)*at : 0;
    switch ((enum http1_bogus)e->bogus) {
    case BOGUS_NOTHING: return 0;
    case BOGUS_CONTROL:
        return (size_t)snprintf(out, HTTP1_BOGUS_TEXT_BYTES, "Header has ctrl char 0x%02x", byte);
    case BOGUS_NAME_CHAR:
        return (size_t)snprintf(out, HTTP1_BOGUS_TEXT_BYTES, "Illegal char 0x%02x in header name", byte);
    case BOGUS_HOSTS: return (size_t)snprintf(out, HTTP1_BOGUS_TEXT_BYTES, "Multiple Host: headers");
    case BOGUS_LENGTHS:
        return (size_t)snprintf(out, HTTP1_BOGUS_TEXT_BYTES, "Multiple Content-Length: headers");
    case BOGUS_TOO_LONG:
    case BOGUS_FIRST_BLANK:
    case BOGUS_NO_NAME:
    case BOGUS_NO_COLON:
    case BOGUS_TOO_MANY:
        return (size_t)snprintf(out, HTTP1_BOGUS_TEXT_BYTES, "%s%.*s", lead[e->bogus], shown, at);
    }
    WRONG("kind of bogus field");
}

/* Expects CR LF at `at`, or LF where it is tolerated, and advances ps->p over it. */
static enum head_step
line_end(struct parser *ps, char *at)
{
    if (at == ps->end)
        return STEP_MORE;
    if (*at == '\n') {
        if (ps->is_request && !ps->lf_only)
            return malformed(ps, at, "line ends with a bare LF");
        ps->p = at + 1;
        return STEP_DONE;
    }
    if (*at != '\r')
        return bogus(ps, at, BOGUS_CONTROL, "control character");
    if (at + 1 == ps->end)
        return STEP_MORE;
    if (at[1] != '\n')
        return bogus(ps, at, BOGUS_CONTROL, "bare CR");
    if (ps->lf_only)
        return malformed(ps, at, "some lines end with CR LF, others with LF");
    ps->p = at + 2;
    return STEP_DONE;
}

/* ---- request line ---- */

static bool
has_prefix(struct span s, const char *text)
{
    size_t n = strlen(text);
    return s.len >= n && memcmp(s.ptr, text, n) == 0;
}

static bool
is_authority(struct span s)
{
    return s.len > 0 && char_skip(s.ptr, s.ptr + s.len, CHAR_AUTHORITY) == s.ptr + s.len;
}

int
http1_absolute_target(struct span target, struct span *authority, struct span *path)
{
    const char *colon = memchr(target.ptr, ':', target.len);
    if (colon == NULL || target.ptr[0] == '/')
        return 0;
    struct span scheme = span_of(target.ptr, (size_t)(colon - target.ptr));
    struct span rest = span_of(colon, target.len - scheme.len);
    if (!has_prefix(rest, "://"))
        return 0;
    if (!span_eq_nocase(scheme, SPAN_LIT("http")) && !span_eq_nocase(scheme, SPAN_LIT("https")))
        return ERR_SYNTAX;
    const char *start = rest.ptr + 3, *end = rest.ptr + rest.len, *p = start;
    while (p < end && *p != '/' && *p != '?')
        p++;
    *authority = span_of(start, (size_t)(p - start));
    *path = span_of(p, (size_t)(end - p));
    return is_authority(*authority) ? 1 : ERR_SYNTAX;
}

static bool
is_word(struct span s)
{
    bool sound = s.len > 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = ascii_lower(s.ptr[i]);
        sound &= (c >= 'a' && c <= 'z') || char_is(c, CHAR_DIGIT) || c == '-' || c == '_';
    }
    return sound;
}

/* The four forms of RFC 9112, 3.2. A bare word has none of them, but policies use it ("PURGE all"), and no
 * server mistakes it for a host. */
static bool
target_is_sound(struct span method, struct span target)
{
    struct span authority, path;
    if (span_eq(method, SPAN_LIT("CONNECT")))
        return is_authority(target) && memchr(target.ptr, ':', target.len) != NULL;
    if (target.ptr[0] == '/')
        return true;
    if (span_eq(target, SPAN_LIT("*")))
        return span_eq(method, SPAN_LIT("OPTIONS"));
    return is_word(target) || http1_absolute_target(target, &authority, &path) == 1;
}

static enum head_step
request_version(struct parser *ps, char *v)
{
    static const char form[] = "HTTP/d.d";
    bool usual = ps->end - v > 8 && memcmp(v, "HTTP/1.1", 8) == 0;
    for (size_t i = 0; !usual && i < sizeof form - 1; i++) {
        if (v + i == ps->end)
            return STEP_MORE;
        if (form[i] == 'd' ? !char_is(v[i], CHAR_DIGIT) : v[i] != form[i])
            return malformed(ps, v + i, "HTTP version is malformed");
    }
    if (v[5] != '1' || v[7] > '1')
        return malformed(ps, v, "HTTP version is not 1.0 or 1.1");
    if (v + 8 < ps->end && v[8] != '\r' && v[8] != '\n')
        return malformed(ps, v + 8, "HTTP version is malformed");
    ps->lf_only = ps->is_request && v + 8 < ps->end && v[8] == '\n';
    enum head_step step = line_end(ps, v + 8);
    if (step == STEP_DONE) {
        ps->out->minor = (uint8_t)(v[7] - '0');
        ps->out->proto = span_of(v, 8);
    }
    return step;
}

static enum head_step
request_line(struct parser *ps)
{
    struct http_message *m = ps->out;
    char *sp = (char *)char_skip(ps->p, ps->end, CHAR_TOKEN);
    if (sp == ps->end)
        return STEP_MORE;
    if (sp == ps->p || *sp != ' ')
        return malformed(ps, sp, "method is not a token");
    m->method = span_of(ps->p, (size_t)(sp - ps->p));
    char *target = sp + 1;
    sp = (char *)char_skip(target, ps->end, CHAR_TARGET);
    if (sp == ps->end)
        return STEP_MORE;
    if (*sp == '#')
        return malformed(ps, sp, "request-target with a fragment");
    if (*sp == '\r' || *sp == '\n')
        return malformed(ps, sp, "no HTTP version");
    if (*sp != ' ')
        return malformed(ps, sp, "control character in the request-target");
    m->url = span_of(target, (size_t)(sp - target));
    if (m->url.len == 0)
        return malformed(ps, sp, "empty request-target");
    if (!target_is_sound(m->method, m->url))
        return malformed(ps, target, "request-target is not valid for this method");
    return request_version(ps, sp + 1);
}

/* RFC 9112, 2.2: some clients send empty lines after content, so before the next request line. */
static enum head_step
skip_empty_lines(struct parser *ps)
{
    enum head_step step = STEP_DONE;
    while (step == STEP_DONE && ps->p < ps->end && *ps->p == '\r')
        step = line_end(ps, ps->p);
    return step == STEP_DONE && ps->p == ps->end ? STEP_MORE : step;
}

/* ---- status line ---- */

static enum head_step
status_line(struct parser *ps)
{
    static const char form[] = "HTTP/1.b dhh"; /* b: 0 or 1; d: 1 to 9; h: 0 to 9 */
    struct http_message *m = ps->out;
    char *v = ps->p;
    for (size_t i = 0; i < sizeof form - 1; i++) {
        if (v + i == ps->end)
            return STEP_MORE;
        char c = v[i], f = form[i];
        bool fits = f == 'b'             ? c == '0' || c == '1'
                  : f == 'd' || f == 'h' ? char_is(c, CHAR_DIGIT) && (f == 'h' || c != '0')
                                         : c == f;
        if (!fits)
            return malformed(ps, v + i,
                             i < 8 ? "HTTP version is not 1.0 or 1.1" : "status code is malformed");
    }
    char *reason = v + sizeof form - 1;
    if (reason == ps->end)
        return STEP_MORE;
    if (*reason == ' ')
        reason++;
    /* Origins often omit the blank too when they omit the reason. */
    else if (*reason != '\r' && *reason != '\n')
        return malformed(ps, reason, "status code is malformed");
    char *end = (char *)char_find_control(reason, ps->end);
    m->minor = (uint8_t)(v[7] - '0');
    m->status = (uint16_t)((v[9] - '0') * 100 + (v[10] - '0') * 10 + (v[11] - '0'));
    m->proto = span_of(v, 8);
    m->reason = span_trim(span_of(reason, (size_t)(end - reason)));
    return line_end(ps, end);
}

/* ---- fields ---- */

/* Parses a field name up to its colon. Returns the colon's position, or NULL with *step set. */
static char *
field_name(struct parser *ps, struct span *name, enum head_step *step)
{
    char *colon = (char *)char_skip(ps->p, ps->end, CHAR_TOKEN);
    *name = span_of(ps->p, (size_t)(colon - ps->p));
    /* RFC 9112, 5.1: blanks before the colon are refused in a request and removed from a response. */
    while (!ps->is_request && name->len > 0 && colon < ps->end && char_is_blank(*colon))
        colon++;
    *step = STEP_MORE;
    if (colon == ps->end)
        return NULL;
    if (*colon == ':' && name->len > 0)
        return colon;
    if (*colon == ':')
        *step = bogus(ps, colon, BOGUS_NO_NAME, "empty field name");
    else if (char_is_blank(*colon))
        *step = bogus(ps, colon, BOGUS_NAME_CHAR, "blank in or after a field name");
    else if (*colon == '\r' || *colon == '\n')
        *step = bogus(ps, ps->p, BOGUS_NO_COLON, "field line without a colon");
    else
        *step = bogus(ps, colon, BOGUS_NAME_CHAR, "field name is not a token");
    return NULL;
}

/* Refuse a fold in fields that decide where a request ends or where it goes: a server that does not unfold
 * would read another value. */
static bool
may_be_folded(const struct parser *ps, name_id id)
{
    switch (id) {
    case NAME_HOST:
    case NAME_CONTENT_LENGTH:
    case NAME_TRANSFER_ENCODING:
    case NAME_CONNECTION:
    case NAME_TE:
    case NAME_TRAILER:
    case NAME_UPGRADE:
    case NAME_EXPECT: return !ps->is_request;
    }
    return true;
}

/* Accept a bare LF followed by a blank in any request. Some servers read it as a fold and others as a byte of
 * the value; we turn it into a blank, which fits both (RFC 9110, 5.5). */
static enum head_step
value_line_end(struct parser *ps, char *at)
{
    if (!ps->is_request || ps->lf_only || at == ps->end || *at != '\n')
        return line_end(ps, at);
    if (at + 1 == ps->end)
        return STEP_MORE;
    if (!char_is_blank(at[1]))
        return line_end(ps, at);
    ps->p = at + 1;
    return STEP_DONE;
}

/* Parses the value from the first byte after the colon to the end of the line, including folded lines.
 * Replaces a fold by blanks in place (RFC 9112, 5.2). */
static enum head_step
field_value(struct parser *ps, char *from, name_id id, struct span *value)
{
    char *at = from;
    for (;;) {
        at = (char *)char_find_control(at, ps->end);
        enum head_step step = value_line_end(ps, at);
        if (step != STEP_DONE)
            return step;
        if (ps->p == ps->end) /* the next byte decides whether the line is folded */
            return STEP_MORE;
        if (!char_is_blank(*ps->p))
            break;
        if (!may_be_folded(ps, id))
            return malformed(ps, ps->p, "folded field line");
        while (ps->p < ps->end && char_is_blank(*ps->p))
            ps->p++;
        memset(at, ' ', (size_t)(ps->p - at));
    }
    *value = span_trim(span_of(from, (size_t)(at - from)));
    return STEP_DONE;
}

/* Length of the line without its end (one or two bytes): limits apply to the text of a line. */
static size_t
text_bytes(const struct parser *ps)
{
    size_t n = (size_t)(ps->p - ps->line);
    return n >= 2 && ps->p[-2] == '\r' ? n - 2 : n - 1;
}

static enum head_step
too_much(struct parser *ps, enum http1_bogus what, const char *why)
{
    refuse(ps, ps->line, 431, ERR_LIMIT, why);
    ps->error->bogus = what;
    return STEP_FAILED;
}

static enum head_step
field_line(struct parser *ps)
{
    struct span name, value;
    enum head_step step;
    char *colon = field_name(ps, &name, &step);
    if (colon == NULL)
        return step;
    name_id id = name_lookup(name);
    step = field_value(ps, colon + 1, id, &value);
    if (step != STEP_DONE)
        return step;
    if (text_bytes(ps) > ps->lim->line_bytes)
        return too_much(ps, BOGUS_TOO_LONG, "field line is too long");
    struct http_message *m = ps->out;
    if (m->n_fields >= ps->lim->fields || m->n_fields >= m->cap_fields)
        return too_much(ps, BOGUS_TOO_MANY, "too many fields");
    message_put(m, m->n_fields++, (struct http_field){ .name = name, .value = value, .id = id });
    return STEP_DONE;
}

static enum head_step
fields(struct parser *ps)
{
    for (;;) {
        ps->line = ps->p;
        if (ps->p == ps->end)
            return STEP_MORE;
        if (*ps->p == '\r' || *ps->p == '\n')
            return line_end(ps, ps->p);
        /* Only the first field can reach this: field_value() consumes later blanks as folds. */
        if (char_is_blank(*ps->p))
            return bogus(ps, ps->p, BOGUS_FIRST_BLANK, "blank before the first field");
        enum head_step step = field_line(ps);
        if (step != STEP_DONE)
            return step;
    }
}

/* ---- heads ---- */

/* A request line may be as long as a whole head, for long URLs. */
static size_t
start_line_bytes(const struct parser *ps)
{
    return ps->is_request ? ps->lim->head_bytes : ps->lim->line_bytes;
}

static enum head_step
start_line(struct parser *ps)
{
    enum head_step step = ps->is_request ? skip_empty_lines(ps) : STEP_DONE;
    ps->line = ps->p;
    if (step == STEP_DONE)
        step = ps->is_request ? request_line(ps) : status_line(ps);
    if (step == STEP_DONE && (size_t)(ps->p - ps->line) > start_line_bytes(ps))
        return refuse(ps, ps->line, 414, ERR_LIMIT, "start line is too long");
    return step;
}

/* The head is valid so far. Check its size limits. */
static ssize_t
more_needed(struct parser *ps, bool in_start_line)
{
    size_t line_bytes = in_start_line ? start_line_bytes(ps) : ps->lim->line_bytes + LINE_END_BYTES;
    if ((size_t)(ps->end - ps->line) <= line_bytes && (size_t)(ps->end - ps->buf) < ps->lim->head_bytes)
        return 0;
    if (in_start_line)
        refuse(ps, ps->line, 414, ERR_LIMIT, "start line is too long");
    else
        refuse(ps, ps->line, 431, ERR_LIMIT, "head is too large");
    return ps->err;
}

static bool
head_end_seen(const char *p, const char *end)
{
    while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        p++;
        if (p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')))
            return true;
    }
    return false;
}

static ssize_t
parse_head(struct parser *ps, size_t len)
{
    struct http_message *m = ps->out;
    CHECK(m->fields != NULL && ps->lim->head_bytes > 0);
    unsigned names = names_count();
    message_clear(m);
    m->status = 0;
    m->method = m->url = m->proto = m->reason = SPAN_NULL;
    ps->line = ps->buf;
    if (len > REPARSE_BYTES && len < ps->lim->head_bytes && !head_end_seen(ps->buf, ps->end)) {
        const char *last = memrchr(ps->buf, '\n', len);
        ps->line = last == NULL ? ps->buf : last + 1;
        return more_needed(ps, last == NULL);
    }
    enum head_step step = start_line(ps);
    bool in_start_line = step != STEP_DONE;
    if (step == STEP_DONE)
        step = fields(ps);
    if (step == STEP_MORE)
        return more_needed(ps, in_start_line);
    if (step == STEP_DONE && (size_t)(ps->p - ps->buf) > ps->lim->head_bytes)
        step = refuse(ps, ps->line, 431, ERR_LIMIT, "head is too large");
    CHECK(ps->p <= ps->end && m->n_fields <= m->cap_fields);
    message_ids_are_known(m, names);
    return step == STEP_DONE ? ps->p - ps->buf : ps->err;
}

ssize_t
http1_parse_request(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                    struct http1_error *error)
{
    struct parser ps = {
        .buf = buf,
        .p = buf,
        .end = buf + len,
        .lim = lim,
        .out = out,
        .error = error,
        .is_request = true,
    };
    return parse_head(&ps, len);
}

ssize_t
http1_parse_response(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                     struct http1_error *error)
{
    struct parser ps = { .buf = buf, .p = buf, .end = buf + len, .lim = lim, .out = out, .error = error };
    return parse_head(&ps, len);
}
