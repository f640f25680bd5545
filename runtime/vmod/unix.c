/* Module unix: the peer of a client connection on a Unix socket. The kernel reported its user and group when
 * the connection was accepted. */
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "exports_vmod.h"
#include "loop/offload.h"
#include "policy/exports.h"
#include "policy/state.h"

#define ACCOUNT_BYTES_MAX 65536u /* per entry of the user and group databases */

static const struct client_vars *
peer_of(struct policy_ctx *ctx)
{
    const struct client_vars *v = client_of(ctx);
    if (in_hooks(ctx, HOOKS_HOUSEKEEPING))
        vcl_fail(ctx, "vmod unix failure: may not be called in vcl_init or vcl_fini");
    else if (v == NULL || v->remote.family != 1)
        log_text(log_of(ctx), TAG_VCL_ERROR,
                 SPAN_LIT("vmod unix error: not listening on a Unix domain socket"));
    else if (v->peer_uid < 0)
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("vmod unix error: could not read peer credentials"));
    else
        return v;
    return NULL;
}

int64_t
vcl_unix_uid(struct policy_ctx *ctx)
{
    const struct client_vars *v = peer_of(ctx);
    return v == NULL ? -1 : v->peer_uid;
}

int64_t
vcl_unix_gid(struct policy_ctx *ctx)
{
    const struct client_vars *v = peer_of(ctx);
    return v == NULL ? -1 : v->peer_gid;
}

struct account { /* a lookup of one user or group name */
    bool group;
    uint32_t id;
    char *room;       /* ACCOUNT_BYTES_MAX */
    const char *name; /* points into `room`; NULL: no name */
};

static void
look_up(void *arg)
{
    struct account *a = arg;
    struct passwd user, *found_user = NULL;
    struct group circle, *found_group = NULL;
    if (a->group && getgrgid_r(a->id, &circle, a->room, ACCOUNT_BYTES_MAX, &found_group) == 0 &&
        found_group != NULL)
        a->name = circle.gr_name;
    if (!a->group && getpwuid_r(a->id, &user, a->room, ACCOUNT_BYTES_MAX, &found_user) == 0 &&
        found_user != NULL)
        a->name = user.pw_name;
}

/* Runs on the offload pool: a lookup in files or a directory service may block, and needs more stack than a
 * fiber has. */
static struct span
name_of(struct policy_ctx *ctx, bool group)
{
    const struct client_vars *v = peer_of(ctx);
    if (v == NULL)
        return SPAN_NULL;
    struct account a = { group, (uint32_t)(group ? v->peer_gid : v->peer_uid), mem_alloc(ACCOUNT_BYTES_MAX),
                         NULL };
    offload_or_block(look_up, &a);
    struct span copy = a.name == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, span_str(a.name));
    if (a.name == NULL)
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("vmod unix error: could not read peer credentials"));
    free(a.room);
    return copy;
}

struct span
vcl_unix_user(struct policy_ctx *ctx)
{
    return name_of(ctx, false);
}

struct span
vcl_unix_group(struct policy_ctx *ctx)
{
    return name_of(ctx, true);
}
