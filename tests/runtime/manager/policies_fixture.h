/* Policies with a scripted worker and a scripted compile server. Tests look at results as values and as
 * answers of the command line. */
#ifndef VERNIS_TESTS_RUNTIME_MANAGER_POLICIES_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_MANAGER_POLICIES_FIXTURE_H

#include "manager/policies/policies.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/frame.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "test.h"

#define ASKED_BYTES 4096

static struct {
    struct events events;
    struct child child;
    struct compiler compiler;
    struct workdir dir;
    struct sandbox sandbox;
    struct shared shared;               /* never opened, so it counts nothing */
    struct policies policies;
    char folder[PATH_MAX], image[PATH_MAX];
    int worker_fd, said_fd;             /* the script's ends */
    struct text in;
    char asked[ASKED_BYTES];            /* commands since the last check, "; " between them */
    const char *refuses;                /* commands that begin so are answered with 106 and "no\n" */
    unsigned chosen;
} site;

static struct {                         /* of the last operation */
    unsigned n;
    struct policy_result result;
    int status;
    struct text text;
} got;

static inline void
done(void *arg, const struct policy_result *r)
{
    got.n++;
    got.result = *r;
    text_clear(&got.text);
    got.status = policy_answer(r, &got.text);
}

#define EXPECT_ANSWER(outcome_, status_, text_) do { \
    EXPECT_EQ_INT(got.result.outcome, outcome_); \
    EXPECT_EQ_INT(got.status, status_); \
    EXPECT_EQ_STR(text_span(&got.text), text_); \
} while (0)

static inline void
on_chosen(void *arg)
{
    site.chosen++;
}

/* ---- the scripts ------------------------------------------------------------------------------------------------------------- */

/* Compiles anything to an image whose name has the number of the request. Reports errors for a file called
 * bad.vcl. */
static const char compiler_script[] =
    "#!/bin/sh\nn=0\nwhile read -r line; do n=$((n+1)); case $line in\n"
    "*bad.vcl*) echo '{\"id\":'$n',\"ok\":false,\"errors\":\"bad\"}';;\n"
    "*warn.vcl*) echo '{\"id\":'$n',\"ok\":true,\"image\":\"/proc/self/cwd/images/i'$n'\",\"warnings\":\"careful\"}';;\n"
    "*) echo '{\"id\":'$n',\"ok\":true,\"image\":\"/proc/self/cwd/images/i'$n'\",\"warnings\":\"\"}';;\n"
    "esac; done\n";

