/* Messages between manager and worker on their socket pair: a head and bytes. A command is words, each with its NUL; an answer
 * is a status and a text. */
#ifndef VERNIS_ADMIN_FRAME_H
#define VERNIS_ADMIN_FRAME_H

#include <stdint.h>

#include "admin/text.h"
#include "base/check.h"

#define FRAME_BYTES_MAX (48u << 20)
#define FRAME_WORDS_MAX 260u

struct frame_head {
    uint32_t bytes, id, status;
};

/* A whole frame at the front of `in`: its head and body, which stay in `in`. False: not whole yet. ERR_LIMIT through *err. */
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
