/* Counters of what the worker did: one block per thread (so, per loop), written by its thread only with plain stores, summed
 * when read. A block of a thread that ended is folded into the sum. Names are those of Varnish's MAIN group where the meaning
 * is the same. Rows: log/counters.c. */
#ifndef VERNIS_COUNTERS_H
#define VERNIS_COUNTERS_H

#include <stdint.h>

#include "base/span.h"

struct loop;

struct counters {
    uint64_t sess_conn, sess_fail, sess_closed, sess_closed_err, sess_dropped, client_req, client_req_400, client_req_417,
        cache_hit, cache_hit_grace, cache_hitpass, cache_hitmiss, cache_miss, beresp_uncacheable, beresp_shortlived,
        backend_conn, backend_unhealthy, backend_busy, backend_fail, backend_reuse, backend_recycle, backend_retry,
        backend_req, fetch_head, fetch_length, fetch_chunked, fetch_eof, fetch_bad, fetch_none, fetch_1xx, fetch_204,
        fetch_304, fetch_failed, busy_sleep, busy_wakeup, busy_killed, s_sess, s_pipe, s_pass, s_fetch, s_bgfetch, s_synth,
        s_req_hdrbytes, s_req_bodybytes, s_resp_hdrbytes, s_resp_bodybytes, s_pipe_hdrbytes, s_pipe_in, s_pipe_out,
        losthdr, n_purges, n_obj_purged, n_expired, n_lru_nuked, n_lru_limited, vcl_fail, req_dropped,
        req_restarts, fibers_limited, pipe_limited;
};

struct counter_row {
    const char *name, *doc;
    uint32_t offset;                    /* in struct counters */
};

extern const struct counter_row counter_rows[];
extern const unsigned n_counter_rows;

struct counters *counters_here(void);                   /* this thread's block, made on first use; never NULL */
struct counters *counters_of(struct loop *loop);        /* the same, for callers that have their loop at hand */
void counters_sum(struct counters *out);                /* over all threads that are or were */
uint64_t counters_value(const struct counters *c, const struct counter_row *row);

#endif
