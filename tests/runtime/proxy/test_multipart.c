/* Ranges of a body as parts of a response: cut at every position, and with bytes that the stream holds. */
#include "proxy/rfc9111/multipart.h"

#include "base/check.h"
#include "test.h"

#define TEXT "0123456789abcdefghijklmnopqrstuvwxyz"

/* A source of TEXT that checks that released bytes are not used. */
struct strict_source {
    struct body_source source;
    size_t at, held;
};

static int
strict_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct strict_source *s = container_of(b, struct strict_source, source);
    size_t left = sizeof TEXT - 1 - s->at, n = left < most ? left : most;
    *then = n == left ? SOURCE_END : SOURCE_MORE;
    iov[0] = (struct iovec){ (void *)(uintptr_t)(TEXT + s->at), n };
    return n > 0;
}

static void
strict_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct strict_source *s = container_of(b, struct strict_source, source);
    CHECK(held <= s->held + n);
    s->held = (size_t)held;
    s->at += n;
}

static const struct body_source_ops strict_ops = { .gather = strict_gather, .advance = strict_advance };
static const struct range_set set = { .n = 3, .ranges = { { 0, 3 }, { 5, 5 }, { 30, 35 } } };

/* Reads all content, at most `most` bytes at a time. Keeps `hold` bytes unreleased as long as possible. */
static struct span
sent(struct arena *a, size_t most, size_t hold, struct multipart_facts *facts)
{
    struct strict_source inner = { .source.ops = &strict_ops };
    struct body_source *s = &inner.source;
    struct iovec iov[4];
    static char out[1024];
    size_t n = 0, held = 0;
    enum source_state then = SOURCE_MORE;
    EXPECT_EQ_INT(multipart_open(a, &set, sizeof TEXT - 1, SPAN_LIT("a/b"), &s, facts), 0);
    while (then != SOURCE_END) {
        size_t got = 0;
        int k = s->ops->gather(s, iov, 4, most, &then);
        for (int i = 0; i < k; got += iov[i++].iov_len)
            memcpy(out + n + got, iov[i].iov_base, iov[i].iov_len);
        CHECK(k > 0 || then == SOURCE_HELD);
        n += got;
        held = k == 0 ? 0 : held + got < hold ? held + got : hold;
        s->ops->advance(s, got, held);
    }
    s->ops->advance(s, 0, 0);
    EXPECT_EQ_INT(inner.held, 0);
    s->ops->close(s);
    return span_of(out, n);
}

static void
parts_are_the_same_however_they_are_cut_and_held(void)
{
    for (size_t most = 1; most < 80; most++)
        for (size_t hold = 0; hold < 200; hold += 7) {
            struct arena a;
            struct multipart_facts facts;
            arena_init(&a, 0);
            struct span out = sent(&a, most, hold, &facts), b = SPAN_LIT("multipart/byteranges; boundary=");
            CHECK(facts.content_type.len > b.len && memcmp(facts.content_type.ptr, b.ptr, b.len) == 0);
            b = span_of(facts.content_type.ptr + b.len, facts.content_type.len - b.len);
            struct span want = arena_printf(
                &a,
                "\r\n--%.*s\r\nContent-Type: a/b\r\nContent-Range: bytes 0-3/36\r\n\r\n0123"
                "\r\n--%.*s\r\nContent-Type: a/b\r\nContent-Range: bytes 5-5/36\r\n\r\n5"
                "\r\n--%.*s\r\nContent-Type: a/b\r\nContent-Range: bytes 30-35/36\r\n\r\nuvwxyz\r\n--%.*s--\r\n",
                (int)b.len, b.ptr, (int)b.len, b.ptr, (int)b.len, b.ptr, (int)b.len, b.ptr);
            CHECK(span_eq(out, want) && facts.bytes == want.len);
            arena_release(&a);
        }
}

static void
a_body_that_is_too_short_fails(void)
{
    struct arena a;
    arena_init(&a, 0);
    static const struct range_set far = { .n = 2, .ranges = { { 0, 0 }, { 99, 100 } } };
    struct strict_source inner = { .source.ops = &strict_ops };
    struct body_source *s = &inner.source;
    struct multipart_facts facts;
    struct iovec iov[4];
    enum source_state then = SOURCE_MORE;
    EXPECT_EQ_INT(multipart_open(&a, &far, 200, SPAN_NULL, &s, &facts), 0);
    for (int k = 1; k > 0;) {
        k = s->ops->gather(s, iov, 4, SIZE_MAX, &then);
        size_t got = 0;
        for (int i = 0; i < k; i++)
            got += iov[i].iov_len;
        s->ops->advance(s, got, 0);
    }
    EXPECT_EQ_INT(then, SOURCE_FAILED);
    arena_release(&a);
}

static void
no_memory_leaves_the_source_as_it_was(void)
{
    struct arena a;
    arena_init(&a, 1);
    struct strict_source inner = { .source.ops = &strict_ops };
    struct body_source *s = &inner.source;
    struct multipart_facts facts;
    EXPECT_EQ_INT(multipart_open(&a, &set, 200, SPAN_NULL, &s, &facts), ERR_NOMEM);
    EXPECT(s == &inner.source);
    arena_release(&a);
}

static const struct test tests[] = {
    { "parts_are_the_same_however_they_are_cut_and_held", parts_are_the_same_however_they_are_cut_and_held },
    { "a_body_that_is_too_short_fails", a_body_that_is_too_short_fails },
    { "no_memory_leaves_the_source_as_it_was", no_memory_leaves_the_source_as_it_was },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
