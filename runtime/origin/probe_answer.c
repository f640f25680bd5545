/* Health pages are often made by hand, so only the status line has to be right: what cannot be parsed behind
 * it ends with the connection. */
#include "origin/probe_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/size.h"
#include "http/chars.h"
#include "http/http1.h"
#include "loop/fiber.h"

#define BUFFER_BYTES 8192u /* content behind a longer head ends with the connection */

struct reader {
    struct conn *conn;
    nsec deadline;
    char *buf;
    size_t n;   /* bytes in buf */
    bool ended; /* the origin has closed */
    struct arena arena;
};

/* Reads behind the bytes in buf. */
static int
read_more(struct reader *r)
{
    ssize_t got = conn_read(r->conn, r->buf + r->n, BUFFER_BYTES - r->n, r->deadline);
    if (got < 0)
        return (int)got;
    r->ended = got == 0;
    r->n += (size_t)got;
    fiber_yield_if_due();
    return 0;
}

static void
drop(struct reader *r, size_t bytes)
{
    memmove(r->buf, r->buf + bytes, r->n - bytes);
    r->n -= bytes;
}

/* ---- head ---- */

/* Exactly "HTTP/1.", a digit, a blank and three digits. A reason, or a blank before it, may be missing. */
static int
status_of(const char *line, size_t n)
{
    static const char start[] = "HTTP/1.";
    const char *end = memchr(line, '\n', n), *p = line + sizeof start; /* behind the digit of the version */
    if (end != NULL && end > line && end[-1] == '\r')
        end--;
    if (end == NULL || end - line < (ptrdiff_t)sizeof start + 4 || memcmp(line, start, sizeof start - 1) != 0)
        return ERR_SYNTAX;
    if (!char_is(p[-1], CHAR_DIGIT) || p[0] != ' ' || !(p + 4 == end || p[4] == ' '))
        return ERR_SYNTAX;
    int status = 0;
    for (int i = 1; i <= 3; i++) {
        if (!char_is(p[i], CHAR_DIGIT))
            return ERR_SYNTAX;
        status = status * 10 + (p[i] - '0');
    }
    return status >= 100 ? status : ERR_SYNTAX;
}

static void
keep_line(const struct reader *r, struct probe_answer *out)
{
    size_t n = min_size(r->n, PROBE_LINE_BYTES);
    memcpy(out->line, r->buf, n);
    out->line[n] = '\0';
    out->line[strcspn(out->line, "\r\n")] = '\0';
}

/* Parses the head at the beginning of buf: its bytes; 0: more are needed; ERR_SYNTAX. */
static int
parse_head(struct reader *r, struct span method, bool *interim, struct http1_framing *out)
{
    struct http1_limits lim = { BUFFER_BYTES, BUFFER_BYTES, params.http_max_hdr };
    struct http1_error e;
    struct http_message m;
    arena_release(&r->arena);
    int err = message_init(&m, &r->arena, message_room(lim.fields, 0));
    ssize_t n = err != 0 ? err : http1_parse_response(r->buf, r->n, &lim, &m, &e);
    if (n == 0 && r->n < BUFFER_BYTES)
        return 0;
    if (n <= 0 || http1_response_framing(&m, method, out, &e) != 0)
        return ERR_SYNTAX;
    *interim = m.status < 200 && m.status != 101;
    return (int)n;
}

/* Receives the head behind interim responses, which are dropped, and keeps its line. What is left in buf is
 * content. Returns the status. */
static int
receive_head(struct reader *r, struct span method, struct http1_framing *framing, struct probe_answer *out)
{
    for (;;) {
        bool interim = false;
        int n = r->n == 0 ? 0 : parse_head(r, method, &interim, framing), err = 0;
        bool has_line = r->n >= PROBE_LINE_BYTES || memchr(r->buf, '\n', r->n) != NULL;
        bool more = !r->ended && (n == 0 || (n < 0 && !has_line));
        if (more && (err = read_more(r)) != 0)
            return err;
        if (interim)
            drop(r, (size_t)n);
        if (more || interim)
            continue;
        if (n <= 0)
            *framing = (struct http1_framing){ .kind = BODY_EOF };
        out->empty = r->n == 0;
        keep_line(r, out);
        int status = status_of(r->buf, r->n);
        drop(r, n > 0 ? (size_t)n : r->n);
        return status;
    }
}

/* ---- content ---- */

/* Drops the content in buf. True: the content has ended. */
static bool
take_content(struct reader *r, struct http1_framing *framing, struct http1_chunked *chunks)
{
    struct span in = span_of(r->buf, r->n), piece;
    int more = 0;
    switch (framing->kind) {
    case BODY_NONE: return true;
    case BODY_LENGTH:
        framing->length -= r->n < framing->length ? r->n : framing->length;
        r->n = 0;
        return framing->length == 0;
    case BODY_CHUNKED:
        while (more == 0 && in.len > 0)
            more = http1_chunked_next(chunks, &in, &piece);
        r->n = 0;
        if (more < 0)
            framing->kind = BODY_EOF;
        return more == 1;
    case BODY_EOF: r->n = 0; return false;
    }
    WRONG("content of a response");
}

static int
receive_content(struct reader *r, struct http1_framing *framing)
{
    struct http1_chunked chunks;
    http1_chunked_init(&chunks);
    while (!take_content(r, framing, &chunks) && !r->ended) {
        int err = read_more(r);
        if (err != 0)
            return err;
    }
    return 0;
}

int
probe_receive(struct conn *c, struct span method, nsec deadline, struct probe_answer *out)
{
    struct reader r = { .conn = c, .deadline = deadline, .buf = mem_alloc(BUFFER_BYTES) };
    struct http1_framing framing;
    arena_init(&r.arena, 0);
    int status = receive_head(&r, method, &framing, out);
    int err = status < 0 && status != ERR_SYNTAX ? status : receive_content(&r, &framing);
    arena_release(&r.arena);
    free(r.buf);
    return err != 0 ? err : status;
}
