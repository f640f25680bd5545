/* The set of certificates: turns, commits all or none, order, reload; and the keys of tickets. A scripted
 * worker records the commands tls.*, and a scripted key process answers what is written in the files. */
#include "manager/tls/changes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manager/tls/ticket_keys.h"
#include "daemon/frame.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "test.h"
#include "tls/key_wire.h"

#define ASKED_BYTES 16384
#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct {
    struct events events;
    struct child child;
    struct key_process keys;
    struct certificates certificates;
    struct changes changes;
    struct sandbox sandbox;
    struct tls_config config; /* as at the start */
    char folder[64];
    int worker_fd, said_fd, keys_fd;
    struct text in;
    char asked[ASKED_BYTES]; /* commands to the worker, "; " between them */
    const char *refuses;     /* commands that begin so are refused */
    bool silent;             /* the key process does not answer */
    unsigned answers;
    int status;
    struct text said;
} site;

static pid_t
sleeper(void)
{
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        for (;;)
            pause();
    return pid;
}

static void
worker_start(void)
{
    int command[2], said[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, command) == 0 && pipe2(said, O_CLOEXEC) == 0);
    site.worker_fd = command[1];
    site.said_fd = said[1];
    site.child.state = CHILD_STARTING;
    child_adopt(&site.child, sleeper(), command[0], said[0]);
    site.child.state = CHILD_RUNNING;
}

static void
worker_end(void)
{
    if (site.child.pid == 0)
        return;
    kill(site.child.pid, SIGKILL);
    waitpid(site.child.pid, NULL, 0);
    close(site.worker_fd);
    close(site.said_fd);
    site.child.state = CHILD_DIED;
    child_bury(&site.child);
    text_clear(&site.in);
}

static void
site_open(const char *config)
{
    int pair[2];
    memset(&site, 0, sizeof site);
    snprintf(site.folder, sizeof site.folder, "/tmp/vernis-certs-XXXXXX");
    CHECK(mkdtemp(site.folder) != NULL && chdir(site.folder) == 0);
    events_init(&site.events);
    child_init(&site.child, &site.events, NULL);
    key_process_init(&site.keys, &site.events, NULL, &site.sandbox);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    site.keys_fd = pair[1];
    key_process_adopt(&site.keys, sleeper(), pair[0]);
    certificates_init(&site.certificates, &site.child, &site.keys, NULL);
    if (config != NULL) {
        struct text why = { 0 };
        CHECK(tls_config_parse("tls.conf", span_str(config), &site.config, &why) == 0);
    }
    changes_init(&site.changes, &site.certificates, &site.config);
    worker_start();
}

static void
site_close(void)
{
    char command[128];
    worker_end();
    changes_release(&site.changes);
    certificates_release(&site.certificates);
    tls_config_release(&site.config);
    key_process_stop(&site.keys);
    close(site.keys_fd);
    events_release(&site.events);
    text_release(&site.in);
    text_release(&site.said);
    text_release(&site.child.tail);
    snprintf(command, sizeof command, "rm -r %s", site.folder);
    CHECK(chdir("/") == 0 && system(command) == 0);
}

/* ---- the scripts ---- */

static void
answer(const struct frame_head *head, struct span body)
{
    char words[512] = "";
    struct span word;
    while (frame_word(&body, &word))
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", *words == '\0' ? "" : " ",
                 word.ptr);
    size_t n = strlen(site.asked);
    snprintf(site.asked + n, sizeof site.asked - n, "%s%s", n > 0 ? "; " : "", words);
    bool refused = site.refuses != NULL && strncmp(words, site.refuses, strlen(site.refuses)) == 0;
    struct text out = { 0 };
    frame_add(&out, head->id, refused ? CLI_PARAM : CLI_OK, refused ? SPAN_LIT("no\n") : SPAN_LIT(""));
    CHECK(write(site.worker_fd, out.ptr, out.len) == (ssize_t)out.len);
    text_release(&out);
}

static void
worker_turn(void)
{
    char buf[4096];
    struct frame_head head;
    struct span body;
    int err;
    ssize_t n = recv(site.worker_fd, buf, sizeof buf, MSG_DONTWAIT);
    if (n <= 0)
        return;
    text_add(&site.in, span_of(buf, (size_t)n));
    while (frame_next(&site.in, &head, &body, &err)) {
        answer(&head, body);
        text_drop(&site.in, sizeof head + head.bytes);
    }
}

