/* Lists of filters: see lists.h. */
#include "filter/lists.h"

#include "base/check.h"
#include "base/params.h"
#include "base/split.h"
#include "filter/coders.h"
#include "filter/esi_filter.h"
#include "filter/gzip.h"
#include "filter/gzip_head.h"
#include "filter/stitch.h"

static const struct filter_kind kinds[] = {
    { .name = { "gunzip", 6 },
      .fetch = true,
      .changes = true,
      .bytes = gunzip_bytes,
      .open = gunzip_open,
      .engage = gunzip_engage },
    { .name = { "gunzip", 6 },
      .delivery = true,
      .changes = true,
      .bytes = gunzip_delivery_bytes,
      .open = gunzip_delivery_open },
    { .name = { "testgunzip", 10 },
      .fetch = true,
      .bytes = testgunzip_bytes,
      .open = testgunzip_open,
      .engage = testgunzip_engage },
    { .name = { "gzip", 4 },
      .fetch = true,
      .changes = true,
      .bytes = gzip_bytes,
      .open = gzip_open,
      .engage = gzip_engage },
    { .name = { "esi", 3 },
      .fetch = true,
      .bytes = esi_filter_bytes,
      .open = esi_filter_open,
      .engage = esi_engage },
    { .name = { "esi", 3 }, .delivery = true }, /* proxy/esi/esi_source.c */
    { .name = { "esi_gzip", 8 },
      .fetch = true,
      .changes = true,
      .bytes = esi_gzip_bytes,
      .open = esi_gzip_open,
      .engage = gzip_engage },
    { .name = { "br", 2 }, .delivery = true, .changes = true, .bytes = coder_bytes, .open = br_open },
    { .name = { "zstd", 4 }, .delivery = true, .changes = true, .bytes = coder_bytes, .open = zstd_open },
    { .name = { "range", 5 }, .delivery = true }, /* proxy/deliver.c */
    { .name = { "part_gzip", 9 },
      .part = true,
      .changes = true,
      .bytes = part_bytes,
      .open = part_gzip_open },
    { .name = { "part_plain", 10 },
      .part = true,
      .changes = true,
      .bytes = part_bytes,
      .open = part_plain_open },
};

bool
filters_have(struct span list, struct span name)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word))
        if (span_eq(word, name))
            return true;
    return false;
}

static bool
is_of(const struct filter_kind *kind, enum filter_side side)
{
    return side == FILTER_FETCH ? kind->fetch : side == FILTER_DELIVERY ? kind->delivery : kind->part;
}

const struct filter_kind *
filter_kind(struct span name, enum filter_side side)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_eq(kinds[i].name, name) && is_of(&kinds[i], side))
            return &kinds[i];
    return NULL;
}

bool
filters_change(struct span list, enum filter_side side)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word)) {
        const struct filter_kind *kind = filter_kind(word, side);
        if (kind != NULL && kind->changes)
            return true;
    }
    return false;
}

struct span
filters_unknown(struct span list, enum filter_side side)
{
    struct span word;
    while (split_next(&list, SPAN_LIT(" "), &word))
        if (filter_kind(word, side) == NULL)
            return word;
    return SPAN_NULL;
}

struct span
filters_of_fetch(struct arena *a, const struct http_message *beresp, bool do_esi, bool do_gzip,
                 bool do_gunzip)
{
    struct span coding = message_get(beresp, NAME_CONTENT_ENCODING);
    bool gzipped = span_eq_nocase(coding, SPAN_LIT("gzip"));
    bool pack = do_gzip && params.http_gzip_support && coding.ptr == NULL;
    bool unpack = do_gunzip && params.http_gzip_support && gzipped;
    if (do_esi) {
        bool in_gzip = pack || (gzipped && !unpack);
        return arena_printf(a, "%s%s", gzipped ? " gunzip" : "", in_gzip ? " esi_gzip" : " esi");
    }
    if (!gzipped && !pack)
        return SPAN_LIT("");
    return arena_printf(a, "%s%s%s", unpack ? " gunzip" : "", pack ? " gzip" : "",
                        gzipped && !unpack ? " testgunzip" : "");
}

struct span
filters_of_delivery(bool esi, bool gunzip, bool range)
{
    static const char *const lists[2][2][2] = {
        { { "", " range" }, { " gunzip", " gunzip range" } },
        { { " esi", " esi range" }, { " esi gunzip", " esi gunzip range" } },
    };
    if (!esi && !gunzip && !range)
        return SPAN_LIT(""); /* the usual case */
    return span_str(lists[esi][gunzip][range]);
}

struct span
filters_of_coding(bool gunzip, enum coding c)
{
    static const char *const lists[2][CODINGS] = { { " br", " zstd" }, { " gunzip br", " gunzip zstd" } };
    return span_str(lists[gunzip][c]);
}

int
filters_engage(struct span list, struct http_message *beresp, struct body_form *form, struct span *engaged)
{
    struct span word;
    char *out = arena_alloc(beresp->arena, list.len + 1);
    if (out == NULL)
        return ERR_NOMEM;
    *engaged = span_of(out, 0);
    while (split_next(&list, SPAN_LIT(" "), &word)) {
        const struct filter_kind *kind = filter_kind(word, FILTER_FETCH);
        CHECK(kind != NULL);
        if (kind->engage != NULL && !kind->engage(beresp, form))
            continue;
        memcpy(out + engaged->len, word.ptr, word.len);
        out[engaged->len + word.len] = ' ';
        engaged->len += word.len + 1;
    }
    return beresp->failed ? ERR_NOMEM : 0;
}
