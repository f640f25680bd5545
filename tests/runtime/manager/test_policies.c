/* The step machine of policies: each operation, over a worker and a compile server that are scripts. Results are looked at as values
 * and as the answer of the command line. */
#include "manager/policies/policies.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/frame.h"
#include "worker/params.h"
#include "worker/status.h"
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
    struct shared shared;               /* not open: counts nothing */
    struct policies policies;
    char folder[PATH_MAX], image[PATH_MAX];
    int worker_fd, said_fd;             /* the script's ends */
    struct text in;
    char asked[ASKED_BYTES];            /* commands since the last look, "; " between them */
    const char *refuses;                /* a command that begins so is answered with 106 and "no\n" */
    unsigned chosen;
} site;

static struct {                         /* of the last operation */
    unsigned n;
    struct policy_result result;
    int status;
    struct text text;
} got;

static void
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

static void
on_chosen(void *arg)
{
    site.chosen++;
}

/* ---- the scripts ------------------------------------------------------------------------------------------------------------- */

/* Compiles anything, to an image whose name has the number of the request. Errors for a file called bad.vcl. */
static const char compiler_script[] =
    "#!/bin/sh\nn=0\nwhile read -r line; do n=$((n+1)); case $line in\n"
    "*bad.vcl*) echo '{\"id\":'$n',\"ok\":false,\"errors\":\"bad\"}';;\n"
    "*warn.vcl*) echo '{\"id\":'$n',\"ok\":true,\"image\":\"/proc/self/cwd/images/i'$n'\",\"warnings\":\"careful\"}';;\n"
    "*) echo '{\"id\":'$n',\"ok\":true,\"image\":\"/proc/self/cwd/images/i'$n'\",\"warnings\":\"\"}';;\n"
    "esac; done\n";

static void
write_file(const char *path, const char *text, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

static void
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
    child_init(&site.child, &site.events);
    compiler_init(&site.compiler, &(struct compiler_env){ .events = &site.events, .sandbox = &site.sandbox, .shared = &site.shared, .work_dir = site.dir.path });
    policies_init(&site.policies, &(struct policies_env){ .events = &site.events, .child = &site.child, .compiler = &site.compiler,
                                                          .dir = &site.dir, .chosen = on_chosen });
}

static void
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

static void
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

static void
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

/* Notes a command and answers it. */
static void
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

/* The worker's turn: what has come, if anything has. */
static void
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

/* Until the operation has answered. */
static void
go_on(unsigned answers)
{
    while (got.n < answers) {
        if (site.child.pid != 0)
            worker_turn();
        CHECK(events_round(&site.events) == 0);
    }
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
load(const char *name)
{
    unsigned n = got.n;
    policies_load(&site.policies, name, &(struct policy_source){ .image = site.image }, VCL_AUTO, done, NULL);
    go_on(n + 1);
}

static void
use(const char *name)
{
    unsigned n = got.n;
    policies_use(&site.policies, name, done, NULL);
    go_on(n + 1);
}

static void
label(const char *name, const char *policy)
{
    unsigned n = got.n;
    policies_label(&site.policies, name, policy, done, NULL);
    go_on(n + 1);
}

static void
state(const char *name, const char *word)
{
    unsigned n = got.n;
    policies_state(&site.policies, name, word, done, NULL);
    go_on(n + 1);
}

static void
discard(const char *pattern)
{
    policies_discard(&site.policies, 1, &(char *){ (char *)pattern }, done, NULL);
}

static void
reload(const char *path)
{
    unsigned n = got.n;
    policies_reload(&site.policies, "site", path, done, NULL);
    go_on(n + 1);
}

static bool
is_listed(const char *name)
{
    return policies_find(&site.policies, name) != NULL;
}

/* ---- load -------------------------------------------------------------------------------------------------------------------- */

static void
without_a_worker_a_load_is_done_at_once(void)
{
    site_open();
    load("a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL compiled.\n");
    EXPECT(is_listed("a") && site.policies.n == 1);
    site_close();
}

static void
a_worker_gets_the_image_by_its_own_name_of_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL compiled.\n");
    site_close();
}

