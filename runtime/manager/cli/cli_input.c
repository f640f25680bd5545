/* Input from clients of the command line: lines, here documents, and the requests in them. */
#include <stdlib.h>

#include "manager/cli/cli_internal.h"
#include "base/check.h"
#include "base/mem.h"

/* Starts the command; takes ownership of the words. */
static void
start_request(struct cli *c, struct words *words)
{
    CHECK(c->current == NULL && words->n > 0);
    struct cli_request *req = mem_zalloc(sizeof *req);
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
    cli_dispatch(req, &c->server->env, c->authenticated);
}

void
cli_refuse(struct cli *c, int status, const char *fmt, ...)
{
    struct text body = { 0 };
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&body, fmt, ap);
    va_end(ap);
    if (c->kind == CLI_FILE)
        cli_answer_file(c, status, text_span(&body));
    else
        cli_send_frame(c, status, text_span(&body));
    text_release(&body);
    c->closing |= status == CLI_CLOSE || !c->authenticated;
}

struct span
cli_unread(const struct cli *c)
{
    return span_of(text_cstr(&c->input) + c->taken, c->input.len - c->taken);
}

static void
take(struct cli *c, size_t n)
{
    c->taken += n;
    c->scanned = 0;
}

/* Handles the rest of a here document. False: incomplete. */
bool
cli_take_document(struct cli *c)
{
    struct span in = cli_unread(c);
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

/* Handles the next line. False: incomplete. */
bool
cli_take_line(struct cli *c)
{
    size_t blanks = strspn(cli_unread(c).ptr, " \t\r\n\v\f");
    if (blanks > 0)
        take(c, blanks);
    struct span in = cli_unread(c);
    size_t max = c->authenticated ? CLI_REQUEST_BYTES_MAX : CLI_LINE_UNAUTH_BYTES, n = c->scanned;
    while (n < in.len && in.ptr[n] != '\n' && in.ptr[n] != '\r')
        n++;
    if (n > max) {
        cli_refuse(c, CLI_CLOSE, "Syntax Error: Line longer than %zu bytes\n", max);
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
        cli_refuse(c, CLI_SYNTAX, "Unknown request.\nType 'help' for more info.\nSyntax Error: %s\n", why);
    else if (c->words.n == 0 && c->tolerant)
        cli_refuse(c, CLI_SYNTAX, "Empty CLI command.\n");
    else if (c->words.n == 0)
        words_release(&c->words);
    else if (c->authenticated && words_heredoc(&c->words) != NULL)
        c->in_document = true;
    else
        start_request(c, &c->words);
    return true;
}
