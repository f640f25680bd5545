/* Values of the run-time parameters, as plain data every room may read. Names, parsing, limits and documentation
 * are rows in admin/params.c, which is the only writer; a write is one aligned store, readers need no lock.
 * Units are in the names. */
#ifndef VERNIS_PARAMS_H
#define VERNIS_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of `features`, in the order of the names in admin/param_table.c. Those without a name here do nothing. */
#define FEATURE_HTTPS_SCHEME (1u << 3)  /* absolute targets with https are taken apart, as those with http always are */

struct params {
    /* HTTP limits */
    uint32_t http_max_hdr;              /* fields of a head */
    uint32_t http_req_hdr_len_bytes, http_req_size_bytes;
    uint32_t http_resp_hdr_len_bytes, http_resp_size_bytes;
    uint32_t workspace_client_bytes, workspace_backend_bytes;   /* arena limits of a request and of a fetch */
    uint32_t header_names_max;
    /* lifetimes */
    double default_ttl_s, default_grace_s, default_keep_s, shortlived_s;
    uint32_t max_restarts, max_retries;
    /* connections */
    double timeout_idle_s, timeout_linger_s, idle_send_timeout_s, send_timeout_s, pipe_timeout_s;
    double timeout_req_s;               /* whole request head */
    double connect_timeout_s, first_byte_timeout_s, between_bytes_timeout_s, backend_idle_timeout_s;
    double backend_local_error_holddown_s, backend_remote_error_holddown_s;     /* pause after a failed connection attempt */
    uint32_t listen_depth, sessions_max, pipe_sess_max;
    /* memory */
    uint64_t memory_limit_bytes;        /* whole worker; 0 = none */
    uint32_t fetch_chunksize_bytes, transit_buffer_bytes;
    uint32_t fetch_piece_bytes;         /* no row: debug.fragfetch; most that is fetched at once, 0 = no limit */
    /* fibers and loops */
    uint32_t loops, fiber_stack_bytes, fibers_max;
    /* waiting */
    uint32_t nuke_limit;
    uint32_t vary_notice;               /* variants */
    /* bans */
    bool ban_dups;
    uint32_t ban_cutoff, ban_lurker_batch;
    double ban_lurker_age_s, ban_lurker_sleep_s, ban_lurker_holdoff_s;
    double busy_wait_timeout_s;         /* how long a request waits for another's fetch */
    /* probes, workers */
    double shutdown_timeout_s, cli_timeout_s;
    bool auto_restart;
    bool http_range_support, http_gzip_support;
    uint32_t features;                  /* FEATURE_* */
    double vcl_cooldown_s;
    uint32_t pcre2_match_limit, pcre2_depth_limit;
    bool pcre2_jit_compilation;
    bool vcc_err_unref;
    double tcp_keepalive_time_s;
    uint32_t tcp_keepalive_probes;
    double tcp_keepalive_intvl_s;
};

extern struct params params;            /* base/params.c holds the defaults */

#endif
