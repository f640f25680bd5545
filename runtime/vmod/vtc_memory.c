/* Module vtc, functions for tests of workspaces and of the machine. In our memory model a client request and
 * each fetch have an arena with a limit; this file withholds part of that limit instead of allocating.
 * Sessions and threads have no arena, so their workspace is always empty. */
#include <assert.h>
#include <stdlib.h>

#include "base/check.h"
#include "exports_vmod.h"
#include "origin/endpoint.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "policy/task.h"

#define DUMP_BYTES_MAX 1024

struct snapshot {            /* created by the first snapshot */
    struct arena_hold since; /* withheld since the snapshot */
};

static const char owner;

/* ---- workspaces ---- */

static bool
is_fetch(const struct policy_ctx *ctx)
{
    return in_hooks(ctx, HOOKS_BACKEND);
}

/* Returns NULL for a workspace without memory, or after vcl_fail. As in Varnish 7.1, `client` in a fetch
 * means the fetch's memory. */
static struct arena *
workspace_of(struct policy_ctx *ctx, struct span which)
{
    if (span_eq(which, SPAN_LIT("session")) || span_eq(which, SPAN_LIT("thread")))
        return NULL;
    if (!in_hooks(ctx, HOOKS_HOUSEKEEPING) && (span_eq(which, SPAN_LIT("client")) || is_fetch(ctx)))
        return ctx->arena;
    vcl_fail_printf(ctx, "Failed to find %.*s workspace.", (int)which.len, which.ptr);
    return NULL;
}

/* Computes the bytes to take; a negative size leaves that many bytes free. Returns false after vcl_fail.
 * Sessions and threads have nothing to take. */
static bool
wanted_bytes(struct policy_ctx *ctx, const struct arena *a, int64_t size, const char *what, size_t *out)
{
    size_t left = a == NULL ? 0 : arena_left(a);
    uint64_t leave = size < 0 ? 0 - (uint64_t)size : 0;
    if (ctx->failed)
        return false;
    *out = size >= 0 ? (size_t)size : leave < left ? left - (size_t)leave : 0;
    if (*out == 0) {
        vcl_fail_printf(ctx, "Attempted negative WS %s", what);
        return false;
    }
    return true;
}

void
vcl_vtc_workspace_alloc(struct policy_ctx *ctx, struct span which, int64_t size)
{
    struct arena *a = workspace_of(ctx, which);
    struct snapshot *s = a == NULL ? NULL : task_find(ctx, &owner);
    struct arena_hold forgotten = { 0 };
    size_t n;
    if (!wanted_bytes(ctx, a, size, "allocation", &n))
        return;
    if (a != NULL && arena_withhold(a, n, s != NULL ? &s->since : &forgotten))
        return;
    if (a != NULL)
        a->overflowed = true;
    vcl_fail(ctx, "vtc.workspace_alloc");
}

/* Only reports whether the reservation would fit, and releases it at once. */
int64_t
vcl_vtc_workspace_reserve(struct policy_ctx *ctx, struct span which, int64_t size)
{
    struct arena *a = workspace_of(ctx, which);
    size_t n;
    if (!wanted_bytes(ctx, a, size, "reservation", &n))
        return 0;
    if (a != NULL && n <= arena_left(a))
        return (int64_t)n;
    if (a != NULL)
        a->overflowed = true;
    return 0;
}

int64_t
vcl_vtc_workspace_free(struct policy_ctx *ctx, struct span which)
{
    const struct arena *a = workspace_of(ctx, which);
    return a == NULL ? 0 : (int64_t)arena_left(a);
}

void
vcl_vtc_workspace_snapshot(struct policy_ctx *ctx, struct span which)
{
    struct snapshot *s = workspace_of(ctx, which) == NULL ? NULL : task_state(ctx, &owner, sizeof *s);
    if (s != NULL)
        *s = (struct snapshot){ { 0 } };
}

/* Returns only memory from workspace_alloc(), because other memory may be in use. */
void
vcl_vtc_workspace_reset(struct policy_ctx *ctx, struct span which)
{
    struct arena *a = workspace_of(ctx, which);
    struct snapshot *s = a == NULL ? NULL : task_find(ctx, &owner);
    if (s != NULL)
        arena_give_back(a, &s->since);
    else if (a != NULL)
        vcl_fail(ctx, "Workspace to reset is not the one of the snapshot");
}

/* Returns the client's variables if `which` is its session, else NULL. */
static struct client_vars *
marked_session(struct policy_ctx *ctx, struct span which)
{
    return span_eq(which, SPAN_LIT("session")) && !in_hooks(ctx, HOOKS_BACKEND | HOOKS_HOUSEKEEPING)
             ? ctx->client
             : NULL;
}

