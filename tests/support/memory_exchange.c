/* The origin in memory (memory_exchange.h). */
#include "support/memory_exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "http/fields.h"
#include "loop/fiber.h"

struct memory_exchange {
    struct exchange x;
    const struct memory_answer *answer;
    struct memory_record *record;
    struct fiber *waiting;
    enum memory_step waits_at;
    char *head;                   /* text of the final head, borrowed */
    unsigned interim_at, body_at; /* sent so far */
    size_t in_piece;
    uint64_t received;
    bool body_ended;
};

struct memory_origin memory_origin;
static struct memory_exchange *newest;
static bool go;

void
memory_origin_reset(void)
{
    CHECK(memory_origin.n_live == 0);
    memset(&memory_origin, 0, sizeof memory_origin);
    newest = NULL;
    go = false;
}

void
memory_answer(struct memory_answer answer)
{
    CHECK(memory_origin.n_answers < MEMORY_EXCHANGES);
    memory_origin.answers[memory_origin.n_answers++] = answer;
}

bool
memory_waits(enum memory_step step)
{
    return newest != NULL && newest->waiting != NULL && newest->waits_at == step;
}

void
memory_go(void)
{
    struct fiber *waiting = newest == NULL ? NULL : newest->waiting;
    go = true;
    if (waiting == NULL)
        return;
    newest->waiting = NULL; /* the waiter continues */
    fiber_wake(waiting);
}

struct exchange *
memory_newest(void)
{
    return newest == NULL ? NULL : &newest->x;
}

static struct memory_exchange *
of(struct exchange *x)
{
    return container_of(x, struct memory_exchange, x);
}

/* ---- steps ---- */

/* Waits for memory_go if the answer is late at this step. */
static int
take_time(struct memory_exchange *m, enum memory_step step, nsec deadline)
{
    int err = 0;
    if ((m->answer->late & 1u << step) == 0)
        return 0;
    m->waiting = fiber_current();
    m->waits_at = step;
    while (!go && !m->record->interrupted && err == 0)
        err = fiber_park_until(deadline);
    m->waiting = NULL;
    go = false;
    return m->record->interrupted ? ERR_EOF : err;
}

static int
die(struct memory_exchange *m, int err, enum backend_close close_why)
{
    const struct memory_answer *a = m->answer;
    m->x.retry = a->retry;
    int r = exchange_failed(&m->x, err, a->why == NULL ? "the origin died" : a->why, close_why);
    if (a->garbage != NULL)
        m->x.error.garbage = span_str(a->garbage);
    return r;
}

/* Returns 0, or the answer's error for this step. */
static int
step(struct memory_exchange *m, enum memory_step at, nsec deadline)
{
    int err = take_time(m, at, deadline);
    if (err != 0)
        return die(m, err, CLOSE_RX_TIMEOUT);
    return m->answer->dies_at == at ? die(m, m->answer->dies_with, CLOSE_TX_ERROR) : 0;
}

/* ---- received from the proxy ---- */

static void
note(char *to, size_t *at, struct span text)
{
    size_t room = MEMORY_TEXT_BYTES - 1 - *at, n = text.len < room ? text.len : room;
    memcpy(to + *at, text.ptr, n);
    *at += n;
    to[*at] = '\0';
}

static void
note_fields(struct memory_record *r, const struct http_message *m)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        if (m->fields[i].flags & FIELD_HOP)
            continue;
        note(r->head, &r->head_bytes, m->fields[i].name);
        note(r->head, &r->head_bytes, SPAN_LIT(": "));
        note(r->head, &r->head_bytes, m->fields[i].value);
        note(r->head, &r->head_bytes, SPAN_LIT("\n"));
    }
}

static void
note_head(struct memory_record *r, const struct http_message *m)
{
    note(r->head, &r->head_bytes, m->method);
    note(r->head, &r->head_bytes, SPAN_LIT(" "));
    note(r->head, &r->head_bytes, m->url);
    note(r->head, &r->head_bytes, SPAN_LIT("\n"));
    note_fields(r, m);
}

/* This protocol frames content without a field. */
static int
memory_send_head(struct exchange *x, struct http_message *head, const struct content *content, nsec deadline)
{
    int err = step(of(x), MEMORY_SEND_HEAD, deadline);
    if (err != 0)
        return err;
    note_head(of(x)->record, head);
    x->bytes.bereq_head += of(x)->record->head_bytes;
    return 0;
}

