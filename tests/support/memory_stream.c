/* Clients in memory (memory_stream.h). */
#include "support/memory_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "loop/fiber.h"
#include "stream/session_log.h"

static const struct listen_socket listener = { .fd = -1, .name = { "m0", 2 }, .endpoint = { "memory", 6 } };

static struct memory_stream *
of(const struct stream *s)
{
    return container_of(s, struct memory_stream, stream);
}

static void
append(char *to, size_t cap, const char *text, size_t n)
{
    size_t have = strlen(to);
    CHECK(have + n < cap);
    memcpy(to + have, text, n);
    to[have + n] = '\0';
}

static void
append_fields(char *to, size_t cap, const struct http_message *m)
{
    for (unsigned i = 0; m != NULL && i < m->n_fields; i++) {
        append(to, cap, m->fields[i].name.ptr, m->fields[i].name.len);
        append(to, cap, ": ", 2);
        append(to, cap, m->fields[i].value.ptr, m->fields[i].value.len);
        append(to, cap, "\n", 1);
    }
}

/* ---- once a round ---- */

static void
wants_flush(struct memory_stream *s)
{
    struct loop *loop = s->of->session.service->loop;
    if (!timer_is_set(&s->of->flush))
        timer_set(loop, &s->of->flush, loop_now(loop));
}

static bool
may_have_turn(const struct memory_stream *s)
{
    const struct stream_waiter *w = s->stream.waiter;
    return !s->over && w != NULL && w->on_turn != NULL && !s->not_its_turn;
}

/* One write for all streams; then each stream with room gets its turn. */
static void
flush(struct timer *t)
{
    struct memory_session *m = container_of(t, struct memory_session, flush);
    m->flushes++;
    for (unsigned i = 0; i < m->n; i++) {
        struct memory_stream *s = &m->streams[i];
        s->stream.unsent = 0;
        if (!s->over && !s->releases_late)
            memory_release(s, SIZE_MAX);
    }
    for (unsigned i = 0; i < m->n; i++) {
        struct memory_stream *s = &m->streams[i];
        if (!may_have_turn(s))
            continue;
        s->turns++;
        stream_turn(&s->stream, s->window < s->turn_bytes ? s->window : s->turn_bytes);
    }
}

/* ---- response ---- */

static int
send_interim(struct stream *stream, unsigned status, const struct http_message *head, nsec deadline)
{
    struct memory_stream *s = of(stream);
    char line[8];
    CHECK(!s->got_head && fiber_current() != NULL);
    if (status == 100 && !stream->continue_due)
        return 0;
    stream->continue_due = false;
    if (s->interim_fails != 0)
        return s->interim_fails;
    append(s->interim, sizeof s->interim, line, (size_t)snprintf(line, sizeof line, "%u\n", status));
    append_fields(s->interim, sizeof s->interim, head);
    return 0;
}

static int
send_head(struct stream *stream, struct http_message *head, int64_t body_bytes, bool has_body)
{
    struct memory_stream *s = of(stream);
    CHECK(!s->got_head && !s->over);
    if (head->failed)
        return ERR_NOMEM;
    if (s->head_fails != 0)
        return s->head_fails;
    s->got_head = true;
    s->status = head->status;
    s->announced = body_bytes;
    s->has_body = has_body;
    append_fields(s->head, sizeof s->head, head);
    stream->bytes.resp_head += strlen(s->head);
    return 0;
}

static void
send_failure(struct stream *stream)
{
    struct memory_stream *s = of(stream);
    CHECK(!s->got_head);
    s->got_head = s->failure = true;
    s->status = 500;
}

static size_t
take(struct memory_stream *s, const struct iovec *iov, int n, size_t most)
{
    size_t taken = 0;
    for (int i = 0; i < n && taken < most; i++) {
        size_t k = iov[i].iov_len < most - taken ? iov[i].iov_len : most - taken;
        CHECK(s->n_taken < MEMORY_TAKEN);
        s->taken[s->n_taken++] = (struct iovec){ iov[i].iov_base, k };
        taken += k;
    }
    s->window -= taken;
    s->stream.taken += taken;
    s->stream.unsent += taken;
    return taken;
}

