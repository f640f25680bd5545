/* The ring of log records: its layout, its end, and writers at the same time. Also run under TSan. */
#include "log/ring.h"

#include <pthread.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "log/tags.h"
#include "test.h"

#include "log/ring_reader.h"

enum { SMALL_WORDS = 64, SMALL_BYTES = RING_HEAD_BYTES + SMALL_WORDS * RING_SEGMENTS * 4 };
enum { WRITERS = 4, WRITES = 20000, RACE_BYTES = 1 << 16 };

static void *
shared_memory(size_t bytes)
{
    void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(mem != MAP_FAILED);
    return mem;
}

/* A record whose data is `n` words that all hold `value`. */
static struct ring_append
append(uint32_t id, uint32_t value, size_t n)
{
    uint32_t words[SMALL_WORDS] = { (uint32_t)TAG_DEBUG << 24 | (uint32_t)(n * 4), id };
    for (size_t i = 0; i < n; i++)
        words[2 + i] = value;
    return ring_append(words, 2 + n);
}

static void
the_head_is_that_of_varnish(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    ring_open(mem, SMALL_BYTES);
    EXPECT(memcmp(mem, "VSLHEAD1", 8) == 0);
    EXPECT_EQ_INT(*(int64_t *)(mem + 8), SMALL_WORDS);
    EXPECT_EQ_INT(*(uint32_t *)(mem + 16), 4294967288u);
    EXPECT_EQ_INT(*(int64_t *)(mem + 24), 0);
    for (int i = 1; i < 8; i++)
        EXPECT_EQ_INT(((int64_t *)(mem + 24))[i], -1);
    EXPECT_EQ_INT(*(uint32_t *)(mem + 88), READER_END);
    munmap(mem, SMALL_BYTES);
}

static void
a_record_is_followed_by_the_end_marker(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    const uint32_t *words = (const uint32_t *)(mem + RING_HEAD_BYTES);
    ring_open(mem, SMALL_BYTES);
    struct ring_append did = append(7, 42, 3);
    EXPECT(!did.contended && !did.cycled);
    EXPECT_EQ_INT(words[0], 0x0100000c);
    EXPECT_EQ_INT(words[1], 7);
    EXPECT_EQ_INT(words[4], 42);
    EXPECT_EQ_INT(words[5], READER_END);
    munmap(mem, SMALL_BYTES);
}

/* Pieces may divide records anywhere. */
static void
pieces_are_appended_as_one(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    const uint32_t *words = (const uint32_t *)(mem + RING_HEAD_BYTES);
    const uint32_t records[] = { (uint32_t)TAG_DEBUG << 24 | 8, 7, 42, 43,
                                 (uint32_t)TAG_DEBUG << 24 | 4, 9, 44 };
    const size_t n = sizeof records / sizeof *records;
    ring_open(mem, SMALL_BYTES);
    const struct ring_piece pieces[] = { { records, 1 }, { records + 1, 4 }, { records + 5, n - 5 } };
    struct ring_append did = ring_append_pieces(pieces, 3);
    EXPECT(!did.contended && !did.cycled);
    EXPECT(memcmp(words, records, sizeof records) == 0);
    EXPECT_EQ_INT(words[n], READER_END);
    munmap(mem, SMALL_BYTES);
}

/* Every length of record, many rounds: a fast reader sees all records, in order. */
static void
a_reader_follows_over_the_end(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    unsigned cycles = 0;
    ring_open(mem, SMALL_BYTES);
    struct reader r = reader_open(mem);
    for (uint32_t i = 1; i < 5000; i++) {
        const uint32_t *record;
        size_t n = i * 7 % (SMALL_WORDS - 3) + 1;
        if (n > SMALL_WORDS - 3)
            n = SMALL_WORDS - 3;
        cycles += append(i, i, n).cycled;
        if (!EXPECT_EQ_INT(reader_next(&r, &record), READ_RECORD))
            break;
        EXPECT_EQ_INT(record[1], i);
        EXPECT_EQ_INT(record[1 + n], i);
        EXPECT_EQ_INT(reader_next(&r, &record), READ_NOTHING);
        EXPECT_EQ_INT(r.counter, reader_counter(&r));
    }
    EXPECT(cycles > 100);
    munmap(mem, SMALL_BYTES);
}

