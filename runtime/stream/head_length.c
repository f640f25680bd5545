/* See head_length.h. */
#include "stream/head_length.h"

#include "base/check.h"
#include "base/put.h"

static bool
status_forbids_body(unsigned status)
{
    return status == 204 || status == 304 || (status >= 100 && status < 200);
}

int
head_set_length(struct http_message *head, int64_t body_bytes, bool has_body, bool *unknown)
{
    *unknown = false;
    message_unset(head, NAME_TRANSFER_ENCODING, SPAN_NULL);
    if (status_forbids_body(head->status) && head->status != 304) {
        message_unset(head, NAME_CONTENT_LENGTH, SPAN_NULL);
        return 0;
    }
    if (body_bytes >= 0) {
        if (head->status == 304)
            return 0;
        char text[DECIMAL_BYTES_MAX];
        struct span n = span_of(text, (size_t)(put_decimal(text, (uint64_t)body_bytes) - text));
        if (span_eq(message_get(head, NAME_CONTENT_LENGTH), n))
            return 0;
        n = arena_copy(head->arena, n);
        return n.ptr == NULL ? ERR_NOMEM : message_set(head, NAME_CONTENT_LENGTH, SPAN_NULL, n);
    }
    if (!has_body)
        return 0;
    message_unset(head, NAME_CONTENT_LENGTH, SPAN_NULL);
    *unknown = true;
    return 0;
}
