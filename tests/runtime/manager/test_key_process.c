/* The key process as the manager sees it: a scripted one gets files, dies, answers nonsense, or does not
 * read. */
#include "manager/tls/key_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "test.h"
#include "tls/key_wire.h"

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_DIGEST "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define DESCRIPTION "kind EC\n"
#define MANY 1000u

static struct {
    struct events events;
    struct key_process keys;
    struct sandbox sandbox;
    int fd; /* the process's end */
    unsigned answers;
    int err;
    char said[256];
} site;

/* ---- the process ---- */

static void
process_start(void)
{
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        for (;;)
            pause();
    site.fd = pair[1];
    key_process_adopt(&site.keys, pid, pair[0]);
}

/* Waits for its death, however it comes, and keeps the manager from starting a real one. */
static void
process_end(int signal_number)
{
    siginfo_t info;
    if (signal_number != 0)
        kill(site.keys.pid, signal_number);
    CHECK(waitid(P_PID, (id_t)site.keys.pid, &info, WEXITED | WNOWAIT) == 0);
    close(site.fd);
    key_process_reap(&site.keys);
    events_timer_cancel(&site.events, &site.keys.restart);
    EXPECT_EQ_INT(site.keys.pid, 0);
}

static void expect_order(enum key_op op, uint32_t number);

static void
site_open(void)
{
    memset(&site, 0, sizeof site);
    params.tls_key_timeout_s = 3600;
    events_init(&site.events);
    key_process_init(&site.keys, &site.events, NULL, &site.sandbox);
    process_start();
    expect_order(KEY_COMPLETE, 0);
}

static void
site_close(void)
{
    key_process_stop(&site.keys);
    close(site.fd);
    events_release(&site.events);
}

/* ---- packets ---- */

/* The next order. False: there is none. */
static bool
next_order(struct key_order *out)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(KEY_FDS_MAX * sizeof(int))];
    } control;
    struct iovec iov = { .iov_base = out, .iov_len = sizeof *out };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    if (recvmsg(site.fd, &msg, MSG_DONTWAIT) != (ssize_t)sizeof *out)
        return false;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c != NULL; c = CMSG_NXTHDR(&msg, c))
        for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            close(fd);
        }
    return true;
}

static void
expect_order(enum key_op op, uint32_t number)
{
    struct key_order order = { 0 };
    EXPECT(next_order(&order));
    EXPECT_EQ_INT(order.op, op);
    EXPECT_EQ_INT(order.number, number);
}

static void
expect_silence(void)
{
    struct key_order order;
    EXPECT(!next_order(&order));
}

static void
answer(uint32_t number, int err, const char *text)
{
    struct {
        struct key_loaded head;
        char text[256];
    } reply = { .head = { .number = number, .err = err } };
    size_t n = strlen(text);
    memcpy(reply.text, text, n);
    CHECK(send(site.fd, &reply, sizeof reply.head + n, 0) > 0);
    CHECK(events_round(&site.events) == 0);
}

static void
done(void *arg, int err, struct span text)
{
    site.answers++;
    site.err = err;
    snprintf(site.said, sizeof site.said, "%.*s", (int)text.len, text.ptr);
}

static struct key_file *
load(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    return key_process_load(&site.keys, "c", fd, -1, done, NULL);
}

/* One that the process has read. */
static struct key_file *
loaded(uint32_t number)
{
    struct key_file *f = load();
    expect_order(KEY_LOAD, number);
    answer(number, 0, "public " DIGEST "\n" DESCRIPTION);
    EXPECT_EQ_STR(span_str(site.said), DESCRIPTION);
    EXPECT(key_file_fault(f) == NULL);
    return f;
}

/* ---- tests ---- */

