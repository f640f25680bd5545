/* Explains how the policy treats a request, up to the look-up: for `vernis explain-key`. vcl_recv and
 * vcl_hash run as for a client; then the request ends. The request is in no log and no request counter, asks
 * no origin, and changes no stored object: invalidations of the policy are withheld and reported. */
#ifndef VERNIS_PROXY_EXPLAIN_H
#define VERNIS_PROXY_EXPLAIN_H

#include "cache/variants.h"
#include "loop/conn.h"
#include "proxy/request_state.h"

#define EXPLAIN_VARIANTS_MAX 256u /* variants that are described; all are counted */

struct explain_part { /* a part of the key, in the order of the calls */
    struct explain_part *next;
    struct span text, place; /* place: "file:line:column", empty if the image does not record it */
    bool ends;               /* the last part of a hash_data() call */
};

struct explain_withheld { /* "ban", "xkey.purge"... */
    struct explain_withheld *next;
    const char *what;
    struct span of, place;
};

struct explanation {
    /* Not NULL: the request would be answered by `status`, and the fields below are not set */
    const char *refused;
    unsigned status;
    struct request *request; /* for its vars, and req as vcl_recv left it */
    struct span policy;      /* name of the policy that decided */
    enum vcl_action action;  /* action of vcl_recv, with its ret */
    struct policy_return ret;
    struct span place;  /* source position of the decision */
    const char *failed; /* reason of a failed hook, or NULL */
    bool has_key;
    struct explain_part *parts;
    struct explain_withheld *withheld;
    const struct variant *variants;
    unsigned n_variants, n_all;
    nsec now;
};

struct explain_ask {  /* lent until `done` has returned */
    struct span head; /* of a request, with its empty line: request_of_text */
    struct address client;
    /* Runs on a fiber of the loop; *e is valid only during the call */
    void (*done)(struct explain_ask *ask, const struct explanation *e);
};

/* Call on the thread of that loop. ERR_NOMEM, ERR_LIMIT: `done` will not run */
int proxy_explain(struct loop *loop, struct explain_ask *ask);

#endif
