/* Module geoip2: looks addresses up in a MaxMind database, opened when the policy is loaded. libmaxminddb
 * reads a mapped file and keeps no state, so all loops look up concurrently. A lookup without a value does
 * not fail the transaction; the log has the reason, as Debug if the database is in order. */
#include <arpa/inet.h>
#include <errno.h>
#include <maxminddb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "policy/exports.h"

#define PATH_PARTS_MAX 16u
#define PATH_BYTES_MAX 256u
#define NUMBER_BYTES_MAX 328u /* the longest double, with six decimals */

void *
vcl_geoip2_new(struct policy_ctx *ctx, struct span file)
{
    char *path = mem_text(file);
    MMDB_s *db = mem_zalloc(sizeof *db);
    log_printf(log_of(ctx), TAG_DEBUG, "geoip2.geoip2: Using maxminddb %s", MMDB_lib_version());
    int fd = file_open(path, INT64_MAX); /* checks the file first: the library would block on a pipe */
    int error = fd < 0 ? errno : 0, err = MMDB_FILE_OPEN_ERROR;
    if (fd >= 0) {
        close(fd);
        err = MMDB_open(path, MMDB_MODE_MMAP, db);
    }
    if (err != MMDB_SUCCESS) {
        const char *why = error == EINVAL ? file_why(error) : MMDB_strerror(err);
        log_printf(log_of(ctx), TAG_ERROR, "geoip2.geoip2: %s", why);
        vcl_fail_printf(ctx, "geoip2: cannot open %s: %s", path, why);
        free(db);
        db = NULL;
    }
    free(path);
    return db;
}

void
vcl_geoip2_fini(struct policy_ctx *ctx, void *instance)
{
    if (instance != NULL)
        MMDB_close(instance);
    free(instance);
}

static bool
find(struct policy_ctx *ctx, MMDB_s *db, const struct vcl_ip *ip, MMDB_lookup_result_s *out)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    int err = MMDB_SUCCESS;
    if (ip == NULL || (ip->family != 4 && ip->family != 6))
        return false;
    memcpy(&v4.sin_addr, ip->addr, sizeof v4.sin_addr);
    memcpy(&v6.sin6_addr, ip->addr, sizeof v6.sin6_addr);
    *out = MMDB_lookup_sockaddr(db, ip->family == 4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6, &err);
    if (err != MMDB_SUCCESS) {
        log_printf(log_of(ctx), TAG_ERROR, "geoip2.lookup: MMDB_lookup_sockaddr: %s", MMDB_strerror(err));
    } else if (!out->found_entry) {
        char text[INET6_ADDRSTRLEN] = "";
        (void)inet_ntop(ip->family == 4 ? AF_INET : AF_INET6, ip->addr, text, sizeof text);
        log_printf(log_of(ctx), TAG_DEBUG, "geoip2.lookup: No entry for this IP address (%s)", text);
    }
    return err == MMDB_SUCCESS && out->found_entry;
}

/* Splits "country/names/en" into the key list that the library takes. */
static bool
keys_of(struct span path, char text[PATH_BYTES_MAX], const char *keys[PATH_PARTS_MAX + 1])
{
    unsigned n = 0;
    if (path.len == 0 || path.len >= PATH_BYTES_MAX)
        return false;
    memcpy(text, path.ptr, path.len);
    text[path.len] = '\0';
    for (char *rest = text, *part; (part = strsep(&rest, "/")) != NULL;) {
        if (*part == '\0')
            continue;
        if (n == PATH_PARTS_MAX)
            return false;
        keys[n++] = part;
    }
    keys[n] = NULL;
    return n > 0;
}

/* Allocates from the transaction. Out of memory is logged, and the lookup gives no value. */
static char *
room(struct policy_ctx *ctx, size_t n)
{
    char *out = arena_alloc(ctx->arena, n);
    if (out == NULL)
        log_text(log_of(ctx), TAG_ERROR, SPAN_LIT("geoip2.lookup: Out of workspace"));
    return out;
}

#define JSON_ESCAPE_BYTES_MAX 6u /* \u001f */

/* Returns a JSON string (RFC 8259, 7). */
static struct span
quoted(struct policy_ctx *ctx, struct span text)
{
    char *out = room(ctx, text.len * JSON_ESCAPE_BYTES_MAX + 3), *at = out;
    if (out == NULL)
        return SPAN_NULL;
    *at++ = '"';
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c < ' ') {
            at += sprintf(at, "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\')
            *at++ = '\\';
        *at++ = (char)c;
    }
    *at++ = '"';
    return span_of(out, (size_t)(at - out));
}