static int
memory_send_body(struct exchange *x, struct span piece, bool last, nsec deadline)
{
    struct memory_record *r = of(x)->record;
    int err = step(of(x), MEMORY_SEND_BODY, deadline);
    if (err != 0)
        return err;
    CHECK(!r->body_ended);
    note(r->body, &r->body_bytes, piece);
    x->bytes.bereq_body += piece.len;
    r->body_ended = last;
    return 0;
}

/* ---- sent to the proxy ---- */

static struct span
line(const char **text)
{
    const char *end = strchr(*text, '\n');
    CHECK(end != NULL);
    struct span s = span_of(*text, (size_t)(end - *text));
    *text = end + 1;
    return s;
}

static void
parse_fields(const char *text, struct http_message *out)
{
    while (*text != '\0') {
        struct span l = line(&text);
        const char *colon = memchr(l.ptr, ':', l.len);
        CHECK(colon != NULL && colon + 1 < l.ptr + l.len);
        struct span name = span_of(l.ptr, (size_t)(colon - l.ptr)),
                    value = span_of(colon + 2, l.len - name.len - 2);
        CHECK(message_add(out, name_lookup(name), name, value) == 0);
    }
}

/* "HTTP/1.1 200 OK" */
static void
parse_head(const char *text, struct http_message *out)
{
    struct span first = line(&text);
    CHECK(first.len > 13);
    out->n_fields = 0;
    out->proto = span_of(first.ptr, 8);
    out->minor = (uint8_t)(first.ptr[7] - '0');
    out->status = (uint16_t)atoi(first.ptr + 9);
    out->reason = span_of(first.ptr + 13, first.len - 13);
    parse_fields(text, out);
}

static void
announce(struct memory_exchange *m, const struct http_message *head)
{
    const struct memory_answer *a = m->answer;
    struct span length = message_get(head, NAME_CONTENT_LENGTH);
    m->x.content_wrong = a->wrong;
    m->x.error.why = a->wrong ? "the length contradicts itself" : NULL;
    m->x.until_close = a->until_close;
    m->x.content.kind = a->body[0] != NULL || a->until_close ? CONTENT_UNKNOWN : CONTENT_NONE;
    if (head->status >= 200 && head->status != 204 && head->status != 304 && length.ptr != NULL &&
        parse_uint(length, &m->x.content.bytes) == 0 && !(strncmp(m->record->head, "HEAD ", 5) == 0))
        m->x.content.kind = CONTENT_KNOWN;
}

static int
memory_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s)
{
    struct memory_exchange *m = of(x);
    const struct memory_answer *a = m->answer;
    if (m->interim_at < MEMORY_PIECES && a->interim[m->interim_at] != NULL) {
        parse_head(a->interim[m->interim_at++], out);
        return 0;
    }
    int err = step(m, MEMORY_RECV_HEAD, first_byte);
    if (err != 0)
        return err;
    if (a->meanwhile != NULL)
        a->meanwhile();
    m->head = strdup(a->head);
    CHECK(m->head != NULL);
    parse_head(m->head, out);
    x->bytes.beresp_head += strlen(a->head);
    announce(m, out);
    return 0;
}

static bool
body_ended(const struct memory_exchange *m)
{
    return m->body_ended || m->x.content.kind == CONTENT_NONE ||
           (m->x.content.kind == CONTENT_KNOWN && m->received == m->x.content.bytes);
}

/* After the last piece: the end, an error, or fewer bytes than announced. */
static int
last_piece_gone(struct memory_exchange *m)
{
    if (m->answer->dies_at == MEMORY_RECV_BODY)
        return die(m, m->answer->dies_with, CLOSE_RX_BODY);
    if (m->x.content.kind == CONTENT_KNOWN)
        return exchange_failed(&m->x, ERR_EOF, "straight insufficient bytes", CLOSE_RX_BODY);
    m->body_ended = true;
    return 0;
}

static ssize_t
wait_for_piece(struct memory_exchange *m, nsec deadline)
{
    int err = take_time(m, MEMORY_RECV_BODY, deadline);
    if (err != 0)
        return die(m, err, CLOSE_RX_BODY);
    return m->body_at < MEMORY_PIECES && m->answer->body[m->body_at] != NULL ? 1 : last_piece_gone(m);
}

static ssize_t
memory_recv_wait(struct exchange *x, nsec deadline)
{
    struct memory_exchange *m = of(x);
    if (body_ended(m))
        return 0;
    return m->answer->straight ? 1 : wait_for_piece(m, deadline);
}

/* A late answer pauses before each piece. */
static ssize_t
memory_recv_poll(struct exchange *x, nsec deadline)
{
    return (of(x)->answer->late & 1u << MEMORY_RECV_BODY) == 0;
}

