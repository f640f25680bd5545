/* Responses that answer a condition or a range: a 304 and the merge with the stored response that it
 * confirms, and a 206. Both are about what this request asked for, so they say nothing to a cache unless it
 * asked. */
#include "base/params.h"
#include "cache/rfc9111/rfc9111.h"
#include "filter/gzip_head.h"
#include "http/fields.h"
#include "proxy/fetch_internal.h"
#include "proxy/respond/respond.h"

/* ---- 304 ---- */

static bool
same_date(struct span a, struct span b)
{
    nsec first, second;
    bool dates = http_date_parse(a, &first) == 0 && http_date_parse(b, &second) == 0;
    return dates ? first == second : span_eq(a, b);
}

/* Some origins leave out the quotes in one of the two. */
static struct span
unquoted(struct span tag)
{
    bool weak = tag.len >= 2 && tag.ptr[0] == 'W' && tag.ptr[1] == '/';
    struct span s = weak ? span_of(tag.ptr + 2, tag.len - 2) : tag;
    return s.len >= 2 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"' ? span_of(s.ptr + 1, s.len - 2) : s;
}

/* The reason why the 304 is about another version than the stored one, or NULL (RFC 9111, 4.3.4). A validator
 * that only one of them has tells nothing: many origins leave it out of a 304, and policies unset it. Without
 * `rfc9111` an ETag is no reason, because policies of 4.x rely on 304s of Varnish that change it. */
static const char *
names_another_version(const struct fetch *f)
{
    const struct http_message *m = &f->beresp;
    struct span tag = object_head_get(f->stale, NAME_ETAG, SPAN_NULL), new_tag = message_get(m, NAME_ETAG);
    struct span date = object_head_get(f->stale, NAME_LAST_MODIFIED, SPAN_NULL),
                new_date = message_get(m, NAME_LAST_MODIFIED);
    if (message_has(m, NAME_CONTENT_RANGE))
        return "the 304 has Content-Range, so it is about a part";
    bool tagged = tag.ptr != NULL && new_tag.ptr != NULL;
    if (tagged && span_eq(unquoted(tag), unquoted(new_tag)))
        return NULL;
    if (tagged && f->rfc9111)
        return "the 304 has another ETag than the stored response";
    if (tagged)
        log_text(&f->log, TAG_NOTICE,
                 SPAN_LIT(
                     "vsl: Renewed by a 304 with another ETag; with feature=+rfc9111 it is fetched again"));
    if (date.ptr != NULL && new_date.ptr != NULL && !same_date(date, new_date))
        return "the 304 has another Last-Modified than the stored response";
    return NULL;
}

/* Fields of a 304 that describe content it does not carry (RFC 9111, 3.2). Content-Type is merged, as in
 * Varnish. */
static const name_id not_merged[] = {
    NAME_CONTENT_LENGTH,
    NAME_CONTENT_ENCODING,
    NAME_CONTENT_RANGE,
    NAME_TRANSFER_ENCODING,
};

static bool
is_merged(const struct http_field *f)
{
    if ((f->flags & FIELD_HOP) != 0)
        return false;
    for (size_t i = 0; i < sizeof not_merged / sizeof not_merged[0]; i++)
        if (f->id == not_merged[i])
            return false;
    return true;
}

/* Age and Date are about the exchange that brought them: kept, they would cut the new lifetime (RFC 9111,
 * 4.2.3). So is a Warning of the class 1xx (RFC 7234, 5.5). */
static bool
outlives_validation(const struct http_field *f, void *arg)
{
    (void)arg;
    bool warning = f->id == NAME_NONE && span_eq_nocase(f->name, SPAN_LIT("Warning"));
    return f->id != NAME_AGE && f->id != NAME_DATE &&
           !(warning && f->value.len > 0 && f->value.ptr[0] == '1');
}

/* The head of the stored response, without the fields that ended with this validation. */
static int
load_stale_head(struct fetch *f, struct http_message *m)
{
    DEBUG_CHECK(f->stale->head != NULL && f->conditional);
    int err = message_init(m, &f->arena, message_room(params.http_max_hdr, 0));
    if (err == 0)
        err = object_head_load(f->stale, m);
    if (err != 0)
        return err;
    message_retain(m, outlives_validation, NULL);
    if (f->rfc9111)
        rfc9111_withhold_fields(m); /* these were for the client of the first request */
    return 0;
}

static size_t
head_bytes(const struct http_message *m)
{
    size_t n = 0;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += m->fields[i].name.len + m->fields[i].value.len + sizeof ": \r\n" - 1;
    return n;
}

