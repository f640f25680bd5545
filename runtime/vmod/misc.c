/* Small modules: purge, and the parts of vtc that do not look into the server. */
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "cache/invalidation.h"
#include "exports_vmod.h"
#include "loop/conn.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

#define SLEEP_MAX_S 3600.0

/* ---- purge --------------------------------------------------------------------------------------------- */

static bool
can_purge(struct policy_ctx *ctx)
{
    const struct store *s = ctx->policy->env.store;
    if ((ctx->hook != HOOK_HIT && ctx->hook != HOOK_MISS) || s == NULL) {
        vcl_fail(ctx, "purge can only happen in vcl_hit{} or vcl_miss{}");
        return false;
    }
    if (store_is_retired(s)) {
        vcl_fail(ctx, "purge: " STORE_RETIRED_TEXT);
        return false;
    }
    return true;
}

int64_t
vcl_purge_hard(struct policy_ctx *ctx)
{
    struct invalidated done = { 0 };
    if (can_purge(ctx))
        store_purge(ctx->policy->env.store, &ctx->client->key, 0, &done);
    return done.objects;
}

/* A negative grace or keep leaves the object's value unchanged. */
int64_t
vcl_purge_soft(struct policy_ctx *ctx, double ttl, double grace, double keep)
{
    struct invalidated done = { 0 };
    if (can_purge(ctx))
        store_soft_purge_key(ctx->policy->env.store, &ctx->client->key, nsec_of(ctx->now), nsec_of(ttl),
                             nsec_of(grace), nsec_of(keep), &done);
    return done.objects;
}

/* ---- vtc ----------------------------------------------------------------------------------------------- */

struct director *
vcl_vtc_no_backend(struct policy_ctx *ctx)
{
    return NULL;
}

struct storage *
vcl_vtc_no_stevedore(struct policy_ctx *ctx)
{
    return NULL;
}

const struct vcl_ip *
vcl_vtc_no_ip(struct policy_ctx *ctx)
{
    return NULL;
}

void
vcl_vtc_panic(struct policy_ctx *ctx, struct span text)
{
    WRONG(vcl_printf(ctx, "It was the policy's wish: %.*s", (int)text.len, text.ptr != NULL ? text.ptr : "")
              .ptr);
}

void
vcl_vtc_sleep(struct policy_ctx *ctx, double seconds)
{
    if (!(seconds > 0))
        return;
    nsec wait = nsec_of(seconds < SLEEP_MAX_S ? seconds : SLEEP_MAX_S),
         until = nsec_add(clock_mono_ns(), wait);
    if (fiber_current() != NULL) {
        while (fiber_park_until(until) == 0)
            continue;
        return;
    }
    struct timespec left = { wait / NSEC_PER_SEC, wait % NSEC_PER_SEC };
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* Parses "192.0.2.1:80", "[2001:db8::1]:80" or "192.0.2.1 80". */
static bool
parse_endpoint(struct span text, struct sockaddr_storage *sa, socklen_t *len)
{
    char host[256];
    const char *colon = text.len == 0 || text.len >= sizeof host ? NULL : memrchr(text.ptr, ':', text.len);
    const char *cut = colon != NULL                          ? colon
                    : text.len < sizeof host && text.len > 0 ? memchr(text.ptr, ' ', text.len)
                                                             : NULL;
    if (cut == NULL)
        return false;
    memcpy(host, text.ptr, text.len);
    host[text.len] = '\0';
    size_t n = (size_t)(cut - text.ptr);
    bool bracketed = n > 2 && host[0] == '[' && host[n - 1] == ']';
    host[bracketed ? n - 1 : n] = '\0';
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV },
                    *found = NULL;
    if (getaddrinfo(host + bracketed, host + n + 1, &hints, &found) != 0)
        return false;
    memcpy(sa, found->ai_addr, found->ai_addrlen);
    *len = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

/* On a fiber the loop keeps running. Returns 0 when the peer closed the connection, which lifts the
 * barrier. */
static int
wait_on_fiber(struct policy_ctx *ctx, const struct sockaddr *sa, socklen_t len, nsec deadline)
{
    struct conn conn = { 0 };
    char bytes[64];
    int err = conn_connect(&conn, ctx->loop, sa, len, deadline);
    if (err != 0)
        return err;
    ssize_t n;
    while ((n = conn_read(&conn, bytes, sizeof bytes, deadline)) > 0)
        continue;
    conn_close(&conn);
    return (int)n;
}

static int
wait_blocking(const struct sockaddr *sa, socklen_t len, double timeout)
{
    int fd = socket(sa->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char bytes[64];
    if (fd < 0)
        return ERR_SYS;
    struct timeval limit = { .tv_sec = (time_t)timeout,
                             .tv_usec = (suseconds_t)((timeout - (double)(time_t)timeout) * 1e6) };
    ssize_t n = setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) | connect(fd, sa, len);
    while (n >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
        continue;
    close(fd);
    return n == 0 ? 0 : ERR_TIMEOUT;
}

/* Connects to a barrier of varnishtest, which closes the connection when all participants have arrived. */
void
vcl_vtc_barrier_sync(struct policy_ctx *ctx, struct span address, double timeout)
{
    struct sockaddr_storage sa;
    socklen_t len;
    if (!parse_endpoint(address, &sa, &len)) {
        vcl_fail_printf(ctx, "vtc.barrier_sync: \"%.*s\" is not an address with a port", (int)address.len,
                        address.ptr);
        return;
    }
    nsec deadline = timeout > 0 ? nsec_add(clock_mono_ns(), nsec_of(timeout)) : NSEC_NEVER;
    int err = fiber_current() != NULL && ctx->loop != NULL
                ? wait_on_fiber(ctx, (struct sockaddr *)&sa, len, deadline)
                : wait_blocking((struct sockaddr *)&sa, len, timeout > 0 ? timeout : 0);
    if (err == ERR_TIMEOUT)
        vcl_fail(ctx, "Barrier synchronization timed out");
    else if (err != 0)
        vcl_fail_printf(ctx, "Barrier connection failed: %.*s", (int)address.len, address.ptr);
}