static void
a_name_is_checked_and_taken_once(void)
{
    char longest[POLICY_NAME_BYTES + 1];
    site_open();
    load("9");
    EXPECT_ANSWER(POLICY_NAME_WRONG, CLI_PARAM, "Illegal character in VCL name ('9')");
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    load(longest);
    EXPECT_ANSWER(POLICY_NAME_WRONG, CLI_PARAM, "VCL name must have 1 to 127 characters\n");
    load("a");
    load("a");
    EXPECT_ANSWER(POLICY_NAME_TAKEN, CLI_PARAM, "Already a VCL named a");
    EXPECT_EQ_INT(site.policies.n, 1);
    site_close();
}

static void
a_load_the_worker_refuses_leaves_nothing(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    site.refuses = "load";
    load("a");
    EXPECT_ANSWER(POLICY_NOT_LOADED, CLI_PARAM, "The worker could not load 'a':\nno\nVCL loading failed\n");
    EXPECT(!is_listed("a"));
    site_close();
}

static void
a_load_ends_with_a_worker_that_dies(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    policies_load(&site.policies, "a", &(struct policy_source){ .image = site.image }, VCL_AUTO, done, NULL);
    EXPECT_EQ_INT(got.n, 0);
    worker_end();
    EXPECT_ANSWER(POLICY_NOT_LOADED, CLI_PARAM,
                  "The worker could not load 'a':\nThe worker died before it answered.\nVCL loading failed\n");
    EXPECT_EQ_INT(got.result.worker_status, CLI_COMMS);
    EXPECT(!is_listed("a"));
    site_close();
}

static void
errors_of_the_compiler_end_a_load(void)
{
    site_open();
    policies_load(&site.policies, "a", &(struct policy_source){ .path = "bad.vcl" }, VCL_AUTO, done, NULL);
    EXPECT(is_listed("a") && policies_find(&site.policies, "a")->loading);
    go_on(1);
    EXPECT_ANSWER(POLICY_COMPILE_FAILED, CLI_PARAM, "Message from Vernis compiler:\nbad\nVCL compilation failed");
    EXPECT(!is_listed("a"));
    site_close();
}

static void
warnings_come_before_the_answer(void)
{
    site_open();
    policies_load(&site.policies, "a", &(struct policy_source){ .path = "warn.vcl" }, VCL_AUTO, done, NULL);
    go_on(1);
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "careful\nVCL compiled.\n");
    site_close();
}

static void
beyond_max_vcl_a_load_warns_or_fails(void)
{
    site_open();
    params.max_vcl = 1;
    load("a");
    load("b");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "2 VCLs loaded\nRemember to vcl.discard the old/unused VCLs.\n"
                  "(See max_vcl and max_vcl_handling parameters)\nVCL compiled.\n");
    params.max_vcl_handling = 2;
    load("c");
    EXPECT_ANSWER(POLICY_MAX_VCL, CLI_CANT, "Too many (2) VCLs already loaded\n(See max_vcl and max_vcl_handling parameters)");
    params.max_vcl = 100;
    params.max_vcl_handling = 1;
    site_close();
}

/* ---- use --------------------------------------------------------------------------------------------------------------------- */

static void
use_asks_the_worker_first(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    policies_use(&site.policies, "a", done, NULL);
    EXPECT(site.policies.active == NULL && policies_find(&site.policies, "a")->pending == 1);
    go_on(2);
    EXPECT_EQ_STR(asked(), "use a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'a' now active");
    EXPECT(site.policies.active == policies_find(&site.policies, "a") && site.chosen == 1);
    EXPECT_EQ_INT(site.policies.active->pending, 0);
    site_close();
}

static void
use_that_is_refused_changes_nothing(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    use("a");
    load("b");
    site.refuses = "use b";
    use("b");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT_EQ_STR(span_str(site.policies.active->name), "a");
    EXPECT_EQ_INT(site.chosen, 1);
    site_close();
}

