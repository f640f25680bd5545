/* Extended CONNECT: see connect.h. */
#include "proxy/connect.h"

#include <sys/random.h>

#include "base/check.h"
#include "policy/lib.h"

#define WEBSOCKET_KEY SPAN_LIT("Sec-WebSocket-Key")
#define WEBSOCKET_ACCEPT SPAN_LIT("Sec-WebSocket-Accept")
#define NONCE_BYTES 16u /* RFC 6455, 4.1 */

/* The key proves to a client of HTTP/1.1 that its server speaks WebSocket. Over HTTP/2 there is none (RFC
 * 8441, 5.1), but servers insist on it. */
static int
add_websocket_key(struct http_message *bereq)
{
    DEBUG_CHECK(bereq->arena != NULL);
    char nonce[NONCE_BYTES], text[NONCE_BYTES / 3 * 4 + 4];
    CHECK(getrandom(nonce, sizeof nonce, 0) == (ssize_t)sizeof nonce);
    size_t n = base64_encode(BASE64_STANDARD, '=', nonce, sizeof nonce, text);
    struct span key = arena_copy(bereq->arena, span_of(text, n));
    return key.ptr == NULL ? ERR_NOMEM : message_set(bereq, NAME_NONE, WEBSOCKET_KEY, key);
}

int
connect_ask(const struct stream *s, struct http_message *bereq)
{
    DEBUG_CHECK(s->can_tunnel && s->connect_protocol.len > 0);
    struct span protocol = arena_copy(bereq->arena, s->connect_protocol);
    if (protocol.ptr == NULL)
        return ERR_NOMEM;
    bereq->method = SPAN_LIT("GET");
    int err = message_set(bereq, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("Upgrade"));
    if (err == 0)
        err = message_set(bereq, NAME_UPGRADE, SPAN_NULL, protocol);
    if (err == 0 && span_eq_nocase(protocol, SPAN_LIT("websocket")))
        err = add_websocket_key(bereq);
    return err;
}

int
connect_answer(struct request *r)
{
    struct stream *s = r->stream;
    struct http_message *m = &r->resp;
    DEBUG_CHECK(s->connect_protocol.len > 0 && r->route == ROUTE_PIPE);
    bool opened = connect_is_open(m);
    if (opened)
        m->status = 200;
    else if (m->status / 100 == 2) /* it was served, but the client would take it for an open tunnel */
        m->status = 502;
    m->reason = status_reason(m->status);
    m->proto = s->proto;
    message_unset(m, NAME_CONTENT_LENGTH, SPAN_NULL);
    message_unset(m, NAME_NONE, WEBSOCKET_ACCEPT);
    message_log(m, &r->log, TAG_RESP);
    return s->ops->send_head(s, m, -1, opened);
}

void
connect_refuse(struct request *r, unsigned status)
{
    DEBUG_CHECK(status >= 500);
    r->resp = (struct http_message){ .arena = &r->arena, .status = (uint16_t)status };
    if (connect_answer(r) != 0)
        r->stream->ops->send_failure(r->stream);
}
