/* Module tcp: round-trip time and pacing of the client's TCP connection. Does nothing on a Unix socket, in
 * vcl_init and in vcl_fini. */
#include <linux/tcp.h>

#include "exports_vmod.h"
#include "policy/exports.h"
#include "stream/session.h"

#define ALGORITHM_BYTES_MAX 16 /* the kernel's TCP_CA_NAME_MAX */
#define PACE_UNIT_BYTES 1024

/* NULL: no session. */
static struct session *
session_of(const struct policy_ctx *ctx)
{
    return ctx->client == NULL ? NULL : ctx->client->session;
}

static bool
info_of(const struct policy_ctx *ctx, struct tcp_info *out)
{
    struct session *s = session_of(ctx);
    return s != NULL && session_tcp_info(s, out) == 0;
}

/* Returns 0, or -1 if the kernel lacks the algorithm. */
int64_t
vcl_tcp_congestion_algorithm(struct policy_ctx *ctx, struct span name)
{
    struct session *s = session_of(ctx);
    if (s == NULL || name.len == 0 || name.len >= ALGORITHM_BYTES_MAX)
        return -1;
    return session_set_congestion(s, name) == 0 ? 0 : -1;
}

void
vcl_tcp_dump_info(struct policy_ctx *ctx)
{
    struct tcp_info i;
    char algorithm[ALGORITHM_BYTES_MAX + 1];
    if (!info_of(ctx, &i))
        return;
    log_printf(log_of(ctx), TAG_VCL_LOG, "tcpi: snd_mss=%u rcv_mss=%u lost=%u retrans=%u", i.tcpi_snd_mss,
               i.tcpi_rcv_mss, i.tcpi_lost, i.tcpi_retrans);
    log_printf(log_of(ctx), TAG_VCL_LOG,
               "tcpi2: pmtu=%u rtt=%u rttvar=%u snd_cwnd=%u advmss=%u reordering=%u", i.tcpi_pmtu, i.tcpi_rtt,
               i.tcpi_rttvar, i.tcpi_snd_cwnd, i.tcpi_advmss, i.tcpi_reordering);
    if (session_congestion(session_of(ctx), algorithm, sizeof algorithm) == 0)
        log_printf(log_of(ctx), TAG_VCL_LOG, "getsockopt() returned: %s", algorithm);
}

/* Milliseconds; 0: unknown. */
double
vcl_tcp_get_estimated_rtt(struct policy_ctx *ctx)
{
    struct tcp_info i;
    return info_of(ctx, &i) ? i.tcpi_rtt / 1000.0 : 0;
}

void
vcl_tcp_set_socket_pace(struct policy_ctx *ctx, int64_t pace)
{
    struct session *s = session_of(ctx);
    uint64_t bytes = pace <= 0 ? 0 : (uint64_t)pace * PACE_UNIT_BYTES;
    if (s != NULL) /* all bits set would mean "no limit" */
        (void)session_set_pace(s, bytes > UINT32_MAX - 1 ? UINT32_MAX - 1 : (unsigned)bytes);
}
