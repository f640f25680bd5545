/* The manager's side of the compile server: see compile.h. The JSON lines are the contract with compiler/service/server.py:
 *   -> {"id":1,"op":"compile","name":"boot","path":"/etc/x.vcl" or "text":"...","vcl_path":[...],"vmod_path":[...],"out_dir":"...",
 *       "any_path":true,"err_unref":true,"labels":["shop"],"unix_listener":false}
 *   <- {"id":1,"ok":true,"image":"/x.so","warnings":"...","labels":["shop"]} or {"id":1,"ok":false,"errors":"..."} */
#include "admin/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "admin/params.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define COMPILE_READ_BYTES 65536u
#define COMPILE_DEAD_MS 50u             /* for the status of one whose connection ended */
#define COMPILE_END_MS 1000u            /* for one that was asked to end */

struct compile_job {
    struct list link;
    uint64_t id;
    struct text request;
    char name[256];
    compile_done_fn *done;
    void *arg;
};

static void send_next(struct compiler *c);

static void
finish_job(struct compiler *c, const struct compile_result *result)
{
    struct compile_job *job = c->current;
    c->current = NULL;
    events_timer_cancel(c->events, &c->timeout);
    job->done(job->arg, result);
    text_release(&job->request);
    free(job);
}

static void
fail_job(struct compiler *c, const char *fmt, ...)
{
    struct text why = { 0 };
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&why, fmt, ap);
    va_end(ap);
    finish_job(c, &(struct compile_result){ .text = text_cstr(&why) });
    text_release(&why);
}

/* ---- the process ------------------------------------------------------------------------------------------------------- */

/* The program: what the environment names, else the command beside this daemon, else the one in PATH. */
static void
program_path(char out[PATH_MAX])
{
    const char *env = getenv(COMPILE_ENV);
    char self[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (env != NULL && *env != '\0') {
        snprintf(out, PATH_MAX, "%s", env);
        return;
    }
    if (n > 0 && snprintf(out, PATH_MAX, "%s/vernis", dirname(self)) < PATH_MAX && access(out, X_OK) == 0)
        return;
    snprintf(out, PATH_MAX, "vernis");
}

/* In the child. What it writes to stderr goes where ours goes. */
__attribute__((noreturn)) static void
exec_server(const struct compiler *c, const char *program, int fd)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);                      /* so that it ends with all it started, and a terminal's ^C is ours alone */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("TMPDIR", COMPILE_OUT, 1);    /* what it leaves behind when it is killed is removed with the images */
    if (chdir(c->work_dir) == 0 && jail_enter(c->jail, &c->jail->compiler) == 0 && dup2(fd, STDIN_FILENO) >= 0
        && dup2(fd, STDOUT_FILENO) >= 0)
        execlp(program, program, "compile-server", (char *)NULL);
    log_line(LOG_LEVEL_ERROR, "cannot run the compiler %s: %s", program, strerror(errno));
    _exit(127);
}

static void on_server_event(struct event_fd *e, short seen);

static int
start_server(struct compiler *c)
{
    int pair[2];
    char program[PATH_MAX];
    program_path(program);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return ERR_SYS;
    pid_t pid = fork();
    if (pid == 0)
        exec_server(c, program, pair[1]);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return ERR_SYS;
    }
    setpgid(pid, pid);                  /* both sides do it: whoever is first */
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    c->pid = pid;
    c->starts++;
    c->event = (struct event_fd){ .fd = pair[0], .fn = on_server_event, .want = POLLIN };
    events_add(c->events, &c->event);
    return 0;
}

