/* Frames that concern the connection, or no stream's content: SETTINGS, PING, GOAWAY, WINDOW_UPDATE,
 * RST_STREAM and priorities (RFC 9113, 6; RFC 9218). */
#include <string.h>

#include "base/params.h"
#include "stream/h2/stream.h"

/* ---- settings ---- */

struct setting_rule {
    uint32_t min, max;
    enum h2_error out_of_range;
};

static const struct setting_rule setting_rules[H2_SETTING_COUNT] = {
    [H2_HEADER_TABLE_SIZE] = { 0, UINT32_MAX, H2_NO_ERROR },
    [H2_ENABLE_PUSH] = { 0, 1, H2_PROTOCOL_ERROR },
    [H2_MAX_CONCURRENT_STREAMS] = { 0, UINT32_MAX, H2_NO_ERROR },
    [H2_INITIAL_WINDOW_SIZE] = { 0, H2_WINDOW_MAX, H2_FLOW_CONTROL_ERROR },
    [H2_MAX_FRAME_SIZE] = { H2_PAYLOAD_DEFAULT, H2_PAYLOAD_MAX, H2_PROTOCOL_ERROR },
    [H2_MAX_HEADER_LIST_SIZE] = { 0, UINT32_MAX, H2_NO_ERROR },
    [H2_ENABLE_CONNECT_PROTOCOL] = { 0, 1, H2_PROTOCOL_ERROR },
    [H2_NO_RFC7540_PRIORITIES] = { 0, 1, H2_PROTOCOL_ERROR },
};

struct window_move {
    int64_t by;
    bool too_large; /* a window has grown beyond its limit */
};

/* The windows of open streams move with the initial one, maybe below zero (RFC 9113, 6.9.2). */
static void
move_window(struct h2_stream *h, void *arg)
{
    struct window_move *m = arg;
    h->send_window += m->by;
    m->too_large |= h->send_window > H2_WINDOW_MAX;
    if (h->send_window > 0 && h->waits)
        h2_stream_want_turn(h);
}

static enum h2_error
set_initial_window(struct h2_connection *c, uint32_t value)
{
    struct window_move m = { (int64_t)value - c->peer.initial_window, false };
    c->peer.initial_window = value;
    h2_each_stream(c, move_window, &m);
    h2_out_soon(c);
    return m.too_large ? H2_FLOW_CONTROL_ERROR : H2_NO_ERROR;
}

enum h2_error
h2_obey_setting(struct h2_connection *c, unsigned setting, uint32_t value)
{
    if (setting == 0 || setting >= H2_SETTING_COUNT)
        return H2_NO_ERROR; /* RFC 9113, 6.5.2 */
    const struct setting_rule *rule = &setting_rules[setting];
    if (value < rule->min || value > rule->max)
        if ((params.debugging & DEBUG_H2_NOCHECK) == 0)
            return rule->out_of_range;
    if (setting == H2_INITIAL_WINDOW_SIZE)
        return set_initial_window(c, value);
    if (setting == H2_MAX_FRAME_SIZE)
        c->peer.payload_max = value > 0 ? value : 1; /* with h2_nocheck */
    if (setting == H2_HEADER_TABLE_SIZE && c->encoder != NULL)
        hpack_encoder_limit(c->encoder, value);
    else if (setting == H2_HEADER_TABLE_SIZE && value < HPACK_TABLE_BYTES)
        c->table_update_due = true; /* RFC 7541, 4.2 */
    return H2_NO_ERROR;
}

/* From here on the client's encoder knows how large a table it may use. */
static enum h2_error
acknowledge(struct h2_connection *c)
{
    if (!c->acknowledged)
        hpack_decoder_limit(&c->decoder, c->table_max);
    c->acknowledged = true;
    return H2_NO_ERROR;
}

enum h2_error
h2_on_settings(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if ((f->flags & H2_ACK) != 0)
        return f->bytes == 0 ? acknowledge(c) : H2_FRAME_SIZE_ERROR;
    if (f->bytes % H2_SETTING_BYTES != 0)
        return h2_answers_as_rfc() ? H2_FRAME_SIZE_ERROR : H2_PROTOCOL_ERROR;
    for (uint32_t at = 0; at < f->bytes; at += H2_SETTING_BYTES) {
        unsigned setting = h2_get32(payload + at) >> 16;
        enum h2_error e = h2_obey_setting(c, setting, h2_get32(payload + at + 2));
        if (e != H2_NO_ERROR)
            return e;
    }
    h2_out_frame(c, H2_SETTINGS, H2_ACK, 0, NULL, 0);
    return H2_NO_ERROR;
}

