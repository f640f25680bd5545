/* The kinds of listeners. See listen.h. */
#include "stream/listen.h"

const struct listen_kind_row listen_kinds[] = {
    [LISTEN_HTTP] = { "HTTP", "HTTP/1", false, false },
    [LISTEN_PROXY] = { "PROXY", "PROXY", true, false },
    [LISTEN_HTTPS] = { "HTTPS", "HTTPS/1", false, true },
    [LISTEN_PROXY_HTTPS] = { "PROXY,HTTPS", "PROXY", true, true },
};

static bool
of_word(struct span word, enum listen_kind *kind)
{
    if (span_eq_nocase(word, SPAN_LIT("TLS"))) /* Varnish 9's name of it */
        word = span_str(listen_kinds[LISTEN_HTTPS].word);
    for (enum listen_kind k = LISTEN_HTTP; k <= LISTEN_HTTPS; k++)
        if (span_eq_nocase(word, span_str(listen_kinds[k].word)) ||
            span_eq_nocase(word, span_str(listen_kinds[k].opens))) {
            *kind = k;
            return true;
        }
    return false;
}

bool
listen_kind_of(struct span word, bool first, enum listen_kind *kind)
{
    enum listen_kind found;
    if (!of_word(word, &found))
        return false;
    bool both = (found == LISTEN_HTTPS && *kind == LISTEN_PROXY) ||
                (found == LISTEN_PROXY && *kind == LISTEN_HTTPS);
    if (!first && !both)
        return false;
    *kind = first ? found : LISTEN_PROXY_HTTPS;
    return true;
}
