/* The wire format of HTTP/2 frames (RFC 9113, 4 to 7): numbers, and the head of a frame. No I/O. */
#ifndef VERNIS_STREAM_H2_FRAME_H
#define VERNIS_STREAM_H2_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define H2_PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" /* RFC 9113, 3.4 */
#define H2_PREFACE_BYTES (sizeof H2_PREFACE - 1)

#define H2_HEAD_BYTES 9u           /* head of a frame */
#define H2_STREAM_BITS 0x7fffffffu /* the highest bit of a stream's number is reserved */
#define H2_WINDOW_MAX 0x7fffffff
#define H2_WINDOW_DEFAULT 65535 /* of both sides, until SETTINGS say otherwise */
#define H2_PAYLOAD_DEFAULT 16384u
#define H2_PAYLOAD_MAX 16777215u

enum h2_type {
    H2_DATA,
    H2_HEADERS,
    H2_PRIORITY,
    H2_RST_STREAM,
    H2_SETTINGS,
    H2_PUSH_PROMISE,
    H2_PING,
    H2_GOAWAY,
    H2_WINDOW_UPDATE,
    H2_CONTINUATION,
    H2_PRIORITY_UPDATE = 16 /* RFC 9218, 7.1 */
};

#define H2_ACK 0x1u        /* SETTINGS, PING */
#define H2_END_STREAM 0x1u /* DATA, HEADERS */
#define H2_END_HEADERS 0x4u
#define H2_PADDED 0x8u
#define H2_WITH_PRIORITY 0x20u

/* RFC 9113, 7. H2_NO_ERROR as the result of a function: the frame is good. */
enum h2_error {
    H2_NO_ERROR,
    H2_PROTOCOL_ERROR,
    H2_INTERNAL_ERROR,
    H2_FLOW_CONTROL_ERROR,
    H2_SETTINGS_TIMEOUT,
    H2_STREAM_CLOSED,
    H2_FRAME_SIZE_ERROR,
    H2_REFUSED_STREAM,
    H2_CANCEL,
    H2_COMPRESSION_ERROR,
    H2_CONNECT_ERROR,
    H2_ENHANCE_YOUR_CALM,
    H2_INADEQUATE_SECURITY,
    H2_HTTP_1_1_REQUIRED,
    H2_ERROR_COUNT
};

enum h2_setting {
    H2_HEADER_TABLE_SIZE = 1,
    H2_ENABLE_PUSH,
    H2_MAX_CONCURRENT_STREAMS,
    H2_INITIAL_WINDOW_SIZE,
    H2_MAX_FRAME_SIZE,
    H2_MAX_HEADER_LIST_SIZE,
    H2_ENABLE_CONNECT_PROTOCOL = 8, /* RFC 8441 */
    H2_NO_RFC7540_PRIORITIES,       /* RFC 9218 */
    H2_SETTING_COUNT
};
#define H2_SETTING_BYTES 6u

struct h2_frame {
    uint32_t bytes, stream; /* of the payload; 0: the connection */
    uint8_t type, flags;
};

static inline uint32_t
h2_get32(const void *at)
{
    const uint8_t *p = at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline char *
h2_put32(char *p, uint32_t n)
{
    p[0] = (char)(n >> 24);
    p[1] = (char)(n >> 16);
    p[2] = (char)(n >> 8);
    p[3] = (char)n;
    return p + 4;
}

static inline struct h2_frame
h2_get_frame(const void *at)
{
    const uint8_t *p = at;
    return (struct h2_frame){
        .bytes = h2_get32(p) >> 8, .type = p[3], .flags = p[4], .stream = h2_get32(p + 5) & H2_STREAM_BITS
    };
}

/* Writes the head of a frame, and returns the place behind it. */
static inline char *
h2_put_frame(char *p, enum h2_type type, unsigned flags, size_t bytes, uint32_t stream)
{
    h2_put32(p, (uint32_t)bytes << 8 | (uint32_t)type);
    p[4] = (char)flags;
    return h2_put32(p + 5, stream);
}

#endif