/* Only what differs from the defaults (RFC 9113, 6.5.2). */
void
h2_send_settings(struct h2_connection *c)
{
    const struct {
        enum h2_setting setting;
        uint32_t value, initially;
    } all[] = {
        { H2_HEADER_TABLE_SIZE, c->table_max, HPACK_TABLE_BYTES },
        { H2_MAX_CONCURRENT_STREAMS, params.h2_max_concurrent_streams, UINT32_MAX },
        { H2_INITIAL_WINDOW_SIZE, c->settings_window, H2_WINDOW_DEFAULT },
        { H2_MAX_FRAME_SIZE, c->payload_max, H2_PAYLOAD_DEFAULT },
        { H2_MAX_HEADER_LIST_SIZE, (uint32_t)params.h2_max_header_list_size_bytes, 0x7fffffff },
        { H2_ENABLE_CONNECT_PROTOCOL, c->extended_connect, 0 },
    };
    char payload[sizeof all / sizeof *all * H2_SETTING_BYTES], *p = payload;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].value == all[i].initially)
            continue;
        *p++ = 0;
        *p++ = (char)all[i].setting;
        p = h2_put32(p, all[i].value);
    }
    h2_out_frame(c, H2_SETTINGS, 0, 0, payload, (size_t)(p - payload));
}

/* ---- ping, goaway ---- */

/* The only PING of ours announces the end: its answer shows that the client knows it. */
enum h2_error
h2_on_ping(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if (f->bytes != 8)
        return H2_FRAME_SIZE_ERROR;
    bool answer = (f->flags & H2_ACK) != 0;
    if (!answer) {
        h2_counters(c)->h2_pings++;
        h2_out_frame(c, H2_PING, H2_ACK, 0, payload, f->bytes);
        return H2_NO_ERROR;
    }
    if (c->state == H2_LEAVING) {
        h2_leave_now(c);
        return H2_NO_ERROR;
    }
    return h2_answers_as_rfc() ? H2_NO_ERROR : H2_PROTOCOL_ERROR;
}

/* The client opens no more streams. It may still want the responses (RFC 9113, 6.8). */
enum h2_error
h2_on_goaway(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if (f->bytes < 8)
        return H2_FRAME_SIZE_ERROR;
    uint32_t error = h2_get32(payload + 4);
    h2_counters(c)->h2_goaway_in++;
    if (error != H2_NO_ERROR) {
        h2_gone(c, SC_REM_CLOSE);
        return H2_NO_ERROR;
    }
    if (c->state == H2_OPEN) {
        c->state = H2_LEAVING;
        c->why = SC_REM_CLOSE;
        c->last_goaway = true;
    }
    return H2_NO_ERROR;
}

/* ---- windows and resets ---- */

enum h2_error
h2_on_window_update(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if (f->bytes != 4)
        return H2_FRAME_SIZE_ERROR;
    uint32_t n = h2_get32(payload) & H2_STREAM_BITS;
    struct h2_stream *h = f->stream == 0 ? NULL : h2_find(c, f->stream);
    if (f->stream != 0 && (h == NULL || h->cut))
        return H2_NO_ERROR; /* a closed stream */
    int64_t *window = h == NULL ? &c->send_window : &h->send_window;
    *window += n;
    enum h2_error e = n == 0                  ? H2_PROTOCOL_ERROR
                    : *window > H2_WINDOW_MAX ? H2_FLOW_CONTROL_ERROR
                                              : H2_NO_ERROR;
    if (e != H2_NO_ERROR && h != NULL) {
        h2_stream_fault(h, e);
        return H2_NO_ERROR;
    }
    if (e == H2_NO_ERROR && h != NULL && h->waits)
        h2_stream_want_turn(h);
    h2_out_soon(c);
    return e;
}

enum h2_error
h2_on_rst_stream(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    (void)payload;
    if (f->bytes != 4)
        return H2_FRAME_SIZE_ERROR;
    struct h2_stream *h = h2_find(c, f->stream);
    h2_counters(c)->h2_resets_in += h != NULL;
    (void)h2_out_has_reset(c, f->stream, true);
    if (!h2_charge(c, h != NULL ? h2_stream_reset_cost(h) : H2_COST_CONTROL, 1))
        return H2_NO_ERROR;
    if (h != NULL)
        h2_stream_cut(h, H2_CANCEL, false);
    return H2_NO_ERROR;
}

/* ---- priorities ---- */

/* The tree of RFC 7540 is parsed by nobody any more (RFC 9113, 5.3.2). */
enum h2_error
h2_on_priority(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if (!h2_answers_as_rfc())
        return H2_NO_ERROR;
    if (f->bytes != 5) {
        struct h2_stream *h = h2_find(c, f->stream);
        if (h != NULL)
            h2_stream_fault(h, H2_FRAME_SIZE_ERROR);
        else
            h2_out_reset(c, f->stream, H2_FRAME_SIZE_ERROR);
        return H2_NO_ERROR;
    }
    if ((h2_get32(payload) & H2_STREAM_BITS) == f->stream) /* a stream cannot depend on itself */
        h2_out_reset(c, f->stream, H2_PROTOCOL_ERROR);
    return H2_NO_ERROR;
}

enum h2_error
h2_on_priority_update(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    if (f->bytes < 4)
        return H2_FRAME_SIZE_ERROR;
    uint32_t id = h2_get32(payload) & H2_STREAM_BITS;
    struct h2_stream *h = h2_find(c, id);
    if (id == 0)
        return H2_PROTOCOL_ERROR;
    if (h != NULL)
        h2_stream_set_priority(h, span_of(payload + 4, f->bytes - 4));
    return H2_NO_ERROR;
}