static struct span
bytes_in_hex(struct policy_ctx *ctx, const MMDB_entry_data_s *d)
{
    char *out = room(ctx, 2 * (size_t)d->data_size + 1);
    for (uint32_t i = 0; out != NULL && i < d->data_size; i++)
        (void)sprintf(out + 2 * (size_t)i, "%02X", d->bytes[i]);
    return out == NULL ? SPAN_NULL : span_of(out, 2 * (size_t)d->data_size);
}

static struct span
utf8_of(struct policy_ctx *ctx, const MMDB_entry_data_s *d)
{
    char *out = room(ctx, (size_t)d->data_size + 1);
    if (out != NULL && d->data_size > 0)
        memcpy(out, d->utf8_string, d->data_size);
    return out == NULL ? SPAN_NULL : span_of(out, d->data_size);
}

static struct span
number_of(struct policy_ctx *ctx, const MMDB_entry_data_s *d)
{
    char *out = room(ctx, NUMBER_BYTES_MAX);
    if (out == NULL)
        return SPAN_NULL;
    int n = d->type == MMDB_DATA_TYPE_DOUBLE ? snprintf(out, NUMBER_BYTES_MAX, "%f", d->double_value)
          : d->type == MMDB_DATA_TYPE_FLOAT  ? snprintf(out, NUMBER_BYTES_MAX, "%f", (double)d->float_value)
          : d->type == MMDB_DATA_TYPE_UINT16 ? snprintf(out, NUMBER_BYTES_MAX, "%u", d->uint16)
          : d->type == MMDB_DATA_TYPE_UINT32 ? snprintf(out, NUMBER_BYTES_MAX, "%u", d->uint32)
          : d->type == MMDB_DATA_TYPE_INT32
              ? snprintf(out, NUMBER_BYTES_MAX, "%d", d->int32)
              : snprintf(out, NUMBER_BYTES_MAX, "%llu", (unsigned long long)d->uint64);
    return span_of(out, (size_t)n);
}

static struct span
text_of(struct policy_ctx *ctx, const MMDB_entry_data_s *d, bool json)
{
    struct span text;
    switch (d->type) {
    case MMDB_DATA_TYPE_UTF8_STRING:
    case MMDB_DATA_TYPE_BYTES:
        text = d->type == MMDB_DATA_TYPE_BYTES ? bytes_in_hex(ctx, d) : utf8_of(ctx, d);
        return json && text.ptr != NULL ? quoted(ctx, text) : text;
    case MMDB_DATA_TYPE_DOUBLE:
    case MMDB_DATA_TYPE_FLOAT:
    case MMDB_DATA_TYPE_UINT16:
    case MMDB_DATA_TYPE_UINT32:
    case MMDB_DATA_TYPE_INT32:
    case MMDB_DATA_TYPE_UINT64: return number_of(ctx, d);
    case MMDB_DATA_TYPE_BOOLEAN: return d->boolean ? SPAN_LIT("true") : SPAN_LIT("false");
    default: /* maps and arrays have no text form */
        log_printf(log_of(ctx), TAG_ERROR, "geoip2.lookup: Unsupported data type (%u)", d->type);
        return SPAN_NULL;
    }
}

/* Returns unset if the database lacks the address, its entry lacks the path, or the path leads to no single
 * value. */
struct span
vcl_geoip2_lookup(struct policy_ctx *ctx, void *instance, struct span path, const struct vcl_ip *ip,
                  int32_t json)
{
    MMDB_lookup_result_s found;
    MMDB_entry_data_s value;
    char text[PATH_BYTES_MAX];
    const char *keys[PATH_PARTS_MAX + 1];
    if (instance == NULL)
        return SPAN_NULL;
    if (!keys_of(path, text, keys)) {
        log_printf(log_of(ctx), TAG_ERROR, "geoip2.lookup: Invalid or missing path (%.*s)",
                   path.ptr == NULL ? 4 : (int)path.len, path.ptr == NULL ? "NULL" : path.ptr);
        return SPAN_NULL;
    }
    if (!find(ctx, instance, ip, &found))
        return SPAN_NULL;
    int err = MMDB_aget_value(&found.entry, &value, keys);
    if (err == MMDB_SUCCESS && value.has_data)
        return text_of(ctx, &value, json != 0);
    bool absent = err == MMDB_SUCCESS || err == MMDB_LOOKUP_PATH_DOES_NOT_MATCH_DATA_ERROR ||
                  err == MMDB_INVALID_LOOKUP_PATH_ERROR;
    if (absent)
        log_printf(log_of(ctx), TAG_DEBUG, "geoip2.lookup: No data for this path (%.*s)", (int)path.len,
                   path.ptr);
    else
        log_printf(log_of(ctx), TAG_ERROR, "geoip2.lookup: MMDB_aget_value: %s", MMDB_strerror(err));
    return SPAN_NULL;
}