static inline void
write_file(const char *path, const char *text, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

static inline void
site_open(void)
{
    char path[PATH_MAX + 64];
    memset(&site, 0, sizeof site);
    memset(&got, 0, sizeof got);
    snprintf(site.folder, sizeof site.folder, "/tmp/vernis-policies-XXXXXX");
    CHECK(mkdtemp(site.folder) != NULL);
    snprintf(site.dir.path, sizeof site.dir.path, "%s", site.folder);
    CHECK(snprintf(site.dir.images, sizeof site.dir.images, "%.4000s/images", site.folder) > 0);
    CHECK(mkdir(site.dir.images, 0755) == 0);
    CHECK(snprintf(site.image, sizeof site.image, "%.4000s/some.so", site.folder) > 0);
    write_file(site.image, "code", 0644);
    snprintf(path, sizeof path, "%s/compiler", site.folder);
    write_file(path, compiler_script, 0755);
    setenv(COMPILE_ENV, path, 1);
    events_init(&site.events);
    child_init(&site.child, &site.events, NULL);
    compiler_init(&site.compiler, &(struct compiler_env){ .events = &site.events, .sandbox = &site.sandbox, .shared = &site.shared, .work_dir = site.dir.path });
    policies_init(&site.policies, &(struct policies_env){ .events = &site.events, .child = &site.child, .compiler = &site.compiler,
                                                          .dir = &site.dir, .chosen = on_chosen });
}

static inline void
worker_start(enum child_state state)
{
    int command[2], said[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, command) == 0 && pipe2(said, O_CLOEXEC) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        for (;;)
            pause();
    site.worker_fd = command[1];
    site.said_fd = said[1];
    site.child.state = CHILD_STARTING;
    child_adopt(&site.child, pid, command[0], said[0]);
    site.child.state = state;
}

static inline void
worker_end(void)
{
    if (site.child.pid == 0)
        return;
    pid_t pid = site.child.pid;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(site.worker_fd);
    close(site.said_fd);
    site.child.state = CHILD_DIED;
    child_bury(&site.child);
    site.child.state = CHILD_STOPPED;
}

static inline void
site_close(void)
{
    worker_end();
    compiler_release(&site.compiler);
    policies_release(&site.policies);
    events_release(&site.events);
    text_release(&site.in);
    text_release(&got.text);
    text_release(&site.child.tail);
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -r %s", site.folder);
    CHECK(system(command) == 0);
}

/* Records a command and answers it. */
static inline void
answer(const struct frame_head *head, struct span body)
{
    char words[512] = "";
    struct span word;
    while (frame_word(&body, &word))
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", *words == '\0' ? "" : " ", word.ptr);
    size_t n = strlen(site.asked);
    snprintf(site.asked + n, sizeof site.asked - n, "%s%s", n > 0 ? "; " : "", words);
    bool refused = site.refuses != NULL && strncmp(words, site.refuses, strlen(site.refuses)) == 0;
    struct text out = { 0 };
    frame_add(&out, head->id, refused ? CLI_PARAM : CLI_OK, refused ? SPAN_LIT("no\n") : SPAN_LIT(""));
    CHECK(write(site.worker_fd, out.ptr, out.len) == (ssize_t)out.len);
    text_release(&out);
}

/* The worker's turn: handles a command, if one has arrived. */
static inline void
worker_turn(void)
{
    char buf[4096];
    ssize_t n = recv(site.worker_fd, buf, sizeof buf, MSG_DONTWAIT);
    if (n <= 0)
        return;
    text_add(&site.in, span_of(buf, (size_t)n));
    struct frame_head head;
    struct span body;
    int err;
    while (frame_next(&site.in, &head, &body, &err)) {
        answer(&head, body);
        text_drop(&site.in, sizeof head + head.bytes);
    }
}

/* Runs until the operation is answered. */
static inline void
go_on(unsigned answers)
{
    while (got.n < answers) {
        if (site.child.pid != 0)
            worker_turn();
        CHECK(events_round(&site.events) == 0);
    }
}

static inline struct span
asked(void)
{
    static char copy[ASKED_BYTES];
    memcpy(copy, site.asked, sizeof copy);
    site.asked[0] = '\0';
    return span_str(copy);
}

static inline void
load(const char *name)
{
    unsigned n = got.n;
    policies_load(&site.policies, name, &(struct policy_source){ .image = site.image }, VCL_AUTO, done, NULL);
    go_on(n + 1);
}

static inline void
use(const char *name)
{
    unsigned n = got.n;
    policies_use(&site.policies, name, done, NULL);
    go_on(n + 1);
}

static inline void
label(const char *name, const char *policy)
{
    unsigned n = got.n;
    policies_label(&site.policies, name, policy, done, NULL);
    go_on(n + 1);
}

static inline void
state(const char *name, const char *word)
{
    unsigned n = got.n;
    policies_state(&site.policies, name, word, done, NULL);
    go_on(n + 1);
}

static inline void
discard(const char *pattern)
{
    policies_discard(&site.policies, 1, &(char *){ (char *)pattern }, done, NULL);
}

static inline void
reload(const char *path)
{
    unsigned n = got.n;
    policies_reload(&site.policies, "site", path, SPAN_NULL, done, NULL);
    go_on(n + 1);
}

static inline bool
is_listed(const char *name)
{
    return policies_find(&site.policies, name) != NULL;
}

#endif
