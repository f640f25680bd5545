/* Messages between manager and worker on their socket pair: a head and a body. The body of a command is
 * words, each NUL-ended. The body of an answer is a text for the operator, or fields, encoded as words; the
 * head has its status. */
#ifndef VERNIS_DAEMON_FRAME_H
#define VERNIS_DAEMON_FRAME_H

#include <stdint.h>

#include "base/check.h"
#include "base/text.h"

#define FRAME_BYTES_MAX (48u << 20)
#define FRAME_WORDS_MAX 260u

struct frame_head {
    uint32_t bytes, id, status;
};

/* Reads the head and body of a complete frame at the front of `in`; both stay in `in`. False: the frame is
 * incomplete, or longer than FRAME_BYTES_MAX (*err is ERR_LIMIT). */
static inline bool
frame_next(const struct text *in, struct frame_head *head, struct span *body, int *err)
{
    *err = 0;
    if (in->len < sizeof *head)
        return false;
    memcpy(head, in->ptr, sizeof *head);
    if (head->bytes > FRAME_BYTES_MAX) {
        *err = ERR_LIMIT;
        return false;
    }
    if (in->len < sizeof *head + head->bytes)
        return false;
    *body = span_of(in->ptr + sizeof *head, head->bytes);
    return true;
}

/* The next field of an answer; `word` is NUL-ended. False at the end. */
static inline bool
frame_word(struct span *in, struct span *word)
{
    const char *end = in->len == 0 ? NULL : memchr(in->ptr, '\0', in->len);
    if (end == NULL)
        return false;
    *word = span_of(in->ptr, (size_t)(end - in->ptr));
    *in = span_of(end + 1, in->len - word->len - 1);
    return true;
}

static inline void
frame_add(struct text *out, uint32_t id, uint32_t status, struct span body)
{
    if (body.len > FRAME_BYTES_MAX)
        body.len = FRAME_BYTES_MAX;
    struct frame_head head = { .bytes = (uint32_t)body.len, .id = id, .status = status };
    text_add(out, span_of((const char *)&head, sizeof head));
    text_add(out, body);
}

#endif
