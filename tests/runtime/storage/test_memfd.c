/* The space in memfd files: bytes by mapping and by descriptor, pages that wait, holes, pages in flight,
 * limits. */
#include "storage/memfd.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "storage/memory_file.h"
#include "test.h"

#define BIG (300u * 1024)

static struct space *space;

static struct place
placed(uint32_t bytes, char fill)
{
    struct reservation r;
    struct place p;
    char *at;
    size_t n;
    CHECK(space_reserve(space, bytes, &r) == 0 && space_place(&r, bytes, &p) == 0);
    CHECK(place_buffer(space, &p, &at, &n) == 0 && n == bytes);
    memset(at, fill, n);
    place_commit(space, &p, bytes, 0);
    return p;
}

static void
begin(void)
{
    CHECK(memfd_space_new(&space) == 0);
}

static void
end(void)
{
    EXPECT_EQ_INT(memfd_space_used(space), 0);
    memfd_space_release(&space);
}

static bool
is_all(const char *bytes, size_t n, char fill)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != fill)
            return false;
    return true;
}

/* Bytes of memory that the file has. */
static uint64_t
file_memory(int fd)
{
    struct stat st;
    CHECK(fstat(fd, &st) == 0);
    return (uint64_t)st.st_blocks * 512;
}

static int
fd_of(const struct place *p)
{
    struct pinned x = { 0 };
    int fd = -1;
    off_t at;
    CHECK(place_pin(space, p, NULL, &x) == PIN_READY && pinned_file(&x, &fd, &at));
    place_unpin(&x);
    return fd;
}

static void
a_place_is_read_by_mapping_and_by_descriptor(void)
{
    begin();
    struct place p = placed(BIG, 'a'), q = placed(BIG, 'b');
    struct pinned x = { 0 };
    char *read_back = malloc(BIG);
    int fd;
    off_t at;
    EXPECT_EQ_INT(memfd_space_used(space), 2 * BIG);
    EXPECT_EQ_INT(place_pin(space, &q, NULL, &x), PIN_READY);
    EXPECT(is_all(pinned_iov(&x).iov_base, BIG, 'b'));
    EXPECT(pinned_file(&x, &fd, &at));
    EXPECT_EQ_INT(pread(fd, read_back, BIG, at), BIG);
    EXPECT(is_all(read_back, BIG, 'b'));
    place_unpin(&x);
    place_free(space, &p);
    place_free(space, &q);
    free(read_back);
    end();
}

static void
sizes_of_slots_leave_at_most_an_eighth_unused(void)
{
    uint32_t below = 0;
    for (uint32_t pages = 1; pages <= MEMFD_PLACE_MAX / MEMFD_PAGE; pages++) {
        unsigned k = slot_class(pages * MEMFD_PAGE);
        uint32_t slot = slot_class_bytes(k) / MEMFD_PAGE;
        CHECK(k < SLOT_CLASSES && slot >= pages && slot_class(slot * MEMFD_PAGE) == k);
        EXPECT(pages <= 4 ? slot == 4 : slot - pages <= pages / 8);
        EXPECT(slot >= below);
        below = slot;
    }
    EXPECT_EQ_INT(slot_class_bytes(SLOT_CLASSES - 1), MEMFD_PLACE_MAX);
}

/* Frees a place that was sent. */
static void
send_and_free(const struct place *p)
{
    (void)fd_of(p);
    place_free(space, p);
}

static void
a_sent_place_gives_its_pages_back(void)
{
    begin();
    struct place p = placed(BIG + 1, 'a'), q = placed(BIG, 'b');
    int fd = fd_of(&p);
    EXPECT_EQ_INT(fd_of(&q), fd);
    EXPECT_EQ_INT(file_memory(fd), memfd_cost(BIG + 1) + memfd_cost(BIG));
    EXPECT_EQ_INT(memfd_cost(BIG + 1), 320u * 1024);
    place_free(space, &p);
    EXPECT_EQ_INT(file_memory(fd), memfd_cost(BIG));
    place_free(space, &q);
    EXPECT_EQ_INT(file_memory(fd), 0);
    EXPECT_EQ_INT(memfd_space_kept(space), 0);
    end();
}

static void
a_place_that_was_only_read_leaves_its_pages_to_the_next(void)
{
    begin();
    struct place sent = placed(BIG, 's'), p = placed(BIG, 'a');
    struct pinned x = { 0 };
    int fd = fd_of(&sent);
    CHECK(place_pin(space, &p, NULL, &x) == PIN_READY);
    place_free(space, &p);
    EXPECT_EQ_INT(memfd_space_kept(space), 0); /* still pinned */
    place_unpin(&x);
    EXPECT_EQ_INT(memfd_space_kept(space), memfd_cost(BIG));
    EXPECT_EQ_INT(file_memory(fd), 2 * memfd_cost(BIG));
    struct place q = placed(BIG + 5, 'b');
    EXPECT_EQ_INT(q.offset, p.offset);
    EXPECT_EQ_INT(memfd_space_kept(space), 0);
    EXPECT_EQ_INT(file_memory(fd), 2 * memfd_cost(BIG));
    place_free(space, &q);
    send_and_free(&sent);
    end();
}

