/* The commands tls.*, by which the manager sends the certificates of all listeners: a set at a time,
 * published when it is complete. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "worker/worker.h"
#include "daemon/status.h"
#include "daemon/tls_defaults.h"
#include "base/check.h"
#include "log/report.h"
#include "tls/context.h"
#include "tls/key_client.h"
#include "tls/layer.h"
#include "tls/library.h"
#include "tls/tickets.h"

static struct tls_set *coming; /* between tls.begin and tls.commit */

static void
open_on_loop(struct loop *loop, void *arg)
{
    const struct inherit *from = arg;
    unsigned id = loop_id(loop);
    if (id < from->n_key_fds && key_client_open(loop, from->key_fds[id]) != 0)
        log_line(LOG_LEVEL_ERROR, "loop %u has no socket to the key process: %s", id, strerror(errno));
}

void
worker_tls_start(struct worker *w)
{
    if (w->from->n_key_fds > 0)
        worker_on_loops(w, open_on_loop, (void *)w->from);
}

static void
close_on_loop(struct loop *loop, void *arg)
{
    key_client_close(loop);
    tls_contexts_close(loop);
    tls_layer_close(loop);
}

void
worker_tls_stop(struct worker *w)
{
    worker_on_loops(w, close_on_loop, NULL);
    tls_set_release(&coming);
    tls_set_forget();
    tickets_forget();
}

/* What frontends do not set comes from parameters. */
static int
add_defaults(struct text *out)
{
    struct text lines = { 0 };
    tls_default_settings(&lines);
    int err = tls_set_frontend(coming, "", text_span(&lines), out);
    text_release(&lines);
    return err;
}

int
worker_tls_begin(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    tls_set_release(&coming);
    coming = tls_set_new();
    CHECK(coming != NULL);
    return add_defaults(out) == 0 ? CLI_OK : CLI_PARAM;
}

static int
complain(struct text *out, const char *what)
{
    text_str(out, what);
    return CLI_PARAM;
}

/* tls.frontend LISTENER SETTINGS */
int
worker_tls_frontend(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (coming == NULL || argc != 3)
        return complain(out, "tls.frontend LISTENER SETTINGS, after tls.begin");
    return tls_set_frontend(coming, argv[1], span_str(argv[2]), out) == 0 ? CLI_OK : CLI_PARAM;
}

/* tls.certificate NUMBER LISTENER CHAIN */
int
worker_tls_certificate(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (coming == NULL || argc != 4)
        return complain(out, "tls.certificate NUMBER LISTENER CHAIN, after tls.begin");
    uint32_t number = (uint32_t)strtoul(argv[1], NULL, 10);
    return tls_set_certificate(coming, number, argv[2], span_str(argv[3]), out) == 0 ? CLI_OK : CLI_PARAM;
}

/* Makes each context once, because only OpenSSL knows whether it can be made. */
int
worker_tls_commit(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (coming == NULL)
        return complain(out, "tls.commit, after tls.begin");
    for (unsigned i = 0; i < coming->n_frontends; i++) {
        SSL_CTX *made = tls_context_new(coming, i, out);
        if (made == NULL) {
            tls_set_release(&coming);
            return CLI_PARAM;
        }
        tls_context_free(made);
    }
    tls_set_publish(coming);
    coming = NULL;
    return CLI_OK;
}

/* tls.tickets NEXT CURRENT PREVIOUS */
int
worker_tls_tickets(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (argc != 4 || tickets_set(span_str(argv[1]), span_str(argv[2]), span_str(argv[3])) != 0)
        return complain(out, "tls.tickets NEXT CURRENT PREVIOUS: keys of 80 bytes in hexadecimal");
    return CLI_OK;
}
