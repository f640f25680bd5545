/* Preferences among content codings: see codings.h. */
#include "http/codings.h"

#include "http/fields.h"

struct span
coding_name(enum coding c)
{
    return c == CODING_BR ? SPAN_LIT("br") : c == CODING_ZSTD ? SPAN_LIT("zstd") : SPAN_LIT("");
}

/* Returns the weight in thousandths; -1 if the field names neither the coding nor "*". The first of two equal
 * names counts. */
static int
weight_of(struct span accept_encoding, struct span name, struct span alias)
{
    struct span rest = accept_encoding, item;
    int any = -1;
    while (list_next(&rest, &item)) {
        int weight = 0;
        struct span which = weighted_item(item, &weight);
        if (span_eq_nocase(which, name) || span_eq_nocase(which, alias))
            return weight;
        if (span_eq(which, SPAN_LIT("*")) && any < 0)
            any = weight;
    }
    return any;
}

/* A client accepts "identity" even if the field does not name it, but does not prefer it. "*" does not change
 * that. */
static int
weight_of_identity(struct span accept_encoding)
{
    struct span rest = accept_encoding, item;
    while (list_next(&rest, &item)) {
        int weight = 0;
        if (span_eq_nocase(weighted_item(item, &weight), SPAN_LIT("identity")))
            return weight;
    }
    return 0;
}

unsigned
codings_preferred(struct span accept_encoding, unsigned enabled)
{
    if (enabled == 0) /* the default: such requests skip the parsing */
        return 0;
    int weights[CODINGS], least = weight_of(accept_encoding, SPAN_LIT("gzip"), SPAN_LIT("x-gzip")), best = 1;
    int identity = weight_of_identity(accept_encoding);
    unsigned preferred = 0;
    least = identity > least ? identity : least;
    for (unsigned c = 0; c < CODINGS; c++) {
        struct span name = coding_name((enum coding)c);
        weights[c] = enabled & 1u << c ? weight_of(accept_encoding, name, name) : -1;
        best = weights[c] > best ? weights[c] : best;
    }
    for (unsigned c = 0; c < CODINGS; c++)
        if (weights[c] == best && best >= least)
            preferred |= 1u << c;
    return preferred;
}
