/* The manager's side of the compile server: see compile.h. The JSON lines are the contract with
 * compiler/service/server.py:
 *   -> {"id":1,"op":"compile",...} (compile_request.c)
 *   <- {"id":1,"ok":true,"image":"/x.so","warnings":"...","labels":["shop"]} or
 *      {"id":1,"ok":false,"errors":"..."} */
#include "manager/compile.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manager/compile_request.h"
#include "manager/compile_server.h"
#include "manager/option_text.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"

#define COMPILE_READ_BYTES 65536u
#define COMPILE_DEAD_MS 50u  /* wait for the exit status after the connection has ended */
#define COMPILE_END_MS 1000u /* wait for a server that was told to end */

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
    CHECK(job != NULL && result->text != NULL && (!result->ok || result->image != NULL));
    c->current = NULL;
    events_timer_cancel(c->env.events, &c->timeout);
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

/* ---- the process --------------------------------------------------------------------------------------- */

static void on_server_event(struct event_fd *e, short seen);

static int
start_server(struct compiler *c, struct text *why)
{
    CHECK(c->pid == 0 && c->output.len == 0);
    pid_t pid;
    int fd;
    int err = compile_server_start(&c->env, &pid, &fd, why);
    if (err != 0)
        return err;
    c->pid = pid;
    c->starts++;
    c->event = (struct event_fd){ .fd = fd, .fn = on_server_event, .want = POLLIN };
    events_add(c->env.events, &c->event);
    return 0;
}

/* Ends the server: kills it after `patience_ms`, waits for it, and describes its end in `how`. */
static void
end_server(struct compiler *c, struct text *how, unsigned patience_ms)
{
    if (c->pid == 0)
        return;
    int status = 0;
    events_remove(c->env.events, &c->event);
    close(c->event.fd);
    /* Wait for a server that died, to report its own exit status instead of our SIGKILL. A living server sees
     * the end of its input and ends its children, which have their own process groups. */
    pid_t got = 0;
    for (unsigned i = 0; (got = waitpid(c->pid, &status, WNOHANG)) == 0 && i < patience_ms; i++)
        usleep(1000);
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL); /* it may not have its own group yet */
    if (got == 0)
        waitpid(c->pid, &status, 0);
    if (how != NULL && WIFSIGNALED(status))
        text_printf(how, "died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (how != NULL)
        text_printf(how, "ended with exit code %d", WEXITSTATUS(status));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        shared_count(c->env.shared, MGT_SYSCALL_DEATHS);
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
    log_line(LOG_LEVEL_WARNING, "compile server %s; the next policy starts it again", text_cstr(&how));
    if (c->current != NULL)
        fail_job(c, "The compile server %s while it compiled '%s'. Loaded policies are not affected.\n",
                 text_cstr(&how), c->current->name);
    text_release(&how);
    send_next(c);
}

static void
on_timeout(struct event_timer *t)
{
    struct compiler *c = container_of(t, struct compiler, timeout);
    log_line(LOG_LEVEL_ERROR, "compile server did not answer within compile_timeout (%.0f s) and is killed",
             params.compile_timeout_s);
    end_server(c, NULL, 0);
    fail_job(
        c,
        "The compile server did not answer within %.0f s (compile_timeout) and was killed. Loaded policies are not affected.\n",
        params.compile_timeout_s);
    send_next(c);
}

void
compiler_reap(struct compiler *c)
{
    siginfo_t info = { 0 };
    if (c->pid != 0 && waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == c->pid)
        server_died(c);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static const char *
json_text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s == NULL ? "" : s;
}

/* Reads a list of strings. False: invalid, or longer than COMPILE_LABELS_MAX. */
static bool
take_labels(const json_t *list, const char *out[COMPILE_LABELS_MAX + 1])
{
    size_t n = json_array_size(list); /* 0 if `list` is not an array */
    if (n > COMPILE_LABELS_MAX)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((out[i] = json_string_value(json_array_get(list, i))) == NULL)
            return false;
    out[n] = NULL;
    return true;
}

/* The server may run as another user, and the manager removes images with its own rights. So accept only
 * files directly in the folder of images. */
static bool
is_image(const char *path)
{
    size_t n = strlen(COMPILE_OUT "/");
    return strncmp(path, COMPILE_OUT "/", n) == 0 && path[n] != '\0' && path[n] != '.' &&
           strchr(path + n, '/') == NULL;
}

static void
log_denied(const char *report)
{
    for (struct span rest = span_str(report); rest.len > 0;) {
        struct span line = option_cut(&rest, '\n');
        log_line(LOG_LEVEL_ERROR, "compiler: %.*s", (int)line.len, line.ptr);
    }
}