int32_t
vcl_vtc_workspace_overflowed(struct policy_ctx *ctx, struct span which)
{
    const struct client_vars *session = marked_session(ctx, which);
    const struct arena *a = workspace_of(ctx, which);
    return session != NULL ? session->session_overflowed : a != NULL && a->overflowed;
}

/* Sets the overflow mark only; memory stays available. A client then gets 500; a fetch only counts the
 * overflow, as in Varnish. */
void
vcl_vtc_workspace_overflow(struct policy_ctx *ctx, struct span which)
{
    struct client_vars *session = marked_session(ctx, which);
    struct arena *a = workspace_of(ctx, which);
    if (session != NULL)
        session->session_overflowed = true;
    if (a != NULL)
        a->overflowed = true;
}

/* Dumps from the start of the last allocation. Memory behind it is unused, so other positions show
 * nothing. */
const struct vcl_blob *
vcl_vtc_workspace_dump(struct policy_ctx *ctx, struct span which, struct span where, int64_t off, int64_t len)
{
    struct arena *a = workspace_of(ctx, which);
    if (ctx->failed)
        return NULL;
    if (off < 0 || len < 0 || len > DUMP_BYTES_MAX) {
        vcl_fail_printf(ctx, "workspace_dump: no more than %d bytes, and no negative place", DUMP_BYTES_MAX);
        return NULL;
    }
    struct span all = a == NULL || !span_eq(where, SPAN_LIT("s")) ? SPAN_LIT("") : arena_newest(a);
    size_t from = (uint64_t)off < all.len ? (size_t)off : all.len,
           n = all.len - from < (size_t)len ? all.len - from : (size_t)len;
    char *copy = vcl_alloc(ctx, n + 1);
    struct vcl_blob *blob = vcl_alloc(ctx, sizeof *blob);
    if (copy == NULL || blob == NULL)
        return NULL;
    memcpy(copy, all.ptr + from, n);
    *blob = (struct vcl_blob){ .ptr = copy, .len = n };
    return blob;
}

/* ---- the machine ---- */

static const struct {
    char letter;
    uint8_t bytes, align;
} c_types[] = {
    { 'c', sizeof(char), _Alignof(char) },         { 'd', sizeof(double), _Alignof(double) },
    { 'f', sizeof(float), _Alignof(float) },       { 'i', sizeof(int), _Alignof(int) },
    { 'j', sizeof(intmax_t), _Alignof(intmax_t) }, { 'l', sizeof(long), _Alignof(long) },
    { 'o', sizeof(off_t), _Alignof(off_t) },       { 'p', sizeof(void *), _Alignof(void *) },
    { 's', sizeof(short), _Alignof(short) },       { 'u', sizeof(unsigned), _Alignof(unsigned) },
    { 'z', sizeof(size_t), _Alignof(size_t) },
};

static size_t
aligned(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Returns the size of a struct with members of these types, or -1 for an unknown type. */
int64_t
vcl_vtc_typesize(struct policy_ctx *ctx, struct span types)
{
    size_t bytes = 0, widest = 1;
    for (size_t i = 0; i < types.len; i++) {
        size_t t = 0;
        while (t < sizeof c_types / sizeof c_types[0] && c_types[t].letter != types.ptr[i])
            t++;
        if (t == sizeof c_types / sizeof c_types[0])
            return -1;
        bytes = aligned(bytes, c_types[t].align) + c_types[t].bytes;
        widest = c_types[t].align > widest ? c_types[t].align : widest;
    }
    return (int64_t)aligned(bytes, widest);
}

static struct address
address_of_ip(const struct vcl_ip *ip)
{
    struct address a = { .family = ip->family, .zone = ip->zone, .port = ip->port };
    memcpy(a.addr, ip->addr, sizeof a.addr);
    return a;
}

#define AUTHORITY_GIVEN (1u << 3)

const struct vcl_blob *
vcl_vtc_proxy_header(struct policy_ctx *ctx, uint32_t given, struct span version, const struct vcl_ip *client,
                     const struct vcl_ip *server, struct span authority)
{
    if (client == NULL || server == NULL || client->family != server->family || client->family == 0) {
        vcl_fail(ctx, "vtc.proxy_header: addresses of one family are needed");
        return NULL;
    }
    if ((given & AUTHORITY_GIVEN) == 0 || authority.ptr == NULL)
        authority = SPAN_NULL;
    struct address from = address_of_ip(client), to = address_of_ip(server);
    char *bytes = vcl_alloc(ctx, PROXY_HEADER_BYTES_MAX);
    struct vcl_blob *blob = vcl_alloc(ctx, sizeof *blob);
    if (bytes == NULL || blob == NULL)
        return NULL;
    blob->len = proxy_header_of(version.ptr[1] == '1' ? 1 : 2, &from, &to, authority, bytes);
    blob->ptr = bytes;
    blob->type = 0;
    if (blob->len == 0)
        vcl_fail(ctx, "vtc.proxy_header: the authority is too long");
    return blob;
}
