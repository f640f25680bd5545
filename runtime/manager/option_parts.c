/* Parses the arguments of -a and -s: see options.h and option_text.h. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/option_text.h"
#include "manager/options.h"
#include "base/check.h"

int
option_fail(struct text *why, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(why, fmt, ap);
    va_end(ap);
    return ERR_SYNTAX;
}

int
option_copy(char *to, size_t cap, struct span from, const char *what, struct text *why)
{
    if (from.len >= cap)
        return option_fail(why, "%s is too long: %.*s\n", what, (int)from.len, from.ptr);
    memcpy(to, from.ptr, from.len);
    to[from.len] = '\0';
    return 0;
}

struct span
option_cut(struct span *text, char by)
{
    const char *at = text->len == 0 ? NULL : memchr(text->ptr, by, text->len);
    size_t n = at == NULL ? text->len : (size_t)(at - text->ptr);
    struct span part = span_of(text->ptr, n);
    size_t skip = at == NULL ? n : n + 1;
    *text = span_of(text->ptr + skip, text->len - skip);
    return part;
}

bool
option_key(struct span part, const char *key, struct span *value)
{
    size_t n = strlen(key);
    if (part.len < n || memcmp(part.ptr, key, n) != 0)
        return false;
    *value = span_of(part.ptr + n, part.len - n);
    return true;
}

static bool
is_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = ascii_lower(s.ptr[i]);
        if (!((c >= 'a' && c <= 'z') ||
              (i > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'))))
            return false;
    }
    return s.len > 0;
}

/* Parses mode=, which may appear once. */
static int
listen_mode(struct span value, struct listen_spec *out, struct text *why)
{
    char digits[64], *end;
    if (out->has_mode)
        return option_fail(why, "Too many mode sub-args in -a (mode=%.*s)\n", (int)value.len, value.ptr);
    if (value.len == 0)
        return option_fail(why, "Empty mode sub-arg in -a\n");
    int err = option_copy(digits, sizeof digits, value, "mode of -a", why);
    if (err != 0)
        return err;
    errno = 0;
    long mode = strtol(digits, &end, 8);
    if (*end != '\0')
        return option_fail(why, "Invalid mode sub-arg %s in -a\n", digits);
    if (errno != 0)
        return option_fail(why, "Cannot parse mode sub-arg %s in -a: %s\n", digits, strerror(errno));
    if (mode <= 0 || mode > 0777)
        return option_fail(why, "Mode sub-arg %s out of range in -a\n", digits);
    out->mode = (mode_t)mode;
    out->has_mode = true;
    return 0;
}

static int
listen_owner(const char *what, struct span value, char to[64], bool known, struct text *why)
{
    if (*to != '\0')
        return option_fail(why, "Too many %s sub-args in -a (%s=%.*s)\n", what, what, (int)value.len,
                           value.ptr);
    if (!known)
        return option_fail(why, "Unknown %s %.*s in -a\n", what, (int)value.len, value.ptr);
    return option_copy(to, 64, value, what, why);
}

static int
listen_argument(struct span part, bool *protocol_given, struct listen_spec *out, struct text *why)
{
    struct span value;
    char name[64] = "";
    if (memchr(part.ptr, '=', part.len) == NULL) {
        bool first = !*protocol_given;
        enum listen_kind any = LISTEN_HTTP;
        *protocol_given = true;
        if (!listen_kind_of(part, true, &any))
            return option_fail(why, "Unknown protocol '%.*s' in -a: use HTTP, HTTPS, PROXY, or PROXY,HTTPS\n",
                               (int)part.len, part.ptr);
        if (!listen_kind_of(part, first, &out->kind))
            return option_fail(why, "Too many protocol sub-args in -a (%.*s)\n", (int)part.len, part.ptr);
        return 0;
    }
    if (out->address[0] != '/')
        return option_fail(why, "Invalid sub-arg %.*s for IP addresses in -a\n", (int)part.len, part.ptr);
    if (option_key(part, "mode=", &value))
        return listen_mode(value, out, why);
    bool user = option_key(part, "user=", &value);
    if (!user && !option_key(part, "group=", &value))
        return option_fail(why, "Invalid sub-arg %.*s in -a\n", (int)part.len, part.ptr);
    if (value.len < sizeof name)
        memcpy(name, value.ptr, value.len);
    if (user)
        return listen_owner("user", value, out->user, getpwnam(name) != NULL, why);
    return listen_owner("group", value, out->group, getgrnam(name) != NULL, why);
}

int
option_listen(const char *text, struct listen_spec *out, struct text *why)
{
    struct span rest = span_str(text), address = option_cut(&rest, ',');
    bool has_name = address.len > 0 && *address.ptr != '/' && memchr(address.ptr, '=', address.len) != NULL;
    if (has_name) {
        struct span name = option_cut(&address, '=');
        if (!is_name(name))
            return option_fail(why, "Invalid name '%.*s' for -a: it must begin with a letter\n",
                               (int)name.len, name.ptr);
        int err = option_copy(out->name, sizeof out->name, name, "Name of -a", why);
        if (err != 0)
            return err;
    }
    if (address.len == 0)
        return option_fail(why, "-a without an address: '%s'\n", text);
    if (*address.ptr != '/' && memchr(address.ptr, '/', address.len) != NULL)
        return option_fail(why, "Unix domain socket addresses must be absolute paths in -a (%.*s)\n",
                           (int)address.len, address.ptr);
    int err = option_copy(out->address, sizeof out->address, address, "Address of -a", why);
    bool protocol_given = false;
    while (err == 0 && rest.len > 0)
        err = listen_argument(option_cut(&rest, ','), &protocol_given, out, why);
    return err;
}

