/* The length of content in the head of a response, the same in every protocol. */
#ifndef VERNIS_STREAM_HEAD_LENGTH_H
#define VERNIS_STREAM_HEAD_LENGTH_H

#include "http/message.h"

/* Content-Length always describes the bytes to be sent (RFC 9110, 8.6). In the answer to HEAD and in 304 it
 * describes the content that is not sent. Removes Transfer-Encoding. `body_bytes` and `has_body` as in
 * stream_ops.send_head. *unknown: content follows whose length is not known. ERR_NOMEM. */
int head_set_length(struct http_message *head, int64_t body_bytes, bool has_body, bool *unknown);

#endif