static ssize_t
send_body(struct stream *stream, const struct iovec *iov, int n, bool last)
{
    struct memory_stream *s = of(stream);
    size_t offered = 0;
    CHECK(s->got_head && !s->over);
    if (stream->broken)
        return ERR_RESET;
    for (int i = 0; i < n; i++)
        offered += iov[i].iov_len;
    if (offered > 0 && (s->window == 0 || s->not_its_turn))
        return ERR_AGAIN;
    CHECK(offered == 0 || !s->ended);
    size_t taken = take(s, iov, n, s->window < s->turn_bytes ? s->window : s->turn_bytes);
    s->ended |= last && taken == offered;
    if (taken > 0)
        wants_flush(s);
    return (ssize_t)taken;
}

static int
send_trailers(struct stream *stream, const struct http_message *trailers)
{
    struct memory_stream *s = of(stream);
    CHECK(s->got_head && !s->ended);
    if (s->no_trailers)
        return ERR_NOTFOUND;
    s->ended = s->got_trailers = true;
    append_fields(s->head, sizeof s->head, trailers);
    return 0;
}

void
memory_release(struct memory_stream *s, size_t n)
{
    size_t left = n < s->stream.taken - s->stream.released ? n
                                                           : (size_t)(s->stream.taken - s->stream.released);
    if (left == 0)
        return;
    s->stream.released += left;
    while (left > 0) {
        struct iovec *v = &s->taken[0];
        size_t k = v->iov_len < left ? v->iov_len : left;
        CHECK(s->response_bytes + k <= MEMORY_RESPONSE_BYTES);
        memcpy(s->response + s->response_bytes, v->iov_base, k);
        s->response_bytes += k;
        left -= k;
        *v = (struct iovec){ (char *)v->iov_base + k, v->iov_len - k };
        if (v->iov_len == 0)
            memmove(s->taken, s->taken + 1, --s->n_taken * sizeof *s->taken);
    }
    struct stream_waiter *w = s->stream.waiter;
    if (w != NULL && w->on_released != NULL)
        w->on_released(w);
}

/* ---- request body ---- */

static bool
has_piece(const struct memory_stream *s)
{
    return s->body_at < s->body_pieces;
}

static ssize_t
next_piece(struct memory_stream *s, void *buf, size_t n)
{
    const char *piece = s->body[s->body_at];
    size_t k = strlen(piece) < n ? strlen(piece) : n;
    memcpy(buf, piece, k);
    s->body[s->body_at] += k;
    s->body_at += piece[k] == '\0';
    return (ssize_t)k;
}

static int
wait_for_piece(struct memory_stream *s, nsec deadline)
{
    int err = 0;
    while (!has_piece(s) && s->body_waits && !s->stream.broken && err == 0) {
        CHECK(s->reader == NULL);
        s->reader = fiber_current();
        err = deadline == RECV_NOW ? ERR_AGAIN : fiber_park_until(deadline);
        s->reader = NULL;
    }
    return s->stream.broken ? ERR_RESET : err;
}

static ssize_t
recv_body(struct stream *stream, void *buf, size_t n, nsec deadline)
{
    struct memory_stream *s = of(stream);
    CHECK(fiber_current() != NULL && !s->over);
    int err = send_interim(stream, 100, NULL, deadline);
    if (err == 0)
        err = wait_for_piece(s, deadline);
    if (err != 0)
        return err;
    if (!has_piece(s))
        return s->body_ends_with;
    ssize_t got = next_piece(s, buf, n);
    stream->bytes.req_body += (uint64_t)got;
    return got;
}

static bool
body_unread(const struct stream *stream)
{
    const struct memory_stream *s = of(stream);
    return has_piece(s) || s->body_waits || s->body_ends_with != 0;
}

static void
parse_fields(struct http_message *m, char *line)
{
    for (char *next; line != NULL && *line != '\0'; line = next) {
        char *colon = strstr(line, ": "), *end = strchr(line, '\n');
        CHECK(colon != NULL && end != NULL && colon < end);
        struct span name = span_of(line, (size_t)(colon - line)),
                    value = span_of(colon + 2, (size_t)(end - colon - 2));
        CHECK(message_add(m, name_lookup(name), name, value) == 0);
        next = end + 1;
    }
}

