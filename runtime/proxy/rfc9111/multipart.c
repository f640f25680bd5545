/* See multipart.h. The content is a row of texts: two for the head of each part, and the closing line. Behind
 * every second text comes a range of the inner source. */
#include "proxy/rfc9111/multipart.h"

#include <sys/random.h>

#include "base/check.h"

#define BOUNDARY_BYTES 16u /* random bytes: nobody can guess the boundary, so content cannot contain it */
#define SKIP_BYTES_MAX (1024u * 1024) /* bytes skipped in one call; then others have their turn */

struct multipart_source {
    struct body_source source;
    struct body_source *inner;   /* owned */
    const struct range_set *set; /* lent */
    struct span *texts;          /* 2 * set->n + 1 */
    unsigned text;               /* index of the text that is next or being sent */
    size_t text_at;              /* sent bytes of this text */
    /* For the range being sent: bytes to skip before it, and bytes left of it; left 0: a text is next */
    uint64_t skip, left;
    uint64_t inner_at; /* position behind the last range */
    uint64_t held;     /* bytes that the stream holds */
    uint64_t behind;   /* text bytes behind the last byte that the inner source gave */
    uint64_t given;    /* inner bytes advanced over since the last time that no byte was held */
    bool inner_held;
};

static struct multipart_source *
multipart_of(struct body_source *b)
{
    return container_of(b, struct multipart_source, source);
}

static unsigned
texts_of(const struct range_set *set)
{
    return 2 * set->n + 1;
}

/* ---- texts ---- */

static int
gather_texts(const struct multipart_source *s, struct iovec *iov, int max, size_t most,
             enum source_state *then)
{
    DEBUG_CHECK(s->left == 0 && s->text < texts_of(s->set));
    unsigned end = (s->text | 1u) + 1 < texts_of(s->set) ? (s->text | 1u) + 1 : texts_of(s->set),
             at = s->text;
    size_t skip = s->text_at;
    int n = 0;
    for (; at < end && n < max && most > 0; at++) {
        size_t left = s->texts[at].len - skip, take = left < most ? left : most;
        iov[n++] = (struct iovec){ (void *)(uintptr_t)(s->texts[at].ptr + skip), take };
        most -= take;
        skip = 0;
        if (take < left)
            break;
    }
    *then = at == texts_of(s->set) ? SOURCE_END : SOURCE_MORE;
    return n;
}

static void
begin_range(struct multipart_source *s, const struct byte_range *r)
{
    DEBUG_CHECK(s->left == 0 && r->first <= r->last && r->first >= s->inner_at);
    s->left = r->last - r->first + 1;
    if (s->inner->ops->seek != NULL)
        s->inner->ops->seek(s->inner, r->first, r->last + 1);
    else
        s->skip = r->first - s->inner_at;
    s->inner_at = r->last + 1;
}

static void
advance_texts(struct multipart_source *s, size_t n)
{
    s->text_at += n;
    while (s->text < texts_of(s->set) && s->text_at >= s->texts[s->text].len) {
        s->text_at -= s->texts[s->text++].len;
        if (s->text % 2 == 0)
            begin_range(s, &s->set->ranges[s->text / 2 - 1]);
    }
}

/* ---- ranges ---- */

/* Skips to the range. False: no bytes of the range for now, as `then` says. The memory of skipped bytes may
 * be reused at once, so the stream must not hold bytes. */
static bool
skip_ahead(struct multipart_source *s, struct iovec *iov, int max, enum source_state *then)
{
    uint64_t budget = SKIP_BYTES_MAX;
    *then = s->held > 0 ? SOURCE_HELD : SOURCE_BUSY;
    if (s->held > 0)
        return false;
    s->given = 0;
    while (s->skip > 0 && budget > 0) {
        uint64_t want = s->skip < budget ? s->skip : budget;
        int n = s->inner->ops->gather(s->inner, iov, max, (size_t)want, then);
        if (n == 0)
            return false;
        size_t have = iov_bytes(iov, n);
        DEBUG_CHECK(have <= s->skip);
        s->inner->ops->advance(s->inner, have, 0);
        s->skip -= have;
        budget -= have;
        *then = SOURCE_BUSY;
    }
    return s->skip == 0;
}

static int
gather_range(struct multipart_source *s, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    int n = 0;
    if (s->skip == 0 || skip_ahead(s, iov, max, then))
        n = s->inner->ops->gather(s->inner, iov, max, most < s->left ? most : (size_t)s->left, then);
    if (n > 0)
        *then = SOURCE_MORE; /* a text follows every range */
    else if (*then == SOURCE_END)
        *then = SOURCE_FAILED; /* the body is shorter than announced */
    return n;
}

/* ---- the source ---- */

static int
multipart_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct multipart_source *s = multipart_of(b);
    return s->left > 0 ? gather_range(s, iov, max, most, then) : gather_texts(s, iov, max, most, then);
}

/* The held bytes end with the last advanced byte. They may include texts before and behind bytes of the inner
 * source. */
