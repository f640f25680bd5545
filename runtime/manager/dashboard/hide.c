/* URLs without values that identify: see hide.h. The names are those of compiler/observe/identifying.py. */
#include "manager/dashboard/hide.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "identifying_names.h"

#define N(table) (sizeof(table) / sizeof *(table))

static bool
is_word(char c)
{
    c = ascii_lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
word_identifies(struct span word)
{
    for (size_t i = 0; i < N(identifying_word_ends); i++) {
        size_t n = strlen(identifying_word_ends[i]);
        if (word.len >= n && strncasecmp(word.ptr + word.len - n, identifying_word_ends[i], n) == 0)
            return true;
    }
    return false;
}

static bool
identifies(struct span name)
{
    for (size_t i = 0; i < N(identifying_parameters); i++)
        if (name.len == strlen(identifying_parameters[i]) &&
            strncasecmp(name.ptr, identifying_parameters[i], name.len) == 0)
            return true;
    for (size_t at = 0, begin = 0; at <= name.len; at++)
        if (at == name.len || !is_word(name.ptr[at])) {
            if (word_identifies(span_of(name.ptr + begin, at - begin)))
                return true;
            begin = at + 1;
        }
    return false;
}

static size_t
add(char *to, size_t bytes, size_t used, struct span text)
{
    size_t n = text.len < bytes - 1 - used ? text.len : bytes - 1 - used;
    memcpy(to + used, text.ptr, n);
    return used + n;
}

/* The end of what begins at `at`: the next of `ends`, or the end of the URL. */
static size_t
end_of(struct span url, size_t at, const char *ends)
{
    while (at < url.len && strchr(ends, url.ptr[at]) == NULL)
        at++;
    return at;
}

void
hide_url(char *to, size_t bytes, struct span url)
{
    size_t used = 0, at = end_of(url, 0, "?;");
    used = add(to, bytes, used, span_of(url.ptr, at));
    while (at < url.len) { /* at a separator of parameters */
        bool in_path = url.ptr[at] == ';';
        size_t end = end_of(url, at + 1, in_path ? "?&;/" : "?&;"), equals = end_of(url, at + 1, "=");
        if (equals < end && identifies(span_of(url.ptr + at + 1, equals - at - 1))) {
            if (!in_path) /* RFC 3986 lets values of a query have '?', ';' and '/' */
                end = end_of(url, at + 1, "&");
            used = add(to, bytes, used, span_of(url.ptr + at, equals + 1 - at));
            used = add(to, bytes, used, SPAN_LIT(HIDE_MARK));
        } else
            used = add(to, bytes, used, span_of(url.ptr + at, end - at));
        at = end;
        size_t next = end_of(url, at, "?&;"); /* behind a parameter of a path comes its next part */
        used = add(to, bytes, used, span_of(url.ptr + at, next - at));
        at = next;
    }
    to[used] = '\0';
}
