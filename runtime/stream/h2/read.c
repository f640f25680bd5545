/* Reads frames (RFC 9113, 4) and hands each to the function of its type. */
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "stream/h2/frame_log.h"
#include "stream/h2/stream.h"

#define TURN_BYTES (256u * 1024) /* received bytes after which other work of this loop has its turn */

/* Which streams a type may name, and the function that obeys it. */
struct frame_rule {
    enum h2_error on_connection, on_stream, on_idle; /* H2_NO_ERROR: allowed */
    enum h2_error (*obey)(struct h2_connection *c, const struct h2_frame *f, const char *payload);
    bool control; /* its payload is of the session in the log, and it does nothing for a request */
};

static enum h2_error
refuse_push(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    (void)c, (void)f, (void)payload;
    return H2_PROTOCOL_ERROR; /* RFC 9113, 8.4: a client cannot push */
}

static const struct frame_rule rules[] = {
    [H2_DATA] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_PROTOCOL_ERROR, h2_on_data, false },
    [H2_HEADERS] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_NO_ERROR, h2_on_headers, false },
    [H2_PRIORITY] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_NO_ERROR, h2_on_priority, true },
    [H2_RST_STREAM] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_PROTOCOL_ERROR, h2_on_rst_stream, true },
    [H2_SETTINGS] = { H2_NO_ERROR, H2_PROTOCOL_ERROR, H2_PROTOCOL_ERROR, h2_on_settings, true },
    [H2_PUSH_PROMISE] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_PROTOCOL_ERROR, refuse_push, false },
    [H2_PING] = { H2_NO_ERROR, H2_PROTOCOL_ERROR, H2_PROTOCOL_ERROR, h2_on_ping, true },
    [H2_GOAWAY] = { H2_NO_ERROR, H2_PROTOCOL_ERROR, H2_PROTOCOL_ERROR, h2_on_goaway, true },
    [H2_WINDOW_UPDATE] = { H2_NO_ERROR, H2_NO_ERROR, H2_PROTOCOL_ERROR, h2_on_window_update, true },
    [H2_CONTINUATION] = { H2_PROTOCOL_ERROR, H2_NO_ERROR, H2_PROTOCOL_ERROR, h2_on_continuation, false },
    [H2_PRIORITY_UPDATE] = { H2_NO_ERROR, H2_PROTOCOL_ERROR, H2_PROTOCOL_ERROR, h2_on_priority_update, true },
};

static const enum session_why whys[H2_ERROR_COUNT] = {
    [H2_NO_ERROR] = SC_REM_CLOSE,
    [H2_PROTOCOL_ERROR] = SC_RX_JUNK,
    [H2_INTERNAL_ERROR] = SC_VCL_FAILURE,
    [H2_FLOW_CONTROL_ERROR] = SC_OVERLOAD,
    [H2_SETTINGS_TIMEOUT] = SC_RX_TIMEOUT,
    [H2_STREAM_CLOSED] = SC_RX_JUNK,
    [H2_FRAME_SIZE_ERROR] = SC_RX_JUNK,
    [H2_REFUSED_STREAM] = SC_OVERLOAD,
    [H2_CANCEL] = SC_REM_CLOSE,
    [H2_COMPRESSION_ERROR] = SC_RX_JUNK,
    [H2_CONNECT_ERROR] = SC_RX_JUNK,
    [H2_ENHANCE_YOUR_CALM] = SC_OVERLOAD,
    [H2_INADEQUATE_SECURITY] = SC_RX_JUNK,
    [H2_HTTP_1_1_REQUIRED] = SC_REQ_HTTP20,
};

/* The frames of one header block follow one another (RFC 9113, 6.10). A client's streams have odd numbers. */
static enum h2_error
check_frame(const struct h2_connection *c, const struct h2_frame *f, const struct frame_rule *rule)
{
    if (!c->has_settings && f->type != H2_SETTINGS && h2_answers_as_rfc()) /* RFC 9113, 3.4 */
        return H2_PROTOCOL_ERROR;
    enum h2_error e = f->stream == 0             ? rule->on_connection
                    : f->stream > c->last_stream ? (rule->on_stream != 0 ? rule->on_stream : rule->on_idle)
                                                 : rule->on_stream;
    if (e != H2_NO_ERROR)
        return e;
    if (f->stream != 0 && (f->stream & 1) == 0)
        return H2_PROTOCOL_ERROR;
    bool in_block = c->block.bytes != NULL;
    bool goes_on = in_block && f->type == H2_CONTINUATION && f->stream == c->block.stream;
    return in_block && !goes_on ? H2_PROTOCOL_ERROR : H2_NO_ERROR;
}

static void
take_frame(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    const struct frame_rule *rule = f->type < sizeof rules / sizeof *rules ? &rules[f->type] : NULL;
    c->received.heads += H2_HEAD_BYTES;
    h2_log_frame(&c->wire->session.log, true, payload - H2_HEAD_BYTES, span_of(payload, f->bytes));
    if (rule == NULL || rule->obey == NULL) { /* unknown types are ignored (RFC 9113, 4.1) */
        c->received.payloads += f->bytes;
        if (c->block.bytes != NULL)
            h2_fail_broken(c, H2_PROTOCOL_ERROR, SC_RX_JUNK);
        else
            (void)h2_charge(c, H2_COST_CONTROL, 1);
        return;
    }
    c->received.payloads += rule->control ? f->bytes : 0;
    enum h2_error e = check_frame(c, f, rule);
    c->has_settings |= f->type == H2_SETTINGS;
    if (e == H2_NO_ERROR && rule->control && f->type != H2_RST_STREAM && !h2_charge(c, H2_COST_CONTROL, 1))
        return;
    if (e == H2_NO_ERROR)
        e = rule->obey(c, f, payload);
    if (e == H2_INTERNAL_ERROR) /* we have no memory */
        h2_fail(c, e, whys[e]);
    else if (e != H2_NO_ERROR)
        h2_fail_broken(c, e, whys[e]);
}

