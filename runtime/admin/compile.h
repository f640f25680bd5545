/* The manager's side of the compile server: `vernis compile-server` with JSON lines on its standard input and output. It is
 * kept warm; when it dies or hangs the policy in hand fails with a readable text, a new one is started, and nothing else
 * happens. One policy is compiled at a time, others queue. */
#ifndef VERNIS_ADMIN_COMPILE_H
#define VERNIS_ADMIN_COMPILE_H

#include <sys/types.h>

#include "admin/events.h"
#include "admin/jail.h"
#include "admin/text.h"
#include "admin/workdir.h"

#define COMPILE_QUEUE_MAX 64u
#define COMPILE_ANSWER_BYTES_MAX (32u << 20)
#define COMPILE_LABELS_MAX 64u          /* labels one policy may switch to */
#define COMPILE_OUT WORKDIR_INSIDE "/images"
#define COMPILE_ENV "VERNIS_COMPILER"   /* names the program to run instead of the one beside the daemon */

struct compile_result {
    bool ok;
    const char *image;                  /* path of the image, when ok */
    const char *text;                   /* warnings when ok, else the errors; "" none */
    const char *const *labels;          /* that it switches to; lent, NULL-ended */
};

typedef void compile_done_fn(void *arg, const struct compile_result *result);

struct compile_job;

struct compiler {
    struct events *events;
    const struct jail_env *jail;
    const char *work_dir;
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

void compiler_init(struct compiler *c, struct events *ev, const struct jail_env *jail, const char *work_dir);
void compiler_warm(struct compiler *c);             /* starts the server, so that the first policy does not wait for it */
void compiler_release(struct compiler *c);          /* ends the server; jobs under way are answered as failed */
void compiler_reap(struct compiler *c);             /* a child process changed state */
/* The file `path`, or `text` (else SPAN_NULL), which `path` may give a name; `labels` is a JSON list of those there are. `done` is
 * called later, never from here. ERR_LIMIT: queue full. */
int compiler_run(struct compiler *c, const char *name, const char *path, struct span text, struct span labels,
                 compile_done_fn *done, void *arg);

#endif
