/* The client of a trial: see client.h. */
#include "trial/client.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "http/http1.h"
#include "stream/protocols.h"

static struct trial_client *
of(const struct stream *s)
{
    return container_of(s, struct trial_client, stream);
}

/* ---- response ---- */

static void
add_fields(struct trial_bytes *to, const struct http_message *m)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        trial_bytes_add(to, m->fields[i].name.ptr, m->fields[i].name.len);
        trial_bytes_add(to, ": ", 2);
        trial_bytes_add(to, m->fields[i].value.ptr, m->fields[i].value.len);
        trial_bytes_add(to, "\n", 1);
    }
}

static int
send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline)
{
    s->continue_due = false;
    return 0;
}

static int
send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body)
{
    struct trial_client *c = of(s);
    if (head->failed)
        return ERR_NOMEM;
    c->status = head->status;
    add_fields(&c->head, head);
    s->bytes.resp_head += c->head.n;
    return 0;
}

static void
send_failure(struct stream *s)
{
    of(s)->status = 500;
}

static size_t
take(struct trial_client *c, const struct iovec *iov, int n)
{
    size_t taken = 0;
    for (int i = 0; i < n; i++) {
        trial_bytes_add(&c->response, iov[i].iov_base, iov[i].iov_len);
        taken += iov[i].iov_len;
    }
    return taken;
}

static ssize_t
send_body(struct stream *s, const struct iovec *iov, int n, bool last)
{
    if (s->broken)
        return ERR_RESET;
    size_t taken = take(of(s), iov, n);
    s->taken += taken;
    s->released = s->taken;
    return (ssize_t)taken;
}

static int
send_trailers(struct stream *s, const struct http_message *trailers)
{
    add_fields(&of(s)->head, trailers);
    return 0;
}

/* ---- request ---- */

static ssize_t
recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    struct span *left = &of(s)->body;
    size_t k = left->len < n ? left->len : n;
    if (k > 0)
        memcpy(buf, left->ptr, k);
    *left = span_of(left->ptr + k, left->len - k);
    s->bytes.req_body += k;
    return (ssize_t)k;
}

static bool
body_unread(const struct stream *s)
{
    return of(s)->body.len > 0;
}

static void
head_unused(struct stream *s)
{
}

static void
reset(struct stream *s, enum stream_why why)
{
    of(s)->was_reset = s->broken = true;
}

static void
refuse(struct stream *s, enum stream_why why)
{
    struct trial_client *c = of(s);
    s->session->service->ops->discard(s->user);
    c->was_reset = c->over = true;
}

static struct stream_user *
done(struct stream *s)
{
    of(s)->over = true;
    return NULL;
}

/* ---- tunnel: the client sends its body, and closes when the origin does ---- */

static void
tunnel_start(struct stream *s)
{
    of(s)->in_tunnel = true;
}

static ssize_t
tunnel_read(struct stream *s, void *buf, size_t n)
{
    return recv_body(s, buf, n, RECV_NOW);
}

static ssize_t
tunnel_write(struct stream *s, const struct iovec *iov, int n)
{
    size_t taken = take(of(s), iov, n);
    s->taken += taken;
    s->released = s->taken;
    return (ssize_t)taken;
}

static void
tunnel_shut(struct stream *s)
{
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

/* ---- session ---- */

static struct conn *
conn_of(struct session *s)
{
    return container_of(s, struct trial_client, session)->tls;
}

static void
drain(struct session *s)
{
}

static bool
close_session(struct session *s, enum session_why why)
{
    struct trial_client *c = container_of(s, struct trial_client, session);
    if (c->serving && !c->over)
        return false;
    session_release(s, why);
    c->session_is_open = false;
    return true;
}

static void
reset_at_exit(struct session *s)
{
}

static const struct session_ops session_ops = {
    .conn = conn_of,
    .drain = drain,
    .close = close_session,
    .reset_at_exit = reset_at_exit,
};

static void
open_session(struct trial_client *c, struct service *sv)
{
    c->session.ops = &session_ops;
    c->session.service = sv;
    c->session.listen = &c->listen;
    atomic_fetch_add(&sv->load->sessions, 1);
    session_open(&c->session, "HTTP/1", -1);
    c->session_is_open = true;
    c->stream.ops = &ops;
    c->stream.session = &c->session;
    c->stream.proto = SPAN_LIT("HTTP/1.1");
    c->stream.transport = SPAN_LIT("HTTP/1");
    c->stream.urgency = URGENCY_DEFAULT;
    c->stream.can_tunnel = true;
}

static int
read_head(struct trial_client *c, struct span head, const char **why)
{
    struct stream_user *u = c->stream.user;
    unsigned status;
    c->text = mem_text(head);
    return request_of_text(c->text, head.len, &c->stream, u->head, &status, why);
}

int
trial_client_begin(struct trial_client *c, struct service *sv, struct span head, struct span body,
                   const char **why)
{
    open_session(c, sv);
    c->stream.user = sv->ops->open(sv, &c->stream);
    if (c->stream.user == NULL) {
        *why = "out of memory";
        return ERR_NOMEM;
    }
    int err = read_head(c, head, why);
    sv->ops->begin(c->stream.user, loop_real(sv->loop), loop_real(sv->loop));
    if (err != 0) {
        sv->ops->discard(c->stream.user);
        return err;
    }
    c->body = body;
    c->stream.content = (struct content){ body.len > 0 ? CONTENT_KNOWN : CONTENT_NONE, body.len };
    c->stream.bytes.req_head = head.len;
    c->serving = true;
    sv->ops->serve(c->stream.user);
    return 0;
}

void
trial_client_end(struct trial_client *c)
{
    if (c->session_is_open)
        CHECK(close_session(&c->session, SC_REM_CLOSE));
    free(c->text);
    c->text = NULL;
}
