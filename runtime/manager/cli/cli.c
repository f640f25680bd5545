/* Connections of the command line: see cli.h. Answers: three digits of status, blank, length in eight
 * columns, newline, body, newline. All I/O is non-blocking except the terminal of debug mode. */
#include "manager/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "manager/cli/cli_internal.h"
#include "manager/cli/cli_banner.h"
#include "manager/workdir/workdir.h"
#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"

#define CLI_READ_BYTES 65536u
#define CLI_TURN (5 * NSEC_PER_MSEC) /* time for the requests of one client before others get a turn */

static void cli_pump(struct cli *c);

static void
cli_close(struct cli *c)
{
    struct cli_server *s = c->server;
    if (c->current != NULL)
        c->current->cli = NULL; /* its request goes on, without an answer */
    events_remove(s->env.events, &c->event);
    events_timer_cancel(s->env.events, &c->deadline);
    events_timer_cancel(s->env.events, &c->turn);
    list_remove(&c->link);
    s->n_tcp -= c->kind == CLI_TCP;
    s->n_unix -= c->kind == CLI_UNIX;
    if (c->kind != CLI_STDIO && c->event.fd >= 0)
        close(c->event.fd);
    bool last = c->wants_reasons && --s->n_reasons == 0;
    enum cli_kind kind = c->kind;
    void *owner = c->owner;
    bool failed = c->failed;
    words_release(&c->words);
    text_release(&c->input);
    text_release(&c->output);
    free(c);
    if (last && s->env.on_reasons_end != NULL)
        s->env.on_reasons_end(s->env.arg);
    if (kind >= CLI_STDIO && s->env.on_end != NULL)
        s->env.on_end(s->env.arg, kind, owner, failed);
}

/* A delayed acknowledgement costs 40 ms if a line comes in two pieces. The option lasts only until the next
 * read. */
