/* Third-party modules: their libraries, counted by the images that import them, and the table of functions
 * that modules may call.
 *
 * A library is opened through its file descriptor. The /proc/self/fd path is unique while the descriptor is
 * open. By its real name the loader would return the old library for a replaced file. */
#include "policy/modules.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/list.h"
#include "http/fields.h"
#include "http/message.h"
#include "loop/offload.h"
#include "match/pcre.h"
#include "module_abi.h"
#include "origin/backend.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/task.h"
#include "policy/vars_text.h"

#define MODULE_BYTES_MAX (256 << 20) /* maximum size of a library file */
#define MODULE_PATH_MAX 4096u
#define MODULE_ROWS_MAX 4096u

struct module {
    struct list link;
    unsigned uses;
    struct stat file; /* identity of the file */
    int fd;
    void *handle;
    const struct vernis_module *about;
};

static struct list modules = { &modules, &modules };
static pthread_mutex_t modules_lock = PTHREAD_MUTEX_INITIALIZER;

_Static_assert(sizeof(struct vernis_text) == sizeof(struct span) &&
                   offsetof(struct vernis_text, len) == offsetof(struct span, len),
               "texts are passed as they are");
_Static_assert((int)VERNIS_REQ == MSG_REQ && (int)VERNIS_BEREQ == MSG_BEREQ &&
                   (int)VERNIS_BERESP == MSG_BERESP && (int)VERNIS_RESP == MSG_RESP &&
                   (int)VERNIS_OBJ == MSG_OBJ && (int)VERNIS_REQ_TOP == MSG_REQ_TOP,
               "messages");

/* ---- functions that modules may call ------------------------------------------------------------------- */

static struct policy_ctx *
own(struct vernis_ctx *ctx)
{
    return (struct policy_ctx *)ctx;
}

static struct span
span_in(struct vernis_text text)
{
    return span_of(text.ptr, text.len);
}

static struct vernis_text
text_out(struct span text)
{
    return (struct vernis_text){ text.ptr, text.len };
}

static void *
api_alloc(struct vernis_ctx *ctx, size_t bytes)
{
    return vcl_alloc(own(ctx), bytes);
}

static struct vernis_text
api_keep(struct vernis_ctx *ctx, struct vernis_text text)
{
    return text.ptr == NULL ? text : text_out(vcl_keep(own(ctx), own(ctx)->arena, span_in(text)));
}

static void *
api_state(struct vernis_ctx *ctx, const void *owner, size_t bytes)
{
    return task_state(own(ctx), owner, bytes);
}

static void
api_fail(struct vernis_ctx *ctx, struct vernis_text why)
{
    vcl_fail_printf(own(ctx), "%.*s", (int)why.len, why.ptr == NULL ? "" : why.ptr);
}

static void
api_log(struct vernis_ctx *ctx, struct vernis_text text)
{
    if (text.ptr != NULL)
        log_text(log_of(own(ctx)), TAG_VCL_LOG, span_in(text));
}

static double
api_now(struct vernis_ctx *ctx)
{
    return own(ctx)->now;
}

static void
api_wait(struct vernis_ctx *ctx, void (*fn)(void *arg), void *arg)
{
    offload_or_block(fn, arg);
}

static struct vernis_message *
api_message(struct vernis_ctx *ctx, enum vernis_message_kind kind)
{
    struct http_message *m = NULL;
    if (kind == VERNIS_OBJ)
        m = message_of_object(own(ctx));
    else if ((unsigned)kind < MSG_COUNT)
        m = own(ctx)->msg[kind];
    return (struct vernis_message *)m;
}

static struct vernis_message *
api_header_of(struct vernis_ctx *ctx, struct vernis_text variable, struct vernis_text *name)
{
    struct span found = SPAN_NULL;
    struct http_message *m = header_of_text(own(ctx), span_in(variable), &found);
    *name = text_out(found);
    return (struct vernis_message *)m;
}

static struct vernis_text
api_header_get(struct vernis_ctx *ctx, const struct vernis_message *message, struct vernis_text name)
{
    const struct http_message *m = (const struct http_message *)message;
    return text_out(m == NULL ? SPAN_NULL : message_get_named(m, name_lookup(span_in(name)), span_in(name)));
}

/* Returns NULL after vcl_fail for messages that a policy must not change: the stored response, and the top
 * request of an ESI include. */
static struct http_message *
message_to_change(struct policy_ctx *ctx, struct vernis_message *message)
{
    struct http_message *m = (struct http_message *)message;
    if (m != NULL && m != ctx->msg[MSG_OBJ] && (m != ctx->msg[MSG_REQ_TOP] || m == ctx->msg[MSG_REQ]))
        return m;
    vcl_fail(ctx, "a module sets a header field of a message that does not exist here or is read-only");
    return NULL;
}