/* The entry of each begun segment is the position of a record in this segment. */
static void
segments_say_where_their_records_begin(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    ring_open(mem, SMALL_BYTES);
    struct reader r = reader_open(mem);
    for (uint32_t i = 0; i < 1000; i++) {
        append(i, i, 11);
        uint32_t counter = reader_counter(&r);
        int64_t first = reader_first(&r, counter);
        EXPECT_EQ_INT(first / SMALL_WORDS, counter % RING_SEGMENTS);
        uint32_t word = r.words[first];
        EXPECT(word == READER_END || word == 0x0100002c);
    }
    munmap(mem, SMALL_BYTES);
}

static void
a_reader_that_lags_knows(void)
{
    char *mem = shared_memory(SMALL_BYTES);
    const uint32_t *record;
    ring_open(mem, SMALL_BYTES);
    struct reader r = reader_open(mem);
    for (uint32_t i = 0; i < 60; i++)
        append(i, i, 8);
    EXPECT_EQ_INT(reader_next(&r, &record), READ_LOST);
    munmap(mem, SMALL_BYTES);
}

static void
without_memory_records_are_dropped(void)
{
    ring_open(NULL, 0);
    append(1, 1, 1);
}

/* ---- concurrency ---- */

struct writer {
    uint32_t id;
    atomic_uint *contended;
};

static void *
writer_run(void *arg)
{
    struct writer *w = arg;
    for (uint32_t i = 1; i <= WRITES; i++) {
        atomic_fetch_add(w->contended, append(w->id, i, i % 40 + 1).contended);
        if (i % 64 == 0)
            sched_yield();
    }
    return NULL;
}

/* In another process, as readers are. Returns 0 if every valid record was whole, and the records of each
 * writer were in order. */
static int
read_all(const void *mem, atomic_uint *seen)
{
    struct reader r = reader_open(mem);
    uint32_t last[WRITERS + 1] = { 0 };
    for (;;) {
        const uint32_t *record;
        uint32_t copy[SMALL_WORDS], counter = r.counter; /* before an invalid length moves it */
        enum reading what = reader_next(&r, &record);
        if (what == READ_NOTHING)
            continue;
        if (what == READ_BROKEN && reader_counter(&r) - counter < 6)
            return 1;
        if (what == READ_RECORD) {
            size_t bytes = 8 + (*record & 0xffff);
            memcpy(copy, record, bytes < sizeof copy ? bytes : sizeof copy);
        }
        if (what == READ_LOST || reader_counter(&r) - counter >= 6) {
            r = reader_open(mem);
            continue;
        }
        size_t n = (copy[0] & 0xffff) / 4;
        if (copy[1] == WRITERS + 1)
            return 0; /* the last one */
        if (copy[1] < 1 || copy[1] > WRITERS || copy[2] <= last[copy[1] - 1] || n != copy[2] % 40 + 1 ||
            copy[1 + n] != copy[2])
            return 3;
        last[copy[1] - 1] = copy[2];
        atomic_fetch_add(seen, 1);
    }
}

static void
a_reader_sees_whole_records_of_many_writers(void)
{
    char *mem = shared_memory(RACE_BYTES);
    atomic_uint *seen = shared_memory(sizeof *seen);
    ring_open(mem, RACE_BYTES);
    pid_t pid = fork();
    if (pid == 0)
        _exit(read_all(mem, seen));
    pthread_t threads[WRITERS];
    struct writer writers[WRITERS];
    atomic_uint contended = 0;
    for (uint32_t i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){ i + 1, &contended };
        CHECK(pthread_create(&threads[i], NULL, writer_run, &writers[i]) == 0);
    }
    for (size_t i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    int status = -1;
    pid_t ended = 0;
    for (uint32_t i = WRITES + 1; atomic_load(seen) == 0 && ended == 0;
         i++) { /* the thread may not have had its turn yet */
        append(1, i, i % 40 + 1);
        sched_yield();
        ended = waitpid(pid, &status, WNOHANG);
    }
    append(WRITERS + 1, 1, 1);
    EXPECT(ended == pid || waitpid(pid, &status, 0) == pid);
    EXPECT_EQ_INT(status, 0);
    EXPECT(atomic_load(&contended) < WRITERS * WRITES);
    munmap(seen, sizeof *seen);
    munmap(mem, RACE_BYTES);
}

