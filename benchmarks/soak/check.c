/* Verifies the responses that clients of the soak receive (check.h). Every byte of a complete body must be
 * right, and every received byte of a body that broke off. Incomplete gzip is not verified: the origin may
 * have corrupted it, and a streaming client gets the bytes before the proxy can detect that. */
#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <zlib.h>

#define CHECK_PIECE 4096u
#define UNPACKED_MAX (BODY_BYTES_MAX + 1000u)
#define NESTING_MAX 3u
/* Grace and the longest wait for a head, both from policy.vcl, and the rounding of dates. */
#define STALE_MS_MAX 8000u

struct reader {
    const struct asked *asked;
    const struct received *got;
    struct verdict *v;
    const char *p;
    size_t left;
};

static bool
wrong(struct verdict *v, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(v->why, sizeof v->why, format, ap);
    va_end(ap);
    v->outcome = WRONG;
    return false;
}

/* Returns the number of bytes before the first wrong one. */
static size_t
matching_bytes(uint64_t key, uint64_t from, const char *p, size_t n)
{
    char expected[CHECK_PIECE];
    for (size_t at = 0; at < n;) {
        size_t take = n - at < sizeof expected ? n - at : sizeof expected;
        fill(key, from + at, expected, take);
        if (memcmp(p + at, expected, take) != 0) {
            size_t i = 0;
            while (p[at + i] == expected[i])
                i++;
            return at + i;
        }
        at += take;
    }
    return n;
}

static bool
is_recent(struct verdict *v, const struct asked *a, uint32_t number, uint32_t version, const char *what)
{
    struct soak_object t = object_of(number);
    uint32_t oldest = oldest_allowed(number, a->sent_at),
             confirmed = (version / t.period_ms + 1) * t.period_ms;
    if (version < oldest)
        return wrong(v, "%s %u of version %u is older than its removal at %u, asked at %u", what, number,
                     version, oldest, a->sent_at);
    if (confirmed + t.ttl_s * 1000 + STALE_MS_MAX < a->sent_at)
        return wrong(v, "%s %u of version %u is stale, ttl %u, asked at %u", what, number, version, t.ttl_s,
                     a->sent_at);
    return true;
}

/* Reads a frame and gives its version and length. False: no frame, or the frame of another body. */
static bool
read_frame(struct reader *r, uint32_t number, unsigned variant, const char *what, uint32_t *version,
           uint32_t *bytes)
{
    char frame[FRAME_BYTES + 1], again[FRAME_BYTES + 1];
    unsigned n, var;
    if (r->left < FRAME_BYTES)
        return wrong(r->v, "%s %u: frame of %zu bytes", what, number, r->left);
    memcpy(frame, r->p, FRAME_BYTES);
    frame[FRAME_BYTES] = '\0';
    if (sscanf(frame, "{%u %u %x %u}", &n, &var, version, bytes) != 4)
        return wrong(r->v, "%s %u: no frame but %02x %02x %.31s", what, number, (unsigned char)frame[0],
                     (unsigned char)frame[1], frame);
    frame_of(again, number, variant, *version, *bytes);
    if (memcmp(frame, again, FRAME_BYTES) != 0)
        return wrong(r->v, "%s %u, variant %u: frame of another, %.30s", what, number, variant, frame);
    r->p += FRAME_BYTES;
    r->left -= FRAME_BYTES;
    return is_recent(r->v, r->asked, number, *version, what);
}

static unsigned
variant_of(const struct soak_object *t, const struct asked *a)
{
    return t->kind == VARIES ? a->variant : 0;
}

static bool check_page(struct reader *r, const struct soak_object *t, unsigned depth, uint32_t *version);

/* A part may end early, if the origin broke it off while the proxy streamed it. Then "<" of the page follows,
 * which no part contains. */