static void
few_pages_wait(void)
{
    begin();
    enum { N = 100 };
    struct place p[N];
    for (int i = 0; i < N; i++)
        p[i] = placed(BIG, 'a');
    int fd = fd_of(&p[0]);
    for (int i = 0; i < N; i++) {
        place_free(space, &p[i]);
        EXPECT(memfd_space_kept(space) <= N * BIG / 16); /* a sixteenth of all that was placed */
    }
    EXPECT(memfd_space_kept(space) > 0);
    EXPECT_EQ_INT(file_memory(fd), memfd_space_kept(space));
    end();
}

static void
pages_that_no_place_needs_go_back_in_steps(void)
{
    begin();
    struct place sent = placed(BIG, 's'), p[3];
    int fd = fd_of(&sent);
    for (int i = 0; i < 3; i++)
        p[i] = placed(BIG, 'a');
    for (int i = 0; i < 3; i++)
        place_free(space, &p[i]);
    uint64_t all = memfd_space_kept(space);
    EXPECT_EQ_INT(all, 3 * memfd_cost(BIG));
    memfd_space_tidy(space);
    EXPECT_EQ_INT(memfd_space_kept(space), all); /* they have just come */
    memfd_space_tidy(space);
    EXPECT_EQ_INT(memfd_space_kept(space), 2 * memfd_cost(BIG));
    p[0] = placed(BIG, 'b'); /* uses one of them, and waits for nothing */
    p[1] = placed(BIG, 'b');
    place_free(space, &p[0]);
    place_free(space, &p[1]);
    memfd_space_tidy(space);
    EXPECT_EQ_INT(memfd_space_kept(space), 2 * memfd_cost(BIG)); /* both were needed */
    for (int i = 0; i < 3; i++)
        memfd_space_tidy(space);
    EXPECT_EQ_INT(memfd_space_kept(space), 0);
    EXPECT_EQ_INT(file_memory(fd), memfd_cost(BIG));
    send_and_free(&sent);
    end();
}

static void
a_short_commit_gives_back_the_rest(void)
{
    begin();
    struct reservation r;
    struct place p, sent = placed(BIG, 's');
    int fd = fd_of(&sent);
    send_and_free(&sent);
    CHECK(space_reserve(space, BIG, &r) == 0 && space_place(&r, BIG, &p) == 0);
    EXPECT_EQ_INT(file_memory(fd), memfd_cost(BIG));
    place_commit(space, &p, 5, 0);
    EXPECT_EQ_INT(file_memory(fd), MEMFD_PAGE);
    EXPECT_EQ_INT(memfd_space_used(space), 5);
    place_free(space, &p);
    EXPECT_EQ_INT(memfd_space_kept(space), 0); /* the next place would miss pages */
    end();
}

static void
a_pin_keeps_the_bytes_of_a_freed_place(void)
{
    begin();
    struct place p = placed(BIG, 'a');
    struct pinned x = { 0 }, y = { 0 };
    CHECK(place_pin(space, &p, NULL, &x) == PIN_READY);
    place_free(space, &p);
    EXPECT_EQ_INT(place_pin(space, &p, NULL, &y), PIN_FAILED);
    struct place q = placed(BIG, 'b');
    EXPECT(is_all(pinned_iov(&x).iov_base, BIG, 'a'));
    EXPECT_EQ_INT(memfd_space_used(space), 2 * BIG);
    place_unpin(&x);
    EXPECT_EQ_INT(memfd_space_used(space), BIG);
    place_free(space, &q);
    end();
}

static void
a_slot_used_again_is_not_the_old_place(void)
{
    begin();
    struct place old = placed(BIG, 'a');
    place_free(space, &old);
    struct place young = placed(BIG, 'b');
    struct pinned x = { 0 };
    EXPECT_EQ_INT(young.segment, old.segment);
    EXPECT_EQ_INT(young.offset, old.offset);
    EXPECT_EQ_INT(place_pin(space, &old, NULL, &x), PIN_FAILED);
    EXPECT_EQ_INT(place_pin(space, &young, NULL, &x), PIN_READY);
    place_unpin(&x);
    place_free(space, &young);
    end();
}

/* The socket holds pages of the file, not copies of their bytes. */
static void
bytes_in_flight_survive_the_next_use_of_their_slot(void)
{
    begin();
    int pair[2];
    size_t got = 0;
    char *read_back = malloc(BIG);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
    struct place p = placed(BIG, 'a');
    struct pinned x = { 0 };
    int fd;
    off_t at;
    CHECK(place_pin(space, &p, NULL, &x) == PIN_READY && pinned_file(&x, &fd, &at));
    ssize_t sent = sendfile(pair[0], fd, &at, BIG);
    EXPECT(sent > 0);
    place_unpin(&x);
    place_free(space, &p);
    struct place q = placed(BIG, 'b');
    EXPECT_EQ_INT(q.offset, p.offset);
    while (sent > 0 && got < (size_t)sent) {
        ssize_t n = read(pair[1], read_back + got, BIG - got);
        CHECK(n > 0);
        got += (size_t)n;
    }
    EXPECT(is_all(read_back, got, 'a'));
    place_free(space, &q);
    close(pair[0]);
    close(pair[1]);
    free(read_back);
    end();
}

