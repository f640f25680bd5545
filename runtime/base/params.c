/* Defaults of the run-time parameters: those of Varnish 7.1 where it has the parameter, since operators tuned around them. */
#include "base/params.h"

#include <sched.h>

#define KIB 1024u
#define MIB (1024u * 1024u)

struct params params = {
    .http_max_hdr = 64,
    .http_req_hdr_len_bytes = 8 * KIB,
    .http_req_size_bytes = 32 * KIB,
    .http_resp_hdr_len_bytes = 8 * KIB,
    .http_resp_size_bytes = 32 * KIB,
    .workspace_client_bytes = 96 * KIB,
    .workspace_backend_bytes = 96 * KIB,
    .header_names_max = 32768,
    .default_ttl_s = 120,
    .default_grace_s = 10,
    .default_keep_s = 0,
    .shortlived_s = 10,
    .max_restarts = 4,
    .max_retries = 4,
    .timeout_idle_s = 5,
    .timeout_linger_s = 0.050,
    .idle_send_timeout_s = 60,
    .send_timeout_s = 600,
    .pipe_timeout_s = 60,
    .timeout_req_s = 10,
    .connect_timeout_s = 3.5,
    .first_byte_timeout_s = 60,
    .between_bytes_timeout_s = 60,
    .backend_idle_timeout_s = 60,
    .backend_local_error_holddown_s = 10,
    .backend_remote_error_holddown_s = 0.25,
    .listen_depth = 1024,
    .sessions_max = 200000,
    .pipe_sess_max = 0,
    .memory_limit_bytes = 0,
    .fetch_chunksize_bytes = 16 * KIB,
    .transit_buffer_bytes = 1 * MIB,
    .loops = 1,
    .fiber_stack_bytes = 128 * KIB,
    .fibers_max = 16384,
    .nuke_limit = 50,
    .vary_notice = 10,
    .ban_dups = true,
    .ban_lurker_batch = 1000,
    .ban_lurker_age_s = 60,
    .ban_lurker_sleep_s = 0.010,
    .ban_lurker_holdoff_s = 0.010,
    .busy_wait_timeout_s = 60,
    .shutdown_timeout_s = 10,
    .cli_timeout_s = 60,
    .auto_restart = true,
    .http_range_support = true,
    .http_gzip_support = true,
    .vcl_cooldown_s = 600,
    .pcre2_match_limit = 10000,
    .pcre2_depth_limit = 20,
    .pcre2_jit_compilation = true,
    .vcc_err_unref = true,
    .tcp_keepalive_time_s = 7200,
    .tcp_keepalive_probes = 9,
    .tcp_keepalive_intvl_s = 75,
};

/* As many loops as CPUs this process may use (a container's cpuset counts, not the machine). Runs before main, so that the
 * default is in place whoever reads it first; params.c of admin/ may overwrite it afterwards. */
__attribute__((constructor)) static void
params_loops_default(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        params.loops = (uint32_t)CPU_COUNT(&set);
}
