/* Module std: functions that reach outside the transaction: files, addresses, health, settings of the
 * request. Blocking work runs on the offload pool when a fiber can wait. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/fields.h"
#include "loop/offload.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "stream/session.h"
#include "vmod/std_system.h"

#define FILE_BYTES_MAX (64u << 20) /* per file that a policy reads */
#define FILES_MAX 1024u            /* files kept */

/* ---- files --------------------------------------------------------------------------------------------- */

/* Read once and kept for the life of the process, because policies keep pointers to the text. */
struct kept_file {
    struct kept_file *next;
    char *path;
    struct vcl_blob content;
};

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept_file *files;
static unsigned n_files;

struct reading {
    const char *path;
    const struct kept_file *file;
    int error; /* errno */
};

static const struct kept_file *
find_file(const char *path) /* call under the files lock */
{
    const struct kept_file *f = files;
    while (f != NULL && strcmp(f->path, path) != 0)
        f = f->next;
    return f;
}

static int
read_whole(int fd, struct kept_file *f)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    char *content = mem_alloc((size_t)st.st_size + 1);
    size_t n = 0;
    while (n < (size_t)st.st_size) {
        ssize_t got = read(fd, content + n, (size_t)st.st_size - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(content);
            return errno;
        }
        if (got == 0)
            break;
        n += (size_t)got;
    }
    f->content = (struct vcl_blob){ .ptr = content, .len = n };
    return 0;
}

static struct kept_file *
read_file(const char *path, int *error)
{
    int fd = file_open(path, FILE_BYTES_MAX);
    if (fd < 0) {
        *error = errno;
        return NULL;
    }
    struct kept_file *f = mem_zalloc(sizeof *f);
    *error = read_whole(fd, f);
    close(fd);
    if (*error != 0) {
        free(f);
        return NULL;
    }
    f->path = mem_text(span_str(path));
    return f;
}

static void
free_file(struct kept_file *f)
{
    free((void *)f->content.ptr);
    free(f->path);
    free(f);
}

void
std_forget_files(void)
{
    pthread_mutex_lock(&files_lock);
    while (files != NULL) {
        struct kept_file *f = files;
        files = f->next;
        free_file(f);
    }
    n_files = 0;
    pthread_mutex_unlock(&files_lock);
}

static void
read_and_keep(void *arg)
{
    struct reading *r = arg;
    struct kept_file *fresh = read_file(r->path, &r->error);
    if (fresh == NULL)
        return;
    pthread_mutex_lock(&files_lock);
    r->file = find_file(r->path); /* another thread may have read it meanwhile */
    if (r->file == NULL && n_files < FILES_MAX) {
        fresh->next = files;
        files = fresh;
        n_files++;
        r->file = fresh;
    }
    pthread_mutex_unlock(&files_lock);
    if (r->file != fresh)
        free_file(fresh);
    if (r->file == NULL)
        r->error = EMFILE;
}

static const struct vcl_blob *
file_content(struct policy_ctx *ctx, struct span path)
{
    path = vcl_keep(ctx, ctx->arena, path);
    if (ctx->failed)
        return NULL;
    struct reading r = { .path = path.ptr };
    pthread_mutex_lock(&files_lock);
    r.file = find_file(r.path);
    pthread_mutex_unlock(&files_lock);
    if (r.file == NULL)
        offload_or_block(read_and_keep, &r);
    if (r.file != NULL)
        return &r.file->content;
    log_printf(log_of(ctx), TAG_ERROR, "Could not read file '%s' errno %d", path.ptr, r.error);
    return NULL;
}

struct span
vcl_std_fileread(struct policy_ctx *ctx, struct span path)
{
    const struct vcl_blob *content = file_content(ctx, path);
    return content == NULL ? SPAN_NULL : span_of(content->ptr, content->len);
}

const struct vcl_blob *
vcl_std_blobread(struct policy_ctx *ctx, struct span path)
{
    return file_content(ctx, path);
}

static void
look_at_file(void *arg)
{
    struct reading *r = arg;
    struct stat st;
    r->error = stat(r->path, &st) == 0 ? 0 : errno;
}