static void
what_cannot_be_used_is_said(void)
{
    site_open();
    use("a");
    EXPECT_ANSWER(POLICY_UNKNOWN, CLI_PARAM, "No VCL named a known\n");
    load("a");
    state("a", "cold");
    use("a");
    EXPECT_ANSWER(POLICY_IS_COLD, CLI_CANT, "VCL 'a' is cold - set to auto or warm first");
    site_close();
}

static void
what_the_worker_was_not_given_is_loaded_before_it_is_used(void)
{
    site_open();
    load("a");
    label("l", "a");
    policies_find(&site.policies, "a")->absent = policies_find(&site.policies, "l")->absent = true;
    worker_start(CHILD_RUNNING);
    use("l");
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; label l a; use l");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'l' now active");
    site_close();
}

/* ---- labels, state, discard -------------------------------------------------------------------------------------------------- */

static void
a_label_is_known_after_the_worker_has_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    label("l", "a");
    EXPECT_EQ_STR(asked(), "label l a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "");
    EXPECT_EQ_INT(policies_find(&site.policies, "a")->needed, 1);
    site.refuses = "label";
    label("m", "a");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT(!is_listed("m") && policies_find(&site.policies, "a")->needed == 1);
    site_close();
}

static void
what_cannot_be_labelled_is_said(void)
{
    site_open();
    load("a");
    label("l", "b");
    EXPECT_ANSWER(POLICY_UNKNOWN, CLI_PARAM, "No VCL named b known\n");
    label("a", "a");
    EXPECT_ANSWER(POLICY_IS_NO_LABEL, CLI_PARAM, "a is not a label");
    label("l", "a");
    label("m", "l");
    EXPECT_ANSWER(POLICY_LABEL_OF_LABEL, CLI_CANT, "VCL labels cannot point to labels");
    policies_find(&site.policies, "a")->absent = true;
    label("m", "a");
    EXPECT_ANSWER(POLICY_IS_SUSPECT, CLI_CANT, "VCL 'a' is suspect and not loaded: vcl.use it first");
    site_close();
}

static void
state_reaches_the_worker_when_it_changes(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    state("a", "warm");
    EXPECT_EQ_STR(asked(), "");
    state("a", "cold");
    EXPECT_EQ_STR(asked(), "temperature a cold");
    state("a", "auto");
    EXPECT_EQ_STR(asked(), "");         /* stays as it is until it is used */
    state("a", "hot");
    EXPECT_ANSWER(POLICY_STATE_UNKNOWN, CLI_PARAM, "State must be one of auto, cold or warm.");
    state("a", "warm");
    use("a");
    state("a", "cold");
    EXPECT_ANSWER(POLICY_IS_ACTIVE, CLI_CANT, "Cannot set the active VCL cold.");
    site_close();
}

static void
nothing_is_discarded_unless_all_may_go(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    load("b");
    use("a");
    (void)asked();
    discard("x*");
    EXPECT_ANSWER(POLICY_NO_MATCH, CLI_PARAM, "No VCL name matches x*\n");
    discard("*");
    EXPECT_ANSWER(POLICY_IS_ACTIVE, CLI_CANT, "Cannot discard active VCL program a\n");
    label("l", "b");
    (void)asked();
    discard("b");
    EXPECT_ANSWER(POLICY_IS_NEEDED, CLI_CANT, "Cannot discard labeled VCL program b:\n\tl\n");
    EXPECT_EQ_INT(site.policies.n, 3);
    discard("[bl]");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "");
    worker_turn();
    EXPECT_EQ_STR(asked(), "discard l; discard b");      /* what is needed goes last */
    EXPECT_EQ_INT(site.policies.n, 1);
    site_close();
}

static void
what_an_operation_holds_is_not_discarded(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    policies_use(&site.policies, "a", done, NULL);
    discard("a");
    EXPECT_ANSWER(POLICY_IS_PENDING, CLI_CANT, "Cannot discard a: another command is about to use it\n");
    go_on(3);
    EXPECT(is_listed("a"));
    site_close();
}

