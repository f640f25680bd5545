/* Decides where a message's content ends and whether its connection persists (RFC 9112, 6 and 9.3). Two
 * servers that decide differently allow request smuggling, so every ambiguous message is refused. */
#include "base/check.h"
#include "http/chars.h"
#include "http/fields.h"
#include "http/http1.h"

/* Framing fields as collected, before any check. */
struct framing_fields {
    unsigned hosts, lengths, encodings;
    struct span host, length, encoding; /* the first field of each name */
    bool lengths_differ;
    bool close, keep_alive, connection_abuse;
    bool expects, expects_other;
};

static int
refuse(struct http1_error *error, unsigned status, const char *why)
{
    *error = (struct http1_error){ .status = (uint16_t)status, .why = why };
    return ERR_SYNTAX;
}

static int
refuse_more(struct http1_error *error, enum http1_bogus what, const char *why)
{
    *error = (struct http1_error){ .status = 400, .why = why, .bogus = what };
    return ERR_SYNTAX;
}

static void
note_connection(struct framing_fields *ff, struct span list)
{
    struct span item;
    while (list_next(&list, &item)) {
        if (span_eq_nocase(item, SPAN_LIT("close"))) {
            ff->close = true;
        } else if (span_eq_nocase(item, SPAN_LIT("keep-alive"))) {
            ff->keep_alive = true;
        } else {
            name_id id = name_lookup(item);
            ff->connection_abuse |= id == NAME_TRANSFER_ENCODING || message_never_hop(id);
        }
    }
}

static void
note_field(struct framing_fields *ff, const struct http_field *f)
{
    switch (f->id) {
    case NAME_HOST: ff->host = ff->hosts++ == 0 ? f->value : ff->host; break;
    case NAME_CONTENT_LENGTH:
        ff->length = ff->lengths++ == 0 ? f->value : ff->length;
        ff->lengths_differ |= !span_eq(ff->length, f->value);
        break;
    case NAME_TRANSFER_ENCODING: ff->encoding = ff->encodings++ == 0 ? f->value : ff->encoding; break;
    case NAME_CONNECTION: note_connection(ff, f->value); break;
    case NAME_EXPECT:
        ff->expects = true;
        ff->expects_other |= !span_eq_nocase(f->value, SPAN_LIT("100-continue"));
        break;
    }
}

static void
note_fields(const struct http_message *m, struct framing_fields *ff)
{
    *ff = (struct framing_fields){ 0 };
    for (unsigned i = 0; i < m->n_fields; i++)
        note_field(ff, &m->fields[i]);
}

static bool
keep_alive(const struct http_message *m, const struct framing_fields *ff)
{
    return !ff->close && (m->minor >= 1 || ff->keep_alive);
}

/* Only digits, and below 2^63, so that later arithmetic on lengths stays in range. */
static bool
length_parse(struct span text, uint64_t *out)
{
    return parse_uint(text, out) == 0 && *out <= INT64_MAX;
}

/* Returns 0 when the only encoding is chunked. "gzip, chunked" is valid but not implemented (501). With any
 * other list the end of the content is ambiguous (400). */
static int
encoding_check(const struct framing_fields *ff, unsigned minor, struct http1_error *error)
{
    if (minor == 0)
        return refuse(error, 400, "Transfer-Encoding in HTTP/1.0");
    if (ff->lengths > 0)
        return refuse(error, 400, "both Transfer-Encoding and Content-Length");
    if (ff->encodings > 1)
        return refuse(error, 400, "more than one Transfer-Encoding");
    if (span_eq_nocase(ff->encoding, SPAN_LIT("chunked")))
        return 0;
    struct span rest = ff->encoding, item = SPAN_NULL, last = SPAN_NULL;
    unsigned chunked = 0;
    while (list_next(&rest, &item)) {
        chunked += span_eq_nocase(item, SPAN_LIT("chunked"));
        last = item;
    }
    if (chunked == 1 && span_eq_nocase(last, SPAN_LIT("chunked")) && !span_eq(ff->encoding, last)) {
        bool others_only = ff->encoding.ptr[0] != ',' && ff->encoding.ptr[ff->encoding.len - 1] != ',';
        if (others_only)
            return refuse(error, 501, "Transfer-Encoding other than chunked");
    }
    return refuse(error, 400, "Transfer-Encoding is not chunked");
}

static int
host_check(const struct framing_fields *ff, struct http1_error *error)
{
    if (ff->hosts > 1)
        return refuse_more(error, BOGUS_HOSTS, "more than one Host");
    if (ff->hosts == 1 &&
        char_skip(ff->host.ptr, ff->host.ptr + ff->host.len, CHAR_AUTHORITY) != ff->host.ptr + ff->host.len)
        return refuse(error, 400, "Host is not a host and port");
    return 0;
}

