/* Module tcp: the client's TCP connection, how far away it is and how fast we send. On a Unix socket, and in vcl_init and vcl_fini,
 * there is nothing to ask or to set. */
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "policy/exports.h"

#define ALGORITHM_BYTES_MAX 16          /* as the kernel has it: TCP_CA_NAME_MAX */
#define PACE_UNIT_BYTES 1024

/* -1: none. */
static int
socket_of(const struct policy_ctx *ctx)
{
    const struct client_vars *v = ctx->client;
    bool tcp = v != NULL && (v->local.family == 4 || v->local.family == 6);
    return tcp ? v->fd : -1;
}

static bool
info_of(const struct policy_ctx *ctx, struct tcp_info *out)
{
    int fd = socket_of(ctx);
    socklen_t len = sizeof *out;
    memset(out, 0, sizeof *out);
    return fd >= 0 && getsockopt(fd, IPPROTO_TCP, TCP_INFO, out, &len) == 0;
}

/* 0, or -1 when the kernel does not have it. */
static int64_t
vcl_tcp_congestion_algorithm(struct policy_ctx *ctx, struct span name)
{
    int fd = socket_of(ctx);
    if (fd < 0 || name.len == 0 || name.len >= ALGORITHM_BYTES_MAX)
        return -1;
    return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.ptr, (socklen_t)name.len) == 0 ? 0 : -1;
}

static void
vcl_tcp_dump_info(struct policy_ctx *ctx)
{
    struct tcp_info i;
    char algorithm[ALGORITHM_BYTES_MAX + 1] = "";
    socklen_t len = sizeof algorithm - 1;
    if (!info_of(ctx, &i))
        return;
    log_printf(log_of(ctx), TAG_VCL_LOG, "tcpi: snd_mss=%u rcv_mss=%u lost=%u retrans=%u", i.tcpi_snd_mss, i.tcpi_rcv_mss, i.tcpi_lost,
               i.tcpi_retrans);
    log_printf(log_of(ctx), TAG_VCL_LOG, "tcpi2: pmtu=%u rtt=%u rttvar=%u snd_cwnd=%u advmss=%u reordering=%u", i.tcpi_pmtu, i.tcpi_rtt,
               i.tcpi_rttvar, i.tcpi_snd_cwnd, i.tcpi_advmss, i.tcpi_reordering);
    if (getsockopt(socket_of(ctx), IPPROTO_TCP, TCP_CONGESTION, algorithm, &len) == 0)
        log_printf(log_of(ctx), TAG_VCL_LOG, "getsockopt() returned: %s", algorithm);
}

/* Milliseconds; 0: not known. */
static double
vcl_tcp_get_estimated_rtt(struct policy_ctx *ctx)
{
    struct tcp_info i;
    return info_of(ctx, &i) ? i.tcpi_rtt / 1000.0 : 0;
}

static void
vcl_tcp_set_socket_pace(struct policy_ctx *ctx, int64_t pace)
{
    int fd = socket_of(ctx);
    uint64_t bytes = pace <= 0 ? 0 : (uint64_t)pace * PACE_UNIT_BYTES;
    unsigned rate = bytes > UINT32_MAX - 1 ? UINT32_MAX - 1 : (unsigned)bytes;     /* all ones would be no limit */
    if (fd >= 0)
        (void)setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
}

static const struct policy_export rows[] = {
    { "tcp_congestion_algorithm", "INT(STRING)", (export_fn *)vcl_tcp_congestion_algorithm },
    { "tcp_dump_info", "VOID()", (export_fn *)vcl_tcp_dump_info },
    { "tcp_get_estimated_rtt", "REAL()", (export_fn *)vcl_tcp_get_estimated_rtt },
    { "tcp_set_socket_pace", "VOID(INT)", (export_fn *)vcl_tcp_set_socket_pace },
};
const struct export_table exports_tcp = EXPORT_TABLE(rows);