/* Kills the server if it still runs, waits for it, and says how it ended. */
static void
end_server(struct compiler *c, struct text *how, unsigned patience_ms)
{
    if (c->pid == 0)
        return;
    int status = 0;
    events_remove(c->events, &c->event);
    close(c->event.fd);
    /* A server that died is a zombie by now or in a moment: its own status shall be told, not ours. One that lives sees its
     * input end, and ends its own children, which are in groups of their own. */
    pid_t got = 0;
    for (unsigned i = 0; (got = waitpid(c->pid, &status, WNOHANG)) == 0 && i < patience_ms; i++)
        usleep(1000);
    kill(-c->pid, SIGKILL);
    if (got == 0)
        waitpid(c->pid, &status, 0);
    if (how != NULL && WIFSIGNALED(status))
        text_printf(how, "died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (how != NULL)
        text_printf(how, "ended with exit code %d", WEXITSTATUS(status));
    c->pid = 0;
    c->deaths++;
    text_clear(&c->input);
    text_clear(&c->output);
}

static void
server_died(struct compiler *c)
{
    struct text how = { 0 };
    end_server(c, &how, COMPILE_DEAD_MS);
    log_line(LOG_LEVEL_WARNING, "compile server %s; it is started again for the next policy", text_cstr(&how));
    if (c->current != NULL)
        fail_job(c, "The compile server %s while it compiled '%s'. Loaded policies are not affected.\n", text_cstr(&how),
                 c->current->name);
    text_release(&how);
    send_next(c);
}

static void
on_timeout(struct event_timer *t)
{
    struct compiler *c = container_of(t, struct compiler, timeout);
    log_line(LOG_LEVEL_ERROR, "compile server did not answer within compile_timeout (%.0f s) and is killed",
             param_number("compile_timeout"));
    end_server(c, NULL, 0);
    fail_job(c, "The compile server did not answer within %.0f s (compile_timeout) and was killed. Loaded policies are not affected.\n",
             param_number("compile_timeout"));
    send_next(c);
}

void
compiler_reap(struct compiler *c)
{
    siginfo_t info = { 0 };
    if (c->pid != 0 && waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->pid)
        server_died(c);
}

/* ---- the conversation --------------------------------------------------------------------------------------------------- */

static const char *
json_text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s == NULL ? "" : s;
}

/* The strings of a list; those beyond COMPILE_LABELS_MAX make it wrong. */
static bool
take_labels(const json_t *list, const char *out[COMPILE_LABELS_MAX + 1])
{
    size_t n = json_array_size(list);       /* 0 when it is none */
    if (n > COMPILE_LABELS_MAX)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((out[i] = json_string_value(json_array_get(list, i))) == NULL)
            return false;
    out[n] = NULL;
    return true;
}

/* The server may run as another user, and images are removed in the end: with our rights, so by names of its own folder only. */
static bool
is_image(const char *path)
{
    size_t n = strlen(COMPILE_OUT "/");
    return strncmp(path, COMPILE_OUT "/", n) == 0 && path[n] != '\0' && path[n] != '.' && strchr(path + n, '/') == NULL;
}

/* One line of the server. False: it is no answer to what was asked. */
static bool
take_answer(struct compiler *c, struct span line)
{
    json_error_t error;
    json_t *answer = json_loadb(line.ptr, line.len, 0, &error);
    bool right = json_is_object(answer) && json_is_boolean(json_object_get(answer, "ok")) &&
                 json_is_integer(json_object_get(answer, "id"));
    if (right && c->current != NULL && (uint64_t)json_integer_value(json_object_get(answer, "id")) == c->current->id) {
        bool ok = json_is_true(json_object_get(answer, "ok"));
        const char *labels[COMPILE_LABELS_MAX + 1];
        struct compile_result result = { .ok = ok, .image = json_text(answer, "image"), .labels = labels,
                                         .text = json_text(answer, ok ? "warnings" : "errors") };
        if (!take_labels(json_object_get(answer, "labels"), labels))
            fail_job(c, "'%s' switches to more than %u labels.\n", c->current->name, COMPILE_LABELS_MAX);
        else if (ok && *result.image == '\0')
            fail_job(c, "The compile server named no image for '%s'.\n", c->current->name);
        else if (ok && !is_image(result.image))
            fail_job(c, "The compile server named '%s' as image of '%s', which is no file of its own folder.\n", result.image,
                     c->current->name);
        else
            finish_job(c, &result);
        c->compiled += ok;
    }
    json_decref(answer);
    return right;
}

static bool
flush(struct compiler *c)
{
    size_t done = 0;
    bool alive = true;
    while (alive && done < c->output.len) {
        ssize_t n = send(c->event.fd, c->output.ptr + done, c->output.len - done, MSG_NOSIGNAL);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            break;
        else
            alive = n < 0 && errno == EINTR;
    }
    text_drop(&c->output, done);
    c->event.want = (short)(POLLIN | (c->output.len > 0 ? POLLOUT : 0));
    return alive;
}