static int
request_body(const struct http_message *m, const struct framing_fields *ff, struct http1_framing *out,
             struct http1_error *error)
{
    if (ff->encodings > 0) {
        out->kind = BODY_CHUNKED;
        return encoding_check(ff, m->minor, error);
    }
    if (ff->lengths == 0) { /* HTTP/1.0 requires content in these (RFC 1945, 8.3 and D.1.1) */
        bool needed = m->minor == 0 &&
                      (span_eq(m->method, SPAN_LIT("POST")) || span_eq(m->method, SPAN_LIT("PUT")));
        return needed ? refuse(error, 400, "HTTP/1.0 request without Content-Length") : 0;
    }
    if (ff->lengths > 1)
        return refuse_more(error, BOGUS_LENGTHS, "more than one Content-Length");
    if (!length_parse(ff->length, &out->length))
        return refuse(error, 400, "Content-Length is not a number of bytes");
    out->kind = BODY_LENGTH;
    return 0;
}

int
http1_request_framing(const struct http_message *m, struct http1_framing *out, struct http1_error *error)
{
    struct framing_fields ff;
    note_fields(m, &ff);
    *out = (struct http1_framing){ .kind = BODY_NONE };
    int err = host_check(&ff, error);
    if (err == 0 && ff.connection_abuse)
        err = refuse(error, 400, "Connection names a field that is needed by every server on the path");
    if (err == 0)
        err = request_body(m, &ff, out, error);
    if (err == 0 && ff.expects_other && m->minor >= 1)
        err = refuse(error, 417, "expectation other than 100-continue");
    if (err != 0)
        return err;
    out->keep_alive = keep_alive(m, &ff);
    /* RFC 9110, 10.1.1: HTTP/1.0 ignores the expectation. Some clients wait for 100 although they have no
     * content to send; the RFC allows the 100 then, and Varnish sends it. */
    out->expect_continue = ff.expects && m->minor >= 1;
    return 0;
}

static bool
response_has_no_body(unsigned status, struct span method)
{
    return status < 200 || status == 204 || status == 304 || span_eq(method, SPAN_LIT("HEAD")) ||
           (span_eq(method, SPAN_LIT("CONNECT")) && status < 300);
}

/* Equal lengths count as one, also as a list in one field, "5, 5" (RFC 9110, 8.6). */
static bool
response_length(const struct framing_fields *ff, uint64_t *out)
{
    struct span rest = ff->length, item;
    uint64_t n;
    if (ff->lengths_differ)
        return false;
    if (length_parse(ff->length, out)) /* one number, the usual case */
        return true;
    bool sound = list_next(&rest, &item) && length_parse(item, out);
    while (sound && list_next(&rest, &item))
        sound = length_parse(item, &n) && n == *out;
    return sound;
}

/* A 204 or 304 has no content (RFC 9112, 6.3). An origin that frames it as chunked, or answers HEAD by a 204
 * with a length, may send some all the same: the next response would begin with these bytes. */
static bool
bytes_may_follow(unsigned status, const struct framing_fields *ff)
{
    uint64_t length = 0;
    if (status != 204 && status != 304)
        return false;
    bool has_length = status == 204 && ff->lengths > 0 && !(response_length(ff, &length) && length == 0);
    return has_length || ff->encodings > 0;
}

int
http1_response_framing(const struct http_message *m, struct span request_method, struct http1_framing *out,
                       struct http1_error *error)
{
    struct framing_fields ff;
    uint64_t length = 0;
    int err = 0;
    note_fields(m, &ff);
    *out = (struct http1_framing){ .kind = BODY_NONE };
    out->keep_alive = keep_alive(m, &ff) && !bytes_may_follow(m->status, &ff);
    bool is_head = span_eq(request_method, SPAN_LIT("HEAD"));
    if (m->status == 204 && (ff.encodings > 0 || is_head))
        return 0;
    if (ff.encodings > 0)
        err = encoding_check(&ff, m->minor, error);
    else if (ff.lengths > 0 && !response_length(&ff, &length))
        err = refuse(error, 400, "Content-Length is not one number of bytes");
    else if (m->status == 204 && length > 0)
        /* As in Varnish: an origin that counts bytes has content for this request. */
        err = refuse(error, 400, "204 announces content");
    if (err != 0) {
        error->status = 503;
        return err;
    }
    if (response_has_no_body(m->status, request_method))
        return 0;
    if (ff.encodings > 0) {
        out->kind = BODY_CHUNKED;
    } else if (ff.lengths > 0) {
        out->kind = BODY_LENGTH;
        out->length = length;
    } else {
        out->kind = BODY_EOF;
        out->keep_alive = false;
    }
    return 0;
}