/* A file has its names, or begins with "bad". */
static void
load_file(uint32_t number, int fd)
{
    struct {
        struct key_loaded head;
        char text[1024];
    } reply = { .head = { .number = number } };
    char names[128] = "";
    CHECK(read(fd, names, sizeof names - 1) >= 0);
    close(fd);
    reply.head.err = strncmp(names, "bad", 3) == 0 ? ERR_SYNTAX : 0;
    int n = snprintf(reply.text, sizeof reply.text,
                     reply.head.err == 0
                         ? "public " DIGEST
                           "\nkind EC\nnames %s\nnot_before 0\nnot_after 4000000000\n\nPEM of %s"
                         : "it is %s%s",
                     names, reply.head.err == 0 ? names : "");
    CHECK(send(site.keys_fd, &reply, sizeof reply.head + (size_t)n, 0) > 0);
}

static void
keys_turn(void)
{
    struct key_order order;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec iov = { .iov_base = &order, .iov_len = sizeof order };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    if (site.silent || recvmsg(site.keys_fd, &msg, MSG_DONTWAIT) != (ssize_t)sizeof order ||
        order.op != KEY_LOAD)
        return;
    int fds[2] = { -1, -1 };
    const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    CHECK(c != NULL);
    memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    if (fds[1] >= 0)
        close(fds[1]);
    load_file(order.number, fds[0]);
}

static void
tick(struct event_timer *t)
{
    events_timer(&site.events, t, clock_mono_ns() + NSEC_PER_MSEC);
}

static void
answered(void *arg, int status, struct span text)
{
    site.answers++;
    site.status = status;
    text_clear(&site.said);
    text_add(&site.said, text);
}

/* Runs until so many changes were answered. */
static void
go_on(unsigned answers)
{
    struct event_timer timer = { .fn = tick };
    tick(&timer);
    while (site.answers < answers) {
        if (site.child.pid != 0)
            worker_turn();
        keys_turn();
        CHECK(events_round(&site.events) == 0);
    }
    events_timer_cancel(&site.events, &timer);
    site.answers = 0;
}

static struct span
asked(void)
{
    static char copy[ASKED_BYTES];
    memcpy(copy, site.asked, sizeof copy);
    site.asked[0] = '\0';
    return span_str(copy);
}

static void
write_file(const char *name, const char *text)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

static void
begin(const struct change *what)
{
    changes_make(&site.changes, what, answered, NULL);
}

static struct span
make(enum change_kind kind, const char *id)
{
    begin(&(struct change){ .kind = kind, .id = id });
    go_on(1);
    return text_span(&site.said);
}

static struct span
load(const char *id, const char *file, bool is_default)
{
    begin(&(struct change){ .kind = CHANGE_LOAD,
                            .id = id,
                            .frontend = "",
                            .cert_file = file,
                            .key_file = "",
                            .is_default = is_default });
    go_on(1);
    return text_span(&site.said);
}

#define EXPECT_MADE(kind, id) \
    do { \
        (void)make(kind, id); \
        EXPECT_EQ_INT(site.status, CLI_OK); \
    } while (0)

static const char *
in_use(void)
{
    static char out[256];
    unsigned n;
    struct certificate **set = certificates_set(&site.certificates, false, &n);
    out[0] = '\0';
    for (unsigned i = 0; i < n; i++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s:%s", i > 0 ? " " : "", set[i]->id,
                 set[i]->names);
    free(set);
    return out;
}

/* ---- tests ---- */

