/* Parts of bodies: input that testgunzip takes becomes a part by part_gzip, other input by part_plain, in
 * pieces and rooms of sizes that the first bytes choose. Put together twice, it unpacks to the plain bytes,
 * twice; and the facts of what was put together fit it. */
#include <zlib.h>

#include "filter/stitch.h"
#include "fuzz.h"

#define OUT_BYTES (1u << 16)   /* inputs have 5000 bytes, and a stored block as few as one */
#define PLAIN_BYTES (1u << 18) /* more is not looked at */

struct made {
    char bytes[OUT_BYTES];
    size_t n;
};

static void
add(struct made *m, const char *p, size_t n)
{
    CHECK(n <= OUT_BYTES - m->n);
    memcpy(m->bytes + m->n, p, n);
    m->n += n;
}

/* Of all of `in`, one body. False: it is none, or is longer than is looked at. */
static bool
unpack(const char *in, size_t len, char *out, size_t *n)
{
    z_stream z = { .next_in = (Bytef *)(uintptr_t)in,
                   .avail_in = (uInt)len,
                   .next_out = (Bytef *)out,
                   .avail_out = PLAIN_BYTES };
    CHECK(inflateInit2(&z, 31) == Z_OK);
    int r = inflate(&z, Z_FINISH);
    *n = z.total_out;
    bool whole = r == Z_STREAM_END && z.avail_in == 0;
    inflateEnd(&z);
    return whole;
}

static bool
find_facts(const char *in, size_t len, struct gzip_facts *facts)
{
    struct filter_wants wants = { .side = FILTER_FETCH };
    struct filter_chain *c = NULL;
    CHECK(chain_open(SPAN_LIT("testgunzip"), &wants, &c) == 0);
    int err = chain_look(c, span_of(in, len), true);
    *facts = *chain_gzip(c);
    chain_close(&c);
    return err == 0;
}

static void
push_part(const char *name, struct gzip_part *part, const char *in, size_t len, size_t step, size_t room,
          struct made *m)
{
    struct filter_wants wants = { .side = FILTER_PART, .user = part };
    struct filter_chain *c = NULL;
    int verdict = FILTER_MORE;
    CHECK(room <= 256 && chain_open(span_str(name), &wants, &c) == 0);
    for (size_t at = 0; verdict == FILTER_MORE; at += step) {
        size_t n = len - at < step ? len - at : step;
        struct filter_io io = { .in = span_of(in + at, n), .last = at + n == len };
        do {
            char out[256];
            io.out = out;
            io.room = room;
            verdict = chain_push(c, &io);
            add(m, out, room - io.room);
        } while (verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0));
    }
    CHECK(verdict == FILTER_END);
    chain_close(&c);
}

/* Two parts that are the same, in one body. */
static void
stitch_twice(const struct gzip_facts *facts, const char *in, size_t len, size_t step, size_t room,
             struct made *m)
{
    struct gzip_sum sum = { 0 };
    char tail[STITCH_TAIL_BYTES];
    add(m, stitch_head().ptr, stitch_head().len);
    for (int i = 0; i < 2; i++) {
        struct gzip_part part = { .stored_bytes = len };
        if (facts != NULL)
            part.facts = *facts;
        push_part(facts != NULL ? "part_gzip" : "part_plain", &part, in, len, step, room, m);
        gzip_sum_add(&sum, &part.sum);
    }
    stitch_tail(&sum, tail);
    add(m, tail, sizeof tail);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t len = size - 2, n_plain = len, n = 0;
    static char plain[PLAIN_BYTES], out[PLAIN_BYTES];
    char *in = fuzz_copy(data + 2, len);
    static struct made m;
    struct gzip_facts facts, again;
    m.n = 0;
    bool packed = find_facts(in, len, &facts) && unpack(in, len, plain, &n_plain);
    if (!packed) {
        memcpy(plain, in, len);
        n_plain = len;
    }
    CHECK(!packed || stitch_fits(&facts, len));
    if (2 * n_plain <= PLAIN_BYTES) {
        stitch_twice(packed ? &facts : NULL, in, len, 1 + data[0], 1 + data[1], &m);
        CHECK(unpack(m.bytes, m.n, out, &n) && n == 2 * n_plain);
        CHECK(memcmp(out, plain, n_plain) == 0 && memcmp(out + n_plain, plain, n_plain) == 0);
        CHECK(find_facts(m.bytes, m.n, &again) && stitch_fits(&again, m.n));
    }
    free(in);
    return 0;
}