int32_t
vcl_std_file_exists(struct policy_ctx *ctx, struct span path)
{
    path = vcl_keep(ctx, ctx->arena, path);
    if (ctx->failed || path.len == 0)
        return 0;
    struct reading r = { .path = path.ptr };
    offload_or_block(look_at_file, &r);
    return r.error == 0;
}

/* ---- addresses ----------------------------------------------------------------------------------------- */

struct resolving {
    char host[256], port[64];
    bool names; /* may look up names */
    bool found;
    struct address address;
};

static void
resolve(void *arg)
{
    struct resolving *r = arg;
    struct addrinfo hints = { .ai_family = AF_UNSPEC,
                              .ai_socktype = SOCK_STREAM,
                              .ai_flags = AI_NUMERICHOST },
                    *list = NULL;
    if (!r->names)
        hints.ai_flags |= AI_NUMERICSERV;
    int err = getaddrinfo(r->host, r->port, &hints, &list);
    if (err == EAI_NONAME && r->names) {
        hints.ai_flags = AI_ADDRCONFIG;
        err = getaddrinfo(r->host, r->port, &hints, &list);
    }
    if (err != 0)
        return;
    address_of(list->ai_addr, &r->address);
    r->found = true;
    freeaddrinfo(list);
}

static bool
put_text(char *out, size_t cap, struct span text)
{
    if (text.len >= cap || memchr(text.ptr, '\0', text.len) != NULL)
        return false;
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    return true;
}

/* Accepts "a", "a:port", "a port", "[v6]" and "[v6]:port". A bare IPv6 address has several colons and no
 * port. */
static bool
split_address(struct span s, struct span port, struct resolving *r)
{
    const char *end = s.ptr + s.len, *mark = NULL;
    struct span host = s;
    if (s.len > 0 && s.ptr[0] == '[' && (mark = memchr(s.ptr, ']', s.len)) != NULL) {
        host = span_of(s.ptr + 1, (size_t)(mark - s.ptr - 1));
        mark++;
        if (mark < end && *mark != ':' && *mark != ' ')
            return false;
    } else if (s.len > 0 &&
               ((mark = memchr(s.ptr, ' ', s.len)) != NULL ||
                ((mark = memchr(s.ptr, ':', s.len)) != NULL && mark == memrchr(s.ptr, ':', s.len)))) {
        host = span_of(s.ptr, (size_t)(mark - s.ptr));
    } else {
        mark = end;
    }
    if (mark < end)
        port = span_of(mark + 1, (size_t)(end - mark - 1));
    uint64_t number;
    if (parse_uint(port, &number) == 0 && number > UINT16_MAX)
        return false; /* getaddrinfo would take the port modulo 65536 */
    /* Refuse an empty host: getaddrinfo would return the loopback address for a client's empty field. An
     * empty port becomes port 0. */
    return host.len > 0 && put_text(r->host, sizeof r->host, host) && put_text(r->port, sizeof r->port, port);
}

#define IP_FALLBACK (1u << 1)
#define IP_PORT (1u << 3)

const struct vcl_ip *
vcl_std_ip(struct policy_ctx *ctx, uint32_t given, struct span s, const struct vcl_ip *fallback,
           int32_t names, struct span port)
{
    struct resolving r = { .names = names != 0 };
    if (s.ptr != NULL &&
        split_address(s, (given & IP_PORT) != 0 && port.len > 0 ? port : SPAN_LIT("80"), &r)) {
        if (r.names)
            offload_or_block(resolve, &r);
        else
            resolve(&r); /* numeric addresses only: does not block */
    }
    if (r.found)
        return ip_of_address(ctx, &r.address);
    if ((given & IP_FALLBACK) == 0)
        vcl_fail(ctx, "std.ip: conversion failed");
    return fallback;
}

int64_t
vcl_std_port(struct policy_ctx *ctx, const struct vcl_ip *ip)
{
    return ip == NULL ? 0 : ip->port;
}

int32_t
vcl_std_healthy(struct policy_ctx *ctx, struct director *d)
{
    return director_healthy(d, ctx);
}

