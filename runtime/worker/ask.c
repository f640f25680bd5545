/* Made-up requests for commands: see ask.h. */
#include "worker/ask.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"

#define ASK_WAIT_S 2

/* Freed by the last user: the fiber, if this thread gave up, else this thread. */
struct question {
    struct post post;
    struct explain_ask ask;
    struct loop *loop;
    ask_fn *fn;
    const void *arg;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool begun, done, abandoned; /* lock; never both begun and abandoned */
    int status;
    struct text head, out;
};

static void
question_free(struct question *q)
{
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->changed);
    text_release(&q->head);
    text_release(&q->out);
    free(q);
}

/* False: this thread gave up, and the question is freed. */
static bool
begin(struct question *q)
{
    pthread_mutex_lock(&q->lock);
    q->begun = !q->abandoned;
    bool begun = q->begun;
    pthread_mutex_unlock(&q->lock);
    if (!begun)
        question_free(q);
    return begun;
}

static void
finish(struct question *q, int status)
{
    pthread_mutex_lock(&q->lock);
    q->status = status;
    q->done = true;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static void
explained(struct explain_ask *ask, const struct explanation *e)
{
    struct question *q = container_of(ask, struct question, ask);
    if (!begin(q))
        return;
    if (e->refused != NULL)
        finish(q, text_say(&q->out, CLI_PARAM, "The request would be answered by %u: %s", e->status,
                           e->refused));
    else
        finish(q, q->fn(e, q->arg, &q->out));
}

static void
ask_on_loop(struct post *post)
{
    struct question *q = container_of(post, struct question, post);
    int err = proxy_explain(q->loop, &q->ask);
    if (err != 0 && begin(q))
        finish(q, text_say(&q->out, CLI_CANT, "Cannot start a request: %s", err_name(err)));
}

/* Waits ASK_WAIT_S seconds, or longer if fn has begun. True: answered. Holds the lock from the check of
 * `done` to the wait, so that no signal is lost. */
static bool
wait_for_answer(struct question *q)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ASK_WAIT_S;
    int err = 0;
    pthread_mutex_lock(&q->lock);
    while (!q->done && err != ETIMEDOUT)
        err = pthread_cond_timedwait(&q->changed, &q->lock, &until);
    while (q->begun && !q->done)
        pthread_cond_wait(&q->changed, &q->lock);
    bool done = q->done;
    q->abandoned = !done;
    pthread_mutex_unlock(&q->lock);
    return done;
}

static bool
parse_client(const char *text, struct address *out)
{
    struct sockaddr_in in4 = { .sin_family = AF_INET };
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
    if (inet_pton(AF_INET, text, &in4.sin_addr) == 1)
        address_of((const struct sockaddr *)&in4, out);
    else if (inet_pton(AF_INET6, text, &in6.sin6_addr) == 1)
        address_of((const struct sockaddr *)&in6, out);
    else
        return false;
    return true;
}

int
worker_ask(struct worker *w, unsigned n, char *const words[], ask_fn *fn, const void *arg, struct text *out)
{
    struct address client;
    if (n < 3)
        return text_say(out, CLI_TOO_FEW, "A request needs a client, a method and a URL");
    if (!parse_client(words[0], &client))
        return text_say(out, CLI_PARAM, "%s is not an IP address: write the client as 127.0.0.1 or ::1",
                        words[0]);
    struct question *q = mem_zalloc(sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    text_printf(&q->head, "%s %s%s\r\n", words[1], words[2],
                strchr(words[2], ' ') == NULL ? " HTTP/1.1" : "");
    for (unsigned i = 3; i < n; i++)
        text_printf(&q->head, "%s\r\n", words[i]);
    text_str(&q->head, "\r\n");
    q->ask = (struct explain_ask){ .head = text_span(&q->head), .client = client, .done = explained };
    q->loop = w->loops[0];
    q->fn = fn;
    q->arg = arg;
    q->post.fn = ask_on_loop;
    loop_post(q->loop, &q->post);
    if (!wait_for_answer(q))
        return text_say(out, CLI_CANT, "The policy did not decide within %d s: a function in vcl_recv waits",
                        ASK_WAIT_S);
    int status = q->status;
    text_add(out, text_span(&q->out));
    question_free(q);
    return status;
}