/* 304s with other fields each time must not make a head that no response could have: its delivery would fail
 * for as long as it is kept. */
static int
check_size(const struct http_message *m)
{
    bool dated = message_has(m, NAME_DATE); /* otherwise the proxy adds the field */
    return respond_lines(m->n_fields + !dated) <= params.http_max_hdr &&
                   head_bytes(m) <= params.http_resp_size_bytes
             ? 0
             : ERR_LIMIT;
}

static int
merge(struct fetch *f)
{
    CHECK(f->stale != NULL);
    struct http_message fresh = f->beresp, *m = &f->beresp;
    int err = load_stale_head(f, m);
    for (unsigned i = 0; err == 0 && i < fresh.n_fields; i++)
        if (is_merged(&fresh.fields[i]))
            message_unset(m, fresh.fields[i].id, fresh.fields[i].name);
    for (unsigned i = 0; err == 0 && i < fresh.n_fields; i++)
        if (is_merged(&fresh.fields[i]))
            err = message_add(m, fresh.fields[i].id, fresh.fields[i].name, fresh.fields[i].value);
    return err == 0 ? check_size(m) : err;
}

const char *
fetch_take_304(struct fetch *f)
{
    CHECK(f->stale != NULL && f->beresp.status == 304);
    const char *other = names_another_version(f);
    if (other != NULL)
        return other;
    if (object_form(f->stale).recoded)
        weaken_etag(&f->beresp);
    int err = merge(f);
    f->vars.was_304 = err == 0;
    return err == 0 ? NULL
         : err == ERR_LIMIT
             ? "the refreshed head has more fields than http_max_hdr or more bytes than http_resp_size allows"
             : "workspace_backend is too small for the refreshed head";
}

void
fetch_drop_conditions(struct fetch *f)
{
    CHECK(f->exchange == NULL);
    struct http_message *heads[] = { &f->bereq, (struct http_message *)(uintptr_t)f->vars.bereq_original };
    f->conditional = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (heads[i] == NULL)
            continue; /* std.rollback(bereq) cannot bring the conditions back */
        message_unset(heads[i], NAME_IF_NONE_MATCH, SPAN_NULL);
        message_unset(heads[i], NAME_IF_MODIFIED_SINCE, SPAN_NULL);
    }
}

/* ---- 206 ---- */

static bool
has_parts(const struct http_message *m)
{
    const struct span wanted = SPAN_LIT("multipart/byteranges");
    struct span type = message_get(m, NAME_CONTENT_TYPE);
    return type.len >= wanted.len && span_eq_nocase(span_of(type.ptr, wanted.len), wanted);
}

static bool
is_within(const struct range_wish *w, struct byte_range got, uint64_t total)
{
    DEBUG_CHECK(got.first <= got.last && (total == TOTAL_UNKNOWN || got.last < total));
    if (w->suffix)
        return (total == TOTAL_UNKNOWN || got.last == total - 1) && got.last - got.first < w->bytes.last;
    return got.first == w->bytes.first && got.last <= w->bytes.last;
}

/* The policy asked for one range, to store its part. */
static const char *
judge_one_range(const struct fetch *f, const struct range_wish *w)
{
    struct byte_range got;
    uint64_t total;
    if (has_parts(&f->beresp))
        return "the origin sent several parts for one range";
    if (content_range_parse_open(message_get(&f->beresp, NAME_CONTENT_RANGE), &got, &total) != 0)
        return "the origin sent 206 with a malformed Content-Range";
    if (!is_within(w, got, total))
        return "the origin sent another range than the request asked for";
    return f->content.kind == CONTENT_KNOWN && f->content.bytes != got.last - got.first + 1
             ? "the origin sent 206 whose content is not as long as its Content-Range says"
             : NULL;
}

const char *
fetch_judge_206(struct fetch *f)
{
    CHECK(f->beresp.status == 206 && f->kind != FETCH_PASS);
    struct span range = message_get(&f->bereq, NAME_RANGE);
    struct range_wish w;
    bool bytes = has_parts(&f->beresp) ||
                 content_range_is_of_bytes(message_get(&f->beresp, NAME_CONTENT_RANGE));
    if (bytes && range.ptr == NULL && params.http_range_support)
        return "the origin sent 206 to a request without Range";
    if (bytes && range_wish_parse(range, &w) == 1)
        return judge_one_range(f, &w);
    /* Some programs use the status in their own way: for one client */
    f->vars.uncacheable |= !bytes || range.ptr == NULL;
    return NULL;
}
