/* From HTTP/1 to HTTP/2 by a request with `Upgrade: h2c` (RFC 7540, 3.2): the request becomes stream 1. */
#include "stream/h2/upgrade.h"

#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "http/http1.h"
#include "stream/h2/stream.h"

#define SETTINGS_MAX 32u /* in HTTP2-Settings */
#define SWITCHING "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

bool
h2_upgrade_is_wanted(const struct http_message *head)
{
    return (params.features & FEATURE_HTTP2) != 0 &&
           span_eq_nocase(message_get(head, NAME_UPGRADE), SPAN_LIT("h2c")) &&
           (!h2_answers_as_rfc() || message_has(head, NAME_HTTP2_SETTINGS));
}

static int
digit_of(char ch)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *at = ch == '\0' ? NULL : strchr(digits, ch);
    return at == NULL ? -1 : (int)(at - digits);
}

/* base64url without padding (RFC 4648, 5). Returns the bytes, or -1. */
static ssize_t
decode(struct span text, char *out, size_t cap)
{
    unsigned bits = 0, n_bits = 0;
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        int d = digit_of(text.ptr[i]);
        if (d < 0)
            return -1;
        bits = bits << 6 | (unsigned)d;
        n_bits += 6;
        if (n_bits < 8)
            continue;
        n_bits -= 8;
        if (n == cap)
            return -1;
        out[n++] = (char)(bits >> n_bits);
    }
    return (ssize_t)n;
}

static bool
obey_settings(struct h2_connection *c, const char *settings, size_t n)
{
    for (size_t at = 0; at < n; at += H2_SETTING_BYTES)
        if (h2_obey_setting(c, h2_get32(settings + at) >> 16, h2_get32(settings + at + 2)) != H2_NO_ERROR)
            return false;
    return true;
}

/* The head, which was valid for HTTP/1, as the request of stream 1. False: no memory. */
static bool
take_head(struct h2_connection *c, struct span text)
{
    const struct wire *w = c->wire;
    struct http1_limits lim = { text.len, text.len, params.http_max_hdr };
    struct http1_error e;
    struct h2_stream *h = h2_stream_open(c, 1);
    if (h == NULL)
        return false;
    struct http_message *m = h->stream.user->head;
    struct span own = arena_copy(h->stream.user->arena, text);
    c->last_stream = 1;
    h->remote_ended = true;
    h->stream.bytes.req_head = text.len;
    if (own.ptr == NULL || http1_parse_request((char *)(uintptr_t)own.ptr, own.len, &lim, m, &e) <= 0) {
        h2_stream_drop(h);
        return false;
    }
    message_unset(m, NAME_UPGRADE, SPAN_NULL);
    message_unset(m, NAME_HTTP2_SETTINGS, SPAN_NULL);
    message_unset(m, NAME_CONNECTION, SPAN_NULL);
    m->proto = h->stream.proto;
    w->session.service->ops->begin(h->stream.user, w->rx_began, loop_real(w->session.service->loop));
    h2_counters(c)->s_req_hdrbytes += text.len;
    return true;
}

void
h2_upgrade(struct wire *w, const struct http_message *head, size_t head_bytes)
{
    char settings[SETTINGS_MAX * H2_SETTING_BYTES];
    struct span said = message_get(head, NAME_HTTP2_SETTINGS);
    ssize_t n = said.ptr == NULL ? -1 : decode(said, settings, sizeof settings);
    log_text(&w->session.log, TAG_DEBUG, SPAN_LIT("H2 Optimistic Upgrade"));
    struct h2_connection *c = h2_begin(w, SPAN_LIT(SWITCHING));
    if (c == NULL)
        return;
    bool good = n >= 0 && n % H2_SETTING_BYTES == 0 && obey_settings(c, settings, (size_t)n);
    if (!good) {
        log_text(&w->session.log, TAG_DEBUG, SPAN_LIT("H2: Bad HTTP-Settings"));
        c->out_bytes = 0;
        h2_gone(c, SC_RX_JUNK);
    } else if (!take_head(c, span_of(w->rx, head_bytes)))
        h2_fail(c, H2_INTERNAL_ERROR, SC_OVERLOAD);
    w->rx_bytes -= (uint32_t)head_bytes;
    memmove(w->rx, w->rx + head_bytes, w->rx_bytes);
    h2_go_on(c);
}
