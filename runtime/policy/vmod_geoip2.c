/* Module geoip2: looks addresses up in a MaxMind database, which is opened when the policy is loaded. libmaxminddb reads a
 * mapped file and keeps no state, so all loops look up at once. */
#include <arpa/inet.h>
#include <maxminddb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "policy/exports.h"

#define PATH_PARTS_MAX 16u
#define PATH_BYTES_MAX 256u

static void *
vcl_geoip2_new(struct policy_ctx *ctx, struct span file)
{
    char *path = mem_text(file);
    MMDB_s *db = mem_zalloc(sizeof *db);
    int err = MMDB_open(path, MMDB_MODE_MMAP, db);
    if (err != MMDB_SUCCESS) {
        vcl_fail_printf(ctx, "geoip2: cannot open %s: %s", path, MMDB_strerror(err));
        free(db);
        db = NULL;
    }
    free(path);
    return db;
}

static void
vcl_geoip2_fini(struct policy_ctx *ctx, void *instance)
{
    if (instance != NULL)
        MMDB_close(instance);
    free(instance);
}

static bool
find(MMDB_s *db, const struct vcl_ip *ip, MMDB_lookup_result_s *out)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    int err = MMDB_SUCCESS;
    if (ip == NULL || (ip->family != 4 && ip->family != 6))
        return false;
    memcpy(&v4.sin_addr, ip->addr, sizeof v4.sin_addr);
    memcpy(&v6.sin6_addr, ip->addr, sizeof v6.sin6_addr);
    *out = MMDB_lookup_sockaddr(db, ip->family == 4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6, &err);
    return err == MMDB_SUCCESS && out->found_entry;
}

/* "country/names/en" as the list of keys the library takes. */
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

static struct span
text_of(struct policy_ctx *ctx, const MMDB_entry_data_s *d)
{
    switch (d->type) {
    case MMDB_DATA_TYPE_UTF8_STRING:
        return vcl_keep(ctx, ctx->arena, span_of(d->utf8_string, d->data_size));
    case MMDB_DATA_TYPE_DOUBLE:
        return vcl_printf(ctx, "%f", d->double_value);
    case MMDB_DATA_TYPE_FLOAT:
        return vcl_printf(ctx, "%f", (double)d->float_value);
    case MMDB_DATA_TYPE_UINT16:
        return vcl_printf(ctx, "%u", d->uint16);
    case MMDB_DATA_TYPE_UINT32:
        return vcl_printf(ctx, "%u", d->uint32);
    case MMDB_DATA_TYPE_INT32:
        return vcl_printf(ctx, "%d", d->int32);
    case MMDB_DATA_TYPE_UINT64:
        return vcl_printf(ctx, "%llu", (unsigned long long)d->uint64);
    case MMDB_DATA_TYPE_BOOLEAN:
        return d->boolean ? SPAN_LIT("true") : SPAN_LIT("false");
    default:                            /* maps, arrays and bytes are no text */
        return SPAN_NULL;
    }
}

/* Unset when the address, or the path in its entry, is not there, or leads to no single value. */
static struct span
vcl_geoip2_lookup(struct policy_ctx *ctx, void *instance, struct span path, const struct vcl_ip *ip)
{
    MMDB_lookup_result_s found;
    MMDB_entry_data_s value;
    char text[PATH_BYTES_MAX];
    const char *keys[PATH_PARTS_MAX + 1];
    if (instance == NULL || !keys_of(path, text, keys) || !find(instance, ip, &found))
        return SPAN_NULL;
    if (MMDB_aget_value(&found.entry, &value, keys) != MMDB_SUCCESS || !value.has_data)
        return SPAN_NULL;
    return text_of(ctx, &value);
}

static const struct policy_export rows[] = {
    { "geoip2_new", "INSTANCE(STRING)", (export_fn *)vcl_geoip2_new },
    { "geoip2_fini", "VOID(INSTANCE)", (export_fn *)vcl_geoip2_fini },
    { "geoip2_lookup", "STRING(INSTANCE,STRING,IP)", (export_fn *)vcl_geoip2_lookup },
};
const struct export_table exports_geoip2 = EXPORT_TABLE(rows);