static void
a_commit_sends_the_whole_set(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    write_file("b.pem", "b.test");
    EXPECT_EQ_STR(load(NULL, "a.pem", false), "a\n");
    EXPECT_EQ_STR(load("x", "b.pem", false), "x\n");
    EXPECT_EQ_STR(asked(), "");
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(
        asked(), "tls.begin; tls.certificate 1  PEM of a.test; tls.certificate 2  PEM of b.test; tls.commit");
    EXPECT_MADE(CHANGE_COMMIT, NULL); /* the worker has the chains */
    EXPECT_EQ_STR(asked(), "tls.begin; tls.certificate 1  ; tls.certificate 2  ; tls.commit");
    worker_end();
    worker_start();
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(
        asked(), "tls.begin; tls.certificate 1  PEM of a.test; tls.certificate 2  PEM of b.test; tls.commit");
    EXPECT_MADE(CHANGE_DISCARD, "a");
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test x:b.test");
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(asked(), "tls.begin; tls.certificate 2  ; tls.commit");
    EXPECT_EQ_STR(make(CHANGE_DISCARD, "a"), "No certificate a: tls.cert.list names them\n");
    site_close();
}

static void
a_refused_set_changes_nothing(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    write_file("b.pem", "b.test");
    (void)load(NULL, "a.pem", false);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    (void)load(NULL, "b.pem", false);
    (void)asked();
    site.refuses = "tls.certificate 2";
    EXPECT_EQ_STR(make(CHANGE_COMMIT, NULL), "no\n");
    EXPECT_EQ_INT(site.status, CLI_PARAM);
    EXPECT_EQ_STR(asked(),
                  "tls.begin; tls.certificate 1  ; tls.certificate 2  PEM of b.test"); /* no tls.commit */
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test");
    site.refuses = NULL;
    EXPECT_MADE(CHANGE_COMMIT, NULL); /* it is still staged */
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test b:b.test");
    site_close();
}

static void
changes_take_turns(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    site.silent = true;
    begin(&(struct change){ .kind = CHANGE_LOAD, .frontend = "", .cert_file = "a.pem", .key_file = "" });
    begin(&(struct change){ .kind = CHANGE_COMMIT });
    begin(&(struct change){ .kind = CHANGE_DISCARD, .id = "a" });
    begin(&(struct change){ .kind = CHANGE_ROLLBACK });
    EXPECT_EQ_INT(site.answers, 0);
    site.silent = false;
    go_on(4);
    EXPECT_EQ_STR(asked(), "tls.begin; tls.certificate 1  PEM of a.test; tls.commit");
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test");
    EXPECT(!certificates_staged(&site.certificates));
    site_close();
}

static void
a_renewed_certificate_keeps_its_place(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    write_file("b.pem", "b.test");
    write_file("c.pem", "c.test");
    (void)load(NULL, "a.pem", false);
    (void)load(NULL, "b.pem", false);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test b:b.test");
    EXPECT_EQ_STR(load("a", "c.pem", false), "a\n");
    EXPECT_EQ_STR(load("a", "c.pem", false), "a\n"); /* staged again, in place of itself */
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "a:c.test b:b.test");
    (void)load("b", "b.pem", true);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "b:b.test a:c.test");
    EXPECT_EQ_STR(load(NULL, "b.pem", true), "b-2\n");
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "b-2:b.test b:b.test a:c.test"); /* the newest default is first */
    (void)load(NULL, "a.pem", false);
    EXPECT_MADE(CHANGE_ROLLBACK, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "b-2:b.test b:b.test a:c.test");
    EXPECT_EQ_INT(site.certificates.n, 3);
    site_close();
}

static void
two_of_one_name_are_refused_on_request(void)
{
    site_open(NULL);
    params.tls_err_dup_servername = true;
    write_file("a.pem", "www.test a.test");
    write_file("b.pem", "b.test A.test");
    (void)load(NULL, "a.pem", false);
    EXPECT_EQ_STR(load(NULL, "b.pem", false),
                  "b.pem: 'A.test' already staged, in a.pem (tls_err_dup_servername is on)\n");
    EXPECT_EQ_INT(site.status, CLI_CANT);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(load(NULL, "b.pem", false),
                  "b.pem: 'A.test' already loaded, in a.pem (tls_err_dup_servername is on)\n");
    EXPECT_EQ_STR(load("a", "b.pem", false), "a\n"); /* it replaces that one */
    params.tls_err_dup_servername = false;
    EXPECT_EQ_STR(load(NULL, "a.pem", false), "a-2\n");
    site_close();
}