/* ---- reload, replace --------------------------------------------------------------------------------------------------------- */

static void
a_reload_loads_uses_and_discards(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    reload("warn.vcl");
    EXPECT(got.result.outcome == POLICY_DONE && got.result.old == NULL);
    EXPECT_EQ_STR(text_span(&got.text).len > 8 ? span_of(got.text.ptr, 8) : SPAN_NULL, "careful\n");
    reload("good.vcl");
    worker_turn();
    EXPECT_EQ_STR(asked(), "load site images/i1 warm; use site; load site-2 images/i2 warm; use site-2; discard site");
    EXPECT(got.result.outcome == POLICY_DONE && !got.result.old_kept && got.result.active_ms >= got.result.loaded_ms);
    EXPECT_EQ_STR(span_str(site.policies.active->name), "site-2");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
a_reload_keeps_the_old_one_while_it_is_needed(void)
{
    site_open();
    load("a");
    use("a");
    label("l", "a");
    reload("good.vcl");
    EXPECT(got.result.outcome == POLICY_DONE && got.result.old_kept && is_listed("a"));
    site_close();
}

static void
a_reload_that_does_not_compile_changes_nothing(void)
{
    site_open();
    load("a");
    use("a");
    reload("bad.vcl");
    EXPECT_ANSWER(POLICY_COMPILE_FAILED, CLI_PARAM, "Message from Vernis compiler:\nbad\nVCL compilation failed\n"
                  "Reload failed: 'site' was not loaded. Policy a stays active.\n");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
a_reload_that_cannot_be_used_is_taken_back(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    use("a");
    (void)asked();
    site.refuses = "use";
    reload("good.vcl");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "Reload failed: 'site' was loaded but could not be made active: no\n\n"
                  "Rolled back: a stays active.\n");
    worker_turn();
    EXPECT_EQ_STR(asked(), "load site images/i1 warm; use site; discard site");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
an_image_is_replaced_when_the_worker_has_taken_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    policies_replace(&site.policies, "a", site.image, done, NULL);
    go_on(2);
    EXPECT_EQ_STR(asked(), "replace a images/a.1.so");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "Image of VCL 'a' replaced\n");
    site.refuses = "replace";
    policies_replace(&site.policies, "a", site.image, done, NULL);
    go_on(3);
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT_EQ_STR(span_str(vcl_image(&site.policies, policies_find(&site.policies, "a"))), "images/a.1.so");
    site_close();
}

/* ---- a new worker ------------------------------------------------------------------------------------------------------------ */

static void
restore(void)
{
    unsigned n = got.n;
    policies_restore(&site.policies, done, NULL);
    EXPECT(site.policies.restoring);
    go_on(n + 1);
    EXPECT(!site.policies.restoring);
}

static void
a_new_worker_gets_policies_then_labels_then_health_and_the_active_one(void)
{
    site_open();
    load("a");
    label("l", "a");
    load("b");
    use("l");
    policies_health(&site.policies, "b.*", "sick");
    worker_start(CHILD_STARTING);
    restore();
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; load b images/b.1.so warm; label l a; backend.set_health b.* sick; use l");
    EXPECT_EQ_INT(got.result.outcome, POLICY_DONE);
    site_close();
}

static void
a_suspect_is_left_out(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    policies_find(&site.policies, "b")->suspect = true;
    worker_start(CHILD_STARTING);
    restore();
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; use a");
    EXPECT(policies_find(&site.policies, "b")->absent);
    site_close();
}

static void
a_policy_the_new_worker_cannot_use_gives_way(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    use("b");
    worker_start(CHILD_STARTING);
    site.refuses = "use b";
    restore();
    EXPECT_EQ_INT(got.result.outcome, POLICY_DONE);
    EXPECT_EQ_STR(span_str(site.policies.active->name), "a");
    site_close();
}