/* ---- end ---- */

static void
head_unused(struct stream *stream)
{
    struct memory_stream *s = of(stream);
    s->head_is_unused = true;
    free(s->text);
    s->text = NULL;
}

static void
reset(struct stream *stream, enum stream_why why)
{
    struct memory_stream *s = of(stream);
    if (!s->was_reset)
        s->why = why;
    s->was_reset = stream->broken = true;
}

static void
finish(struct memory_stream *s)
{
    CHECK(!s->over && s->stream.waiter == NULL && s->reader == NULL);
    s->over = true;
    free(s->text);
    s->text = NULL;
}

static void
refuse(struct stream *stream, enum stream_why why)
{
    struct memory_stream *s = of(stream);
    s->refused = true;
    s->why = why;
    stream->session->service->ops->discard(stream->user);
    finish(s);
}

static struct stream_user *
done(struct stream *stream)
{
    struct memory_stream *s = of(stream);
    struct memory_session *m = s->of;
    finish(s);
    if (stream->close != SC_NONE || stream->session->service->draining)
        m->goaway = true;
    for (unsigned i = 0; i < m->n; i++)
        if (m->streams[i].queued) {
            m->streams[i].queued = false;
            return m->streams[i].stream.user;
        }
    return NULL;
}

/* ---- tunnel ---- */

static void
tunnel_start(struct stream *stream)
{
    CHECK(!of(stream)->got_head && stream->can_tunnel);
    of(stream)->in_tunnel = true;
}

static ssize_t
tunnel_read(struct stream *stream, void *buf, size_t n)
{
    struct memory_stream *s = of(stream);
    CHECK(s->in_tunnel && !s->over);
    if (stream->broken)
        return ERR_RESET;
    if (has_piece(s))
        return next_piece(s, buf, n);
    return s->body_waits ? ERR_AGAIN : s->body_ends_with;
}

static ssize_t
tunnel_write(struct stream *stream, const struct iovec *iov, int n)
{
    struct memory_stream *s = of(stream);
    CHECK(s->in_tunnel && !s->over && !s->tunnel_is_shut);
    if (stream->broken)
        return ERR_RESET;
    if (s->window == 0 || s->not_its_turn)
        return ERR_AGAIN;
    size_t taken = take(s, iov, n, s->window);
    memory_release(s, taken); /* the pipe may reuse the bytes of a tunnel */
    return (ssize_t)taken;
}

static void
tunnel_shut(struct stream *stream)
{
    of(stream)->tunnel_is_shut = true;
}

static const struct stream_ops ops = {
    .send_interim = send_interim,
    .send_head = send_head,
    .send_failure = send_failure,
    .send_body = send_body,
    .send_trailers = send_trailers,
    .recv_body = recv_body,
    .body_unread = body_unread,
    .head_unused = head_unused,
    .reset = reset,
    .refuse = refuse,
    .done = done,
    .tunnel_start = tunnel_start,
    .tunnel_read = tunnel_read,
    .tunnel_write = tunnel_write,
    .tunnel_shut = tunnel_shut,
};

/* ---- sessions ---- */

static struct memory_session *
session_of(struct session *s)
{
    return container_of(s, struct memory_session, session);
}

static struct conn *
no_conn(struct session *s)
{
    return NULL;
}

static bool
is_busy(const struct memory_session *m)
{
    bool busy = false;
    for (unsigned i = 0; i < m->n; i++)
        busy |= m->streams[i].stream.user != NULL && !m->streams[i].over;
    return busy;
}

static void
drain(struct session *s)
{
    session_of(s)->goaway = true;
}

static bool
close_session(struct session *s, enum session_why why)
{
    struct memory_session *m = session_of(s);
    if (is_busy(m))
        return false;
    timer_cancel(s->service->loop, &m->flush);
    session_release(s, why);
    m->open = false;
    return true;
}

static void
reset_at_exit(struct session *s)
{
    session_of(s)->reset_at_exit = true;
}

