/* Log records of HTTP/2 frames. Expected texts are those of Varnish 7.1. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "log/ring.h"
#include "stream/h2/frame_log.h"
#include "test.h"

#include "log/ring_reader.h"

#define RING_BYTES (1u << 20)
#define SESSION_ID (LOG_CLIENT | 1)

static struct log_txn session = { .id = SESSION_ID };
static struct reader reader;

static void
open_ring(uint64_t mask)
{
    static char *mem;
    log_flush();
    free(mem);
    mem = calloc(1, RING_BYTES);
    CHECK(mem != NULL);
    log_set_limits(255, 16384, true);
    ring_open(mem, RING_BYTES);
    reader = reader_open(mem);
    atomic_store(&log_mask[0], mask);
    atomic_store(&log_mask[1], mask);
}

static void
expect_record(enum log_tag tag, struct span content)
{
    const uint32_t *r = NULL;
    enum reading what = reader_next(&reader, &r);
    while (what == READ_BATCH)
        what = reader_next(&reader, &r);
    EXPECT_EQ_INT(what, READ_RECORD);
    if (what != READ_RECORD)
        return;
    EXPECT_EQ_INT(log_form_tag(false, r[0]), tag);
    EXPECT_EQ_INT(r[1], SESSION_ID);
    EXPECT_EQ_SPAN(span_of((const char *)(r + reader.head_words), r[0] & 0xffff), content);
}

static void
expect_debug(const uint8_t head[H2_LOG_HEAD_BYTES], struct span payload, struct span text)
{
    open_ring(UINT64_C(1) << TAG_DEBUG);
    h2_log_frame(&session, true, head, payload);
    expect_record(TAG_DEBUG, span_of(text.ptr, text.len + 1)); /* with its NUL */
}

static void
frames_are_logged_as_they_are(void)
{
    static const uint8_t settings[] = { 0, 0, 6, 4, 0, 0, 0, 0, 0 };
    static const uint8_t ack[] = { 0, 0, 0, 4, 1, 0, 0, 0, 0 };
    struct span payload = span_of("\0\4\0\1\0\0", 6);
    open_ring(UINT64_MAX);
    h2_log_frame(&session, false, settings, payload);
    expect_record(TAG_H2_TX_HDR, span_of((const char *)settings, 9));
    expect_record(TAG_H2_TX_BODY, payload);
    h2_log_frame(&session, true, ack, SPAN_NULL);
    expect_record(TAG_H2_RX_HDR, span_of((const char *)ack, 9));
    expect_record(TAG_DEBUG, span_of("H2RXF SETTINGS[0] 0x01 0x00000000", 34));
}

static void
debug_records_name_the_frame(void)
{
    expect_debug((uint8_t[]){ 0, 0, 4, 3, 0, 0, 0, 1, 7 }, span_of("\0\0\0\10", 4),
                 SPAN_LIT("H2RXF RST_STREAM[4] 0x00 0x00000107 0x00000008"));
    expect_debug((uint8_t[]){ 0, 0, 8, 6, 0, 0, 0, 0, 0 }, span_of("\0\0\0\0\0\0\0\0", 8),
                 SPAN_LIT("H2RXF PING[8] 0x00 0x00000000 0x0...0"));
    expect_debug((uint8_t[]){ 1, 0, 0, 0xfe, 0xff, 0, 0, 0, 0 }, span_of("\xab", 1),
                 SPAN_LIT("H2RXF 0xfe[65536] 0xff 0x00000000 0xab"));
}

static void
a_long_payload_is_cut(void)
{
    static const uint8_t data[] = { 0, 64, 0, 0, 0, 0, 0, 0, 1 };
    char payload[16384];
    memset(payload, 'x', sizeof payload);
    open_ring(UINT64_MAX);
    h2_log_frame(&session, true, data, span_of(payload, sizeof payload));
    expect_record(TAG_H2_RX_HDR, span_of((const char *)data, 9));
    expect_record(TAG_H2_RX_BODY, span_of(payload, 255));
}

static void
the_mask_leaves_frames_out(void)
{
    const uint32_t *r = NULL;
    open_ring(0);
    h2_log_frame(&session, true, (uint8_t[]){ 0, 0, 0, 4, 0, 0, 0, 0, 0 }, SPAN_NULL);
    EXPECT_EQ_INT(reader_next(&reader, &r), READ_NOTHING);
}

static const struct test tests[] = {
    { "frames_are_logged_as_they_are", frames_are_logged_as_they_are },
    { "debug_records_name_the_frame", debug_records_name_the_frame },
    { "a_long_payload_is_cut", a_long_payload_is_cut },
    { "the_mask_leaves_frames_out", the_mask_leaves_frames_out },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