static void
a_successor_learns_when_it_has_all_keys(void)
{
    int loops[LOOPS_MAX];
    site_open();
    (void)loaded(1);
    (void)loaded(2);
    EXPECT_EQ_INT(key_process_loops(&site.keys, 1, loops), 1);
    expect_order(KEY_LOOPS, 0);
    process_end(SIGKILL);
    process_start();
    expect_order(KEY_LOOPS, 0);
    (void)load(); /* one that comes now is read behind those */
    expect_order(KEY_LOAD_AGAIN, 1);
    expect_silence();
    answer(1, 0, "public " DIGEST "\n");
    expect_order(KEY_LOAD_AGAIN, 2);
    expect_silence();
    answer(2, 0, "public " DIGEST "\n");
    expect_order(KEY_COMPLETE, 0);
    expect_order(KEY_LOAD, 3);
    close(loops[0]);
    site_close();
}

static void
another_key_is_a_fault_and_is_forgotten(void)
{
    site_open();
    struct key_file *first = loaded(1), *second = loaded(2);
    process_end(SIGKILL);
    process_start();
    expect_order(KEY_LOAD_AGAIN, 1);
    answer(1, 0, "public " OTHER_DIGEST "\n");
    expect_order(KEY_DROP, 1);
    EXPECT_EQ_STR(span_str(key_file_fault(first)), "its file holds another key now");
    expect_order(KEY_LOAD_AGAIN, 2);
    answer(2, 0, "public " DIGEST "\n");
    expect_order(KEY_COMPLETE, 0);
    EXPECT(key_file_fault(second) == NULL);
    process_end(SIGKILL); /* it is read again: the file may hold the key again */
    process_start();
    expect_order(KEY_LOAD_AGAIN, 1);
    answer(1, 0, "public " DIGEST "\n");
    EXPECT(key_file_fault(first) == NULL);
    site_close();
}

static void
a_key_that_is_dropped_while_it_is_read_again_does_not_stop_the_others(void)
{
    site_open();
    struct key_file *first = loaded(1);
    (void)loaded(2);
    process_end(SIGKILL);
    process_start();
    expect_order(KEY_LOAD_AGAIN, 1);
    key_process_drop(&site.keys, first);
    expect_order(KEY_DROP, 1);
    answer(1, 0, "public " DIGEST "\n");
    expect_order(KEY_LOAD_AGAIN, 2);
    site_close();
}

/* A commit replaces its certificate, and handshakes that began before it still want signatures. */
static void
a_retired_key_stays_for_the_time_of_a_handshake(void)
{
    site_open();
    params.tls_handshake_timeout_s = 0.1;
    key_process_retire(&site.keys, loaded(1));
    (void)loaded(2);
    process_end(SIGKILL);
    process_start();
    expect_order(KEY_LOAD_AGAIN, 1);
    answer(1, 0, "public " DIGEST "\n");
    expect_order(KEY_LOAD_AGAIN, 2);
    answer(2, 0, "public " DIGEST "\n");
    expect_order(KEY_COMPLETE, 0);
    expect_silence();
    while (site.keys.n_fds == 2)
        CHECK(events_round(&site.events) == 0);
    expect_order(KEY_DROP, 1);
    site_close();
}

static void
a_file_at_which_the_process_dies_is_given_up(void)
{
    site_open();
    struct key_file *good = loaded(1);
    (void)load();
    site.answers = 0;
    for (unsigned i = 0; i < KEY_READS_MAX; i++) {
        if (i > 0)
            expect_order(KEY_COMPLETE, 0);
        expect_order(KEY_LOAD, 2);
        EXPECT_EQ_INT(site.answers, 0);
        process_end(SIGKILL);
        process_start();
        expect_order(KEY_LOAD_AGAIN, 1);
        answer(1, 0, "public " DIGEST "\n");
    }
    expect_order(KEY_COMPLETE, 0);
    expect_silence();
    EXPECT_EQ_INT(site.answers, 1);
    EXPECT(site.err != 0 && strstr(site.said, "died each time") != NULL);
    EXPECT(key_file_fault(good) == NULL);
    for (unsigned i = 0; i < KEY_READS_MAX; i++) { /* one that was good before */
        process_end(SIGKILL);
        process_start();
        if (i + 1 < KEY_READS_MAX)
            expect_order(KEY_LOAD_AGAIN, 1);
    }
    site_close();
}