/* Handles one line from the server. False: the line is not a valid answer. */
static bool
take_answer(struct compiler *c, struct span line)
{
    json_error_t error;
    json_t *answer = json_loadb(line.ptr, line.len, 0, &error);
    bool right = json_is_object(answer) && json_is_boolean(json_object_get(answer, "ok")) &&
                 json_is_integer(json_object_get(answer, "id"));
    if (*json_text(answer, "denied") != '\0') {
        shared_count(c->env.shared, MGT_SYSCALL_DEATHS);
        log_denied(json_text(answer, "denied"));
    }
    struct compile_job *job = c->current;
    if (right && job != NULL && (uint64_t)json_integer_value(json_object_get(answer, "id")) == job->id) {
        bool ok = json_is_true(json_object_get(answer, "ok"));
        const char *labels[COMPILE_LABELS_MAX + 1];
        struct compile_result result = { .ok = ok,
                                         .image = json_text(answer, "image"),
                                         .labels = labels,
                                         .text = json_text(answer, ok ? "warnings" : "errors") };
        if (!take_labels(json_object_get(answer, "labels"), labels))
            fail_job(c, "'%s' switches to more than %u labels.\n", job->name, COMPILE_LABELS_MAX);
        else if (ok && *result.image == '\0')
            fail_job(c, "The compile server named no image for '%s'.\n", job->name);
        else if (ok && !is_image(result.image))
            fail_job(c, "The compile server named '%s' as image of '%s', which is not in its folder.\n",
                     result.image, job->name);
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
take_job(struct compiler *c)
{
    CHECK(c->current == NULL && c->n_queue > 0);
    c->current = container_of(list_pop_front(&c->queue), struct compile_job, link);
    c->n_queue--;
}

static void
send_next(struct compiler *c)
{
    CHECK((c->n_queue == 0) == list_empty(&c->queue) && c->n_queue <= COMPILE_QUEUE_MAX);
    while (c->current == NULL && !list_empty(&c->queue)) {
        take_job(c);
        struct text why = { 0 };
        int err = c->pid == 0 ? start_server(c, &why) : 0;
        if (err != 0)
            fail_job(c, "%s", text_cstr(&why));
        text_release(&why);
        if (err != 0)
            continue;
        c->timeout.fn = on_timeout;
        events_timer(c->env.events, &c->timeout, clock_mono_ns() + nsec_of(params.compile_timeout_s));
        text_add(&c->output, text_span(&c->current->request));
        flush(c); /* the next event shows if the server has died */
    }
}

/* ---- orders -------------------------------------------------------------------------------------------- */

static void
send_soon(struct event_timer *t)
{
    struct compiler *c = container_of(t, struct compiler, timeout);
    send_next(c);
}

int
compiler_run(struct compiler *c, const struct compile_order *order, compile_done_fn *done, void *arg)
{
    CHECK(order->path != NULL || order->text.ptr != NULL);
    if (c->n_queue >= COMPILE_QUEUE_MAX)
        return ERR_LIMIT;
    struct compile_job *job = mem_zalloc(sizeof *job);
    job->id = ++c->next_id;
    job->done = done;
    job->arg = arg;
    snprintf(job->name, sizeof job->name, "%s", order->name);
    compile_request(job->id, order, c->unix_listener, &job->request);
    list_push_back(&c->queue, &job->link);
    c->n_queue++;
    /* Send from the event loop, so that `done` never runs before the caller has finished its step. */
    if (c->current == NULL) {
        c->timeout.fn = send_soon;
        events_timer(c->env.events, &c->timeout, 0);
    }
    return 0;
}

void
compiler_warm(struct compiler *c)
{
    if (c->pid != 0)
        return;
    struct text why = { 0 };
    if (start_server(c, &why) == 0) {
        text_str(&c->output, "{\"id\":0,\"op\":\"ping\"}\n");
        flush(c);
    } else
        log_line(LOG_LEVEL_WARNING, "%.*s", (int)strcspn(text_cstr(&why), "\n"), text_cstr(&why));
    text_release(&why);
}

void
compiler_init(struct compiler *c, const struct compiler_env *env)
{
    *c = (struct compiler){ .env = *env };
    c->timeout.fn = on_timeout;
    list_init(&c->queue);
}

void
compiler_release(struct compiler *c)
{
    end_server(c, NULL, COMPILE_END_MS);
    while (c->current != NULL || !list_empty(&c->queue)) {
        if (c->current == NULL)
            take_job(c);
        fail_job(c, "The daemon is shutting down.\n");
    }
    text_release(&c->input);
    text_release(&c->output);
}