static void
a_reload_reads_all_files_and_commits(void)
{
    site_open("frontend = { port = \"1\" }");
    write_file("a.pem", "a.test");
    write_file("b.pem", "b.test");
    write_file("c.pem", "c.test");
    write_file("tls.conf",
               "frontend = { port = \"1\" ciphers = \"X\" pem-file = \"b.pem\" } pem-file = \"a.pem\"");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "");
    EXPECT_EQ_STR(asked(),
                  "tls.begin; tls.frontend  ; tls.frontend tls0 ciphers X\nmatch_global off\n; "
                  "tls.certificate 1  PEM of a.test; tls.certificate 2 tls0 PEM of b.test; tls.commit");
    (void)load("c", "c.pem", false);
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL),
                  "There are staged changes: tls.cert.commit or tls.cert.rollback first\n");
    EXPECT_EQ_INT(site.status, CLI_CANT);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    (void)asked();
    write_file("c.pem", "c2.test");
    write_file("d.pem", "d.test");
    write_file("tls.conf", "frontend = { port = \"1\" } pem-file = \"d.pem\" pem-file = \"a.pem\"");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "");
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test d:d.test c:c2.test"); /* b has left */
    EXPECT_EQ_STR(asked(), "tls.begin; tls.frontend  ; tls.frontend tls0 match_global on\n; "
                           "tls.certificate 4  PEM of a.test; tls.certificate 5  PEM of d.test; "
                           "tls.certificate 6  PEM of c2.test; tls.commit");
    write_file("tls.conf", "frontend = \":2\" frontend = \":1\" pem-file = \"d.pem\" pem-file = \"a.pem\"");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), ":2 is new: a restart or vernis upgrade opens it\n");
    EXPECT(strstr(site.asked, "tls.frontend  ; tls.frontend tls0 match_global on") != NULL); /* that of :1 */
    (void)asked();
    (void)load("a", "b.pem", false); /* a command's file stays in place of that of tls.conf */
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), ":2 is new: a restart or vernis upgrade opens it\n");
    EXPECT_EQ_STR(span_str(in_use()), "a:b.test d:d.test c:c2.test");
    site_close();
}

static void
a_bad_file_rolls_a_reload_back(void)
{
    site_open("frontend = { port = \"1\" }");
    write_file("a.pem", "a.test");
    write_file("b.pem", "b.test");
    write_file("tls.conf", "frontend = { port = \"1\" } pem-file = \"a.pem\" pem-file = \"b.pem\"");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "");
    (void)asked();
    write_file("b.pem", "bad");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "b.pem: it is bad\n");
    EXPECT_EQ_INT(site.status, CLI_PARAM);
    CHECK(unlink("b.pem") == 0);
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "b.pem: No such file or directory\n");
    write_file("tls.conf", "frontent = 1");
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL),
                  "tls.conf:1: unknown setting 'frontent': did you mean frontend?\n");
    write_file("tls.conf", "frontend = { port = \"1\" } pem-file = \"a.pem\"");
    site.refuses = "tls.frontend";
    EXPECT_EQ_STR(make(CHANGE_RELOAD, NULL), "no\n");
    EXPECT(!certificates_staged(&site.certificates));
    EXPECT_EQ_STR(span_str(in_use()), "b:b.test a:a.test");
    EXPECT_EQ_INT(site.certificates.n, 2);
    site_close();
}

static void
a_large_set_goes_in_parts(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    for (unsigned i = 0; i < 3 * SET_CALLS_MAX; i++)
        (void)load(NULL, "a.pem", false);
    begin(&(struct change){ .kind = CHANGE_COMMIT });
    EXPECT_EQ_INT(site.child.n_calls, SET_CALLS_MAX);
    go_on(1);
    EXPECT_EQ_INT(site.status, CLI_OK);
    site_close();
}

static void
sent_to_worker(void *arg, int status, struct span text)
{
    answered(arg, status, text);
}

/* A worker starts while a reload reads files: it gets the set in use first, then the new one. */
static void
a_new_worker_and_a_commit_do_not_mix(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    (void)load(NULL, "a.pem", false);
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    worker_end();
    worker_start();
    (void)asked();
    changes_send(&site.changes, sent_to_worker, NULL);
    begin(&(struct change){ .kind = CHANGE_RELOAD });
    go_on(2);
    EXPECT_EQ_STR(asked(), "tls.begin; tls.certificate 1  PEM of a.test; tls.commit; "
                           "tls.begin; tls.certificate 2  PEM of a.test; tls.commit");
    begin(&(struct change){ .kind = CHANGE_COMMIT });
    changes_send(&site.changes, sent_to_worker, NULL);
    go_on(2);
    EXPECT_EQ_STR(asked(),
                  "tls.begin; tls.certificate 2  ; tls.commit; tls.begin; tls.certificate 2  ; tls.commit");
    site_close();
}