static void
deaths_that_are_not_in_a_row_do_not_count(void)
{
    site_open();
    struct key_file *f = loaded(1);
    for (unsigned i = 0; i < 2 * KEY_READS_MAX; i++) {
        process_end(SIGKILL); /* at rest */
        process_start();
        expect_order(KEY_LOAD_AGAIN, 1);
        process_end(SIGKILL); /* while it reads */
        process_start();
        expect_order(KEY_LOAD_AGAIN, 1);
        answer(1, 0, "public " DIGEST "\n");
        EXPECT(key_file_fault(f) == NULL);
    }
    site_close();
}

static void
a_process_that_answers_nonsense_is_killed(void)
{
    static const struct {
        uint32_t number;
        const char *text;
    } rows[] = {
        { 7, "public " DIGEST "\n" }, /* nobody asked for it */
        { 1, "" },
        { 1, "public 01\n" },
        { 1, "public " DIGEST },
        { 1, "private " DIGEST "\n" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        site_open();
        (void)load();
        expect_order(KEY_LOAD, 1);
        answer(rows[i].number, 0, rows[i].text);
        process_end(0);
        EXPECT_EQ_INT(site.answers, 0);
        close(site.fd = open("/dev/null", O_RDONLY));
        site_close();
    }
    site_open();
    CHECK(send(site.fd, "x", 1, 0) == 1);
    CHECK(events_round(&site.events) == 0);
    process_end(0);
    process_start();
    shutdown(site.fd, SHUT_RDWR); /* it lives, but does not listen any more */
    CHECK(events_round(&site.events) == 0);
    process_end(0);
    process_start();
    site_close();
}

static void
a_process_that_does_not_read_holds_nobody_up(void)
{
    struct key_file *files[MANY];
    site_open();
    for (unsigned i = 0; i < MANY; i++)
        files[i] = loaded(i + 1);
    for (unsigned i = 0; i < MANY; i++)
        key_process_drop(&site.keys, files[i]); /* more than the socket takes */
    EXPECT(site.keys.n_drops > 0);
    unsigned n = 0;
    for (struct key_order order; site.keys.n_drops > 0; CHECK(events_round(&site.events) == 0))
        while (next_order(&order))
            n++;
    for (struct key_order order; next_order(&order);)
        n++;
    EXPECT_EQ_INT(n, MANY);
    EXPECT_EQ_INT(site.keys.n_fds, 0);
    site_close();
}

static void
silence_ends_it(void)
{
    site_open();
    params.tls_key_timeout_s = 0;
    site.keys.watch.fn(&site.keys.watch);
    expect_order(KEY_PING, 0);
    answer(0, 0, "");
    site.keys.watch.fn(&site.keys.watch);
    expect_order(KEY_PING, 0);
    EXPECT(site.keys.asked != 0);
    site.keys.watch.fn(&site.keys.watch);
    process_end(0);
    process_start();
    site_close();
}

static const struct test tests[] = {
    { "a_successor_learns_when_it_has_all_keys", a_successor_learns_when_it_has_all_keys },
    { "another_key_is_a_fault_and_is_forgotten", another_key_is_a_fault_and_is_forgotten },
    { "a_key_that_is_dropped_while_it_is_read_again_does_not_stop_the_others",
      a_key_that_is_dropped_while_it_is_read_again_does_not_stop_the_others },
    { "a_retired_key_stays_for_the_time_of_a_handshake", a_retired_key_stays_for_the_time_of_a_handshake },
    { "a_file_at_which_the_process_dies_is_given_up", a_file_at_which_the_process_dies_is_given_up },
    { "deaths_that_are_not_in_a_row_do_not_count", deaths_that_are_not_in_a_row_do_not_count },
    { "a_process_that_answers_nonsense_is_killed", a_process_that_answers_nonsense_is_killed },
    { "a_process_that_does_not_read_holds_nobody_up", a_process_that_does_not_read_holds_nobody_up },
    { "silence_ends_it", silence_ends_it },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
