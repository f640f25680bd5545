/* The decoder of HPACK as a program, for test_hpack_reference.py. Reads sessions until the input ends, and
 * writes the result of each block. All numbers are 4 bytes, little-endian. A session: the table size in its
 * SETTINGS, the number of steps, and the steps. A step: a kind, a number, and for a block that many bytes;
 * else the number is a new table size. A result: its kind, the bytes of the dynamic table, the number of
 * bytes that follow; and these: each field's `never indexed`, length of the name, name, length of the value,
 * value; or why the block is wrong. A second decoder, with little room for text, follows the first: it must
 * find the same first fields, the same mistakes and the same table. */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "http/names.h"
#include "stream/h2/hpack_decode.h"

#define BLOCK_BYTES_MAX (1u << 20)
#define TEXT_BYTES (64u << 20)        /* for blocks of indexed fields */
#define OUTPUT_BYTES (2 * TEXT_BYTES) /* of each decoder */
#define ROOM_STEP 37u                 /* the second decoder's room grows so from block to block */
#define ROOM_MAX 512u

enum step { STEP_BLOCK, STEP_LIMIT };

struct shown {
    char *at, *begin; /* OUTPUT_BYTES */
};

static uint32_t
number(void)
{
    unsigned char b[4];
    if (fread(b, 1, sizeof b, stdin) != sizeof b)
        exit(0);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static char *
put_number(char *p, size_t n)
{
    for (unsigned i = 0; i < 4; i++)
        *p++ = (char)(n >> 8 * i);
    return p;
}

static char *
put_text(char *p, struct span text)
{
    p = put_number(p, text.len);
    memcpy(p, text.ptr, text.len);
    return p + text.len;
}

static bool
show(void *ctx, const struct http_field *f, unsigned marks)
{
    struct shown *s = ctx;
    CHECK(f->id == ((marks & HPACK_PSEUDO) != 0 ? NAME_NONE : name_lookup(f->name)));
    s->at = put_number(s->at, (marks & HPACK_NEVER_INDEXED) != 0);
    s->at = put_text(s->at, f->name);
    s->at = put_text(s->at, f->value);
    return true;
}

static void
answer(enum hpack_result result, uint32_t table_bytes, struct span text)
{
    char head[12];
    put_number(put_number(put_number(head, result), table_bytes), text.len);
    fwrite(head, 1, sizeof head, stdout);
    fwrite(text.ptr, 1, text.len, stdout);
}

/* The results of the decoder with little room agree with those of the other. */
static void
compare(struct hpack_decoder *small, const uint8_t *block, uint32_t n, uint32_t room, enum hpack_result want,
        const char *want_why, const struct shown *all, const struct hpack_table *table)
{
    char *text = malloc(room + 1); /* ASan sees a write behind it */
    struct hpack_text to = { .at = text, .end = text + room };
    char *begin = all->begin + OUTPUT_BYTES;
    struct shown some = { begin, begin };
    const char *why = "";
    enum hpack_result result = hpack_decode(small, block, n, &to, show, &some, &why);
    CHECK(result == want || (result == HPACK_NO_ROOM && want == HPACK_OK));
    CHECK(want != HPACK_COMPRESSION_ERROR || why == want_why);
    CHECK(some.at - begin <= all->at - all->begin &&
          memcmp(begin, all->begin, (size_t)(some.at - begin)) == 0);
    CHECK(result != HPACK_OK || some.at - begin == all->at - all->begin);
    CHECK(want == HPACK_COMPRESSION_ERROR ||
          (small->table.bytes == table->bytes && small->table.n == table->n));
    free(text);
}

static void
run_session(char *text, char *output)
{
    struct hpack_decoder d, small;
    uint32_t limit = number(), n_steps = number(), room = 0;
    hpack_decoder_init(&d, limit);
    hpack_decoder_init(&small, limit);
    for (uint32_t i = 0; i < n_steps; i++) {
        uint32_t kind = number(), n = number();
        if (kind == STEP_LIMIT) {
            hpack_decoder_limit(&d, n);
            hpack_decoder_limit(&small, n);
            continue;
        }
        CHECK(kind == STEP_BLOCK && n <= BLOCK_BYTES_MAX);
        uint8_t *block = malloc(n + 1);
        CHECK(fread(block + 1, 1, n, stdin) == n);
        struct hpack_text to = { .at = text, .end = text + TEXT_BYTES };
        struct shown shown = { output, output };
        const char *why = "";
        enum hpack_result result = hpack_decode(&d, block + 1, n, &to, show, &shown, &why);
        compare(&small, block + 1, n, room, result, why, &shown, &d.table);
        answer(result, d.table.bytes,
               result == HPACK_OK ? span_of(output, (size_t)(shown.at - output)) : span_str(why));
        free(block);
        room = (room + ROOM_STEP) % ROOM_MAX;
    }
    hpack_decoder_free(&d);
    hpack_decoder_free(&small);
    fflush(stdout);
}

int
main(void)
{
    names_init();
    char *text = mem_alloc(TEXT_BYTES), *output = mem_alloc(2 * OUTPUT_BYTES);
    for (;;)
        run_session(text, output);
}
