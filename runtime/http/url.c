/* Resolves references against the target of the request (RFC 3986, 5.2). */
#include "http/url.h"

#include "base/check.h"
#include "http/fields.h"

static struct span
before_any(struct span s, const char *marks)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '\0' && strchr(marks, s.ptr[i]) != NULL)
            return span_of(s.ptr, i);
    return s;
}

static struct span
skip_bytes(struct span s, size_t n)
{
    return span_of(s.ptr + n, s.len - n);
}

static bool
begins_with(struct span s, struct span with)
{
    return s.len >= with.len && span_eq_nocase(span_of(s.ptr, with.len), with);
}

/* ERR_NOTFOUND: a scheme other than http and https. */
static int
drop_scheme(struct span *s)
{
    static const struct span ours[] = { { "http:", 5 }, { "https:", 6 } };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (begins_with(*s, ours[i])) {
            *s = skip_bytes(*s, ours[i].len);
            return begins_with(*s, SPAN_LIT("//")) ? 0 : ERR_NOTFOUND;
        }
    struct span first = before_any(*s, "/?");
    return first.len > 0 && memchr(first.ptr, ':', first.len) != NULL ? ERR_NOTFOUND : 0;
}

/* Removes "//host" from "//host/path". ERR_NOTFOUND: another host. */
static int
drop_host(struct span *s, struct span host)
{
    if (!begins_with(*s, SPAN_LIT("//")))
        return 0;
    *s = skip_bytes(*s, 2);
    struct span authority = before_any(*s, "/?");
    *s = skip_bytes(*s, authority.len);
    return host.ptr != NULL && span_eq_nocase(authority, host) ? 0 : ERR_NOTFOUND;
}

static char *
put_bytes(char *p, struct span s)
{
    if (s.len > 0)
        memcpy(p, s.ptr, s.len);
    return p + s.len;
}

/* Removes "." and ".." segments from an absolute path, in place; returns its new length. */
static size_t
remove_dots(char *path, size_t n)
{
    size_t out = 0, at = 0;
    while (at < n) { /* path[at] is a slash */
        struct span segment = before_any(span_of(path + at + 1, n - at - 1), "/");
        bool last = at + 1 + segment.len == n;
        if (span_eq(segment, SPAN_LIT(".."))) {
            while (out > 0 && path[--out] != '/')
                ;
        } else if (!span_eq(segment, SPAN_LIT("."))) {
            memmove(path + out, path + at, segment.len + 1);
            out += segment.len + 1;
            last = false;
        }
        if (last)
            path[out++] = '/';
        at += segment.len + 1;
    }
    return out;
}

/* `rest` has neither scheme nor host. */
static int
join(const struct url_base *base, struct span rest, bool absolute, struct arena *a, struct span *out)
{
    struct span path = before_any(rest, "?"), query = skip_bytes(rest, path.len), folder = SPAN_NULL;
    struct span own = before_any(base->target, "?");
    if (absolute && path.len == 0) {
        path = SPAN_LIT("/");
    } else if (path.len == 0) {
        path = own;
        if (query.len == 0)
            query = skip_bytes(base->target, own.len);
    } else if (path.ptr[0] != '/') {
        folder = own;
        while (folder.len > 0 && folder.ptr[folder.len - 1] != '/')
            folder.len--;
    }
    char *text = arena_alloc(a, folder.len + path.len + query.len + 1);
    if (text == NULL)
        return ERR_NOMEM;
    char *end = put_bytes(put_bytes(text, folder), path);
    if (end == text || text[0] != '/')
        return ERR_NOTFOUND;
    size_t n = remove_dots(text, (size_t)(end - text));
    end = put_bytes(text + n, query);
    *out = span_of(text, (size_t)(end - text));
    return 0;
}

int
url_of_same_origin(const struct url_base *base, struct span reference, struct arena *a, struct span *out)
{
    struct span rest = before_any(span_trim(reference), "#");
    int err = drop_scheme(&rest);
    bool has_host = err == 0 && begins_with(rest, SPAN_LIT("//"));
    if (err == 0)
        err = drop_host(&rest, base->host);
    return err != 0 ? err : join(base, rest, has_host, a, out);
}
