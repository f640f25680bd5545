/* Set-up that the tests of an HTTP/2 connection share: what clients say, and what they expect. */
#ifndef VERNIS_TESTS_RUNTIME_STREAM_H2_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_STREAM_H2_FIXTURE_H

#include "log/counters.h"
#include "support/h2_peer.h"
#include "test.h"

#define TEST(name) { #name, name }
#define WHOLE (H2_END_HEADERS | H2_END_STREAM)
#define NO_RESET UINT32_MAX

static struct params defaults;
static _Thread_local struct counters before;

#define COUNTED(name) ((intmax_t)(served.sv.counters->name - before.name))

/* ---- begin and end ---- */

static inline void
begin_bare(void)
{
    params = defaults;
    params.features |= FEATURE_HTTP2;
    names_init();
    peer_begin(0);
    before = *served.sv.counters;
}

/* What a client sends first, with empty SETTINGS. */
static inline void
say_hello(void)
{
    peer_put(H2_PREFACE, H2_PREFACE_BYTES);
    peer_put_frame(H2_SETTINGS, 0, 0, NULL, 0);
}

static inline void
begin(void)
{
    begin_bare();
    say_hello();
    peer_send();
    peer_read();
    peer.taken = peer.n;
}

static inline void
begin_rfc(void)
{
    begin();
    params.features |= FEATURE_H2_RFC9113;
}

static inline void
end(void)
{
    EXPECT(served.content_good);
    EXPECT(peer_end());
}

/* ---- what the client says ---- */

/* A header block for a path: literals outside the table. */
static inline size_t
block_of(char *out, const char *method, const char *path)
{
    char *p = out;
    size_t n = strlen(path);
    CHECK(n < 100);
    *p++ = strcmp(method, "GET") == 0 ? '\x82' : '\x83';
    *p++ = '\x86'; /* :scheme http */
    *p++ = '\x04'; /* :path */
    *p++ = (char)n;
    memcpy(p, path, n);
    p += n;
    memcpy(p, "\x01\x01h", 3); /* :authority */
    return (size_t)(p + 3 - out);
}

static inline void
put_request(uint32_t id, const char *path)
{
    char block[128];
    peer_put_frame(H2_HEADERS, WHOLE, id, block, block_of(block, "GET", path));
}

/* A request whose body follows. */
static inline void
put_upload(uint32_t id, const char *path)
{
    char block[128];
    peer_put_frame(H2_HEADERS, H2_END_HEADERS, id, block, block_of(block, "POST", path));
}

static inline void
put_data(uint32_t id, size_t at, size_t n, unsigned flags)
{
    peer_put_frame(H2_DATA, flags, id, served_content() + at % SERVED_PATTERN_BYTES, n);
}

static inline void
put_number(unsigned type, uint32_t id, uint32_t number)
{
    char payload[4];
    h2_put32(payload, number);
    peer_put_frame(type, 0, id, payload, 4);
}

static inline void
put_setting(unsigned setting, uint32_t value)
{
    char payload[6] = { 0, (char)setting };
    h2_put32(payload + 2, value);
    peer_put_frame(H2_SETTINGS, 0, 0, payload, 6);
}

static inline void
put_priority(uint32_t id, const char *text)
{
    char payload[32];
    h2_put32(payload, id);
    memcpy(payload + 4, text, strlen(text));
    peer_put_frame(H2_PRIORITY_UPDATE, 0, 0, payload, 4 + strlen(text));
}

/* ---- what it gets ---- */

/* What arrived for one stream. */
struct got {
    unsigned heads, data; /* frames */
    uint32_t reset;       /* its code; NO_RESET: none */
    size_t bytes;         /* content */
    uint64_t window;      /* sum of WINDOW_UPDATE */
    unsigned char status; /* the first byte of the first block: 0x88 is 200 */
    bool ended, content_good;
};

/* All frames for a stream since peer.taken, which stays. */
static inline struct got
got(uint32_t id)
{
    struct got g = { .reset = NO_RESET, .content_good = true };
    struct h2_frame f;
    const uint8_t *payload;
    size_t taken = peer.taken;
    while (peer_next(&f, &payload)) {
        if (f.stream != id)
            continue;
        if (f.type == H2_HEADERS) {
            g.status = g.heads == 0 ? payload[0] : g.status;
            g.heads++;
        }
        if (f.type == H2_DATA) {
            g.content_good &= memcmp(payload, served_content() + g.bytes % SERVED_PATTERN_BYTES, f.bytes) ==
                              0;
            g.bytes += f.bytes;
            g.data++;
        }
        if (f.type == H2_RST_STREAM)
            g.reset = h2_get32(payload);
        if (f.type == H2_WINDOW_UPDATE)
            g.window += h2_get32(payload);
        g.ended |= (f.type == H2_DATA || f.type == H2_HEADERS) && (f.flags & H2_END_STREAM) != 0;
    }
    peer.taken = taken;
    return g;
}

/* A frame of the connection since peer.taken: the n-th of its type. NULL: there is none. */
static inline const uint8_t *
got_control(unsigned type, unsigned n, struct h2_frame *f)
{
    const uint8_t *payload, *found = NULL;
    size_t taken = peer.taken;
    while (found == NULL && peer_next(f, &payload))
        if (f->type == type && f->stream == 0 && n-- == 0)
            found = payload;
    peer.taken = taken;
    return found;
}

static inline unsigned
count_control(unsigned type)
{
    struct h2_frame f;
    unsigned n = 0;
    while (got_control(type, n, &f) != NULL)
        n++;
    return n;
}

/* The newest GOAWAY. */
static inline bool
got_goaway(uint32_t *last, uint32_t *error)
{
    struct h2_frame f;
    unsigned n = count_control(H2_GOAWAY);
    const uint8_t *p = n == 0 ? NULL : got_control(H2_GOAWAY, n - 1, &f);
    *last = p == NULL ? UINT32_MAX : h2_get32(p);
    *error = p == NULL ? UINT32_MAX : h2_get32(p + 4);
    return p != NULL;
}

#define EXPECT_GOAWAY(last_, error_) \
    do { \
        uint32_t last, error; \
        EXPECT(got_goaway(&last, &error)); \
        EXPECT_EQ_INT(last, last_); \
        EXPECT_EQ_INT(error, error_); \
    } while (0)

#define EXPECT_NO_GOAWAY() EXPECT_EQ_INT(count_control(H2_GOAWAY), 0)

/* A whole response of n bytes. */
#define EXPECT_WHOLE(id_, n_) \
    do { \
        struct got g = got(id_); \
        EXPECT_EQ_INT(g.status, 0x88); \
        EXPECT_EQ_INT(g.bytes, n_); \
        EXPECT(g.ended && g.content_good); \
        EXPECT_EQ_INT(g.reset, NO_RESET); \
    } while (0)

/* Sends, and reads the answer. */
static inline void
talk(void)
{
    peer_send();
    peer_read();
}

#endif