static bool
takes_frames(const struct h2_connection *c)
{
    return c->state == H2_OPEN || c->state == H2_LEAVING;
}

/* Takes the frames that are complete from the first `n` received bytes. Returns their bytes. */
static uint32_t
take_frames(struct h2_connection *c)
{
    const struct wire *w = c->wire;
    uint32_t at = 0;
    while (takes_frames(c) && w->rx_bytes - at >= H2_HEAD_BYTES && !h2_out_is_stuffed(c)) {
        struct h2_frame f = h2_get_frame(w->rx + at);
        if (f.bytes > c->payload_max) {
            h2_fail_broken(c, H2_FRAME_SIZE_ERROR, SC_RX_OVERFLOW);
            break;
        }
        if (w->rx_bytes - at - H2_HEAD_BYTES < f.bytes)
            break;
        take_frame(c, &f, w->rx + at + H2_HEAD_BYTES);
        at += H2_HEAD_BYTES + f.bytes;
    }
    return at;
}

/* The bytes that the client sends first. Returns how many are used up; 0: more are needed. */
static uint32_t
take_preface(struct h2_connection *c)
{
    const struct wire *w = c->wire;
    size_t n = w->rx_bytes < H2_PREFACE_BYTES ? w->rx_bytes : H2_PREFACE_BYTES;
    if (n > 0 && memcmp(w->rx, H2_PREFACE, n) != 0) {
        log_text(&w->session.log, TAG_DEBUG, SPAN_LIT("H2: No/Bad OU PRISM (hs=-1)"));
        h2_gone(c, SC_RX_JUNK);
        return 0;
    }
    if (n < H2_PREFACE_BYTES)
        return 0;
    struct h2_stream *first = h2_find(c, 1); /* a request that came by HTTP/1 waits for the preface */
    c->prefaced = true;
    log_text(&w->session.log, TAG_DEBUG, SPAN_LIT("H2: Got pu PRISM"));
    h2_send_settings(c);
    if (first != NULL)
        h2_stream_serve(first);
    return H2_PREFACE_BYTES;
}

static void
consume(struct h2_connection *c, uint32_t n)
{
    struct wire *w = c->wire;
    if (n > 0 || c->partial_since == 0)
        c->partial_since = loop_now(w->session.service->loop);
    w->rx_bytes -= n;
    if (n > 0 && w->rx_bytes > 0)
        memmove(w->rx, w->rx + n, w->rx_bytes);
}

static void
take_received(struct h2_connection *c)
{
    struct wire *w = c->wire;
    if (!c->prefaced)
        consume(c, take_preface(c));
    if (c->prefaced && w->rx_bytes > 0)
        consume(c, take_frames(c));
}

static void
peer_left(struct h2_connection *c)
{
    c->lost = true;
    h2_gone(c, SC_REM_CLOSE);
}

/* A buffer holds the largest frame that we allow. Reads what has arrived, until the socket is drained, the
 * output stops us, or other work is due. */
void
h2_read(struct h2_connection *c)
{
    struct wire *w = c->wire;
    struct service *sv = w->session.service;
    c->read_on = false;
    if (c->state == H2_LATE)
        return;
    if (w->rx_bytes > 0)
        take_received(c);
    h2_give_tunnels(c);
    for (size_t turn = 0; takes_frames(c) && conn_may_read(&w->conn);) {
        if (h2_out_is_stuffed(c)) /* the flush goes on with it */
            break;
        if (turn >= TURN_BYTES) {
            c->read_on = true;
            timer_set(sv->loop, &w->timer, loop_now(sv->loop));
            break;
        }
        if (w->rx == NULL && (w->rx = buffers_take(&sv->buffers)) == NULL) {
            h2_fail(c, H2_INTERNAL_ERROR, SC_OVERLOAD);
            break;
        }
        size_t room = buffers_bytes(w->rx) - w->rx_bytes;
        if (room == 0) { /* h2_max_frame_size has changed, and the buffer is of the other size */
            h2_fail(c, H2_FRAME_SIZE_ERROR, SC_RX_OVERFLOW);
            break;
        }
        ssize_t n = conn_read_now(&w->conn, w->rx + w->rx_bytes, room);
        if (n == ERR_AGAIN)
            break;
        if (n <= 0) {
            peer_left(c);
            break;
        }
        w->rx_bytes += (uint32_t)n;
        turn += (size_t)n;
        take_received(c);
        h2_give_tunnels(c);
    }
    if (c->state == H2_FAILED)
        w->rx_bytes = 0;
    if (w->rx_bytes == 0) {
        c->partial_since = 0;
        buffers_give(&sv->buffers, &w->rx);
    }
    h2_arm_timer(c);
}
