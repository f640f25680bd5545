/* Connections of the command line: see cli.h. Answers: three digits of status, blank, length in eight columns, newline, body,
 * newline. All I/O is non-blocking except the terminal of debug mode. */
#include "admin/cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "admin/manager.h"
#include "admin/params.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define CLI_READ_BYTES 65536u
#define CLI_TURN (5 * NSEC_PER_MSEC)    /* of one client's requests, when more of them are here */

struct cli {
    struct list link;
    struct cli_server *server;
    enum cli_kind kind;
    void *owner;
    struct event_fd event;              /* fd < 0 with CLI_FILE */
    int fd_out;
    bool authenticated, closing, eof, pumping, in_document, tolerant, failed;
    char challenge[CLI_CHALLENGE_BYTES + 1];
    struct text input, output;
    size_t taken;                       /* bytes of input that are worked off; dropped when a turn is over */
    size_t scanned;                     /* bytes behind them known to hold no end of the line or of the here document */
    struct words words;                 /* while in_document */
    struct cli_request *current;
    struct event_timer deadline;        /* to authenticate, or to take the answer */
    struct event_timer turn;            /* more has arrived than one turn works off */
};

static void cli_pump(struct cli *c);

static void
cli_close(struct cli *c)
{
    struct cli_server *s = c->server;
    if (c->current != NULL)
        c->current->cli = NULL;         /* what it started goes on; nobody hears the answer */
    events_remove(s->events, &c->event);
    events_timer_cancel(s->events, &c->deadline);
    events_timer_cancel(s->events, &c->turn);
    list_remove(&c->link);
    s->n_tcp -= c->kind == CLI_TCP;
    s->n_unix -= c->kind == CLI_UNIX;
    if (c->kind != CLI_STDIO && c->event.fd >= 0)
        close(c->event.fd);
    enum cli_kind kind = c->kind;
    void *owner = c->owner;
    bool failed = c->failed;
    words_release(&c->words);
    text_release(&c->input);
    text_release(&c->output);
    free(c);
    if (kind >= CLI_STDIO && s->on_end != NULL)
        s->on_end(s->manager, kind, owner, failed);
}

/* Delayed acknowledgements of a line that came in two pieces would cost 40 ms each. Lasts until the next read only. */
static void
quick_ack(const struct cli *c)
{
    int one = 1;
    if (c->kind == CLI_TCP || c->kind == CLI_MASTER)
        setsockopt(c->event.fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

/* Read on when what is here is worked off. */
static bool
is_full(const struct cli *c)
{
    return c->input.len > (c->authenticated ? CLI_REQUEST_BYTES_MAX : CLI_INPUT_UNAUTH_BYTES);
}

static void
want_events(struct cli *c)
{
    /* A pipe that ended stays ready for ever; what it brought is still worked off. A socket says when the client is gone. */
    if (c->eof && c->kind == CLI_STDIO)
        events_remove(c->server->events, &c->event);
    if (c->output.len == 0 && c->authenticated)
        events_timer_cancel(c->server->events, &c->deadline);
    else if (!list_linked(&c->deadline.link))
        events_timer(c->server->events, &c->deadline, clock_mono_ns() + nsec_of(CLI_SEND_TIMEOUT_S));
    bool reads = !is_full(c) && !c->eof && !c->closing && !list_linked(&c->turn.link);
    c->event.want = (short)((reads ? POLLIN : 0) | (c->output.len > 0 ? POLLOUT : 0));
}

/* Sends what the peer takes now. False when the connection is gone. */
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

static void
send_frame(struct cli *c, int status, struct span body)
{
    size_t limit = c->kind == CLI_UNIX ? CLI_LOCAL_LIMIT_BYTES : (size_t)param_number("cli_limit");
    if (body.len > limit) {
        body.len = limit;
        if (status == CLI_OK)
            status = CLI_TRUNCATED;
    }
    text_printf(&c->output, "%03d %-8zu\n", status, body.len);
    text_add(&c->output, body);
    text_str(&c->output, "\n");
}

/* ---- authentication --------------------------------------------------------------------------------------------------- */

static void
new_challenge(struct cli *c)
{
    unsigned char random[CLI_CHALLENGE_BYTES];
    CHECK(getrandom(random, sizeof random, 0) == (ssize_t)sizeof random);
    for (unsigned i = 0; i < CLI_CHALLENGE_BYTES; i++)
        c->challenge[i] = (char)('a' + random[i] % 26);
    c->challenge[CLI_CHALLENGE_BYTES] = '\0';
}

static void
send_challenge(struct cli *c)
{
    struct text body = { 0 };
    new_challenge(c);
    text_printf(&body, "%s\n\nAuthentication required.\n", c->challenge);
    send_frame(c, CLI_AUTH, text_span(&body));
    text_release(&body);
}

int
cli_try_auth(struct cli_request *req, const char *hex)
{
    struct cli *c = req->cli;
    if (c == NULL || c->authenticated)
        return 0;
    struct text input = { 0 };
    text_printf(&input, "%s\n", c->challenge);
    int err = workdir_secret(&req->manager->dir, &input);
    text_printf(&input, "%s\n", c->challenge);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)text_cstr(&input), input.len, digest);
    OPENSSL_cleanse(input.ptr, input.len);
    text_release(&input);
    unsigned differ = err != 0 || strlen(hex) != 2 * sizeof digest;
    for (unsigned i = 0; !differ && i < sizeof digest; i++) {
        char want[3];
        snprintf(want, sizeof want, "%02x", digest[i]);
        differ |= (unsigned)(ascii_lower(hex[2 * i]) != want[0]) | (unsigned)(ascii_lower(hex[2 * i + 1]) != want[1]);
    }
    if (differ)
        return ERR_SYNTAX;
    c->authenticated = true;
    events_timer_cancel(c->server->events, &c->deadline);
    return 0;
}