/* ---- a writer that is stopped in its copy ---- */

enum { PAGE_BYTES = 4096 };

static int stopped[2], go_on[2]; /* pipes */
static char *barred;             /* a page that a copy cannot read before it is released */

static void
wait_for_release(int number)
{
    char c;
    CHECK(write(stopped[1], "", 1) == 1 && read(go_on[0], &c, 1) == 1);
    CHECK(mprotect(barred, PAGE_BYTES, PROT_READ) == 0);
}

static void *
write_barred(void *arg)
{
    *(struct ring_append *)arg = ring_append((const uint32_t *)(void *)barred - 1, 4);
    return NULL;
}

/* The copy reads all but the first word from a page of its own, and stops there. */
static void
a_writer_that_is_stopped_in_its_copy_delays_others_shortly(void)
{
    char *mem = shared_memory(SMALL_BYTES), c;
    const uint32_t words[] = { (uint32_t)TAG_DEBUG << 24 | 8, 9, 1, 2 };
    struct ring_append first = { 0 }, did = { 0 };
    struct sigaction catch = { .sa_handler = wait_for_release }, before;
    pthread_t thread;
    ring_open(mem, SMALL_BYTES);
    CHECK(pipe(stopped) == 0 && pipe(go_on) == 0);
    char *pages = shared_memory(2 * PAGE_BYTES);
    barred = pages + PAGE_BYTES;
    memcpy(barred - 4, words, sizeof words);
    CHECK(mprotect(barred, PAGE_BYTES, PROT_NONE) == 0);
    CHECK(sigaction(SIGSEGV, &catch, &before) == 0);
    CHECK(pthread_create(&thread, NULL, write_barred, &first) == 0);
    CHECK(read(stopped[0], &c, 1) == 1);
    unsigned written = 0, dropped = 0, slow = 0;
    for (int i = 0; i < 2 * SMALL_WORDS; i++) {
        nsec began = clock_mono_ns();
        did = append(7, 42, 10);
        slow += clock_mono_ns() - began > NSEC_PER_MSEC / 2;
        *(did.dropped ? &dropped : &written) += 1;
    }
    EXPECT(written > 0 && dropped > 8 && did.dropped);
    EXPECT(slow < dropped / 2); /* only the first waits */
    CHECK(write(go_on[1], "", 1) == 1 && pthread_join(thread, NULL) == 0);
    EXPECT(!first.dropped);
    EXPECT(!append(7, 42, 10).dropped);
    CHECK(sigaction(SIGSEGV, &before, NULL) == 0);
    munmap(pages, 2 * PAGE_BYTES);
    munmap(mem, SMALL_BYTES);
}

static const struct test tests[] = {
    { "the_head_is_that_of_varnish", the_head_is_that_of_varnish },
    { "a_record_is_followed_by_the_end_marker", a_record_is_followed_by_the_end_marker },
    { "pieces_are_appended_as_one", pieces_are_appended_as_one },
    { "a_reader_follows_over_the_end", a_reader_follows_over_the_end },
    { "segments_say_where_their_records_begin", segments_say_where_their_records_begin },
    { "a_reader_that_lags_knows", a_reader_that_lags_knows },
    { "without_memory_records_are_dropped", without_memory_records_are_dropped },
    { "a_reader_sees_whole_records_of_many_writers", a_reader_sees_whole_records_of_many_writers },
    { "a_writer_that_is_stopped_in_its_copy_delays_others_shortly",
      a_writer_that_is_stopped_in_its_copy_delays_others_shortly },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