static bool
check_part(struct reader *r, const struct soak_object *t, unsigned depth)
{
    uint32_t version, bytes;
    size_t failed = strlen(FAILED_PART);
    if (r->left >= failed && memcmp(r->p, FAILED_PART, failed) == 0) {
        r->p += failed;
        r->left -= failed;
        r->v->failed_parts++;
        return true;
    }
    if (t->kind == PAGE)
        return check_page(r, t, depth, &version);
    const char *next = memchr(r->p, '<', r->left < FRAME_BYTES ? r->left : FRAME_BYTES);
    if (!t->whole && next != NULL) { /* cut within its frame */
        r->left -= (size_t)(next - r->p);
        r->p = next;
        r->v->cut_parts++;
        return true;
    }
    if (!read_frame(r, t->number, variant_of(t, r->asked), "part", &version, &bytes))
        return false;
    if (bytes != t->bytes)
        return wrong(r->v, "part %u has %u bytes, not %u", t->number, bytes, t->bytes);
    size_t n = bytes - FRAME_BYTES, take = r->left < n ? r->left : n;
    size_t same = matching_bytes(key_of(t->number, variant_of(t, r->asked), version), 0, r->p, take);
    r->p += same;
    r->left -= same;
    if (same == n)
        return true;
    if (t->whole || r->left == 0 || *r->p != '<')
        return wrong(r->v, "part %u of version %u is wrong from byte %zu of %u on", t->number, version,
                     same + FRAME_BYTES, bytes);
    r->v->cut_parts++;
    return true;
}

static bool
expect(struct reader *r, const char *text, uint32_t page)
{
    size_t n = strlen(text);
    if (r->left < n || memcmp(r->p, text, n) != 0)
        return wrong(r->v, "page %u: not %s but %.*s, %zu bytes left", page, text,
                     (int)(r->left < 40 ? r->left : 40), r->p, r->left);
    r->p += n;
    r->left -= n;
    return true;
}

static bool
check_page(struct reader *r, const struct soak_object *t, unsigned depth, uint32_t *version)
{
    uint32_t includes;
    if (depth > NESTING_MAX || !expect(r, "<", t->number) ||
        !read_frame(r, t->number, 0, "page", version, &includes) || !expect(r, ">", t->number))
        return false;
    uint64_t key = key_of(t->number, 0, *version);
    for (unsigned i = 0; i < t->n_includes; i++) {
        uint32_t run = run_bytes(t->number, i);
        char end[16];
        if (r->left < run || matching_bytes(key, i * RUN_BYTES_MAX, r->p, run) < run)
            return wrong(r->v, "page %u of version %u: wrong text before include %u", t->number, *version, i);
        r->p += run;
        r->left -= run;
        struct soak_object part = object_of(included(t, i));
        snprintf(end, sizeof end, "<%u>", i);
        if (!check_part(r, &part, depth + 1) || !expect(r, end, t->number))
            return false;
    }
    return true;
}

/* ---- the response as a whole ---- */

static bool
check_text(struct reader *r, const struct soak_object *t)
{
    uint32_t version, bytes;
    unsigned variant = variant_of(t, r->asked);
    if (t->kind == PAGE) {
        if (!check_page(r, t, 0, &version))
            return false;
    } else {
        if (!read_frame(r, t->number, variant, "body", &version, &bytes))
            return false;
        size_t n = bytes - FRAME_BYTES, take = r->left < n ? r->left : n,
               same = matching_bytes(key_of(t->number, variant, version), 0, r->p, take);
        if (bytes != t->bytes || same < take || (take < n && r->got->complete))
            return wrong(r->v, "body %u of version %u: %u bytes, %zu came, the first %zu are right",
                         t->number, version, bytes, r->left, same);
        r->p += take;
        r->left -= take;
    }
    if (version != r->got->version)
        return wrong(r->v, "%u: ETag of version %u, body of %u", t->number, r->got->version, version);
    return r->left == 0 || wrong(r->v, "%u: %zu bytes behind the end", t->number, r->left);
}