static void
without_a_way_back_the_result_says_what_failed(void)
{
    site_open();
    load("a");
    use("a");
    worker_start(CHILD_STARTING);
    site.refuses = "";
    restore();
    EXPECT_ANSWER(POLICY_NO_WAY_BACK, CLI_CANT, "a: no\n");
    site_close();
}

static void
a_worker_that_dies_ends_the_restore(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    worker_start(CHILD_STARTING);
    policies_restore(&site.policies, done, NULL);
    worker_end();
    EXPECT_EQ_INT(got.result.outcome, POLICY_WORKER_GONE);
    EXPECT(!site.policies.restoring && policies_find(&site.policies, "a")->pending == 0);
    site_close();
}

static void
use_during_a_restore_is_what_the_new_worker_uses(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    worker_start(CHILD_STARTING);
    policies_restore(&site.policies, done, NULL);
    policies_use(&site.policies, "b", done, NULL);
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'b' now active");
    go_on(5);
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; load b images/b.1.so warm; use b");
    site_close();
}

static const struct test tests[] = {
    { "without_a_worker_a_load_is_done_at_once", without_a_worker_a_load_is_done_at_once },
    { "a_worker_gets_the_image_by_its_own_name_of_it", a_worker_gets_the_image_by_its_own_name_of_it },
    { "a_name_is_checked_and_taken_once", a_name_is_checked_and_taken_once },
    { "a_load_the_worker_refuses_leaves_nothing", a_load_the_worker_refuses_leaves_nothing },
    { "a_load_ends_with_a_worker_that_dies", a_load_ends_with_a_worker_that_dies },
    { "errors_of_the_compiler_end_a_load", errors_of_the_compiler_end_a_load },
    { "warnings_come_before_the_answer", warnings_come_before_the_answer },
    { "beyond_max_vcl_a_load_warns_or_fails", beyond_max_vcl_a_load_warns_or_fails },
    { "use_asks_the_worker_first", use_asks_the_worker_first },
    { "use_that_is_refused_changes_nothing", use_that_is_refused_changes_nothing },
    { "what_cannot_be_used_is_said", what_cannot_be_used_is_said },
    { "what_the_worker_was_not_given_is_loaded_before_it_is_used", what_the_worker_was_not_given_is_loaded_before_it_is_used },
    { "a_label_is_known_after_the_worker_has_it", a_label_is_known_after_the_worker_has_it },
    { "what_cannot_be_labelled_is_said", what_cannot_be_labelled_is_said },
    { "state_reaches_the_worker_when_it_changes", state_reaches_the_worker_when_it_changes },
    { "nothing_is_discarded_unless_all_may_go", nothing_is_discarded_unless_all_may_go },
    { "what_an_operation_holds_is_not_discarded", what_an_operation_holds_is_not_discarded },
    { "a_reload_loads_uses_and_discards", a_reload_loads_uses_and_discards },
    { "a_reload_keeps_the_old_one_while_it_is_needed", a_reload_keeps_the_old_one_while_it_is_needed },
    { "a_reload_that_does_not_compile_changes_nothing", a_reload_that_does_not_compile_changes_nothing },
    { "a_reload_that_cannot_be_used_is_taken_back", a_reload_that_cannot_be_used_is_taken_back },
    { "an_image_is_replaced_when_the_worker_has_taken_it", an_image_is_replaced_when_the_worker_has_taken_it },
    { "a_new_worker_gets_policies_then_labels_then_health_and_the_active_one",
      a_new_worker_gets_policies_then_labels_then_health_and_the_active_one },
    { "a_suspect_is_left_out", a_suspect_is_left_out },
    { "a_policy_the_new_worker_cannot_use_gives_way", a_policy_the_new_worker_cannot_use_gives_way },
    { "without_a_way_back_the_result_says_what_failed", without_a_way_back_the_result_says_what_failed },
    { "a_worker_that_dies_ends_the_restore", a_worker_that_dies_ends_the_restore },
    { "use_during_a_restore_is_what_the_new_worker_uses", use_during_a_restore_is_what_the_new_worker_uses },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