static void
quick_ack(const struct cli *c)
{
    int one = 1;
    if (c->kind == CLI_TCP || c->kind == CLI_MASTER)
        setsockopt(c->event.fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

/* Whether to stop reading until some input is handled. */
static bool
is_full(const struct cli *c)
{
    return c->input.len > (c->authenticated ? CLI_REQUEST_BYTES_MAX : CLI_INPUT_UNAUTH_BYTES);
}

static void
want_events(struct cli *c)
{
    /* Stop polling a pipe that has ended, which stays ready; its input is still handled. A socket reports a
     * client that is gone, so keep polling it. */
    if (c->eof && c->kind == CLI_STDIO)
        events_remove(c->server->env.events, &c->event);
    if (c->output.len == 0 && c->authenticated)
        events_timer_cancel(c->server->env.events, &c->deadline);
    else if (!list_linked(&c->deadline.link))
        events_timer(c->server->env.events, &c->deadline, clock_mono_ns() + nsec_of(CLI_SEND_TIMEOUT_S));
    bool reads = !is_full(c) && !c->eof && !c->closing && !list_linked(&c->turn.link);
    c->event.want = (short)((reads ? POLLIN : 0) | (c->output.len > 0 ? POLLOUT : 0));
}

/* Sends as much as the client accepts. False: the connection is closed. */
static bool
flush(struct cli *c)
{
    size_t done = 0;
    while (done < c->output.len) {
        ssize_t n = c->kind == CLI_STDIO || c->kind == CLI_FILE
                      ? write(c->fd_out, c->output.ptr + done, c->output.len - done)
                      : send(c->fd_out, c->output.ptr + done, c->output.len - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    text_drop(&c->output, done);
    return true;
}

void
cli_send_frame(struct cli *c, int status, struct span body)
{
    size_t limit = c->kind == CLI_UNIX ? CLI_LOCAL_LIMIT_BYTES : params.cli_limit_bytes;
    if (body.len > limit) {
        body.len = limit;
        if (status == CLI_OK)
            status = CLI_TRUNCATED;
    }
    text_printf(&c->output, "%03d %-8zu\n", status, body.len);
    text_add(&c->output, body);
    text_str(&c->output, "\n");
}

/* ---- authentication ------------------------------------------------------------------------------------ */

static void
send_challenge(struct cli *c)
{
    struct text body = { 0 };
    cli_new_challenge(c->challenge);
    text_printf(&body, "%s\n\nAuthentication required.\n", c->challenge);
    cli_send_frame(c, CLI_AUTH, text_span(&body));
    text_release(&body);
}

int
cli_try_auth(struct cli_request *req, const char *hex)
{
    struct cli *c = req->cli;
    if (c == NULL || c->authenticated)
        return 0;
    if (!cli_digest_is_right(c->server->env.dir, c->challenge, hex))
        return ERR_SYNTAX;
    c->authenticated = true;
    events_timer_cancel(c->server->env.events, &c->deadline);
    return 0;
}

static void
on_deadline(struct event_timer *t)
{
    cli_close(container_of(t, struct cli, deadline));
}

/* ---- answers ------------------------------------------------------------------------------------------- */

/* Logs only failed commands of a command file. A failure ends the file unless the line began with '-'. */
void
cli_answer_file(struct cli *c, int status, struct span body)
{
    if (status == CLI_OK || status == CLI_TRUNCATED)
        return;
    log_line(c->tolerant ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR, "command file: status %d: %.*s", status,
             (int)body.len, body.ptr);
    c->failed |= !c->tolerant;
    c->closing |= !c->tolerant;
}

void
cli_done(struct cli_request *req, int status)
{
    struct cli *c = req->cli;
    CHECK(status >= CLI_SYNTAX && status <= CLI_CLOSE && (c == NULL || c->current == req));
    if (c != NULL) {
        if (c->kind == CLI_FILE)
            cli_answer_file(c, status, text_span(&req->out));
        else
            cli_send_frame(c, status, text_span(&req->out));
        c->closing |= status == CLI_CLOSE || (!c->authenticated && status != CLI_OK);
        c->current = NULL;
    }
    words_release(&req->words);
    text_release(&req->out);
    free(req);
    if (c != NULL && !c->pumping)
        cli_pump(c);
}

void
cli_answer(struct cli_request *req, int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&req->out, fmt, ap);
    va_end(ap);
    cli_done(req, status);
}

void
cli_want_reasons(struct cli_request *req)
{
    struct cli *c = req->cli;
    CHECK(c != NULL);
    c->server->n_reasons += !c->wants_reasons;
    c->wants_reasons = true;
}

void
cli_quit(struct cli_request *req)
{
    cli_answer(req, CLI_CLOSE, "Closing CLI connection");
}

/* ---- requests ------------------------------------------------------------------------------------------ */

/* One request runs at a time, and the next one starts after the client has received the last answer. */
static bool
may_go_on(const struct cli *c)
{
    return !c->closing && c->current == NULL && c->output.len == 0;
}

/* Handles received input for at most one turn, so that other clients get theirs. */
static void
cli_pump(struct cli *c)
{
    c->pumping = true;
    bool alive = flush(c), waits = false; /* waits: the input is incomplete */
    nsec end = clock_mono_ns() + CLI_TURN;
    for (bool due = true; due && alive && !waits && may_go_on(c); due = clock_mono_ns() < end) {
        waits = !(c->in_document ? cli_take_document(c) : cli_take_line(c));
        if (waits && cli_unread(c).len > CLI_REQUEST_BYTES_MAX)
            cli_refuse(c, CLI_CLOSE, "Syntax Error: Request longer than %u bytes\n", CLI_REQUEST_BYTES_MAX);
        alive = flush(c);
    }
    if (waits && c->eof && c->in_document) {
        cli_refuse(c, CLI_SYNTAX, "Syntax Error: The here document has no end: add a line %s\n",
                   words_heredoc(&c->words));
        c->closing = true;
        alive = flush(c);
    }
    c->pumping = false;
    text_drop(&c->input, c->taken);
    c->taken = 0;
    bool over = c->closing || (c->eof && c->current == NULL && waits);
    if (!alive || (over && c->output.len == 0)) {
        cli_close(c);
        return;
    }
    if (!waits && may_go_on(c))
        events_timer(c->server->env.events, &c->turn, 0);
    want_events(c);
}

static void
on_turn(struct event_timer *t)
{
    cli_pump(container_of(t, struct cli, turn));
}

static void
on_event(struct event_fd *e, short seen)
{
    struct cli *c = container_of(e, struct cli, event);
    char buf[CLI_READ_BYTES];
    if (seen & POLLOUT) {
        cli_pump(c);
        return;
    }
    if ((seen & (POLLERR | POLLNVAL)) && !(seen & POLLIN)) {
        cli_close(c);
        return;
    }
    if (list_linked(&c->turn.link))
        return; /* the client hung up: finish its input first */
    if (c->eof || c->closing || is_full(c)) {
        cli_close(c); /* the only event left to report: the client hung up */
        return;
    }
    quick_ack(c);
    ssize_t n = read(c->event.fd, buf, sizeof buf);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    quick_ack(c);
    c->heard = clock_mono_ns();
    if (n > 0)
        text_add(&c->input, span_of(buf, (size_t)n));
    else
        c->eof = true;
    if (n < 0) {
        cli_close(c);
        return;
    }
    if (c->current == NULL || c->eof)
        cli_pump(c);
    else
        want_events(c);
}

/* ---- connections --------------------------------------------------------------------------------------- */

static struct cli *
cli_new(struct cli_server *s, int fd_in, int fd_out, enum cli_kind kind)
{
    struct cli *c = mem_zalloc(sizeof *c);
    c->server = s;
    c->kind = kind;
    c->fd_out = fd_out;
    c->heard = clock_mono_ns();
    c->event = (struct event_fd){ .fd = fd_in, .fn = on_event, .want = POLLIN };
    c->deadline.fn = on_deadline;
    c->turn.fn = on_turn;
    bool by_secret = kind == CLI_TCP || kind == CLI_MASTER;
    c->authenticated = !by_secret || *s->env.dir->secret == '\0';
    list_push_back(&s->conns, &c->link);
    if (kind != CLI_FILE)
        events_add(s->env.events, &c->event);
    return c;
}

static void
greet(struct cli *c)
{
    if (c->authenticated) {
        struct text banner = { 0 };
        cli_banner(c->server->env.banner, &banner);
        cli_send_frame(c, CLI_OK, text_span(&banner));
        text_release(&banner);
    } else {
        send_challenge(c);
        events_timer(c->server->env.events, &c->deadline, clock_mono_ns() + nsec_of(CLI_AUTH_TIMEOUT_S));
    }
    cli_pump(c);
}

/* One that does not know the secret goes first, then the one that has been silent for the longest time, also
 * in the middle of a line or a here document. NULL: all wait for the answer to a request. */
static struct cli *
least_useful(struct cli_server *s, enum cli_kind kind)
{
    struct cli *least = NULL;
    list_each(it, &s->conns)
    {
        struct cli *c = container_of(it, struct cli, link);
        if (c->kind != kind || c->current != NULL || c->pumping)
            continue;
        if (least == NULL || c->authenticated < least->authenticated ||
            (c->authenticated == least->authenticated && c->heard < least->heard))
            least = c;
    }
    return least;
}

/* Silent connections must not lock an operator out. False: every connection is busy. */
static bool
make_room(struct cli_server *s, enum cli_kind kind)
{
    static struct log_limiter limiter;
    struct cli *c = least_useful(s, kind);
    log_line_limited(&limiter, clock_mono_ns(), LOG_LEVEL_WARNING,
                     "command line: more than %u connections, %s", CLI_CONNS_MAX,
                     c == NULL ? "one refused: all wait for answers"
                               : "the one that was silent for longest is closed");
    if (c != NULL)
        cli_close(c);
    return c != NULL;
}

void
cli_accept(struct cli_server *s, int fd, enum cli_kind kind, void *owner)
{
    unsigned *n = kind == CLI_TCP ? &s->n_tcp : kind == CLI_UNIX ? &s->n_unix : NULL;
    if (n != NULL && *n >= CLI_CONNS_MAX && !make_room(s, kind)) {
        close(fd);
        return;
    }
    if (n != NULL)
        ++*n;
    int one = 1;
    if (kind != CLI_UNIX)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct cli *c = cli_new(s, fd, fd, kind);
    c->owner = owner;
    greet(c);
}

void
cli_stdio(struct cli_server *s)
{
    greet(cli_new(s, STDIN_FILENO, STDOUT_FILENO, CLI_STDIO));
}

static int
read_file(const char *path, struct text *out)
{
    int fd = file_open(path, CLI_FILE_BYTES_MAX);
    if (fd < 0)
        return ERR_SYS;
    char buf[CLI_READ_BYTES];
    ssize_t n;
    while ((n = read(fd, buf, sizeof buf)) > 0 && out->len <= CLI_FILE_BYTES_MAX)
        text_add(out, span_of(buf, (size_t)n));
    int error = n > 0 ? EFBIG : errno;
    close(fd);
    errno = error;
    return n == 0 ? 0 : ERR_SYS;
}

int
cli_run_file(struct cli_server *s, const char *path)
{
    struct text commands = { 0 };
    int err = read_file(path, &commands);
    if (err != 0) {
        text_release(&commands);
        return err;
    }
    struct cli *c = cli_new(s, -1, STDERR_FILENO, CLI_FILE);
    text_str(&commands, "\n");
    c->input = commands;
    c->eof = true;
    cli_pump(c);
    return 0;
}

void
cli_server_init(struct cli_server *s, const struct cli_env *env)
{
    *s = (struct cli_server){ .env = *env };
    list_init(&s->conns);
}

void
cli_server_release(struct cli_server *s)
{
    s->env.on_end = NULL;
    s->env.on_reasons_end = NULL;
    list_each(it, &s->conns) cli_close(container_of(it, struct cli, link));
}
