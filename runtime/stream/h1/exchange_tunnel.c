/* An HTTP/1 exchange as a tunnel: after the head, bytes go directly to and from the connection. */
#include <string.h>

#include "base/check.h"
#include "stream/h1/exchange_internal.h"

#define SEND_IOV_MAX 4

/* Takes heads from rx up to the final one: 0, or ERR_AGAIN. */
static int
take_answer(struct h1_exchange *h, struct http_message *out)
{
    struct http1_error e;
    while (h->rx_taken < h->rx_bytes) {
        ssize_t n = h1_parse_head(h, out, &e);
        if (n <= 0)
            return n == 0 ? ERR_AGAIN : (int)n;
        h->rx_taken += (size_t)n;
        if (!exchange_head_is_interim(out))
            return 0;
    }
    return ERR_AGAIN;
}

int
h1_tunnel_answer(struct exchange *x, struct http_message *out)
{
    struct h1_exchange *h = h1_exchange_of(x);
    if (h->rx == NULL && (h->rx = buffers_take(h->buffers)) == NULL)
        return ERR_NOMEM;
    for (;;) {
        int err = take_answer(h, out);
        size_t room = buffers_bytes(h->rx) - h->rx_bytes;
        if (err != ERR_AGAIN || room == 0)
            return err == ERR_AGAIN ? ERR_LIMIT : err;
        ssize_t n = conn_read_now(&h->bc->conn, h->rx + h->rx_bytes, room);
        if (n <= 0)
            return n == 0 ? ERR_EOF : (int)n;
        h->rx_bytes += (size_t)n;
    }
}

/* Bytes behind the answer have come with it. */
ssize_t
h1_tunnel_read(struct exchange *x, void *buf, size_t n)
{
    struct h1_exchange *h = h1_exchange_of(x);
    size_t early = h->rx_bytes - h->rx_taken;
    if (early == 0)
        return conn_read_now(&h->bc->conn, buf, n);
    n = n < early ? n : early;
    memcpy(buf, h->rx + h->rx_taken, n);
    h->rx_taken += n;
    return (ssize_t)n;
}

static void
count_unsent(struct h1_exchange *h)
{
    h->x.tunnel_unsent = h->tunnel_head.len + conn_is_unsent(&h->bc->conn);
}

/* Subtracts the written bytes of the head from n. */
static size_t
account_head(struct h1_exchange *h, size_t n)
{
    size_t head = n < h->tunnel_head.len ? n : h->tunnel_head.len;
    h->tunnel_head.ptr += head;
    h->tunnel_head.len -= head;
    h->x.tunnel_head += head;
    count_unsent(h);
    return n - head;
}

ssize_t
h1_tunnel_write(struct exchange *x, const struct iovec *iov, int n)
{
    struct h1_exchange *h = h1_exchange_of(x);
    struct iovec all[SEND_IOV_MAX];
    int k = 0;
    if (h->tunnel_head.len > 0)
        all[k++] = (struct iovec){ (void *)(uintptr_t)h->tunnel_head.ptr, h->tunnel_head.len };
    for (int i = 0; i < n && k < SEND_IOV_MAX; i++)
        all[k++] = iov[i];
    if (k == 0)
        return ERR_AGAIN;
    ssize_t w = conn_write_now(&h->bc->conn, all, k);
    return w <= 0 ? w : (ssize_t)account_head(h, (size_t)w);
}

void
h1_tunnel_shut(struct exchange *x)
{
    conn_half_close(&h1_exchange_of(x)->bc->conn);
}

static void
conn_ready(struct conn *c)
{
    struct exchange *x = container_of(c, struct backend_conn, conn)->user;
    count_unsent(h1_exchange_of(x));
    if (x->on_ready != NULL)
        x->on_ready(x);
}

int
h1_tunnel_start(struct exchange *x, const struct http_message *head)
{
    struct h1_exchange *h = h1_exchange_of(x);
    int err = h1_write_request_head(head, &h->tunnel_head);
    if (err != 0)
        return exchange_failed(x, err, "request head does not fit", CLOSE_OVERLOAD);
    x->tunnel_unsent = h->tunnel_head.len;
    h->bc->conn.on_ready = conn_ready;
    h->bc->user = x;
    return 0;
}
