/* See foreign.h. */
#include "stream/foreign.h"

#include "base/check.h"
#include "log/report.h"

/* RFC 9113, 3.4; a request line in HTTP/1.1 never has this version */
#define HTTP2_BEGIN "PRI * HTTP/2.0"

#define TLS_HANDSHAKE 0x16 /* type of the first record (RFC 8446, 5.1), followed by version 3.x */
#define TLS_MINOR_MAX 4

static bool
begins(struct span in, const char *text, size_t n)
{
    return in.len >= n && memcmp(in.ptr, text, n) == 0;
}

enum foreign
foreign_protocol(struct span in)
{
    if (begins(in, HTTP2_BEGIN, sizeof HTTP2_BEGIN - 1))
        return FOREIGN_HTTP2;
    if (in.len >= 3 && in.ptr[0] == TLS_HANDSHAKE && in.ptr[1] == 3 && in.ptr[2] <= TLS_MINOR_MAX)
        return FOREIGN_TLS;
    if (begins(in, "PROXY TCP", 9) || begins(in, "PROXY UNKNOWN", 13) ||
        begins(in, "\r\n\r\n\0\r\nQUIT\n", 12))
        return FOREIGN_PROXY;
    return FOREIGN_NONE;
}

const char *
foreign_why(enum foreign f)
{
    switch (f) {
    case FOREIGN_NONE: break;
    case FOREIGN_HTTP2: return "HTTP/2 is off (feature http2)";
    case FOREIGN_TLS: return "TLS on a listener for plain HTTP";
    case FOREIGN_PROXY: return "PROXY header on a listener without PROXY";
    }
    WRONG("foreign protocol");
}

/* ---- the daemon's log ---- */

static void
client_text(const struct session *s, char out[ADDRESS_TEXT_BYTES])
{
    address_text(session_client(s), out);
}

void
foreign_warn(const struct session *s, enum foreign f)
{
    static struct log_limiter limiters[FOREIGN_PROXY + 1];
    static const char *const steps[] = {
        [FOREIGN_HTTP2] =
            "began with HTTP/2, which is off, and was closed; turn it on (param.set feature +http2) or, if a "
            "TLS proxy passed it on, remove h2 from the proxy's ALPN (hitch: alpn-protos = \"http/1.1\")",
        [FOREIGN_TLS] =
            "began with TLS, but this listener takes plain HTTP; send https:// to the TLS proxy in "
            "front",
        [FOREIGN_PROXY] = "began with a PROXY header, but this listener takes none; add ,PROXY to its -a, or "
                          "turn the header off in the proxy",
    };
    CHECK(f != FOREIGN_NONE);
    char client[ADDRESS_TEXT_BYTES];
    client_text(s, client);
    log_line_limited(&limiters[f], loop_now(s->service->loop), LOG_LEVEL_WARNING, "%.*s=%.*s: client %s %s",
                     (int)s->listen->name.len, s->listen->name.ptr, (int)s->listen->endpoint.len,
                     s->listen->endpoint.ptr, client, steps[f]);
}

void
foreign_warn_no_header(const struct session *s)
{
    static struct log_limiter limiter;
    char client[ADDRESS_TEXT_BYTES];
    client_text(s, client);
    log_line_limited(
        &limiter, loop_now(s->service->loop), LOG_LEVEL_WARNING,
        "%.*s=%.*s: client %s began without a PROXY header, which this listener needs; turn it on in "
        "the proxy (hitch: write-proxy-v2 = on), or remove ,PROXY from -a",
        (int)s->listen->name.len, s->listen->name.ptr, (int)s->listen->endpoint.len, s->listen->endpoint.ptr,
        client);
}
