/* Log records of HTTP/2 frames, as Varnish writes them: H2RxHdr and H2RxBody, H2TxHdr and H2TxBody (binary),
 * and for received frames a Debug record. vsl_mask leaves all of them out by default. */
#ifndef VERNIS_STREAM_H2_FRAME_LOG_H
#define VERNIS_STREAM_H2_FRAME_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"
#include "log/txn.h"

#define H2_LOG_HEAD_BYTES 9u /* of a frame without its payload */

void h2_log_frame_now(const struct log_txn *t, bool received, const void *head, struct span payload);

/* head: of H2_LOG_HEAD_BYTES. payload: as much as is at hand, at least the first vsl_reclen bytes of the
 * whole. Its record is cut there. */
static inline void
h2_log_frame(const struct log_txn *t, bool received, const void *head, struct span payload)
{
    bool wanted = received ? log_wants(TAG_H2_RX_HDR) || log_wants(TAG_H2_RX_BODY) || log_wants(TAG_DEBUG)
                           : log_wants(TAG_H2_TX_HDR) || log_wants(TAG_H2_TX_BODY);
    if (wanted)
        h2_log_frame_now(t, received, head, payload);
}

#endif
