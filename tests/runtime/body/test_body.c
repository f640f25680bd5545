/* Bodies: random histories of one writer and its readers, compared byte by byte; what each costs; and readers
 * on other threads. */
#include <pthread.h>
#include <stdlib.h>

#include "base/params.h"
#include "body/body_internal.h"
#include "body/writer.h"
#include "test.h"

#define LIMIT (64u << 20)
#define LONGEST (3u << 20)
#define READERS 4u
#define HISTORIES 120u

static struct storage *st;
static struct file_space files;
static uint64_t state = 1;

static unsigned
draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static char
byte_at(uint64_t at)
{
    return (char)((at * 2654435761u) >> 13);
}

static struct evicted
evict_none(struct storage *s, uint64_t bytes)
{
    return (struct evicted){ 0 };
}

static void
begin(uint64_t sendfile_min)
{
    CHECK(storage_new(SPAN_LIT("s"), LIMIT, &st) == 0);
    file_space_init(&files);
    st->files = &files;
    st->evict = evict_none;
    params.sendfile_min_bytes = sendfile_min;
}

/* Every byte is given back. */
static void
end(void)
{
    EXPECT_EQ_INT(storage_used(st), 0);
    EXPECT_EQ_INT(storage_growing(st), 0);
    params.sendfile_min_bytes = 0;
    storage_release(&st);
    file_space_release(&files);
}

static void
write_some(struct body_writer *w, size_t n)
{
    char *p;
    size_t room;
    CHECK(body_space(w, n, &p, &room) == 0);
    room = room < n ? room : n;
    for (size_t i = 0; i < room; i++)
        p[i] = byte_at(body_bytes(w->body) + i);
    body_commit(w, room);
}

/* Reads some bytes and checks each. Returns their number. */
static size_t
read_some(struct body_reader *r, bool holds)
{
    struct iovec iov[3];
    enum body_next next;
    size_t have = 0;
    int n = body_gather(r, iov, 1 + (int)draw(3), 1 + draw(300000), &next);
    for (int i = 0; i < n; i++) {
        bool right = true;
        for (size_t k = 0; k < iov[i].iov_len; k++)
            right &= ((const char *)iov[i].iov_base)[k] == byte_at(r->at + have + k);
        EXPECT(right);
        have += iov[i].iov_len;
    }
    if (n == 0 && next == BODY_HELD)
        body_advance(r, 0, 0); /* the stream has released all */
    size_t taken = have == 0 ? 0 : 1 + draw((unsigned)have);
    body_advance(r, taken, holds && taken > 0 ? draw((unsigned)taken + 1) : 0);
    return taken;
}

/* A body of `length` bytes, announced or not, written in pieces while readers begin, skip and read. */
static void
one_history(size_t length, bool is_announced, bool flows)
{
    struct body b = { 0 };
    struct body_writer w = { .body = &b, .storage = st, .length = -1, .flows = flows };
    struct body_reader readers[READERS];
    unsigned n = flows ? 1 : READERS;
    unsigned piece = 1 + draw(draw(2) ? 200000 : 2000);
    for (unsigned i = 0; i < n; i++)
        body_open(&readers[i], &b);
    if (is_announced)
        CHECK(body_expect(&w, length) == 0);
    while (body_bytes(&b) < length) {
        size_t left = length - body_bytes(&b);
        write_some(&w, left < piece ? left : 1 + draw(piece));
        struct body_reader *r = &readers[draw(n)];
        (void)read_some(r, true);
        if (flows)
            (void)body_free_before(&b, r->at - r->held);
        else if (draw(10) == 0 && r->held == 0)
            body_seek(r, r->at + draw((unsigned)(body_bytes(&b) - r->at) + 1), UINT64_MAX);
    }
    body_end(&w, false);
    EXPECT_EQ_INT(body_bytes(&b), length);
    for (unsigned i = 0; i < n; i++) {
        while (readers[i].at < length) {
            (void)read_some(&readers[i], false);
            if (flows)
                (void)body_free_before(&b, readers[i].at - readers[i].held);
        }
        body_close(&readers[i]);
    }
    body_release(&b);
}

