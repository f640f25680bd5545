/* One protocol so far. See protocols.h. */
#include "stream/protocols.h"

#include "stream/h1/connection.h"
#include "stream/h1/exchange.h"

/* Here an exchange learns its protocol: a connection of a backend speaks HTTP/1. */
int
protocols_open(const struct exchange_wants *w, struct exchange **out)
{
    struct backend_conn *bc = NULL;
    int err = backend_get_for(w->backend, w->loop, w->connect_timeout_s, w->fresh, w->client, &bc);
    if (err != 0)
        return err;
    log_timestamp(w->log, "Connected", clock_real_ns());
    backend_log_open(bc, w->log);
    return h1_exchange_new(w, bc, out);
}

int
request_of_text(char *text, size_t n, struct http_message *out, unsigned *status, const char **why)
{
    struct http1_error e = { .status = 400, .why = "the head is not complete" };
    if (h1_parse_text(text, n, out, &e) == 0)
        return 0;
    *status = e.status;
    *why = e.why;
    return ERR_SYNTAX;
}