static void
a_commit_without_a_worker_is_for_the_next(void)
{
    site_open(NULL);
    write_file("a.pem", "a.test");
    (void)load(NULL, "a.pem", false);
    begin(&(struct change){ .kind = CHANGE_COMMIT });
    worker_end(); /* in the middle */
    go_on(1);
    EXPECT_EQ_INT(site.status, CLI_COMMS);
    EXPECT(certificates_staged(&site.certificates));
    EXPECT_MADE(CHANGE_COMMIT, NULL);
    EXPECT_EQ_STR(span_str(in_use()), "a:a.test");
    site_close();
}

/* ---- tickets ---- */

static void
keys_of_tickets_rotate(void)
{
    struct ticket_keys t, next_daemon;
    struct ticket_words first, second, third;
    site_open(NULL);
    ticket_keys_init(&t, &site.child, &site.events);
    EXPECT(!ticket_keys_words(&t, &first));
    params.tls_ticket_lifetime_s = 3600;
    ticket_keys_start(&t);
    EXPECT(ticket_keys_words(&t, &first));
    EXPECT_EQ_INT(strlen(first.keys[0]), 160);
    EXPECT(strcmp(first.keys[0], first.keys[1]) != 0);
    EXPECT_EQ_STR(span_str(first.keys[2]), "");
    t.made -= 3600 * NSEC_PER_SEC;
    t.rotate.fn(&t.rotate);
    EXPECT(ticket_keys_words(&t, &second));
    EXPECT_EQ_STR(span_str(second.age), "0");
    EXPECT_EQ_STR(span_str(second.keys[1]), first.keys[0]);
    EXPECT_EQ_STR(span_str(second.keys[2]), first.keys[1]);
    ticket_keys_init(&next_daemon, &site.child, &site.events);
    const char *const words[] = { second.keys[0], second.keys[1], second.keys[2] }, *const bad[] = { "00",
                                                                                                     "00",
                                                                                                     "" };
    EXPECT(ticket_keys_take(&next_daemon, words, "100") != 0); /* it has no HTTPS */
    ticket_keys_start(&next_daemon);
    EXPECT(ticket_keys_take(&next_daemon, bad, "100") != 0);
    EXPECT(ticket_keys_take(&next_daemon, words, "100") == 0);
    EXPECT(ticket_keys_words(&next_daemon, &third));
    EXPECT(memcmp(third.keys, second.keys, sizeof third.keys) == 0);
    EXPECT_EQ_STR(span_str(third.age), "100");
    ticket_keys_stop(&t);
    ticket_keys_stop(&next_daemon);
    for (unsigned i = 0; i < sizeof t.keys; i++)
        EXPECT_EQ_INT(((unsigned char *)t.keys)[i], 0);
    site_close();
}

static const struct test tests[] = {
    { "a_commit_sends_the_whole_set", a_commit_sends_the_whole_set },
    { "a_refused_set_changes_nothing", a_refused_set_changes_nothing },
    { "changes_take_turns", changes_take_turns },
    { "a_renewed_certificate_keeps_its_place", a_renewed_certificate_keeps_its_place },
    { "two_of_one_name_are_refused_on_request", two_of_one_name_are_refused_on_request },
    { "a_reload_reads_all_files_and_commits", a_reload_reads_all_files_and_commits },
    { "a_bad_file_rolls_a_reload_back", a_bad_file_rolls_a_reload_back },
    { "a_large_set_goes_in_parts", a_large_set_goes_in_parts },
    { "a_new_worker_and_a_commit_do_not_mix", a_new_worker_and_a_commit_do_not_mix },
    { "a_commit_without_a_worker_is_for_the_next", a_commit_without_a_worker_is_for_the_next },
    { "keys_of_tickets_rotate", keys_of_tickets_rotate },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