static ssize_t
memory_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline)
{
    struct memory_exchange *m = of(x);
    CHECK(!body_ended(m));
    ssize_t more = m->answer->straight ? wait_for_piece(m, deadline) : 1;
    if (more <= 0)
        return more;
    const char *piece = m->answer->body[m->body_at];
    size_t left = strlen(piece) - m->in_piece, take = left < n ? left : n;
    memcpy(buf, piece + m->in_piece, take);
    m->in_piece += take;
    m->received += take;
    if (take == left) {
        m->body_at++;
        m->in_piece = 0;
    }
    return (ssize_t)take;
}

static int
memory_recv_trailers(struct exchange *x, struct http_message *out)
{
    CHECK(body_ended(of(x)));
    if (of(x)->answer->trailers != NULL)
        parse_fields(of(x)->answer->trailers, out);
    return 0;
}

/* ---- tunnel ---- */

static int
memory_tunnel_start(struct exchange *x, const struct http_message *head)
{
    int err = step(of(x), MEMORY_SEND_HEAD, NSEC_NEVER);
    if (err != 0)
        return err;
    note_head(of(x)->record, head);
    x->tunnel_unsent = of(x)->record->head_bytes;
    return 0;
}

static ssize_t
memory_tunnel_read(struct exchange *x, void *buf, size_t n)
{
    const char **says = &memory_origin.tunnel_says;
    if (*says == NULL)
        return memory_origin.tunnel_closes ? 0 : ERR_AGAIN;
    size_t left = strlen(*says), take = left < n ? left : n;
    memcpy(buf, *says, take);
    *says = take == left ? NULL : *says + take;
    return (ssize_t)take;
}

static ssize_t
memory_tunnel_write(struct exchange *x, const struct iovec *iov, int n)
{
    ssize_t taken = 0;
    if (memory_origin.tunnel_stuck)
        return ERR_AGAIN;
    x->tunnel_head += x->tunnel_unsent;
    x->tunnel_unsent = 0;
    for (int i = 0; i < n; i++) {
        note(of(x)->record->body, &of(x)->record->body_bytes, span_of(iov[i].iov_base, iov[i].iov_len));
        taken += (ssize_t)iov[i].iov_len;
    }
    return taken;
}

static void
memory_tunnel_shut(struct exchange *x)
{
    memory_origin.tunnel_shut = true;
}

/* ---- begin and end ---- */

static void
memory_interrupt(struct exchange *x)
{
    of(x)->record->interrupted = true;
    if (of(x)->waiting != NULL)
        fiber_wake(of(x)->waiting);
}

static bool
memory_end(struct exchange *x, bool keep)
{
    struct memory_exchange *m = of(x);
    CHECK(m->waiting == NULL);
    keep = keep && body_ended(m) && !x->until_close;
    m->record->ended = true;
    m->record->kept = keep;
    m->record->close_why = x->close_why;
    memory_origin.n_live--;
    newest = newest == m ? NULL : newest;
    free(m->head); /* so that ASan sees a use after the end */
    free(m);
    return keep;
}

static const struct exchange_ops memory_ops = {
    .send_head = memory_send_head,
    .send_body = memory_send_body,
    .recv_head = memory_recv_head,
    .recv_wait = memory_recv_wait,
    .recv_poll = memory_recv_poll,
    .recv_body = memory_recv_body,
    .recv_trailers = memory_recv_trailers,
    .tunnel_start = memory_tunnel_start,
    .tunnel_read = memory_tunnel_read,
    .tunnel_write = memory_tunnel_write,
    .tunnel_shut = memory_tunnel_shut,
    .interrupt = memory_interrupt,
    .end = memory_end,
};

int
memory_open(const struct exchange_wants *w, struct exchange **out)
{
    struct memory_origin *o = &memory_origin;
    CHECK(o->n_opened < o->n_answers); /* the test must define an answer for each exchange */
    CHECK(fiber_current() != NULL && w->backend != NULL && w->log != NULL && w->arena != NULL);
    const struct memory_answer *a = &o->answers[o->n_opened];
    struct memory_record *r = &o->records[o->n_opened++];
    r->fresh = w->fresh;
    if (a->dies_at == MEMORY_OPEN) {
        errno = a->number;
        return a->dies_with;
    }
    struct memory_exchange *m = calloc(1, sizeof *m);
    CHECK(m != NULL);
    m->x.ops = &memory_ops;
    m->x.backend = w->backend;
    m->x.reused = a->reused;
    m->x.close_why = CLOSE_RESP_CLOSE;
    m->answer = a;
    m->record = r;
    o->n_live++;
    newest = m;
    *out = &m->x;
    return 0;
}