static const struct session_ops session_ops = {
    .conn = no_conn,
    .drain = drain,
    .close = close_session,
    .reset_at_exit = reset_at_exit,
};

void
memory_session_open(struct memory_session *m, struct service *sv)
{
    memset(m, 0, sizeof *m);
    m->flush.fn = flush;
    m->session.ops = &session_ops;
    m->session.service = sv;
    m->session.listen = &listener;
    m->session.peer = m->session.local = (struct address){ .family = 4,
                                                           .port = 1234,
                                                           .addr = { 192, 0, 2, 1 } };
    atomic_fetch_add(&sv->load->sessions, 1);
    session_open(&m->session, "MEMORY/1", -1);
    m->open = true;
}

void
memory_session_close(struct memory_session *m)
{
    if (m->open)
        CHECK(close_session(&m->session, SC_REM_CLOSE));
    for (unsigned i = 0; i < m->n; i++)
        free(m->streams[i].response);
}

/* ---- what the client does ---- */

struct memory_stream *
memory_stream_new(struct memory_session *m)
{
    CHECK(m->open && m->n < MEMORY_STREAMS);
    struct memory_stream *s = &m->streams[m->n++];
    s->of = m;
    s->window = s->turn_bytes = SIZE_MAX;
    s->response = malloc(MEMORY_RESPONSE_BYTES);
    s->stream.ops = &ops;
    s->stream.session = &m->session;
    s->stream.proto = SPAN_LIT("MEMORY/1.0");
    s->stream.transport = SPAN_LIT("MEMORY/1");
    s->stream.urgency = URGENCY_DEFAULT;
    s->stream.can_tunnel = true;
    return s;
}

static void
receive_head(struct memory_stream *s, const char *head)
{
    struct service *sv = s->of->session.service;
    struct stream_user *u = s->stream.user = sv->ops->open(sv, &s->stream);
    CHECK(u != NULL);
    s->text = strdup(head);
    char *space = strchr(s->text, ' '), *end = strchr(s->text, '\n');
    CHECK(space != NULL && end != NULL && space < end);
    u->head->method = span_of(s->text, (size_t)(space - s->text));
    u->head->url = span_of(space + 1, (size_t)(end - space - 1));
    u->head->proto = s->stream.proto;
    u->head->minor = 1;
    parse_fields(u->head, end + 1);
    uint64_t bytes = 0;
    while (s->body_pieces < MEMORY_BODY_PIECES && s->body[s->body_pieces] != NULL)
        bytes += strlen(s->body[s->body_pieces++]);
    bool unknown = s->body_waits || s->body_ends_with != 0;
    s->stream.content = (struct content){ unknown     ? CONTENT_UNKNOWN
                                          : bytes > 0 ? CONTENT_KNOWN
                                                      : CONTENT_NONE,
                                          unknown ? 0 : bytes };
    s->stream.bytes.req_head = strlen(head);
    sv->ops->begin(u, loop_real(sv->loop), loop_real(sv->loop));
}

void
memory_begin(struct memory_stream *s, const char *head)
{
    receive_head(s, head);
    s->of->session.service->ops->serve(s->stream.user);
}

void
memory_begin_queued(struct memory_stream *s, const char *head)
{
    receive_head(s, head);
    s->queued = true;
}

static void
wake_reader(struct memory_stream *s)
{
    if (s->reader != NULL)
        fiber_wake(s->reader);
    if (s->in_tunnel)
        wants_flush(s);
}

void
memory_send(struct memory_stream *s, const char *piece)
{
    CHECK(s->body_pieces < MEMORY_BODY_PIECES && s->body_waits);
    s->body[s->body_pieces++] = piece;
    wake_reader(s);
}

void
memory_send_end(struct memory_stream *s, int err)
{
    s->body_waits = false;
    s->body_ends_with = err;
    wake_reader(s);
}

void
memory_open_window(struct memory_stream *s, size_t n)
{
    s->window += n;
    wants_flush(s);
}

void
memory_give_turn(struct memory_stream *s)
{
    s->not_its_turn = false;
    wants_flush(s);
}

void
memory_leave(struct memory_stream *s)
{
    CHECK(!s->over);
    wake_reader(s);
    stream_break(&s->stream);
}