/* ---- settings of the request --------------------------------------------------------------------------- */

static bool
in_recv(struct policy_ctx *ctx, struct span remark)
{
    if (ctx->hook != HOOK_RECV)
        log_text(ctx->log, TAG_VCL_ERROR, remark);
    return ctx->hook == HOOK_RECV;
}

/* Waits for the whole body. If the body is larger, or the client does not send it, the request fails after
 * vcl_recv. */
int32_t
vcl_std_cache_req_body(struct policy_ctx *ctx, int64_t bytes)
{
    if (!in_recv(ctx, SPAN_LIT("req.body can only be cached in vcl_recv{}")))
        return 0;
    struct client_vars *c = ctx->client;
    return c->ops != NULL && c->ops->keep_content != NULL &&
           c->ops->keep_content(c, bytes > 0 ? (uint64_t)bytes : 0) == 0;
}

void
vcl_std_late_100_continue(struct policy_ctx *ctx, int32_t late)
{
    if (in_recv(ctx, SPAN_LIT("std.late_100_continue() only valid in vcl_recv{}")))
        ctx->client->late_100_continue = late != 0;
}

/* Rounds, because most versions with one decimal have no exact double. */
int32_t
vcl_std_syntax(struct policy_ctx *ctx, double version)
{
    return round(version * 10) <= policy_image(ctx->policy)->syntax;
}

/* ---- original request and connection ------------------------------------------------------------------- */

void
vcl_std_rollback(struct policy_ctx *ctx, struct http_message *m)
{
    if (ctx->hook == HOOK_PIPE) {
        vcl_fail(ctx, "Cannot rollback in vcl_pipe {}");
    } else if (m == ctx->msg[MSG_REQ] && ctx->client->ops != NULL && ctx->client->ops->roll_back != NULL) {
        ctx->client->ops->roll_back(ctx->client);
        ctx->client->tasks = NULL; /* as in Varnish: module state belongs to the undone request */
    } else if (m == ctx->msg[MSG_BEREQ] && ctx->fetch->bereq_original != NULL) {
        ctx->fetch->rolled_back = message_copy(m, ctx->fetch->bereq_original) == 0;
        ctx->fetch->tasks = NULL;
    } else {
        vcl_fail(ctx, "std.rollback(): nothing to come back to");
    }
}

void
vcl_std_rfc_ttl(struct policy_ctx *ctx)
{
    struct fetch_vars *f = ctx->fetch;
    if (ctx->hook != HOOK_BACKEND_RESPONSE || f->judge == NULL) {
        vcl_fail(ctx, "std.rfc_ttl() is for vcl_backend_response");
        return;
    }
    f->ttl_before = f->ttl;
    f->ttl_before_site = f->ttl_site;
    f->ttl_site = ctx->site + 1;
    f->judge(f);
}

/* No effect on Unix sockets, which have no TOS. */
void
vcl_std_set_ip_tos(struct policy_ctx *ctx, int64_t tos)
{
    if (ctx->client->session != NULL)
        (void)session_set_tos(ctx->client->session, (int)tos);
}

/* ---- bans ---------------------------------------------------------------------------------------------- */

/* Last ban error of this transaction; NULL outside transactions. */
static struct span *
last_error(struct policy_ctx *ctx)
{
    if (in_hooks(ctx, HOOKS_BACKEND))
        return ctx->fetch == NULL ? NULL : &ctx->fetch->ban_error;
    return ctx->client == NULL ? NULL : &ctx->client->ban_error;
}

int32_t
vcl_std_ban(struct policy_ctx *ctx, struct span text)
{
    const char *error = "";
    struct span *last = last_error(ctx);
    bool refused, done = ban_by_text(ctx, text, &error, &refused);
    if (last != NULL)
        *last = error == NULL ? SPAN_LIT("Workspace overflow") : span_str(error);
    return done;
}

struct span
vcl_std_ban_error(struct policy_ctx *ctx)
{
    const struct span *last = last_error(ctx);
    return last == NULL || last->ptr == NULL ? SPAN_LIT("") : *last;
}
