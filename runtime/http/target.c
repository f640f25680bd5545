/* Reads and edits parts of a request target; see the header. */
#include "http/target.h"

#include "http/pairs.h"

struct span
target_path(struct span target)
{
    const char *mark = target.len == 0 ? NULL : memchr(target.ptr, '?', target.len);
    return mark == NULL ? target : span_of(target.ptr, (size_t)(mark - target.ptr));
}

static struct span
after(struct span text, const char *at)
{
    return span_of(at, text.len - (size_t)(at - text.ptr));
}

struct span
target_extension(struct span target)
{
    struct span path = target_path(target);
    const char *slash = path.len == 0 ? NULL : memrchr(path.ptr, '/', path.len);
    struct span segment = slash == NULL ? path : after(path, slash + 1);
    const char *dot = segment.len == 0 ? NULL : memrchr(segment.ptr, '.', segment.len);
    return dot == NULL ? SPAN_NULL : after(path, dot + 1);
}

struct span
target_parameter(struct span target, struct span name)
{
    size_t path_bytes = target_path(target).len;
    if (path_bytes == target.len)
        return SPAN_NULL;
    return pairs_value(&pairs_query, after(target, target.ptr + path_bytes + 1), name);
}

bool
target_has(struct span target, struct span patterns)
{
    size_t path_bytes = target_path(target).len;
    return path_bytes < target.len &&
           pairs_has(&pairs_query, after(target, target.ptr + path_bytes + 1), patterns);
}

/* The target that an edit gave, without its "?" if no parameter is left. */
static struct span
tidied(struct span path, struct span edited, size_t parameters)
{
    return edited.ptr == NULL || parameters > 0 ? edited : path;
}

/* Most queries have one parameter, for which an edit needs no list. */
static bool
is_one_parameter(struct span query)
{
    return query.len > 0 && memchr(query.ptr, '&', query.len) == NULL;
}

struct span
target_select(struct span target, struct span patterns, bool keep, struct arena *a)
{
    struct span path = target_path(target);
    size_t n;
    if (path.len == target.len)
        return target;
    struct span query = after(target, target.ptr + path.len + 1);
    if (is_one_parameter(query))
        return pairs_name_matches(patterns, pair_name(query)) == keep ? target : path;
    struct span edited = pairs_select(&pairs_query, target, path.len + 1, patterns, keep, a, &n);
    return tidied(path, edited, n);
}

struct span
target_sort(struct span target, struct arena *a)
{
    struct span path = target_path(target);
    size_t n;
    if (path.len == target.len || is_one_parameter(after(target, target.ptr + path.len + 1)))
        return target;
    struct span edited = pairs_sort(&pairs_query, target, path.len + 1, a, &n);
    return tidied(path, edited, n);
}
