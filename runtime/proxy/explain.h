/* What the policy makes of a request, up to the look-up: for `vernis explain-key`. vcl_recv and vcl_hash run as they would for a
 * client; then the request ends. It is in no log and in no counter of requests, asks no origin, and changes nothing that is stored:
 * what the policy would have invalidated is told instead. */
#ifndef VERNIS_EXPLAIN_H
#define VERNIS_EXPLAIN_H

#include "cache/variants.h"
#include "loop/conn.h"
#include "proxy/request_state.h"

#define EXPLAIN_VARIANTS_MAX 256u       /* described; all are counted */

struct explain_part {                   /* of the key, in the order of the calls */
    struct explain_part *next;
    struct span text, place;            /* place: "file:line:column", empty when the image does not know it */
    bool ends;                          /* the last one of a hash_data() */
};

struct explain_withheld {               /* "ban", "xkey.purge"... */
    struct explain_withheld *next;
    const char *what;
    struct span of, place;
};

struct explanation {
    const char *refused;                /* not NULL: the request would be answered by `status`, and nothing below is set */
    unsigned status;
    struct request *request;            /* its vars, and req as vcl_recv left it */
    struct span policy;                 /* that decided */
    enum vcl_action action;             /* of vcl_recv, with its ret */
    struct policy_return ret;
    struct span place;                  /* where it decided */
    const char *failed;                 /* why a hook failed, or NULL */
    bool has_key;
    struct explain_part *parts;
    struct explain_withheld *withheld;
    const struct variant *variants;
    unsigned n_variants, n_all;
    nsec now;
};

struct explain_ask {                    /* lent until `done` has returned */
    struct span head;                   /* of an HTTP/1.1 request, with its empty line */
    struct address client;
    void (*done)(struct explain_ask *ask, const struct explanation *e);     /* on a fiber of the loop; all of e ends with it */
};

int proxy_explain(struct loop *loop, struct explain_ask *ask);      /* on that loop. ERR_NOMEM, ERR_LIMIT: `done` will not run */

#endif