static void
api_header_set(struct vernis_ctx *ctx, struct vernis_message *message, struct vernis_text name,
               struct vernis_text value)
{
    struct policy_ctx *c = own(ctx);
    struct http_message *m = message_to_change(c, message);
    if (m == NULL)
        return;
    if (!is_token(span_in(name)) || !is_field_value(span_in(value))) {
        vcl_fail_printf(c, "Bad header %.*s: %.*s", (int)name.len, name.ptr, (int)value.len, value.ptr);
        return;
    }
    struct span kept_name = vcl_keep(c, m->arena, span_in(name)),
                kept = vcl_keep(c, m->arena, span_in(value));
    if (!c->failed && message_set(m, name_lookup(kept_name), kept_name, kept) != 0)
        vcl_fail(c, "too many header fields, or out of workspace");
}

static void
api_header_unset(struct vernis_ctx *ctx, struct vernis_message *message, struct vernis_text name)
{
    struct http_message *m = message_to_change(own(ctx), message);
    if (m != NULL)
        message_unset(m, name_lookup(span_in(name)), span_in(name));
}

static struct vernis_text
api_ip_text(struct vernis_ctx *ctx, const struct vernis_ip *ip)
{
    return text_out(ip == NULL ? SPAN_NULL : ip_text(own(ctx), (const struct vcl_ip *)ip));
}

static const struct vernis_ip *
api_ip_of_text(struct vernis_ctx *ctx, struct vernis_text text)
{
    char digits[INET6_ADDRSTRLEN];
    struct vcl_ip ip = { .family = 4 };
    if (text.ptr == NULL || text.len >= sizeof digits)
        return NULL;
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = '\0';
    if (inet_pton(AF_INET, digits, ip.addr) != 1) {
        ip.family = 6;
        if (inet_pton(AF_INET6, digits, ip.addr) != 1)
            return NULL;
    }
    struct vcl_ip *made = vcl_alloc(own(ctx), sizeof *made);
    if (made != NULL)
        *made = ip;
    return (const struct vernis_ip *)made;
}

static struct vernis_text
api_blob_bytes(const struct vernis_blob *blob)
{
    const struct vcl_blob *b = (const struct vcl_blob *)blob;
    return text_out(b == NULL ? SPAN_NULL : span_of(b->ptr == NULL ? "" : b->ptr, b->len));
}

static const struct vernis_blob *
api_blob_of(struct vernis_ctx *ctx, struct vernis_text bytes)
{
    struct vcl_blob *b = vcl_alloc(own(ctx), sizeof *b);
    struct span kept = vcl_keep(own(ctx), own(ctx)->arena, span_in(bytes));
    if (b == NULL || own(ctx)->failed)
        return NULL;
    *b = (struct vcl_blob){ .ptr = kept.ptr, .len = kept.len };
    return (const struct vernis_blob *)b;
}

static struct vernis_text
api_backend_name(const struct vernis_backend *backend)
{
    return text_out(backend == NULL ? SPAN_NULL : ((const struct director *)backend)->name);
}

static int32_t
api_backend_healthy(struct vernis_ctx *ctx, struct vernis_backend *backend)
{
    return backend != NULL && director_healthy((struct director *)backend, own(ctx));
}

static int32_t
api_regex_match(struct vernis_ctx *ctx, const struct vernis_regex *regex, struct vernis_text text)
{
    int result = regex_match((const struct regex *)regex, span_in(text));
    if (result < 0)
        vcl_fail(own(ctx), "a module's regex match exceeded a limit (pcre2_match_limit, pcre2_depth_limit)");
    return result > 0;
}

static const struct vernis_api api = {
    .version = VERNIS_MODULE_ABI,
    .bytes = sizeof api,
    .alloc = api_alloc,
    .keep = api_keep,
    .state = api_state,
    .fail = api_fail,
    .log = api_log,
    .now = api_now,
    .wait = api_wait,
    .message = api_message,
    .header_of = api_header_of,
    .header_get = api_header_get,
    .header_set = api_header_set,
    .header_unset = api_header_unset,
    .ip_text = api_ip_text,
    .ip_of_text = api_ip_of_text,
    .blob_bytes = api_blob_bytes,
    .blob_of = api_blob_of,
    .backend_name = api_backend_name,
    .backend_healthy = api_backend_healthy,
    .regex_match = api_regex_match,
};

/* ---- libraries ----------------------------------------------------------------------------------------- */

