/* Challenges of ACME: see acme.h. A token has only characters of base64url, so it can name neither another
 * folder nor a hidden file. Symbolic links are not followed, because who writes the folder need not have the
 * right to read what they name. */
#include "proxy/respond/acme.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/offload.h"
#include "proxy/request_body.h"
#include "proxy/respond/respond.h"
#include "proxy/server.h"

#define CHALLENGES "/.well-known/acme-challenge/"
#define CHALLENGES_BYTES (sizeof CHALLENGES - 1)
#define TOKEN_MAX 128u  /* authorities use 43 and 86 characters */
#define ANSWER_MAX 512u /* the token, a dot and 43 characters (RFC 8555, 8.1) */

struct challenge {
    char path[PATH_MAX];
    char answer[ANSWER_MAX + 1];
    size_t bytes;
    int error; /* errno; 0: `answer` is there */
};

static struct span
token_of(const struct request *r)
{
    return span_of(r->req.url.ptr + CHALLENGES_BYTES, r->req.url.len - CHALLENGES_BYTES);
}

bool
acme_is_challenge(const struct request *r)
{
    const struct http_message *m = &r->req;
    if (r->server->env->acme_folder == NULL || r->page != NULL || r->vars.restarts > 0)
        return false;
    return m->url.len >= CHALLENGES_BYTES && memcmp(m->url.ptr, CHALLENGES, CHALLENGES_BYTES) == 0 &&
           (span_eq(m->method, SPAN_LIT("GET")) || span_eq(m->method, SPAN_LIT("HEAD")));
}

static bool
is_token(struct span t)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < t.len; i++)
        if (t.ptr[i] == '\0' || strchr(allowed, t.ptr[i]) == NULL)
            return false;
    return t.len > 0 && t.len <= TOKEN_MAX;
}

static int
read_open(int fd, struct challenge *c)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    if (!S_ISREG(st.st_mode))
        return EISDIR;
    ssize_t n = read(fd, c->answer, sizeof c->answer);
    if (n < 0)
        return errno;
    c->bytes = (size_t)n;
    return c->bytes > ANSWER_MAX ? EFBIG : 0;
}

/* O_NONBLOCK: a FIFO without a writer would hold the thread. */
static void
read_answer(void *arg)
{
    struct challenge *c = arg;
    int fd = open(c->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    c->error = fd < 0 ? errno : read_open(fd, c);
    if (fd >= 0)
        close(fd);
}

static int
send_missing(struct request *r, struct span token, const char *why)
{
    log_printf(&r->log, TAG_ERROR, "acme_folder: no answer for \"%.*s\": %s", (int)token.len, token.ptr, why);
    r->server->counters->acme_missing++;
    return respond_send_text(r, 404, SPAN_LIT("text/plain"), SPAN_LIT("No such challenge.\n"));
}

int
acme_send(struct request *r)
{
    CHECK(acme_is_challenge(r) && r->fiber != NULL);
    struct span token = token_of(r);
    request_body_drain(r, params.unread_body_wait_s);
    if (!is_token(token))
        return send_missing(r, span_of(token.ptr, 0), "not a token");
    struct challenge c = { .bytes = 0, .error = ENAMETOOLONG };
    int n = snprintf(c.path, sizeof c.path, "%s/%.*s", r->server->env->acme_folder, (int)token.len,
                     token.ptr);
    if (n > 0 && n < (int)sizeof c.path)
        offload_run(read_answer, &c);
    if (c.error != 0)
        return send_missing(r, token, strerror(c.error));
    struct span answer = arena_copy(&r->arena, span_of(c.answer, c.bytes));
    if (answer.ptr == NULL)
        return respond_send_bare(r, 500);
    r->server->counters->acme_answers++;
    return respond_send_text(r, 200, SPAN_LIT("application/octet-stream"), answer);
}