static void
on_deadline(struct event_timer *t)
{
    cli_close(container_of(t, struct cli, deadline));
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

/* Answers of a command file go to stderr, failures only; a failing line ends it unless it began with '-'. */
static void
answer_file(struct cli *c, int status, struct span body)
{
    if (status == CLI_OK || status == CLI_TRUNCATED)
        return;
    log_line(c->tolerant ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR, "command file: status %d: %.*s", status, (int)body.len, body.ptr);
    c->failed |= !c->tolerant;
    c->closing |= !c->tolerant;
}

void
cli_done(struct cli_request *req, int status)
{
    struct cli *c = req->cli;
    if (c != NULL) {
        if (c->kind == CLI_FILE)
            answer_file(c, status, text_span(&req->out));
        else
            send_frame(c, status, text_span(&req->out));
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
cli_quit(struct cli_request *req)
{
    cli_answer(req, CLI_CLOSE, "Closing CLI connection");
}

void
cli_json_begin(struct cli_request *req, int version)
{
    nsec now = clock_real_ns();
    text_printf(&req->out, "[ %d, [", version);
    for (unsigned i = 0; i < req->words.n; i++) {
        text_str(&req->out, i > 0 ? ", " : "");
        text_json(&req->out, span_str(req->words.w[i]));
    }
    text_printf(&req->out, "], %lld.%03lld, ", (long long)(now / NSEC_PER_SEC), (long long)(now % NSEC_PER_SEC / NSEC_PER_MSEC));
}

void
cli_json_end(struct cli_request *req)
{
    struct text *out = &req->out;
    if (out->len >= 2 && memcmp(out->ptr + out->len - 2, ", ", 2) == 0)
        out->len -= 2;                  /* an empty payload leaves no comma behind */
    text_str(&req->out, "\n]\n");
}

/* ---- requests --------------------------------------------------------------------------------------------------------- */

static const struct cli_command *
find_command(const char *name)
{
    for (unsigned i = 0; i < n_cli_commands; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

static void
dispatch(struct cli_request *req, bool authenticated)
{
    const struct cli_command *cmd = find_command(req->argv[0]);
    unsigned args = req->argc - 1;
    if (req->argv[0][0] == '\0')
        cli_answer(req, CLI_SYNTAX, "Empty CLI command.\n");
    else if (cmd == NULL || (!authenticated && !(cmd->flags & COMMAND_UNAUTH)))
        cli_answer(req, CLI_UNKNOWN, "Unknown request.\nType 'help' for more info.\n%s",
                   isupper((unsigned char)req->argv[0][0]) ? "all commands are in lower-case.\n" : "");
    else if (req->json && !(cmd->flags & COMMAND_JSON))
        cli_answer(req, CLI_UNIMPLEMENTED, "JSON unimplemented\n");
    else if (args < cmd->min_args)
        cli_answer(req, CLI_TOO_FEW, "Too few parameters\n");
    else if (args > cmd->max_args)
        cli_answer(req, CLI_TOO_MANY, "Too many parameters\n");
    else if ((cmd->flags & COMMAND_WORKER) && !child_running(&req->manager->child))
        cli_answer(req, CLI_UNKNOWN, "Unknown request in manager process (child not running).\nType 'help' for more info.");
    else
        cmd->fn(req);
}

/* Takes the words. */
static void
start_request(struct cli *c, struct words *words)
{
    struct cli_request *req = mem_zalloc(sizeof *req);
    req->manager = c->server->manager;
    req->cli = c;
    req->words = *words;
    *words = (struct words){ 0 };
    for (unsigned i = 0; i < req->words.n; i++) {
        if (i == 1 && strcmp(req->words.w[i], "-j") == 0)
            req->json = true;
        else
            req->argv[req->argc++] = req->words.w[i];
    }
    c->current = req;
    dispatch(req, c->authenticated);
}

static void
refuse_input(struct cli *c, int status, const char *fmt, ...)
{
    struct text body = { 0 };
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&body, fmt, ap);
    va_end(ap);
    if (c->kind == CLI_FILE)
        answer_file(c, status, text_span(&body));
    else
        send_frame(c, status, text_span(&body));
    text_release(&body);
    c->closing |= status == CLI_CLOSE || !c->authenticated;
}

static struct span
unread(const struct cli *c)
{
    return span_of(text_cstr(&c->input) + c->taken, c->input.len - c->taken);
}

static void
take(struct cli *c, size_t n)
{
    c->taken += n;
    c->scanned = 0;
}

/* The rest of a here document. False: more has to arrive. */
static bool
take_document(struct cli *c)
{
    struct span in = unread(c);
    const char *mark = words_heredoc(&c->words);
    size_t n = strlen(mark);
    struct text end = { 0 };
    text_printf(&end, "%s\n", mark);
    const char *at = memmem(in.ptr + c->scanned, in.len - c->scanned, end.ptr, end.len);
    text_release(&end);
    if (at == NULL) {
        c->scanned = in.len > n ? in.len - n : 0;
        return false;
    }
    size_t len = (size_t)(at - in.ptr);
    words_take_heredoc(&c->words, span_of(in.ptr, len));
    take(c, len + n + 1);
    c->in_document = false;
    start_request(c, &c->words);
    return true;
}

/* The next line. False: more has to arrive. */
static bool
take_line(struct cli *c)
{
    size_t blanks = strspn(unread(c).ptr, " \t\r\n\v\f");
    if (blanks > 0)
        take(c, blanks);
    struct span in = unread(c);
    size_t max = c->authenticated ? CLI_REQUEST_BYTES_MAX : CLI_LINE_UNAUTH_BYTES, n = c->scanned;
    while (n < in.len && in.ptr[n] != '\n' && in.ptr[n] != '\r')
        n++;
    if (n > max) {
        refuse_input(c, CLI_CLOSE, "Syntax Error: Line longer than %zu bytes\n", max);
        return true;
    }
    c->scanned = n;
    if (n == in.len)
        return false;
    c->tolerant = in.ptr[0] == '-';
    const char *why;
    int err = words_parse(span_of(in.ptr + c->tolerant, n - c->tolerant), &c->words, &why);
    take(c, n + 1);
    if (err != 0)
        refuse_input(c, CLI_SYNTAX, "Unknown request.\nType 'help' for more info.\nSyntax Error: %s\n", why);
    else if (c->words.n == 0 && c->tolerant)
        refuse_input(c, CLI_SYNTAX, "Empty CLI command.\n");
    else if (c->words.n == 0)
        words_release(&c->words);
    else if (c->authenticated && words_heredoc(&c->words) != NULL)
        c->in_document = true;
    else
        start_request(c, &c->words);
    return true;
}

/* One request is under way at a time, and none begins before the client has taken the answer to the one before. */
static bool
may_go_on(const struct cli *c)
{
    return !c->closing && c->current == NULL && c->output.len == 0;
}

/* Works off what has arrived, but not for longer than a turn: others have commands too. */
static void
cli_pump(struct cli *c)
{
    c->pumping = true;
    bool alive = flush(c), waits = false;       /* waits: for more to arrive */
    nsec end = clock_mono_ns() + CLI_TURN;
    for (bool due = true; due && alive && !waits && may_go_on(c); due = clock_mono_ns() < end) {
        waits = !(c->in_document ? take_document(c) : take_line(c));
        if (waits && unread(c).len > CLI_REQUEST_BYTES_MAX)
            refuse_input(c, CLI_CLOSE, "Syntax Error: Request longer than %u bytes\n", CLI_REQUEST_BYTES_MAX);
        alive = flush(c);
    }
    if (waits && c->eof && c->in_document) {
        refuse_input(c, CLI_SYNTAX, "Syntax Error: The here document does not end: no line %s\n", words_heredoc(&c->words));
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
        events_timer(c->server->events, &c->turn, 0);
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
        return;                         /* the peer hung up: what it sent before is still worked off */
    if (c->eof || c->closing || is_full(c)) {
        cli_close(c);                   /* woken although nothing was asked for: the peer hung up */
        return;
    }
    quick_ack(c);
    ssize_t n = read(c->event.fd, buf, sizeof buf);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    quick_ack(c);
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

/* ---- connections ------------------------------------------------------------------------------------------------------ */

static struct cli *
cli_new(struct cli_server *s, int fd_in, int fd_out, enum cli_kind kind)
{
    struct cli *c = mem_zalloc(sizeof *c);
    c->server = s;
    c->kind = kind;
    c->fd_out = fd_out;
    c->event = (struct event_fd){ .fd = fd_in, .fn = on_event, .want = POLLIN };
    c->deadline.fn = on_deadline;
    c->turn.fn = on_turn;
    bool by_secret = kind == CLI_TCP || kind == CLI_MASTER;
    c->authenticated = !by_secret || *s->manager->dir.secret == '\0';
    list_push_back(&s->conns, &c->link);
    if (kind != CLI_FILE)
        events_add(s->events, &c->event);
    return c;
}

static void
greet(struct cli *c)
{
    if (c->authenticated) {
        struct text banner = { 0 };
        cli_banner(c->server->manager, &banner);
        send_frame(c, CLI_OK, text_span(&banner));
        text_release(&banner);
    } else {
        send_challenge(c);
        events_timer(c->server->events, &c->deadline, clock_mono_ns() + nsec_of(CLI_AUTH_TIMEOUT_S));
    }
    cli_pump(c);
}

void
cli_accept(struct cli_server *s, int fd, enum cli_kind kind, void *owner)
{
    unsigned *n = kind == CLI_TCP ? &s->n_tcp : kind == CLI_UNIX ? &s->n_unix : NULL;
    if (n != NULL && *n >= CLI_CONNS_MAX) {
        log_line(LOG_LEVEL_WARNING, "command line: more than %u connections, one refused", CLI_CONNS_MAX);
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
    int fd = open(path, O_RDONLY | O_CLOEXEC);
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
cli_server_init(struct cli_server *s, struct manager *m, struct events *ev)
{
    *s = (struct cli_server){ .manager = m, .events = ev };
    list_init(&s->conns);
}

void
cli_server_release(struct cli_server *s)
{
    s->on_end = NULL;
    list_each(it, &s->conns)
        cli_close(container_of(it, struct cli, link));
}
