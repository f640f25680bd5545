/* One protocol so far. See protocols.h. */
#include "stream/protocols.h"

#include <string.h>

#include "stream/h1/connection.h"
#include "stream/h1/exchange.h"
#include "stream/stream.h"

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

#define HTTP1_VERSION "HTTP/1.1"
#define HTTP2_VERSION "HTTP/2.0"

/* The version at the end of the first line, to be replaced by that of HTTP/1.1; NULL: it is another. */
static char *
http2_version(char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    size_t length = sizeof HTTP2_VERSION - 1, line = end == NULL ? 0 : (size_t)(end - text);
    if (line > 0 && text[line - 1] == '\r')
        line--;
    bool found = line > length && memcmp(text + line - length, HTTP2_VERSION, length) == 0;
    return found ? text + line - length : NULL;
}

static void
be_http2(struct stream *s, struct http_message *head)
{
    s->proto = SPAN_LIT(HTTP2_VERSION);
    s->transport = SPAN_LIT("HTTP/2");
    s->can_tunnel = false;
    head->proto = s->proto;
    (void)message_collect(head, NAME_COOKIE, SPAN_NULL, SPAN_LIT("; ")); /* RFC 9113, 8.2.3 */
}

int
request_of_text(char *text, size_t n, struct stream *stream, struct http_message *out, unsigned *status,
                const char **why)
{
    struct http1_error e = { .status = 400, .why = "the head is not complete" };
    char *version = http2_version(text, n);
    if (version != NULL)
        memcpy(version, HTTP1_VERSION, sizeof HTTP1_VERSION - 1);
    if (h1_parse_text(text, n, out, &e) == 0) {
        if (version != NULL)
            be_http2(stream, out);
        return 0;
    }
    *status = e.status;
    *why = e.why;
    return ERR_SYNTAX;
}
