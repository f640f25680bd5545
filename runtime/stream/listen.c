/* The kinds of listeners. See listen.h. */
#include "stream/listen.h"

const struct listen_kind_row listen_kinds[] = {
    [LISTEN_HTTP] = { "HTTP", "HTTP/1" },
    [LISTEN_PROXY] = { "PROXY", "PROXY" },
};

bool
listen_kind_of(struct span word, enum listen_kind *out)
{
    for (unsigned i = 0; i < LISTEN_KIND_COUNT; i++)
        if (span_eq_nocase(word, span_str(listen_kinds[i].word)) ||
            span_eq_nocase(word, span_str(listen_kinds[i].opens))) {
            *out = (enum listen_kind)i;
            return true;
        }
    return false;
}
