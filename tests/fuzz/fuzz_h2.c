/* Frames of HTTP/2 into a connection above a service that answers as paths say (support/h2_service.h): the
 * session always ends after its peer, nothing is left of it, and what it sends are whole frames. Each step of
 * an input is a byte that selects what happens, and its operands. */
#include <stdio.h>

#include "fuzz.h"
#include "http/names.h"
#include "support/h2_peer.h"

#define STEPS_MAX 400
#define STREAMS 16u
#define BODY_UNIT 700u

struct input {
    const uint8_t *at, *end;
};

static unsigned
take(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static void
put_request(struct input *in, uint32_t id)
{
    static const char deeds[] = "nlkrbexchtf";
    char block[64], *p = block;
    unsigned what = take(in), flags = take(in);
    char path[32];
    int n = snprintf(path, sizeof path, "/%c%u", deeds[what % (sizeof deeds - 1)], take(in) * BODY_UNIT);
    *p++ = what & 0x40 ? '\x83' : '\x82';
    *p++ = '\x86';
    *p++ = '\x04';
    *p++ = (char)n;
    memcpy(p, path, (size_t)n);
    p += n;
    if (what & 0x80)
        *p++ = (char)take(in); /* any field, or a part of one */
    peer_put_frame(H2_HEADERS, (flags & 1 ? 0 : H2_END_HEADERS) | (flags & 6 ? H2_END_STREAM : 0), id, block,
                   (size_t)(p - block));
    if (flags & 1)
        peer_put_frame(H2_CONTINUATION, flags & 8 ? 0 : H2_END_HEADERS, id, "\x01\x01h", flags & 16 ? 0 : 3);
}

static void
put_number(unsigned type, uint32_t id, uint32_t number)
{
    char payload[4];
    h2_put32(payload, number);
    peer_put_frame(type, 0, id, payload, 4);
}

static void
put_setting(struct input *in)
{
    char payload[6] = { 0, (char)(take(in) % 10) };
    unsigned how = take(in);
    h2_put32(payload + 2, how & 0x80 ? how << (how & 31) : how * 300);
    peer_put_frame(H2_SETTINGS, 0, 0, payload, 6);
}

/* Any type and flags, and a payload of the input. */
static void
put_any(struct input *in)
{
    unsigned type = take(in) % 18, flags = take(in), id = take(in), n = take(in);
    size_t left = (size_t)(in->end - in->at);
    n = n < left ? n : (unsigned)left;
    peer_put_frame(type, flags, id, in->at, n);
    in->at += n;
}

static void
leave(void *unused)
{
    if (list_empty(&served.sv.sessions))
        return;
    struct session *s = container_of(served.sv.sessions.next, struct session, link);
    if (s->ops->retire != NULL) /* not before HTTP/2 has begun */
        s->ops->retire(s);
}

static void
step(struct input *in)
{
    static char zeros[20000];
    unsigned what = take(in), id = what / 16 * 2 + 1;
    switch (what % 16) {
    case 0:
    case 1: put_request(in, id); break;
    case 2: peer_put_frame(H2_DATA, take(in) & 1, id, served_content(), take(in) * 64); break;
    case 3: put_number(H2_WINDOW_UPDATE, id, take(in) * BODY_UNIT); break;
    case 4: put_number(H2_WINDOW_UPDATE, 0, take(in) * BODY_UNIT * 8); break;
    case 5: put_number(H2_RST_STREAM, id, take(in)); break;
    case 6: put_setting(in); break;
    case 7: put_any(in); break;
    case 8: peer_put_frame(H2_PING, take(in) & 1, 0, zeros, 8); break;
    case 9: peer_put_frame(H2_DATA, H2_PADDED, id, zeros, take(in) * 64); break;
    case 10: peer_send_in(take(in) + 1); break;
    case 11: peer_send(); break;
    case 12: (void)peer_read_some(take(in) * 100); break;
    case 13: on_loop(peer.loop, served_go, NULL); break;
    case 14: {
        char payload[8];
        h2_put32(payload, id);
        memcpy(payload + 4, what & 0x80 ? "u=0,i" : "u=5;x", 4);
        peer_put_frame(H2_PRIORITY_UPDATE, 0, 0, payload, 8);
        break;
    }
    default:
        if (take(in) < 8)
            on_loop(peer.loop, leave, NULL);
        else
            peer_turns(1);
    }
}

/* Frames with their bounds, and none that servers do not send. */
static void
check_output(void)
{
    struct h2_frame f;
    const uint8_t *payload;
    bool first = true;
    while (peer_next(&f, &payload)) {
        CHECK(!first || f.type == H2_SETTINGS || f.type == H2_GOAWAY);
        CHECK(f.type != H2_PUSH_PROMISE && f.type <= H2_CONTINUATION && f.type != H2_PRIORITY);
        CHECK((f.stream == 0) == (f.type == H2_SETTINGS || f.type == H2_PING || f.type == H2_GOAWAY ||
                                  (f.type == H2_WINDOW_UPDATE && f.stream == 0)));
        CHECK(f.type != H2_RST_STREAM || f.bytes == 4);
        CHECK(f.type != H2_GOAWAY || f.bytes == 8);
        first = false;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct params defaults;
    static bool begun;
    struct input in = { data, data + size };
    if (!begun)
        defaults = params;
    begun = true;
    params = defaults;
    names_init();
    params.features |= FEATURE_HTTP2;
    unsigned how = take(&in);
    if (how & 1)
        params.features |= FEATURE_H2_RFC9113;
    params.h2_fibers_max = how & 2 ? 3 : 100;
    params.h2_frame_limit = how & 4 ? 50 : 0;
    params.h2_rapid_reset_limit = how & 8 ? 20 : 0;
    params.linger_time_s = how & 16 ? 1 : 0;
    peer_begin(0);
    served.piece = how & 32 ? 100 : how & 64 ? 32768 : 5000;
    peer_put(H2_PREFACE, H2_PREFACE_BYTES);
    peer_put_frame(H2_SETTINGS, 0, 0, NULL, 0);
    for (int i = 0; i < STEPS_MAX && in.at < in.end && peer.n_out < PEER_SENDS_MAX / 2; i++)
        step(&in);
    peer_send();
    for (int i = 0; i < 50 && peer_read_some(PEER_READS_MAX / 4) > 0; i++)
        peer_turns(2);
    check_output();
    CHECK(peer_end());
    return 0;
}
