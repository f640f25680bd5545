/* Writes heads as bytes. Parsers and message.c have checked the field names and values. A policy can assign
 * the parts of a start line directly, so these are checked here. */
#include "base/check.h"
#include "base/put.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/http1.h"

#define FIELD_MARKS_BYTES 4u /* ": " and CRLF */
#define LINE_END_BYTES 2u

struct writer {
    char *p, *end;
    bool full;
};

static void
put(struct writer *w, struct span s)
{
    w->full |= (size_t)(w->end - w->p) < s.len;
    if (!w->full)
        w->p = put_span(w->p, s);
}

/* The lines in memory from the field *f on. Moves *f to the last of these fields. */
static inline struct span
lines_from(const struct http_field **f, const struct http_field *end)
{
    const char *start = (*f)->name.ptr, *to = (*f)->value.ptr + (*f)->value.len + 2;
    for (const struct http_field *next = *f + 1;
         next < end && next->flags == FIELD_LINE && next->name.ptr == to; next++) {
        to = next->value.ptr + next->value.len + 2;
        *f = next;
    }
    return span_of(start, (size_t)(to - start));
}

static void
put_fields(struct writer *w, const struct http_message *m)
{
    char *p = w->p;
    for (const struct http_field *f = m->fields, *end = f + m->n_fields; f < end; f++) {
        if ((f->flags & FIELD_HOP) != 0)
            continue;
        if (f->flags == FIELD_LINE) {
            struct span lines = lines_from(&f, end);
            w->full |= (size_t)(w->end - p) < lines.len;
            if (w->full)
                return;
            p = put_span(p, lines);
            continue;
        }
        w->full |= (size_t)(w->end - p) < f->name.len + f->value.len + FIELD_MARKS_BYTES;
        if (w->full)
            return;
        p = put_span(p, f->name);
        memcpy(p, ": ", 2);
        p = put_span(p + 2, f->value);
        memcpy(p, "\r\n", 2);
        p += 2;
    }
    w->p = p;
    put(w, SPAN_LIT("\r\n"));
}

static ssize_t
written(const struct writer *w, const char *buf)
{
    CHECK(w->p <= w->end && w->p >= buf);
    return w->full ? ERR_LIMIT : w->p - buf;
}

/* A control character could end the line early. */
static bool
target_is_writable(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
            return false;
    return s.ptr != NULL && s.len > 0;
}

/* A policy may put a blank into a URL, for instance by decoding it. On the wire a blank ends the target, and
 * readers would disagree on where the version begins: escape it. */
static void
put_target(struct writer *w, struct span url)
{
    for (const char *blank; (blank = memchr(url.ptr, ' ', url.len)) != NULL;) {
        size_t n = (size_t)(blank - url.ptr);
        put(w, span_of(url.ptr, n));
        put(w, SPAN_LIT("%20"));
        url = span_of(blank + 1, url.len - n - 1);
    }
    put(w, url);
}

static size_t
target_size(struct span url)
{
    size_t n = url.len;
    for (size_t i = 0; i < url.len; i++)
        n += url.ptr[i] == ' ' ? sizeof "%20" - 2 : 0;
    return n;
}

ssize_t
http1_write_request(const struct http_message *m, char *buf, size_t cap)
{
    struct writer w = { .p = buf, .end = buf + cap };
    if (!is_token(m->method) || !target_is_writable(m->url))
        return ERR_SYNTAX;
    put(&w, m->method);
    put(&w, SPAN_LIT(" "));
    put_target(&w, m->url);
    put(&w, span_eq(m->proto, SPAN_LIT("HTTP/1.0")) ? SPAN_LIT(" HTTP/1.0\r\n") : SPAN_LIT(" HTTP/1.1\r\n"));
    put_fields(&w, m);
    return written(&w, buf);
}

ssize_t
http1_write_response(const struct http_message *m, char *buf, size_t cap)
{
    struct writer w = { .p = buf, .end = buf + cap };
    if (m->status < 100 || m->status > 999)
        return ERR_SYNTAX;
    struct span reason = m->reason.ptr == NULL ? status_reason(m->status) : m->reason;
    if (char_find_control(reason.ptr, reason.ptr + reason.len) != reason.ptr + reason.len)
        return ERR_SYNTAX;
    char code[5] = { ' ', (char)('0' + m->status / 100), (char)('0' + m->status / 10 % 10),
                     (char)('0' + m->status % 10), ' ' };
    struct span version = SPAN_LIT("HTTP/1.1");
    if (cap < version.len + sizeof code + reason.len + LINE_END_BYTES)
        return ERR_LIMIT;
    w.p = put_span(put_span(w.p, version), span_of(code, sizeof code));
    w.p = put_span(put_span(w.p, reason), SPAN_LIT("\r\n"));
    put_fields(&w, m);
    return written(&w, buf);
}

ssize_t
http1_write_trailers(const struct http_message *m, char *buf, size_t cap)
{
    struct writer w = { .p = buf, .end = buf + cap };
    put_fields(&w, m);
    return written(&w, buf);
}

size_t
http1_head_size(const struct http_message *m)
{
    struct span reason = m->reason.ptr == NULL ? status_reason(m->status) : m->reason;
    size_t n = sizeof "HTTP/1.1 999 \r\n\r\n" + m->method.len + target_size(m->url) + reason.len;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += m->fields[i].name.len + m->fields[i].value.len + FIELD_MARKS_BYTES;
    return n;
}

size_t
http1_write_chunk_size(char *buf, uint64_t n)
{
    size_t digits = 1;
    while (digits < 16 && n >> (4 * digits) != 0)
        digits++;
    for (size_t i = 0; i < digits; i++)
        buf[i] = "0123456789abcdef"[n >> (4 * (digits - 1 - i)) & 15];
    memcpy(buf + digits, "\r\n", 2);
    return digits + 2;
}
