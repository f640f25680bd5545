/* Counters of what the worker did: one block per thread (so, per loop), written by its thread only with plain stores, summed
 * when read. A block of a thread that ended is folded into the sum. First all of Varnish's MAIN group, in its order, since the
 * fields are what readers get (vsc.h); a gauge may go down on another thread than it went up on. Some are filled in when the
 * sums are published (admin/worker_stats.c), and some always stay 0. Rows: log/counters.c. */
#ifndef VERNIS_COUNTERS_H
#define VERNIS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "log/vsc.h"

struct loop;

struct counters {
    uint64_t summs, uptime, sess_conn, sess_fail, sess_fail_econnaborted, sess_fail_eintr, sess_fail_emfile, sess_fail_ebadf,
        sess_fail_enomem, sess_fail_other, client_req_400, client_req_417, client_req, esi_req, cache_hit, cache_hit_grace,
        cache_hitpass, cache_hitmiss, cache_miss, beresp_uncacheable, beresp_shortlived, backend_conn, backend_unhealthy,
        backend_busy, backend_fail, backend_reuse, backend_recycle, backend_retry, fetch_head, fetch_length, fetch_chunked,
        fetch_eof, fetch_bad, fetch_none, fetch_1xx, fetch_204, fetch_304, fetch_failed, fetch_no_thread, pools, threads,
        threads_limited, threads_created, threads_destroyed, threads_failed, thread_queue_len, busy_sleep, busy_wakeup,
        busy_killed, sess_queued, sess_dropped, req_dropped, n_object, n_vampireobject, n_objectcore, n_objecthead, n_backend,
        n_expired, n_lru_nuked, n_lru_moved, n_lru_limited, losthdr, s_sess, n_pipe, pipe_limited, s_pipe, s_pass, s_fetch,
        s_bgfetch, s_synth, s_req_hdrbytes, s_req_bodybytes, s_resp_hdrbytes, s_resp_bodybytes, s_pipe_hdrbytes, s_pipe_in,
        s_pipe_out, sess_closed, sess_closed_err, sess_readahead, sess_herd, sc_rem_close, sc_req_close, sc_req_http10,
        sc_rx_bad, sc_rx_body, sc_rx_junk, sc_rx_overflow, sc_rx_timeout, sc_rx_close_idle, sc_tx_pipe, sc_tx_error, sc_tx_eof,
        sc_resp_close, sc_overload, sc_pipe_overflow, sc_range_short, sc_req_http20, sc_vcl_failure, client_resp_500,
        ws_backend_overflow, ws_client_overflow, ws_thread_overflow, ws_session_overflow, shm_records, shm_writes, shm_flushes,
        shm_cont, shm_cycles, backend_req, n_vcl, n_vcl_avail, n_vcl_discard, vcl_fail, bans, bans_completed, bans_obj,
        bans_req, bans_added, bans_deleted, bans_tested, bans_obj_killed, bans_lurker_tested, bans_tests_tested,
        bans_lurker_tests_tested, bans_lurker_obj_killed, bans_lurker_obj_killed_cutoff, bans_dups, bans_lurker_contention,
        bans_persisted_bytes, bans_persisted_fragmentation, n_purges, n_obj_purged, exp_mailed, exp_received, hcb_nolock,
        hcb_lock, hcb_insert, esi_errors, esi_warnings, vmods, n_gzip, n_gunzip, n_test_gunzip;
    /* Ours. */
    uint64_t req_restarts, fibers_limited, sess_live, req_live, fetch_live;
};

extern const struct vsc_row counter_rows[];             /* in the order of the fields */
extern const unsigned n_counter_rows;
extern const struct vsc_type counters_type;             /* MAIN */

struct counters *counters_here(void);                   /* this thread's block, made on first use; never NULL */
struct counters *counters_of(struct loop *loop);        /* the same, for callers that have their loop at hand */
void counters_sum(struct counters *out);                /* over all threads that are or were */
uint64_t counters_value(const struct counters *c, const struct vsc_row *row);

/* Whoever publishes the sums rests while nothing counts. It dozes first and rests only when another look, later, shows nothing
 * new; then a loop that settles (before it sleeps) with other counters than last time writes to the eventfd. */
void counters_wake_by(int eventfd);     /* before any thread settles */
void counters_doze(bool on);
void counters_settle(void);

#endif
