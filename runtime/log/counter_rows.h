/* The counters of the worker: COUNTER(name, kind, level, format, doc). counters.h makes the fields of struct
 * counters from these rows, and counters.c the tables that readers see. Readers see the rows of COUNTER as
 * MAIN, with the names and the order of Varnish, because some find counters by position. They see the rows of
 * OWN_COUNTER as VERNIS, because exporters for Varnish guess the kinds of metrics from the names in MAIN, and
 * those of H2_COUNTER and TLS_COUNTER as H2 and TLS, without "h2_" and "tls_". */
#ifndef OWN_COUNTER
#define OWN_COUNTER COUNTER
#endif
#ifndef H2_COUNTER
#define H2_COUNTER COUNTER
#endif
#ifndef TLS_COUNTER
#define TLS_COUNTER COUNTER
#endif
COUNTER(summs, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Publications of the sums of all threads")
COUNTER(uptime, VSC_COUNTER, VSC_INFO, VSC_DURATION, "Seconds this worker has run")
COUNTER(sess_conn, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions accepted")
COUNTER(sess_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Session accept failures")
COUNTER(sess_fail_econnaborted, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: connection gone again")
COUNTER(sess_fail_eintr, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: interrupted")
COUNTER(sess_fail_emfile, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: too many descriptors")
COUNTER(sess_fail_ebadf, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: descriptor closed")
COUNTER(sess_fail_enomem, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: no memory")
COUNTER(sess_fail_other, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Accept failures: other")
COUNTER(client_req_400, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Client requests refused as malformed")
COUNTER(client_req_417, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Client requests with an expectation that cannot be met")
COUNTER(client_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Good client requests received")
COUNTER(esi_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests made for ESI includes")
COUNTER(cache_hit, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache hits")
COUNTER(cache_hit_grace, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache hits in grace")
COUNTER(cache_hitpass, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Hits on an object that says pass")
COUNTER(cache_hitmiss, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Hits on an object that says miss")
COUNTER(cache_miss, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Cache misses")
COUNTER(beresp_uncacheable, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Uncacheable responses of origins")
COUNTER(beresp_shortlived, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Responses of origins that live too briefly to be kept")
COUNTER(backend_conn, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections opened to origins")
COUNTER(backend_unhealthy, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins not tried: sick")
COUNTER(backend_busy, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins not tried: too many")
COUNTER(backend_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins that failed")
COUNTER(backend_reuse, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins used again")
COUNTER(backend_recycle, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections to origins put back for use again")
COUNTER(backend_retry, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Requests sent again because a reused connection had died")
COUNTER(fetch_head, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: HEAD")
COUNTER(fetch_length, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with Content-Length")
COUNTER(fetch_chunked, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with chunked content")
COUNTER(fetch_eof, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches delimited by the end of the connection")
COUNTER(fetch_bad, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches with framing that was refused")
COUNTER(fetch_none, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content")
COUNTER(fetch_1xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 1xx")
COUNTER(fetch_204, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 204")
COUNTER(fetch_304, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches without content: 304")
COUNTER(fetch_failed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches that failed")
COUNTER(fetch_no_thread, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches not begun for want of a fiber")
COUNTER(pools, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Thread pools, as thread_pools says: threads are emulated")
COUNTER(threads, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Threads, as thread_pool_min says: threads are emulated")
COUNTER(threads_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Requests and fetches refused because of fibers_max or fibers_reserve")
COUNTER(threads_created, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Loops started")
COUNTER(threads_destroyed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Always 0: loops stay")
COUNTER(threads_failed, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Always 0: a loop that cannot be started ends the worker")
COUNTER(thread_queue_len, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Requests that wait for a fiber")
COUNTER(busy_sleep, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests that waited for another's fetch")
COUNTER(busy_wakeup, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests woken after such a wait")
COUNTER(busy_killed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests whose wait for another's fetch timed out")
COUNTER(sess_queued, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions that waited for a fiber")
COUNTER(sess_dropped, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions dropped because of a limit")
COUNTER(req_dropped, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests dropped")
COUNTER(n_object, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Objects stored")
COUNTER(n_vampireobject, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Always 0: objects do not outlive a worker")
COUNTER(n_objectcore, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Objects and fetches of them")
COUNTER(n_objecthead, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Keys with objects or waiting requests")
COUNTER(n_backend, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Origins of loaded policies")
COUNTER(n_expired, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects that expired")
COUNTER(n_lru_nuked, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects evicted for room")
COUNTER(n_lru_moved, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Objects used again since eviction last looked at them")
COUNTER(n_lru_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Evictions that reached nuke_limit")
COUNTER(losthdr, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fields that did not fit")
COUNTER(s_sess, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions seen")
COUNTER(n_pipe, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Pipes open")
COUNTER(pipe_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Pipes not started because of pipe_sess_max")
COUNTER(s_pipe, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Pipes seen")
COUNTER(s_pass, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Passed requests seen")
COUNTER(s_fetch, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches begun")
COUNTER(s_bgfetch, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Background fetches begun")
COUNTER(s_synth, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Synthetic responses made")
COUNTER(s_req_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request head bytes")
COUNTER(s_req_bodybytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Request content bytes")
COUNTER(s_resp_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response head bytes")
COUNTER(s_resp_bodybytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Response content bytes")
COUNTER(s_pipe_hdrbytes, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Head bytes of piped requests")
COUNTER(s_pipe_in, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes from clients")
COUNTER(s_pipe_out, VSC_COUNTER, VSC_INFO, VSC_BYTES, "Piped bytes to clients")
COUNTER(sess_closed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions closed")
COUNTER(sess_closed_err, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Sessions closed with errors")
COUNTER(sess_readahead, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
        "Requests that came before the answer to the one before")
COUNTER(sess_herd, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions that waited for a request")
COUNTER(sc_rem_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended by the client")
COUNTER(sc_req_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because the client asked for it")
COUNTER(sc_req_http10, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Sessions ended because HTTP/1.0 does not keep them")
COUNTER(sc_rx_bad, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a request that was refused")
COUNTER(sc_rx_body, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Sessions ended because request content could not be read")
COUNTER(sc_rx_junk, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because what came was no request")
COUNTER(sc_rx_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a head was too large")
COUNTER(sc_rx_timeout, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Sessions ended because a head did not come in time")
COUNTER(sc_rx_close_idle, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after timeout_idle")
COUNTER(sc_tx_pipe, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a pipe")
COUNTER(sc_tx_error, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Sessions ended because a response could not be sent")
COUNTER(sc_tx_eof, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended to end a response")
COUNTER(sc_resp_close, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Sessions ended because the policy or the origin asked for it")
COUNTER(sc_overload, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended for want of memory or fibers")
COUNTER(sc_pipe_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because of too many pipes")
COUNTER(sc_range_short, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because a range was not complete")
COUNTER(sc_req_http20, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended because HTTP/2 is off")
COUNTER(sc_vcl_failure, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions ended after a failure of the policy")
COUNTER(client_resp_500, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Responses that did not fit the workspace")
COUNTER(ws_backend_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Fetches that filled their workspace")
COUNTER(ws_client_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Requests that filled their workspace")
COUNTER(ws_thread_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Always 0: threads have no workspace")
COUNTER(ws_session_overflow, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Sessions that filled their workspace")
COUNTER(shm_records, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Log records written")
COUNTER(shm_writes, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log")
COUNTER(shm_flushes, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log because a buffer was full")
COUNTER(shm_cont, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Writes to the log that waited for another write")
COUNTER(shm_cycles, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Times the log wrapped around")
COUNTER(backend_req, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests sent to origins")
COUNTER(n_vcl, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Policies loaded")
COUNTER(n_vcl_avail, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Policies loaded and not discarded")
COUNTER(n_vcl_discard, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Policies discarded and still in use")
COUNTER(vcl_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Policy failures")
COUNTER(bans, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Bans in the list")
COUNTER(bans_completed, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans in the list that are done")
COUNTER(bans_obj, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans that the lurker can test")
COUNTER(bans_req, VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Bans that only requests can test")
COUNTER(bans_added, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans added")
COUNTER(bans_deleted, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans removed")
COUNTER(bans_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects tested against bans at lookup")
COUNTER(bans_obj_killed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects banned at lookup")
COUNTER(bans_lurker_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects tested against bans by the lurker")
COUNTER(bans_tests_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Ban conditions tested at lookup")
COUNTER(bans_lurker_tests_tested, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Ban conditions tested by the lurker")
COUNTER(bans_lurker_obj_killed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects banned by the lurker")
COUNTER(bans_lurker_obj_killed_cutoff, VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
        "Objects dropped because of ban_cutoff")
COUNTER(bans_dups, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Bans that a newer ban covers")
COUNTER(bans_lurker_contention, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Times the lurker gave way to lookups")
COUNTER(bans_persisted_bytes, VSC_GAUGE, VSC_DIAG, VSC_BYTES, "Bytes of the ban list")
COUNTER(bans_persisted_fragmentation, VSC_GAUGE, VSC_DIAG, VSC_BYTES, "Always 0: bans are not persistent")
COUNTER(n_purges, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Purges")
COUNTER(n_obj_purged, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Objects purged")
COUNTER(exp_mailed, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects handed over for expiry")
COUNTER(exp_received, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Objects taken over for expiry")
COUNTER(hcb_nolock, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Lookups in the index")
COUNTER(hcb_lock, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Always 0: the index has one kind of lookup")
COUNTER(hcb_insert, VSC_COUNTER, VSC_DEBUG, VSC_INTEGER, "Keys added to the index")
COUNTER(esi_errors, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Documents with ESI errors")
COUNTER(esi_warnings, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Documents with ESI warnings")
COUNTER(vmods, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Modules loaded")
COUNTER(n_gzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies compressed")
COUNTER(n_gunzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies decompressed")
COUNTER(n_test_gunzip, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Compressed bodies verified")

OWN_COUNTER(resp_2xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses to clients with a status of 200 to 299")
OWN_COUNTER(resp_3xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses to clients with a status of 300 to 399")
OWN_COUNTER(resp_4xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses to clients with a status of 400 to 499")
OWN_COUNTER(resp_5xx, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses to clients with a status of 500 to 599")
OWN_COUNTER(resp_other, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses to clients with a status from 600")
OWN_COUNTER(requests_reset, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Requests that ended between two hooks because their client had left (feature vcl_req_reset)")
OWN_COUNTER(req_restarts, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests restarted")
OWN_COUNTER(backend_ejected, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Times an origin was ejected after failures")
OWN_COUNTER(backend_resolved, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Times an origin's name resolved to new addresses")
OWN_COUNTER(backend_resolve_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Times an origin's name could not be resolved again")
OWN_COUNTER(backend_wait, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Requests that waited for one of max_connections")
OWN_COUNTER(backend_wait_fail, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Requests that waited in vain for one of max_connections")
OWN_COUNTER(fibers_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Requests and fetches refused because of fibers_max or fibers_reserve")
OWN_COUNTER(log_dropped, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Log records dropped because a thread that was stopped while it wrote held up the log")
OWN_COUNTER(loop_longest_round_us, VSC_GAUGE, VSC_INFO, VSC_INTEGER,
            "Longest time, in microseconds, that a loop worked without a pause (0: less than 1000)")
OWN_COUNTER(loop_stalls, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Times a loop worked longer than loop_stall_warn without a pause")
OWN_COUNTER(sess_fail_pauses, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Pauses of listeners because accepting failed")
OWN_COUNTER(sess_address_limited, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Sessions closed because of connections_per_address")
OWN_COUNTER(sess_address_uncounted, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Sessions accepted without a count because of connections_addresses_max")
OWN_COUNTER(sess_slow_request, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Sessions closed because of request_rate_min")
OWN_COUNTER(sess_slow_response, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Sessions closed because of response_rate_min")
OWN_COUNTER(client_addresses, VSC_GAUGE, VSC_INFO, VSC_INTEGER,
            "Client addresses whose connections are counted")
OWN_COUNTER(sess_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Sessions open")
OWN_COUNTER(req_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Requests in progress")
OWN_COUNTER(fetch_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Fetches in progress")
OWN_COUNTER(vsthrottle_bytes, VSC_GAUGE, VSC_INFO, VSC_BYTES, "Memory of the buckets of module vsthrottle")
OWN_COUNTER(vsthrottle_evicted, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Buckets of vsthrottle evicted before they were full again")
OWN_COUNTER(syscalls_denied, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "System calls of the worker that its filter denied")
OWN_COUNTER(bans_refused, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bans refused because of ban_share")
OWN_COUNTER(req_body_refused, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Request bodies refused because of req_body_share")
OWN_COUNTER(partial_stored, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Responses stored in part (partial_objects)")
OWN_COUNTER(partial_fetch, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Fetches for holes of partial objects")
OWN_COUNTER(partial_changed, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Partial objects dropped because the origin sent another version")
OWN_COUNTER(partial_passed, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Partial responses passed to one client and not stored")
OWN_COUNTER(partial_whole, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Fetches repeated without Range because the partial response was unusable")
OWN_COUNTER(head_ready, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Responses whose head was prepared (ready_heads)")
OWN_COUNTER(n_br, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies compressed as br")
OWN_COUNTER(n_zstd, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Bodies compressed as zstd")
OWN_COUNTER(coded_kept, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Second stored forms made, in br or zstd")
OWN_COUNTER(coded_hits, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Deliveries of second stored forms")
OWN_COUNTER(pattern_undecided, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Texts for which a pattern set left its patterns to PCRE2")
OWN_COUNTER(pattern_flushes, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Full tables of pattern sets that began anew")
OWN_COUNTER(pattern_rests, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Times a table of a pattern set did not pay off and PCRE2 took its place for a while")
OWN_COUNTER(pattern_bytes, VSC_GAUGE, VSC_INFO, VSC_BYTES, "Memory of pattern sets and their tables")
OWN_COUNTER(policy_counts, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Counts of counters that policies declare")
OWN_COUNTER(sendfile_bytes, VSC_COUNTER, VSC_INFO, VSC_BYTES,
            "Bytes of response bodies that the kernel sent without a copy (sendfile_min)")
OWN_COUNTER(bodies_lost, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Stored responses dropped because their body could not be read")
OWN_COUNTER(bodies_shared, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Responses that share the body of the one that a 304 confirmed")
OWN_COUNTER(acme_answers, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Challenges of ACME answered (acme_folder)")
OWN_COUNTER(acme_missing, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Challenges of ACME without a file in acme_folder")
H2_COUNTER(h2_sessions, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Connections that spoke HTTP/2")
H2_COUNTER(h2_sessions_live, VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Connections of HTTP/2 open")
H2_COUNTER(h2_streams, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Streams opened by clients")
H2_COUNTER(h2_streams_refused, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Streams refused because of h2_max_concurrent_streams, h2_streams_loop or fibers_max")
H2_COUNTER(h2_streams_crowded, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Streams refused because the loop had h2_streams_loop of them, and their connection its share")
H2_COUNTER(h2_resets_in, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Streams that clients reset")
H2_COUNTER(h2_resets_out, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Streams reset by this server")
H2_COUNTER(h2_goaway_in, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "GOAWAY frames of clients")
H2_COUNTER(h2_goaway_out, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "GOAWAY frames sent")
H2_COUNTER(h2_pings, VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "PING frames of clients, without answers")
H2_COUNTER(h2_budget_low, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections asked to end because three quarters of their budget were used up")
H2_COUNTER(h2_killed_reset, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because rapid resets used up their budget (h2_rapid_reset_limit)")
H2_COUNTER(h2_killed_control, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because control frames used up their budget (h2_frame_limit)")
H2_COUNTER(h2_killed_empty, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because empty frames used up their budget (h2_frame_limit)")
H2_COUNTER(h2_killed_tiny, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because tiny DATA frames used up their budget (h2_frame_limit)")
H2_COUNTER(h2_killed_header, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because header fields used up their budget (h2_header_limit)")
H2_COUNTER(h2_killed_broken, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because a frame or header block broke the protocol (h2_broken_limit)")
H2_COUNTER(h2_sessions_late, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections that began late because of the debt of their address (h2_penalty)")
H2_COUNTER(h2_sessions_refused, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because of the debt of their address (h2_penalty_connections)")
H2_COUNTER(h2_killed_window, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
           "Connections closed because their windows stayed shut (h2_window_timeout)")
TLS_COUNTER(tls_sessions, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Handshakes that succeeded")
TLS_COUNTER(tls_resumed, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Of these: by a ticket, without a signature")
TLS_COUNTER(tls_fail_client, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes that failed by what the client sent, or by its leaving")
TLS_COUNTER(tls_fail_plain, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Requests of plain HTTP on a port for HTTPS")
TLS_COUNTER(tls_fail_hello, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes whose first message was too long (tls_hello_size)")
TLS_COUNTER(tls_fail_name, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes without a certificate for the name")
TLS_COUNTER(tls_fail_shared, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes without a protocol, cipher or group in common")
TLS_COUNTER(tls_fail_key, VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Handshakes that the key process did not sign")
TLS_COUNTER(tls_fail_certificate, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes without a valid certificate of the client")
TLS_COUNTER(tls_fail_timeout, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Handshakes that took too long (tls_handshake_timeout)")
TLS_COUNTER(tls_fail_limit, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Connections closed because of too many handshakes (tls_handshakes_max)")
TLS_COUNTER(tls_fail_address, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Connections closed because of too many handshakes of their address (tls_handshakes_per_address)")
TLS_COUNTER(tls_fail_rate, VSC_COUNTER, VSC_INFO, VSC_INTEGER,
            "Connections closed because of too many new handshakes of their address "
            "(tls_handshake_rate_per_address)")
#undef OWN_COUNTER
#undef H2_COUNTER
#undef TLS_COUNTER
