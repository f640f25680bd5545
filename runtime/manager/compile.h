/* The manager's side of the compile server: `vernis compile-server` with JSON lines on its standard input and output. It is
 * kept warm; when it dies or hangs the policy in hand fails with a readable text, a new one is started, and nothing else
 * happens. One policy is compiled at a time, others queue. */
#ifndef VERNIS_MANAGER_COMPILE_H
#define VERNIS_MANAGER_COMPILE_H

#include <sys/types.h>

#include "manager/events.h"
#include "manager/shared.h"
#include "worker/jail.h"
#include "worker/sandbox.h"
#include "worker/text.h"
#include "manager/workdir.h"

#define COMPILE_QUEUE_MAX 64u
#define COMPILE_ANSWER_BYTES_MAX (32u << 20)
#define COMPILE_LABELS_MAX 64u          /* labels one policy may switch to */
#define COMPILE_OUT WORKDIR_INSIDE "/images"
#define COMPILE_ENV "VERNIS_COMPILER"   /* names the program to run instead of the one beside the daemon */

struct compile_order {
    const char *name;
    const char *path;                   /* the file; with `text` only its name; NULL: no file */
    struct span text;                   /* SPAN_NULL: the file's */
    const char *const *labels;          /* those there are, NULL-ended */
};

struct compile_result {
    bool ok;
    const char *image;                  /* path of the image, when ok */
    const char *text;                   /* warnings when ok, else the errors; "" none */
    const char *const *labels;          /* that it switches to; lent, NULL-ended */
};

typedef void compile_done_fn(void *arg, const struct compile_result *result);

struct compile_job;

struct compiler_env {                   /* lent for the life of the compiler */
    struct events *events;
    const struct jail_user *user;       /* NULL: as we are */
    const struct sandbox *sandbox;
    struct shared *shared;              /* counts calls that the sandbox denies */
    const char *work_dir;
};

struct compiler {
    struct compiler_env env;
    pid_t pid;                          /* 0: none runs */
    struct event_fd event;
    struct text input, output;
    struct list queue;
    unsigned n_queue;
    struct compile_job *current;
    struct event_timer timeout;
    uint64_t next_id;
    bool unix_listener;                 /* clients come by Unix sockets: policies of VCL 4.0, which cannot tell, are refused */
    unsigned starts, deaths, compiled;
};

void compiler_init(struct compiler *c, const struct compiler_env *env);
void compiler_warm(struct compiler *c);             /* starts the server, so that the first policy does not wait for it */
void compiler_release(struct compiler *c);          /* ends the server; jobs under way are answered as failed */
void compiler_reap(struct compiler *c);             /* a child process changed state */
/* `done` is called later, never from here; the order is lent for the call. ERR_LIMIT: queue full. */
int compiler_run(struct compiler *c, const struct compile_order *order, compile_done_fn *done, void *arg);

#endif
