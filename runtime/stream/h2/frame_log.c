/* Log records of HTTP/2 frames: see frame_log.h. */
#include "stream/h2/frame_log.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"

#define TYPE_AT 3u
#define FLAGS_AT 4u
#define STREAM_AT 5u
#define STREAM_BYTES 4u
#define DEBUG_PAYLOAD_MAX 512u /* bytes in a Debug record; H2RxBody has more */
#define DEBUG_BYTES (64u + 2 * DEBUG_PAYLOAD_MAX)
#define ZEROS_SHORTENED 5u /* as many zeros and more are 0...0, as in Varnish */

static const char *const type_names[] = { "DATA",          "HEADERS",      "PRIORITY", "RST_STREAM",
                                          "SETTINGS",      "PUSH_PROMISE", "PING",     "GOAWAY",
                                          "WINDOW_UPDATE", "CONTINUATION" };

/* Writes 0x and digits at p, at most 4 + 2 * n bytes. */
static char *
put_hex(char *p, const uint8_t *bytes, size_t n)
{
    size_t zeros = 0;
    *p++ = '0';
    *p++ = 'x';
    while (zeros < n && bytes[zeros] == 0)
        zeros++;
    if (zeros == n && n >= ZEROS_SHORTENED) {
        memcpy(p, "0...0", 5);
        return p + 5;
    }
    for (size_t i = 0; i < n; i++) {
        *p++ = "0123456789abcdef"[bytes[i] >> 4];
        *p++ = "0123456789abcdef"[bytes[i] & 15];
    }
    return p;
}

static void
log_debug(const struct log_txn *t, const uint8_t *head, struct span payload)
{
    char text[DEBUG_BYTES], type[8];
    const char *name = type;
    if (head[TYPE_AT] < sizeof type_names / sizeof *type_names)
        name = type_names[head[TYPE_AT]];
    else
        snprintf(type, sizeof type, "0x%02x", head[TYPE_AT]);
    unsigned length = (unsigned)head[0] << 16 | (unsigned)head[1] << 8 | head[2];
    char *p = text + snprintf(text, sizeof text, "H2RXF %s[%u] 0x%02x ", name, length, head[FLAGS_AT]);
    p = put_hex(p, head + STREAM_AT, STREAM_BYTES);
    if (payload.len > 0) {
        *p++ = ' ';
        p = put_hex(p, (const uint8_t *)payload.ptr, min_size(payload.len, DEBUG_PAYLOAD_MAX));
    }
    log_text(t, TAG_DEBUG, span_of(text, (size_t)(p - text)));
}

void
h2_log_frame_now(const struct log_txn *t, bool received, const void *head, struct span payload)
{
    log_binary(t, received ? TAG_H2_RX_HDR : TAG_H2_TX_HDR, span_of((const char *)head, H2_LOG_HEAD_BYTES));
    log_binary(t, received ? TAG_H2_RX_BODY : TAG_H2_TX_BODY, payload);
    if (received && log_wants(TAG_DEBUG))
        log_debug(t, head, payload);
}