static int
check_about(const struct vernis_module *about, struct span name, char *error, size_t cap)
{
    if (about == NULL) {
        snprintf(error, cap, "it exports no " VERNIS_MODULE_SYMBOL);
    } else if (about->abi < 1 || about->abi > VERNIS_MODULE_ABI) {
        snprintf(error, cap, "it is made for version %u of the module contract, this runtime has version %u",
                 (unsigned)about->abi, VERNIS_MODULE_ABI);
    } else if (about->name == NULL || !span_eq(span_str(about->name), name)) {
        snprintf(error, cap, "it is module %s", about->name == NULL ? "without a name" : about->name);
    } else if (about->n_rows > MODULE_ROWS_MAX || (about->n_rows > 0 && about->rows == NULL)) {
        snprintf(error, cap, "its table of functions is damaged");
    } else {
        return 0;
    }
    return ERR_SYNTAX;
}

/* m->fd stays open, so that its /proc path stays unique. */
static int
module_map(struct module *m, struct span name, char *error, size_t cap)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", m->fd);
    m->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (m->handle == NULL) {
        snprintf(error, cap, "%s", dlerror());
        return ERR_SYS;
    }
    const struct vernis_module *about = dlsym(m->handle, VERNIS_MODULE_SYMBOL);
    int err = check_about(about, name, error, cap);
    if (err != 0)
        return err;
    const char *why = about->load != NULL ? about->load(&api) : NULL;
    if (why != NULL) {
        snprintf(error, cap, "it says: %s", why);
        return ERR_SYS;
    }
    m->about = about;
    return 0;
}

static void
module_free(struct module *m)
{
    if (m->about != NULL && m->about->unload != NULL)
        m->about->unload();
    if (m->handle != NULL)
        dlclose(m->handle);
    close(m->fd);
    free(m);
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Returns the open module of this file, or opens it. Call under the modules lock. */
static int
module_of_file(int fd, struct span name, struct module **out, char *error, size_t cap)
{
    struct stat file;
    CHECK(fstat(fd, &file) == 0);
    list_each(it, &modules)
    {
        struct module *m = container_of(it, struct module, link);
        if (!same_file(&m->file, &file))
            continue;
        close(fd);
        m->uses++;
        *out = m;
        return 0;
    }
    struct module *m = mem_zalloc(sizeof *m);
    *m = (struct module){ .uses = 1, .file = file, .fd = fd };
    int err = module_map(m, name, error, cap);
    if (err != 0) {
        module_free(m);
        return err;
    }
    list_push_back(&modules, &m->link);
    *out = m;
    return 0;
}

int
module_open(struct span name, struct span path, struct module **out, char *error, size_t error_cap)
{
    char file[MODULE_PATH_MAX], why[512];
    *out = NULL;
    int n = snprintf(file, sizeof file, "%.*s", (int)path.len, path.ptr);
    int fd = n >= 0 && (size_t)n < sizeof file ? file_open(file, MODULE_BYTES_MAX) : -1;
    int err = ERR_SYS;
    if (fd < 0) {
        snprintf(why, sizeof why, "%s", file_why(errno));
    } else {
        pthread_mutex_lock(&modules_lock);
        err = module_of_file(fd, name, out, why, sizeof why);
        pthread_mutex_unlock(&modules_lock);
    }
    if (err != 0)
        snprintf(error, error_cap, "cannot use module %.*s from %.*s: %s", (int)name.len, name.ptr,
                 (int)path.len, path.ptr, why);
    return err;
}

void
module_close(struct module **module)
{
    struct module *m = *module;
    if (m == NULL)
        return;
    *module = NULL;
    pthread_mutex_lock(&modules_lock);
    CHECK(m->uses > 0);
    if (--m->uses == 0) {
        list_remove(&m->link);
        module_free(m);
    }
    pthread_mutex_unlock(&modules_lock);
}

void *
module_function(const struct module *m, const struct image_import *want, char *error, size_t error_cap)
{
    size_t prefix = strlen(m->about->name) + 1;
    struct span symbol = span_of(want->name.ptr + prefix, want->name.len - prefix);
    for (uint32_t i = 0; i < m->about->n_rows; i++) {
        const struct vernis_row *row = &m->about->rows[i];
        if (row->symbol == NULL || row->signature == NULL || !span_eq(span_str(row->symbol), symbol))
            continue;
        if (row->function != NULL && export_hash(want->name, span_str(row->signature)) == want->signature)
            return (void *)row->function;
        snprintf(error, error_cap, "module %s has \"%s\" as %s, which is not what its description says",
                 m->about->name, row->symbol, row->signature);
        return NULL;
    }
    snprintf(error, error_cap, "module %s has no \"%.*s\", which its description promises", m->about->name,
             (int)symbol.len, symbol.ptr);
    return NULL;
}