/* Verifies a range of a body. The range may include a part of the frame. */
static bool
check_range(struct reader *r, const struct soak_object *t)
{
    char frame[FRAME_BYTES + 1];
    const struct received *g = r->got;
    uint64_t n = g->range_last - g->range_first + 1, first = g->range_first;
    if (t->kind == PAGE || g->range_total != t->bytes || g->range_last >= t->bytes ||
        g->range_first > g->range_last || r->left > n || (g->complete && r->left < n))
        return wrong(r->v, "range %llu-%llu/%llu of %u, which has %u bytes; %zu came",
                     (unsigned long long)g->range_first, (unsigned long long)g->range_last,
                     (unsigned long long)g->range_total, t->number, t->bytes, r->left);
    frame_of(frame, t->number, variant_of(t, r->asked), g->version, t->bytes);
    while (r->left > 0 && first < FRAME_BYTES && *r->p == frame[first]) {
        first++;
        r->p++;
        r->left--;
    }
    if (r->left > 0 &&
        (first < FRAME_BYTES || matching_bytes(key_of(t->number, variant_of(t, r->asked), g->version),
                                               first - FRAME_BYTES, r->p, r->left) < r->left))
        return wrong(r->v, "range from %llu on of %u, version %u: wrong bytes",
                     (unsigned long long)g->range_first, t->number, g->version);
    return is_recent(r->v, r->asked, t->number, g->version, "range of");
}

/* Replaces the body by its decompressed bytes. False: it is incomplete, or not gzip. */
static bool
unpack(struct received *r)
{
    size_t room = r->n * 4 + 100000;
    char *out = malloc(room);
    z_stream z = {
        .next_in = (Bytef *)r->body, .avail_in = (uInt)r->n, .next_out = (Bytef *)out, .avail_out = (uInt)room
    };
    int result = inflateInit2(&z, 31);
    while (result == Z_OK && (result = inflate(&z, Z_NO_FLUSH)) == Z_OK && z.avail_out == 0 &&
           room < UNPACKED_MAX) {
        out = realloc(out, room * 2);
        z.next_out = (Bytef *)out + room;
        z.avail_out = (uInt)room;
        room *= 2;
    }
    inflateEnd(&z);
    bool ok = result == Z_STREAM_END && z.avail_in == 0;
    free(r->body);
    r->body = out;
    r->n = z.total_out;
    return ok;
}

static void
check_content(const struct asked *a, struct received *r, struct verdict *v)
{
    struct soak_object t = object_of(a->number);
    if (!r->complete)
        v->outcome = a->calm ? WRONG : CUT;
    if (r->is_gzip && (!a->takes_gzip || r->is_range)) {
        wrong(v, "%u is in gzip coding: %s", a->number, r->is_range ? "a range" : "not asked for");
        return;
    }
    if (r->number != a->number || r->variant != variant_of(&t, a)) {
        wrong(v, "%u, variant %u: ETag of %u, variant %u", a->number, variant_of(&t, a), r->number,
              r->variant);
        return;
    }
    /* Incomplete pages, and incomplete bodies whose gzip the origin may have corrupted, are not compared. */
    if (!r->complete &&
        (r->is_gzip || t.kind == PAGE || t.kind == GZIPPED || t.kind == TO_GUNZIP || r->n < FRAME_BYTES))
        return;
    if (r->is_gzip && !unpack(r)) {
        wrong(v, "%u: complete, and no gzip of %zu bytes", a->number, r->n);
        return;
    }
    struct reader reader = { a, r, v, r->body, r->n };
    if (r->is_range)
        check_range(&reader, &t);
    else
        check_text(&reader, &t);
}

void
check_answer(const struct asked *a, struct received *r, struct verdict *v)
{
    *v = (struct verdict){ .outcome = RIGHT };
    if (r->status == 200 || r->status == 206) {
        check_content(a, r, v);
        if (a->calm && v->failed_parts + v->cut_parts > 0)
            wrong(v, "%u: %u parts failed and %u were cut by an origin that is calm", a->number,
                  v->failed_parts, v->cut_parts);
        if (v->outcome == WRONG && v->why[0] == '\0')
            wrong(v, "%u broke off, of an origin that is calm", a->number);
    } else if (r->status == 304 && a->has_validator) {
        if (r->version != a->validator)
            wrong(v, "%u: 304 of version %u to a client that has %u", a->number, r->version, a->validator);
    } else if (r->status == 503 && !a->calm) {
        v->outcome = FAILED;
    } else {
        wrong(v, "%u: status %d", a->number, r->status);
    }
}