static void
on_server_event(struct event_fd *e, short seen)
{
    struct compiler *c = container_of(e, struct compiler, event);
    char buf[COMPILE_READ_BYTES];
    bool alive = (seen & POLLOUT) == 0 || flush(c);
    if (alive && (seen & ~POLLOUT)) {
        ssize_t n = recv(e->fd, buf, sizeof buf, 0);
        alive = n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
        if (n > 0)
            text_add(&c->input, span_of(buf, (size_t)n));
    }
    const char *end;
    while (alive && (end = memchr(text_cstr(&c->input), '\n', c->input.len)) != NULL) {
        struct text line = { 0 };
        size_t n = (size_t)(end - c->input.ptr);
        text_add(&line, span_of(c->input.ptr, n));
        text_drop(&c->input, n + 1);
        alive = take_answer(c, text_span(&line));
        text_release(&line);
    }
    if (c->input.len > COMPILE_ANSWER_BYTES_MAX)
        alive = false;
    if (!alive)
        server_died(c);
    else
        send_next(c);
}

static void
send_next(struct compiler *c)
{
    while (c->current == NULL && !list_empty(&c->queue)) {
        c->current = container_of(list_pop_front(&c->queue), struct compile_job, link);
        c->n_queue--;
        if (c->pid == 0 && start_server(c) != 0) {
            fail_job(c, "Cannot start the compile server: %s\n", strerror(errno));
            continue;
        }
        c->timeout.fn = on_timeout;
        events_timer(c->events, &c->timeout, clock_mono_ns() + nsec_of(param_number("compile_timeout")));
        text_add(&c->output, text_span(&c->current->request));
        text_release(&c->current->request);
        flush(c);                       /* a server that is gone shows at its next event */
    }
}

static void
add_directories(struct text *out, const char *param)
{
    text_str(out, "[");
    const char *at = param_text(param);
    for (unsigned n = 0; *at != '\0'; n++) {
        size_t len = strcspn(at, ":");
        text_str(out, n > 0 ? "," : "");
        text_json(out, span_of(at, len));
        at += len + (at[len] == ':');
    }
    text_str(out, "]");
}

static void
send_soon(struct event_timer *t)
{
    struct compiler *c = container_of(t, struct compiler, timeout);
    send_next(c);
}

int
compiler_run(struct compiler *c, const char *name, const char *path, struct span text, struct span labels,
             compile_done_fn *done, void *arg)
{
    if (c->n_queue >= COMPILE_QUEUE_MAX)
        return ERR_LIMIT;
    struct compile_job *job = mem_zalloc(sizeof *job);
    job->id = ++c->next_id;
    job->done = done;
    job->arg = arg;
    snprintf(job->name, sizeof job->name, "%s", name);
    struct text *r = &job->request;
    text_printf(r, "{\"id\":%llu,\"op\":\"compile\",\"name\":", (unsigned long long)job->id);
    text_json(r, span_str(name));
    if (path != NULL) {
        text_str(r, ",\"path\":");
        text_json_bytes(r, span_str(path));
    }
    if (text.ptr != NULL) {
        text_str(r, ",\"text\":");
        text_json_bytes(r, text);
    }
    text_str(r, ",\"vcl_path\":");
    add_directories(r, "vcl_path");
    text_str(r, ",\"vmod_path\":");
    add_directories(r, "vmod_path");
    text_str(r, ",\"out_dir\":");
    text_str(r, "\"" COMPILE_OUT "\"");
    text_str(r, ",\"labels\":");
    text_add(r, labels);
    text_printf(r, ",\"any_path\":%s,\"err_unref\":%s,\"unix_listener\":%s}\n",
                param_number("vcc_unsafe_path") != 0 ? "true" : "false", param_number("vcc_err_unref") != 0 ? "true" : "false",
                c->unix_listener ? "true" : "false");
    list_push_back(&c->queue, &job->link);
    c->n_queue++;
    /* From the event loop, so that `done` is never called before the caller has finished its own step. */
    if (c->current == NULL) {
        c->timeout.fn = send_soon;
        events_timer(c->events, &c->timeout, 0);
    }
    return 0;
}

void
compiler_warm(struct compiler *c)
{
    if (c->pid == 0 && start_server(c) == 0) {
        text_printf(&c->output, "{\"id\":0,\"op\":\"ping\"}\n");
        flush(c);
    }
}

void
compiler_init(struct compiler *c, struct events *ev, const struct jail_env *jail, const char *work_dir)
{
    *c = (struct compiler){ .events = ev, .jail = jail, .work_dir = work_dir };
    c->timeout.fn = on_timeout;
    list_init(&c->queue);
}

void
compiler_release(struct compiler *c)
{
    end_server(c, NULL, COMPILE_END_MS);
    while (c->current != NULL || !list_empty(&c->queue)) {
        if (c->current == NULL)
            c->current = container_of(list_pop_front(&c->queue), struct compile_job, link);
        fail_job(c, "The daemon is shutting down.\n");
    }
    text_release(&c->input);
    text_release(&c->output);
}
