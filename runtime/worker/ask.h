/* Runs a made-up request through vcl_recv and vcl_hash (proxy/explain.h) for a command that needs its cache
 * key. Admin thread; a loop does the work. */
#ifndef VERNIS_WORKER_ASK_H
#define VERNIS_WORKER_ASK_H

#include "worker/worker.h"
#include "proxy/explain.h"

/* Runs on a fiber of the loop; *e is valid only during the call. Returns the status and writes the answer. */
typedef int ask_fn(const struct explanation *e, const void *arg, struct text *out);

/* words: CLIENT METHOD URL [FIELD ...]; a FIELD is "name: value". Behind the URL and a blank there may be the
 * version, HTTP/1.1 (the default) or HTTP/2.0. Returns the status of fn, or the status of
 * an error with its text in `out`; fn has not run then. Waits at most ASK_WAIT_S seconds until fn begins,
 * because a policy may wait inside vcl_recv and other commands need answers meanwhile. */
int worker_ask(struct worker *w, unsigned n, char *const words[], ask_fn *fn, const void *arg,
               struct text *out);

#endif