static void
all_readers_get_all_bytes_however_they_are_written(void)
{
    static const uint64_t mins[] = { 0, 20000, 1 };
    for (unsigned i = 0; i < HISTORIES; i++) {
        begin(mins[i % 3]);
        size_t longest = draw(3) == 0 ? LONGEST : 60000;
        one_history(1 + draw((unsigned)longest), draw(2), draw(3) == 0);
        end();
    }
}

static void
a_short_body_is_one_block(void)
{
    begin(0);
    struct body b = { 0 };
    CHECK(body_write(&b, st, SPAN_LIT("hello")) == 0);
    EXPECT_EQ_INT(storage_used(st), mem_cost(16 + 5));
    EXPECT(b.content->extents == NULL);
    body_release(&b);
    end();
}

static void
what_flows_is_freed_behind_its_reader(void)
{
    begin(0);
    struct body b = { 0 };
    struct body_writer w = { .body = &b, .storage = st, .length = -1, .flows = true };
    struct body_reader r;
    body_open(&r, &b);
    uint64_t most = 0;
    for (unsigned i = 0; i < 2000; i++) {
        write_some(&w, 10000);
        while (r.at < body_bytes(&b))
            (void)read_some(&r, false);
        (void)body_free_before(&b, r.at);
        uint64_t used = storage_used(st);
        most = used > most ? used : most;
    }
    EXPECT(most < 128 * 1024); /* of 20 MB, with the table */
    body_end(&w, true);
    body_release(&b);
    end();
}

static void
owners_share_a_content(void)
{
    begin(0);
    struct body one = { 0 }, other = { 0 };
    struct body_reader r;
    struct body_writer w = { .body = &one, .storage = st, .length = -1 };
    while (body_bytes(&one) < 100000)
        write_some(&w, 1000);
    body_end(&w, true);
    uint64_t used = storage_used(st);
    body_share(&other, &one);
    EXPECT_EQ_INT(storage_used(st), used);
    EXPECT_EQ_INT(body_free_before(&one, 90000), 0);
    body_release(&one);
    body_open(&r, &other);
    while (r.at < body_bytes(&other))
        (void)read_some(&r, false);
    body_release(&other);
    end();
}

/* ---- threads ---- */

static struct body shared;
static atomic_bool written;

static void *
follow(void *arg)
{
    struct body_reader r;
    struct iovec iov[4];
    enum body_next next;
    body_open(&r, &shared);
    for (bool last = false; !last;) {
        last = atomic_load(&written);
        int n;
        while ((n = body_gather(&r, iov, 4, 100000, &next)) > 0)
            for (int i = 0; i < n; i++) {
                for (size_t k = 0; k < iov[i].iov_len; k += 97)
                    CHECK(((const char *)iov[i].iov_base)[k] == byte_at(r.at + k));
                body_advance(&r, iov[i].iov_len, 0);
            }
    }
    CHECK(r.at == body_bytes(&shared));
    body_close(&r);
    return NULL;
}

static void
readers_on_other_threads_follow_the_writer(void)
{
    for (unsigned i = 0; i < 6; i++) {
        begin(i % 2 ? 30000 : 0);
        shared = (struct body){ 0 };
        atomic_store(&written, false);
        pthread_t threads[READERS];
        for (unsigned k = 0; k < READERS; k++)
            CHECK(pthread_create(&threads[k], NULL, follow, NULL) == 0);
        struct body_writer w = { .body = &shared, .storage = st, .length = -1 };
        if (i / 2 == 1)
            CHECK(body_expect(&w, LONGEST) == 0);
        while (body_bytes(&shared) < LONGEST) {
            size_t left = LONGEST - body_bytes(&shared), piece = 1 + draw(40000);
            write_some(&w, left < piece ? left : piece);
        }
        body_end(&w, false);
        atomic_store(&written, true);
        for (unsigned k = 0; k < READERS; k++)
            CHECK(pthread_join(threads[k], NULL) == 0);
        body_release(&shared);
        end();
    }
}

static const struct test tests[] = {
    { "all_readers_get_all_bytes_however_they_are_written",
      all_readers_get_all_bytes_however_they_are_written },
    { "a_short_body_is_one_block", a_short_body_is_one_block },
    { "what_flows_is_freed_behind_its_reader", what_flows_is_freed_behind_its_reader },
    { "owners_share_a_content", owners_share_a_content },
    { "readers_on_other_threads_follow_the_writer", readers_on_other_threads_follow_the_writer },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
