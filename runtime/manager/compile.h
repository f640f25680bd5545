/* The manager's side of the compile server: `vernis compile-server` with JSON lines on its standard input and
 * output. The manager keeps one server running. If the server dies or hangs, only the current policy fails,
 * with a readable text, and the manager starts another server. The server compiles one policy at a time,
 * others queue. */
#ifndef VERNIS_MANAGER_COMPILE_H
#define VERNIS_MANAGER_COMPILE_H

#include <sys/types.h>

#include "manager/compile_request.h"
#include "manager/compile_server.h"
#include "manager/events.h"
#include "base/text.h"

#define COMPILE_QUEUE_MAX 64u
#define COMPILE_ANSWER_BYTES_MAX (32u << 20)
#define COMPILE_LABELS_MAX 64u /* labels one policy may switch to */

struct compile_result {
    bool ok;
    const char *image;         /* path of the image, when ok */
    const char *text;          /* warnings when ok, else the errors; "" none */
    const char *const *labels; /* labels that the policy switches to; lent, NULL-ended */
};

typedef void compile_done_fn(void *arg, const struct compile_result *result);

struct compile_job;

struct compiler {
    struct compiler_env env;
    pid_t pid; /* 0: none runs */
    struct event_fd event;
    struct text input, output;
    struct list queue;
    unsigned n_queue;
    struct compile_job *current; /* sent; NULL: none */
    struct event_timer timeout;
    uint64_t next_id;
    bool unix_listener; /* clients may use Unix sockets, which VCL 4.0 cannot express: the
                         * compiler refuses such policies */
    unsigned starts, deaths, compiled;
};

void compiler_init(struct compiler *c, const struct compiler_env *env);
void compiler_warm(struct compiler *c); /* starts the server, so that the first policy does not wait for it */
void compiler_release(struct compiler *c); /* ends the server; open jobs fail */
void compiler_reap(struct compiler *c);    /* a child process changed state */
/* Calls `done` from the event loop, never before returning. The order is lent for the call. ERR_LIMIT: queue
 * full. */
int compiler_run(struct compiler *c, const struct compile_order *order, compile_done_fn *done, void *arg);

#endif