/* A size with Varnish's suffixes. */
static int
parse_size(struct span text, uint64_t *out, struct text *why)
{
    char digits[32], *end;
    if (text.len == 0 || text.len >= sizeof digits || text.ptr[0] < '0' || text.ptr[0] > '9')
        return option_fail(why, "Invalid size for -s: '%.*s' (digits and b, k, m, g or t, such as 256m)\n",
                           (int)text.len, text.ptr);
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = '\0';
    double n = strtod(digits, &end);
    static const char units[] = "bkmgt";
    const char *unit = *end == '\0' ? units : strchr(units, ascii_lower(*end));
    bool right = unit != NULL &&
                 (*end == '\0' || end[1] == '\0' || (ascii_lower(end[1]) == 'b' && end[2] == '\0'));
    for (const char *u = units; right && u < unit; u++)
        n *= 1024;
    if (!right || n < 1 || n > 0x1p53)
        return option_fail(why, "Invalid size for -s: '%s' (digits and b, k, m, g or t, such as 256m)\n",
                           digits);
    *out = (uint64_t)n;
    return 0;
}

#define STORAGE_LEAST_BYTES (1u << 20)

/* file,PATH,SIZE[,GRANULARITY[,ADVICE]]: keeps PATH for the warning, and ignores the last two, which say how
 * Varnish maps the file. */
static int
storage_file(struct span *rest, struct storage_spec *out, struct text *why)
{
    struct span path = option_cut(rest, ','), size = option_cut(rest, ','),
                granularity = option_cut(rest, ',');
    if (path.len == 0 || size.len == 0)
        return option_fail(why, "-s file needs a path and a size: file,path,size\n");
    struct span advice = option_cut(rest, ',');
    bool known = advice.len == 0 || span_eq(advice, SPAN_LIT("normal")) ||
                 span_eq(advice, SPAN_LIT("sequential")) || span_eq(advice, SPAN_LIT("random"));
    uint64_t bytes;
    if (!known)
        return option_fail(why, "Unknown advice of -s file: '%.*s'\n", (int)advice.len, advice.ptr);
    if (granularity.len > 0 && parse_size(granularity, &bytes, why) != 0)
        return ERR_SYNTAX;
    if (rest->len == 0)
        *rest = size;
    return option_copy(out->file, sizeof out->file, path, "Path of -s", why);
}

/* -s file stores content in memory. Refuse a size meant for a disk: with a full storage the kernel would kill
 * the worker. */
static int
check_file_size(const struct storage_spec *spec, struct text *why)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (spec->file[0] == '\0' || (double)spec->limit_bytes <= machine)
        return 0;
    return option_fail(
        why,
        "-s file,%s: content is stored in memory, not on disk, and %.0f MB exceed the %.0f MB of this machine: "
        "use -s malloc,SIZE with a smaller size\n",
        spec->file, (double)spec->limit_bytes / (1 << 20), machine / (1 << 20));
}

/* debug[,lessspace][,SIZE]: as malloc; with lessspace each allocation for content is one byte short. */
static bool
storage_lessspace(struct span *rest)
{
    struct span after = *rest, word = option_cut(&after, ',');
    if (!span_eq(word, SPAN_LIT("lessspace")))
        return false;
    *rest = after;
    return true;
}

int
option_storage(const char *text, struct storage_spec *out, struct text *why)
{
    struct span rest = span_str(text), kind = option_cut(&rest, ',');
    if (kind.len > 0 && memchr(kind.ptr, '=', kind.len) != NULL) {
        struct span name = option_cut(&kind, '=');
        if (!is_name(name))
            return option_fail(why, "invalid -s name \"%.*s\"=[...]\n", (int)name.len, name.ptr);
        if (kind.len == 0)
            return option_fail(why, "Empty named -s argument \"%.*s=\"\n", (int)name.len, name.ptr);
        int err = option_copy(out->name, sizeof out->name, name, "Name of -s", why);
        if (err != 0)
            return err;
    }
    out->file[0] = '\0';
    bool file = span_eq(kind, SPAN_LIT("file"));
    out->debug = span_eq(kind, SPAN_LIT("debug"));
    out->less_space = out->debug && storage_lessspace(&rest);
    bool memory = span_eq(kind, SPAN_LIT("malloc")) || span_eq(kind, SPAN_LIT("default")) ||
                  span_eq(kind, SPAN_LIT("umem"));
    if (!file && !out->debug && !memory)
        return option_fail(
            why, "Unknown storage kind '%.*s' of -s: use malloc, default (the same), file or debug\n",
            (int)kind.len, kind.ptr);
    if (file && storage_file(&rest, out, why) != 0)
        return ERR_SYNTAX;
    struct span size = option_cut(&rest, ',');
    if (rest.len > 0)
        return option_fail(why, "Too many arguments of -s %.*s: '%.*s'\n", (int)kind.len, kind.ptr,
                           (int)rest.len, rest.ptr);
    out->limit_bytes = 0;
    int err = size.len == 0 ? 0 : parse_size(size, &out->limit_bytes, why);
    if (err == 0 && size.len > 0 && out->limit_bytes < STORAGE_LEAST_BYTES)
        err = option_fail(why, "Storage of -s is too small: '%.*s', at least 1m\n", (int)size.len, size.ptr);
    return err == 0 ? check_file_size(out, why) : err;
}
