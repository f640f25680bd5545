/* gunzip: input in one piece and in pieces, into rooms of sizes that the first bytes of the input choose,
 * gives the same bytes and the same verdict; so does testgunzip, which looks only. What one unpacks, gzip and
 * gunzip bring back. */
#include "filter/filter.h"
#include "fuzz.h"

#define OUT_BYTES \
    (1u << 18) /* more is not looked at: inputs have 5000 bytes, and deflate packs 1032 times \
                */

struct unpacked {
    char *bytes;
    size_t n;
    int verdict;
};

static struct filter_chain *
opened(const char *names, const struct gzip_facts *known)
{
    struct filter_wants wants = { .side = known == NULL ? FILTER_FETCH : FILTER_DELIVERY, .known = known };
    struct filter_chain *c = NULL;
    CHECK(chain_open(span_str(names), &wants, &c) == 0);
    return c;
}

/* False: there is more output than fits. */
static bool
push(struct filter_chain *c, struct span piece, bool last, size_t room, struct unpacked *u)
{
    struct filter_io io = { .in = piece, .last = last };
    do {
        size_t left = OUT_BYTES - u->n, now = left < room ? left : room;
        if (now == 0)
            return false;
        io.out = u->bytes + u->n;
        io.room = now;
        u->verdict = chain_push(c, &io);
        u->n += now - io.room;
    } while (u->verdict == FILTER_BUSY || (u->verdict == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    return u->verdict == FILTER_MORE;
}

static struct unpacked
run_known(const struct gzip_facts *known, const char *names, const char *in, size_t len, size_t step,
          size_t room)
{
    struct unpacked u = { .bytes = malloc(OUT_BYTES) };
    struct filter_chain *c = opened(names, known);
    CHECK(u.bytes != NULL);
    for (size_t at = 0;; at += step) {
        size_t n = len - at < step ? len - at : step;
        if (!push(c, span_of(in + at, n), at + n == len, room, &u) || at + n == len)
            break;
    }
    chain_close(&c);
    return u;
}

static struct unpacked
run(const char *names, const char *in, size_t len, size_t step, size_t room)
{
    return run_known(NULL, names, in, len, step, room);
}

/* Two libraries: what zlib takes when it is stored, ISA-L takes for a client. ISA-L may take more. */
static void
check_delivery(const char *in, size_t len, size_t step, size_t room, const struct gzip_facts *known,
               const struct unpacked *stored)
{
    struct unpacked u = run_known(known, "gunzip", in, len, step, room);
    if (stored->verdict == FILTER_END)
        CHECK(u.verdict == FILTER_END && u.n == stored->n && memcmp(u.bytes, stored->bytes, u.n) == 0);
    free(u.bytes);
}

static struct gzip_facts
check_look(const char *in, size_t len, int verdict)
{
    struct filter_chain *c = opened("testgunzip", NULL);
    int err = chain_look(c, span_of(in, len / 2), false);
    if (err == 0)
        err = chain_look(c, span_of(in + len / 2, len - len / 2), true);
    CHECK((err == 0) == (verdict == FILTER_END));
    struct gzip_facts facts = *chain_gzip(c);
    chain_close(&c);
    return facts;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t len = size - 2;
    char *in = fuzz_copy(data + 2, len);
    struct unpacked whole = run("gunzip", in, len, len + 1, OUT_BYTES),
                    pieces = run("gunzip", in, len, 1 + data[0], 1 + data[1]);
    if (whole.n < OUT_BYTES) {
        CHECK(whole.verdict == pieces.verdict && (whole.verdict < 0 || whole.n == pieces.n));
        CHECK(memcmp(whole.bytes, pieces.bytes, whole.n < pieces.n ? whole.n : pieces.n) == 0);
        struct gzip_facts facts = check_look(in, len, whole.verdict);
        check_delivery(in, len, 1 + data[0], 1 + data[1], &facts, &whole);
    }
    if (whole.verdict == FILTER_END) {
        struct unpacked again = run("gzip gunzip", whole.bytes, whole.n, 1 + data[0], 100);
        CHECK(again.verdict == FILTER_END && again.n == whole.n &&
              memcmp(again.bytes, whole.bytes, whole.n) == 0);
        free(again.bytes);
    }
    free(whole.bytes);
    free(pieces.bytes);
    free(in);
    return 0;
}
