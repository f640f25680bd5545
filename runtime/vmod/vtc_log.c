/* Module vtc, log functions for tests: they write records with any id and tag, singly or from varnishtest's
 * display of a log. The records belong to no transaction of ours, so this file never uses ctx->log. */
#include <stdlib.h>
#include <string.h>

#include "base/split.h"
#include "exports_vmod.h"
#include "log/tags.h"
#include "log/txn.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

#define TAG_NAME_BYTES 32

static void
write_record(struct policy_ctx *ctx, int64_t id, struct span tag_name, char side, struct span text)
{
    char name[TAG_NAME_BYTES] = "";
    if (tag_name.len < sizeof name && tag_name.len > 0)
        memcpy(name, tag_name.ptr, tag_name.len);
    int tag = log_tag_find(name);
    if (tag == 0 || *name == '\0')
        vcl_fail_printf(ctx, "No such tag: %.*s", (int)tag_name.len, tag_name.len > 0 ? tag_name.ptr : "");
    else if (id < 0 || id > LOG_ID_BITS)
        vcl_fail(ctx, "id out of bounds");
    else
        log_text(&(struct log_txn){ .id = (uint32_t)id | (side == 'c' ? LOG_CLIENT : LOG_BACKEND) },
                 (enum log_tag)tag, text);
}

void
vcl_vtc_vsl(struct policy_ctx *ctx, int64_t id, struct span tag, struct span side, struct span text)
{
    write_record(ctx, id, tag, side.ptr[0], text);
}

static struct span
after(struct span s, size_t n)
{
    return span_of(s.ptr + n, s.len - n);
}

static struct span
next_word(struct span *rest)
{
    struct span word;
    split_next(rest, SPAN_LIT(" \t"), &word);
    return word;
}

/* Parses "1001 ReqURL c /foo", after varnishtest's prefix ("**** v1 vsl|") if present. Skips other lines. */
static void
replay_line(struct policy_ctx *ctx, struct span line)
{
    if (line.len > 0 && line.ptr[0] == '*') {
        const char *mark = memmem(line.ptr, line.len, "vsl|", 4);
        if (mark == NULL)
            return;
        line = after(line, (size_t)(mark - line.ptr) + 4);
    }
    struct span number = next_word(&line), tag = next_word(&line), side = next_word(&line);
    char digits[24] = "", *end;
    if (side.len == 0 || (side.ptr[0] != 'c' && side.ptr[0] != 'b') || number.len >= sizeof digits)
        return;
    memcpy(digits, number.ptr, number.len);
    int64_t id = strtoll(digits, &end, 10);
    if (end != digits)
        write_record(ctx, id, tag, side.ptr[0], line.len > 0 ? after(line, 1) : line);
}

void
vcl_vtc_vsl_replay(struct policy_ctx *ctx, struct span text)
{
    while (text.len > 0 && !ctx->failed) {
        size_t n = 0;
        while (n < text.len && text.ptr[n] != '\r' && text.ptr[n] != '\n')
            n++;
        replay_line(ctx, span_of(text.ptr, n));
        text = after(text, n < text.len ? n + 1 : n);
    }
}
