/* Code common to all protocols of origins: checks the order of calls, and counts bytes at the end. See
 * exchange.h. */
#include "stream/exchange.h"

#include "base/check.h"
#include "loop/fiber.h"

int
exchange_failed(struct exchange *x, int err, const char *why, enum backend_close close_why)
{
    CHECK(err < 0);
    x->error = (struct exchange_error){ .why = why };
    x->close_why = close_why;
    return err;
}

/* ---- sending ---- */

int
exchange_send_head(struct exchange *x, struct http_message *head, const struct content *content,
                   nsec deadline)
{
    CHECK(x->phase == EXCHANGE_OPEN);
    x->phase = EXCHANGE_SENDING;
    return x->ops->send_head(x, head, content, deadline);
}

int
exchange_send_body(struct exchange *x, struct span piece, bool last, nsec deadline)
{
    CHECK(x->phase == EXCHANGE_SENDING && x->error.why == NULL);
    return x->ops->send_body(x, piece, last, deadline);
}

bool
exchange_answered(struct exchange *x)
{
    CHECK(x->phase == EXCHANGE_SENDING && x->error.why == NULL);
    return x->ops->answered != NULL && x->ops->answered(x);
}

/* ---- receiving ---- */

bool
exchange_head_is_interim(const struct http_message *head)
{
    return head->status < 200 && head->status != 101;
}

int
exchange_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s)
{
    CHECK(x->phase == EXCHANGE_SENDING || x->phase == EXCHANGE_HEAD);
    int err = x->ops->recv_head(x, out, first_byte, between_bytes_s);
    if (err == 0)
        x->phase = exchange_head_is_interim(out) ? EXCHANGE_HEAD : EXCHANGE_BODY;
    return err;
}

ssize_t
exchange_recv_wait(struct exchange *x, nsec deadline)
{
    CHECK(x->phase == EXCHANGE_BODY && !x->content_wrong);
    return x->ops->recv_wait(x, deadline);
}

ssize_t
exchange_recv_poll(struct exchange *x, nsec deadline)
{
    CHECK(x->phase == EXCHANGE_BODY && !x->content_wrong);
    return x->ops->recv_poll(x, deadline);
}

ssize_t
exchange_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline)
{
    CHECK(x->phase == EXCHANGE_BODY && n > 0);
    ssize_t got = x->ops->recv_body(x, buf, n, deadline);
    if (got > 0)
        x->bytes.beresp_body += (uint64_t)got;
    return got;
}

int
exchange_recv_trailers(struct exchange *x, struct http_message *out)
{
    CHECK(x->phase == EXCHANGE_BODY);
    return x->ops->recv_trailers(x, out);
}

/* ---- tunnel, interrupt, end ---- */

int
exchange_tunnel_start(struct exchange *x, const struct http_message *head)
{
    CHECK(x->phase == EXCHANGE_OPEN);
    x->phase = EXCHANGE_TUNNEL;
    return x->ops->tunnel_start(x, head);
}

int
exchange_tunnel_answer(struct exchange *x, struct http_message *out)
{
    CHECK(x->phase == EXCHANGE_TUNNEL);
    return x->ops->tunnel_answer(x, out);
}

ssize_t
exchange_tunnel_read(struct exchange *x, void *buf, size_t n)
{
    CHECK(x->phase == EXCHANGE_TUNNEL && n > 0);
    return x->ops->tunnel_read(x, buf, n);
}

ssize_t
exchange_tunnel_write(struct exchange *x, const struct iovec *iov, int n)
{
    CHECK(x->phase == EXCHANGE_TUNNEL);
    return x->ops->tunnel_write(x, iov, n);
}

void
exchange_tunnel_shut(struct exchange *x)
{
    CHECK(x->phase == EXCHANGE_TUNNEL);
    x->ops->tunnel_shut(x);
}

void
exchange_interrupt(struct exchange *x)
{
    CHECK(x->phase != EXCHANGE_TUNNEL);
    x->ops->interrupt(x);
}

static bool
end(struct exchange **exchange, bool keep)
{
    struct exchange *x = *exchange;
    if (x == NULL)
        return false;
    *exchange = NULL;
    uint64_t *n = backend_counts(x->backend);
    n[VBE_BEREQ_HDRBYTES] += x->bytes.bereq_head;
    n[VBE_BEREQ_BODYBYTES] += x->bytes.bereq_body;
    n[VBE_BERESP_HDRBYTES] += x->bytes.beresp_head;
    n[VBE_BERESP_BODYBYTES] += x->bytes.beresp_body;
    return x->ops->end(x, keep);
}

bool
exchange_done(struct exchange **x)
{
    return end(x, *x != NULL && (*x)->phase == EXCHANGE_BODY && !(*x)->close_after);
}

void
exchange_cancel(struct exchange **x)
{
    (void)end(x, false);
}
