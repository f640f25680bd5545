/* See foreign.h. */
#include "stream/foreign.h"

#include "base/check.h"
#include "log/report.h"

/* RFC 9113, 3.4; a request line in HTTP/1.1 never has this version */
#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define PREFACE_BYTES (sizeof PREFACE - 1)
#define PREFACE_KNOWN 14 /* "PRI * HTTP/2.0" */

#define FRAME_HEAD 9
#define STREAM_BITS 0x7fffffffu
enum frame_type { FRAME_DATA = 0, FRAME_HEADERS = 1, FRAME_SETTINGS = 4, FRAME_GOAWAY = 7 };
#define FLAG_ACK 1
#define FLAG_END_STREAM 1
#define FLAG_END_HEADERS 4
#define FLAG_PADDED 8
#define FLAG_PRIORITY 0x20
#define HPACK_GET 0x82 /* RFC 7541, 6.1 and appendix A */
#define HPACK_POST 0x83
#define HTTP_1_1_REQUIRED 0x0d /* RFC 9113, 7 */

#define HTTP2_TEXT \
    "This server does not serve HTTP/2 to clients: send the request with HTTP/1.1.\n" \
    "If a TLS proxy stands in front of it, the proxy must not offer h2 (ALPN) to clients.\n"

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
    if (begins(in, PREFACE, PREFACE_KNOWN))
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
    case FOREIGN_HTTP2: return "HTTP/2 is not served to clients";
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
            "began with HTTP/2, which is not served to clients, and got status 505; if a TLS proxy "
            "passed it on, remove h2 from the proxy's ALPN (hitch: alpn-protos = \"http/1.1\")",
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

/* ---- HTTP/2 ---- */

static uint32_t
number(const uint8_t *p, size_t n)
{
    uint32_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* The method is the first field in practice. GET and POST are in HPACK's static table, HEAD is not. */
static struct http2_request
request_of(const uint8_t *frame, size_t received)
{
    unsigned flags = frame[4];
    size_t at = FRAME_HEAD + ((flags & FLAG_PADDED) != 0 ? 1 : 0) + ((flags & FLAG_PRIORITY) != 0 ? 5 : 0);
    if (at >= received)
        return (struct http2_request){ 0, false };
    return (struct http2_request){ number(frame + 5, 4) & STREAM_BITS,
                                   frame[at] == HPACK_GET || frame[at] == HPACK_POST };
}

struct http2_request
foreign_http2_request(struct span in)
{
    for (size_t at = PREFACE_BYTES; begins(in, PREFACE, PREFACE_BYTES) && in.len - at >= FRAME_HEAD;) {
        const uint8_t *p = (const uint8_t *)in.ptr + at;
        size_t payload = number(p, 3);
        if (p[3] == FRAME_HEADERS)
            return request_of(p, in.len - at);
        if (payload > in.len - at - FRAME_HEAD)
            break;
        at += FRAME_HEAD + payload;
    }
    return (struct http2_request){ 0, false };
}

static char *
put_number(char *p, uint32_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(v >> 8 * (n - 1 - i));
    return p + n;
}

static char *
put_frame(char *p, enum frame_type type, unsigned flags, uint32_t stream, const void *payload, size_t n)
{
    p = put_number(p, (uint32_t)n, 3);
    *p++ = (char)type;
    *p++ = (char)flags;
    p = put_number(p, stream, 4);
    if (n > 0)
        memcpy(p, payload, n);
    return p + n;
}

/* A response in HTTP/2, because curl and browsers show its text. GOAWAY alone would be "error in the HTTP/2
 * framing layer". HPACK: two literals with names of the static table (RFC 7541, 6.2.2). */
size_t
foreign_http2_answer(struct http2_request to, char out[FOREIGN_HTTP2_BYTES_MAX])
{
    static const char head[] = "\x08\x03"
                               "505"
                               "\x0f\x10\x0a"
                               "text/plain",
                      text[] = HTTP2_TEXT;
    char away[8 + sizeof text - 1], *p = out;
    put_number(put_number(away, to.stream, 4), HTTP_1_1_REQUIRED, 4);
    memcpy(away + 8, text, sizeof text - 1);
    p = put_frame(p, FRAME_SETTINGS, 0, 0, NULL, 0);
    p = put_frame(p, FRAME_SETTINGS, FLAG_ACK, 0, NULL, 0);
    if (to.stream != 0)
        p = put_frame(p, FRAME_HEADERS, FLAG_END_HEADERS | (to.has_text ? 0 : FLAG_END_STREAM), to.stream,
                      head, sizeof head - 1);
    if (to.stream != 0 && to.has_text)
        p = put_frame(p, FRAME_DATA, FLAG_END_STREAM, to.stream, text, sizeof text - 1);
    p = put_frame(p, FRAME_GOAWAY, 0, 0, away, sizeof away);
    _Static_assert(6 * FRAME_HEAD + sizeof head + 2 * sizeof text + 8 <= FOREIGN_HTTP2_BYTES_MAX, "answer");
    return (size_t)(p - out);
}