static void
a_place_longer_than_a_slot_is_refused(void)
{
    begin();
    struct reservation r;
    struct place p;
    CHECK(space_reserve(space, MEMFD_PLACE_MAX + 1, &r) == 0);
    EXPECT_EQ_INT(space_place(&r, MEMFD_PLACE_MAX + 1, &p), ERR_LIMIT);
    p = placed(MEMFD_PLACE_MAX, 'a');
    struct place one = placed(1, 'b');
    EXPECT(fd_of(&p) != fd_of(&one)); /* a file has slots of one size */
    place_free(space, &p);
    place_free(space, &one);
    end();
}

/* In a child, because a lowered limit stays. */
static int
in_child(int (*fn)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(fn());
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
with_short_files(void)
{
    struct rlimit most = { 1 << 20, 1 << 20 };
    CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
    return memfd_space_new(&space) == ERR_SYS ? 0 : 1;
}

static int
without_descriptors(void)
{
    struct rlimit most = { 0, 0 };
    struct reservation r;
    struct place p;
    CHECK(memfd_space_new(&space) == 0 && space_reserve(space, 1, &r) == 0);
    CHECK(setrlimit(RLIMIT_NOFILE, &most) == 0);
    if (space_place(&r, 1, &p) != ERR_SYS)
        return 1;
    return memfd_space_used(space) == 0 ? 0 : 2;
}

static void
limits_of_the_process_are_errors_and_not_signals(void)
{
    EXPECT_EQ_INT(in_child(with_short_files), 0);
    EXPECT_EQ_INT(in_child(without_descriptors), 0);
}

#define THREADS 4
#define ROUNDS 300

/* Makes, reads and frees places, and pins those of the other threads while they come and go. */
static struct place shared[THREADS];
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static void
read_shared(unsigned i)
{
    struct pinned x = { 0 };
    pthread_mutex_lock(&shared_lock);
    struct place p = shared[i];
    pthread_mutex_unlock(&shared_lock);
    if (p.bytes == 0 || place_pin(space, &p, NULL, &x) != PIN_READY)
        return;
    const char *at = pinned_iov(&x).iov_base;
    CHECK(is_all(at, p.bytes, at[0]) && at[0] == (char)('a' + i));
    int fd;
    off_t from;
    if (p.bytes % 2)
        CHECK(pinned_file(&x, &fd, &from));
    place_unpin(&x);
}

static void *
churn(void *arg)
{
    unsigned self = (unsigned)(uintptr_t)arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct place p = placed(1 + i * 97 % 60000, (char)('a' + self));
        pthread_mutex_lock(&shared_lock);
        shared[self] = p;
        pthread_mutex_unlock(&shared_lock);
        for (unsigned k = 0; k < THREADS; k++)
            read_shared(k);
        place_free(space, &p);
        if (i % 16 == 0)
            memfd_space_tidy(space);
    }
    return NULL;
}

static void
threads_share_the_space(void)
{
    pthread_t threads[THREADS];
    begin();
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, churn, (void *)i) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    end();
}

static const struct test tests[] = {
    { "a_place_is_read_by_mapping_and_by_descriptor", a_place_is_read_by_mapping_and_by_descriptor },
    { "sizes_of_slots_leave_at_most_an_eighth_unused", sizes_of_slots_leave_at_most_an_eighth_unused },
    { "a_sent_place_gives_its_pages_back", a_sent_place_gives_its_pages_back },
    { "a_place_that_was_only_read_leaves_its_pages_to_the_next",
      a_place_that_was_only_read_leaves_its_pages_to_the_next },
    { "few_pages_wait", few_pages_wait },
    { "pages_that_no_place_needs_go_back_in_steps", pages_that_no_place_needs_go_back_in_steps },
    { "a_short_commit_gives_back_the_rest", a_short_commit_gives_back_the_rest },
    { "a_pin_keeps_the_bytes_of_a_freed_place", a_pin_keeps_the_bytes_of_a_freed_place },
    { "a_slot_used_again_is_not_the_old_place", a_slot_used_again_is_not_the_old_place },
    { "bytes_in_flight_survive_the_next_use_of_their_slot",
      bytes_in_flight_survive_the_next_use_of_their_slot },
    { "a_place_longer_than_a_slot_is_refused", a_place_longer_than_a_slot_is_refused },
    { "limits_of_the_process_are_errors_and_not_signals", limits_of_the_process_are_errors_and_not_signals },
    { "threads_share_the_space", threads_share_the_space },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