static void
advance_inner(struct multipart_source *s, size_t n, uint64_t held)
{
    uint64_t of_inner = held > s->behind ? held - s->behind : 0;
    of_inner = of_inner < s->given ? of_inner : s->given;
    DEBUG_CHECK(of_inner <= held);
    if (n > 0 || s->inner_held)
        s->inner->ops->advance(s->inner, n, of_inner);
    s->inner_held = of_inner > 0;
}

static void
multipart_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct multipart_source *s = multipart_of(b);
    s->held = held;
    if (s->left == 0) {
        s->behind += n;
        advance_inner(s, 0, held);
        advance_texts(s, n);
        return;
    }
    CHECK(n <= s->left && (n == 0 || s->skip == 0));
    s->left -= n;
    s->given += n;
    s->behind = n > 0 ? 0 : s->behind;
    advance_inner(s, n, held);
}

static void
multipart_watch(struct body_source *b, struct loop *loop)
{
    source_watch_inner(b, multipart_of(b)->inner, loop);
}

static void
multipart_unwatch(struct body_source *b)
{
    struct body_source *inner = multipart_of(b)->inner;
    inner->ops->unwatch(inner);
}

static bool
multipart_cancel(struct body_source *b)
{
    return source_cancel(multipart_of(b)->inner);
}

static void
multipart_close(struct body_source *b)
{
    source_close(multipart_of(b)->inner);
}

/* ---- beginning ---- */

static void
make_boundary(char out[2 * BOUNDARY_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char chance[BOUNDARY_BYTES];
    CHECK(getrandom(chance, sizeof chance, 0) == (ssize_t)sizeof chance);
    for (unsigned i = 0; i < BOUNDARY_BYTES; i++) {
        out[2 * i] = digits[chance[i] >> 4];
        out[2 * i + 1] = digits[chance[i] & 15];
    }
}

/* The text with which the head of each part begins. The first part has the line end, too: RFC 9110, 14.6,
 * allows it, and some clients find no boundary without it. */
static struct span
head_text(struct arena *a, struct span boundary, struct span type)
{
    const char *name = type.ptr == NULL ? "" : "Content-Type: ", *end = type.ptr == NULL ? "" : "\r\n";
    return arena_printf(a, "\r\n--%.*s\r\n%s%.*s%sContent-Range: bytes ", (int)boundary.len, boundary.ptr,
                        name, (int)type.len, type.ptr, end);
}

static int
make_texts(struct arena *a, struct multipart_source *s, uint64_t total_bytes, struct span boundary,
           struct span type)
{
    const struct range_set *set = s->set;
    struct span head = head_text(a, boundary, type);
    if (head.ptr == NULL || (s->texts = arena_alloc(a, texts_of(set) * sizeof *s->texts)) == NULL)
        return ERR_NOMEM;
    for (unsigned i = 0; i < set->n; i++) {
        s->texts[2 * i] = head;
        s->texts[2 * i + 1] = arena_printf(a, "%llu-%llu/%llu\r\n\r\n",
                                           (unsigned long long)set->ranges[i].first,
                                           (unsigned long long)set->ranges[i].last,
                                           (unsigned long long)total_bytes);
        if (s->texts[2 * i + 1].ptr == NULL)
            return ERR_NOMEM;
    }
    s->texts[2 * set->n] = arena_printf(a, "\r\n--%.*s--\r\n", (int)boundary.len, boundary.ptr);
    return s->texts[2 * set->n].ptr == NULL ? ERR_NOMEM : 0;
}

static uint64_t
content_bytes(const struct multipart_source *s)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < texts_of(s->set); i++)
        bytes += s->texts[i].len;
    for (unsigned i = 0; i < s->set->n; i++)
        bytes += s->set->ranges[i].last - s->set->ranges[i].first + 1;
    return bytes;
}

int
multipart_open(struct arena *a, const struct range_set *set, uint64_t total_bytes, struct span type,
               struct body_source **source, struct multipart_facts *out)
{
    static const struct body_source_ops ops = {
        .gather = multipart_gather,
        .advance = multipart_advance,
        .watch = multipart_watch,
        .unwatch = multipart_unwatch,
        .cancel = multipart_cancel,
        .close = multipart_close,
    };
    DEBUG_CHECK(set->n > 1 && set->ranges[set->n - 1].last < total_bytes);
    char text[2 * BOUNDARY_BYTES];
    make_boundary(text);
    struct span boundary = span_of(text, sizeof text);
    struct multipart_source *s = arena_zalloc(a, sizeof *s);
    if (s == NULL)
        return ERR_NOMEM;
    s->source.ops = &ops;
    s->set = set;
    out->content_type = arena_printf(a, "multipart/byteranges; boundary=%.*s", (int)boundary.len,
                                     boundary.ptr);
    if (out->content_type.ptr == NULL || make_texts(a, s, total_bytes, boundary, type) != 0)
        return ERR_NOMEM;
    out->bytes = content_bytes(s);
    s->inner = *source;
    *source = &s->source;
    return 0;
}
