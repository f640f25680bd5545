/* Makes requests of header blocks (RFC 9113, 8). A malformed request ends its stream alone; a block that
 * cannot be decoded ends the connection, because the table of the decoder is lost with it. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "http/http1.h"
#include "stream/h2/stream.h"

#define BLOCK_FRAMES_MAX 8u /* of one block: more of them are small on purpose */
#define BOGUS_SHOWN_BYTES 20u
#define SKIPPED_PRICE 8u /* bytes of fields that a byte of a block stands for which nobody wants */

/* ---- the fields of a block ---- */

/* A request head while its fields arrive. */
struct head_fields {
    struct h2_stream *stream;
    struct http_message *m;
    struct span authority, scheme, protocol;
    bool regular;      /* a field without a colon came */
    const char *bogus; /* why the head is malformed; NULL: it is not */
    bool too_large;
    size_t bytes; /* name, value and 32 of each field (RFC 7541, 4.1) */
};

static bool
malformed(struct head_fields *h, const char *why, struct span text)
{
    if (h->bogus == NULL) {
        if (text.len > BOGUS_SHOWN_BYTES)
            text.len = BOGUS_SHOWN_BYTES;
        log_printf(h->stream->stream.user->log, TAG_BOGO_HEADER, "%s: %.*s", why, (int)text.len, text.ptr);
    }
    h->bogus = why;
    return false;
}

static bool
too_large(struct head_fields *h, struct span name)
{
    if (name.len > BOGUS_SHOWN_BYTES)
        name.len = BOGUS_SHOWN_BYTES;
    log_printf(h->stream->stream.user->log, TAG_LOST_HEADER, "Too many headers: %.*s", (int)name.len,
               name.ptr);
    h->too_large = true;
    return false;
}

/* As a request line in HTTP/1.1 would have it. */
static bool
is_target(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0;
}

static void
put_field(struct http_message *m, struct http_field f)
{
    message_put(m, m->n_fields, f);
    m->n_fields++;
}

static bool
take_once(struct head_fields *h, struct span *at, const struct http_field *f, bool good)
{
    if (at->ptr != NULL)
        return malformed(h, "Duplicate pseudo-header", f->name);
    if (!good)
        return malformed(h, "Illegal pseudo-header value", f->name);
    *at = f->value;
    return true;
}

/* In 4.x the scheme is a field, as in Varnish. */
static bool
take_pseudo(struct head_fields *h, const struct http_field *f, unsigned marks)
{
    bool sound = (marks & HPACK_ODD_VALUE) == 0;
    if (h->regular && h2_answers_as_rfc())
        return malformed(h, "Pseudo-header behind a field", f->name);
    if (span_eq(f->name, SPAN_LIT(":method")))
        return take_once(h, &h->m->method, f, is_token(f->value));
    if (span_eq(f->name, SPAN_LIT(":path")))
        return take_once(h, &h->m->url, f, sound && is_target(f->value));
    if (span_eq(f->name, SPAN_LIT(":scheme")))
        return take_once(h, &h->scheme, f, is_token(f->value));
    if (span_eq(f->name, SPAN_LIT(":authority")))
        return take_once(h, &h->authority, f, sound && is_target(f->value));
    if (h->stream->connection->extended_connect && span_eq(f->name, SPAN_LIT(":protocol")))
        return take_once(h, &h->protocol, f, is_token(f->value));
    return malformed(h, "Unknown pseudo-header", f->name);
}

/* An intermediary that forwards these lets a client choose the framing towards the origin. */
static bool
is_of_connection(const struct http_field *f)
{
    return h2_is_of_connection(f->id) ||
           (f->id == NAME_TE && !span_eq_nocase(f->value, SPAN_LIT("trailers")));
}

static bool
check_field(struct head_fields *h, struct http_field *f, unsigned marks)
{
    if ((marks & HPACK_ODD_NAME) != 0)
        return malformed(h, "Illegal header name", f->name);
    if ((marks & HPACK_ODD_VALUE) != 0) {
        if (h2_answers_as_rfc() || !is_field_value(f->value))
            return malformed(h, "Illegal header value", f->name);
        f->value = span_trim(f->value);
    }
    if (is_of_connection(f))
        return malformed(h, "Field of an HTTP/1 connection", f->name);
    return true;
}

static bool
on_field(void *ctx, const struct http_field *given, unsigned marks)
{
    struct head_fields *h = ctx;
    struct http_field f = *given;
    h->bytes += f.name.len + f.value.len + HPACK_ENTRY_OVERHEAD;
    if ((marks & HPACK_PSEUDO) != 0)
        return take_pseudo(h, &f, marks);
    h->regular = true;
    if (!check_field(h, &f, marks))
        return false;
    if (h->m->n_fields >= params.http_max_hdr || f.name.len + f.value.len + 2 > params.http_req_hdr_len_bytes)
        return too_large(h, f.name);
    if (span_eq(f.name, SPAN_LIT("priority")))
        h2_stream_set_priority(h->stream, f.value);
    put_field(h->m, f);
    return true;
}

/* ---- from a block to a request ---- */

/* :authority becomes Host. A client that sends both must mean one server (RFC 9113, 8.3.1): one that decides
 * by the first and one that decides by the second would serve different sites. */
static bool
settle_host(struct head_fields *h)
{
    struct http_message *m = h->m;
    if (h->authority.ptr == NULL)
        return true;
    struct span host = message_get(m, NAME_HOST);
    if (host.ptr != NULL && !span_eq_nocase(host, h->authority))
        return malformed(h, "Host differs from :authority", host);
    if (host.ptr != NULL)
        return true;
    put_field(m, (struct http_field){ .name = SPAN_LIT("host"), .value = h->authority, .id = NAME_HOST });
    return true;
}

/* An extended CONNECT (RFC 8441, 4) opens a tunnel: its DATA is neither content nor of a length. */
static bool
settle_connect(struct head_fields *h)
{
    struct stream *s = &h->stream->stream;
    if (h->protocol.ptr == NULL)
        return true;
    if (!span_eq(h->m->method, SPAN_LIT("CONNECT")))
        return malformed(h, "Illegal pseudo-header value", SPAN_LIT(":method"));
    if (h->scheme.ptr == NULL || h->authority.ptr == NULL)
        return malformed(h, "Missing pseudo-header",
                         h->scheme.ptr == NULL ? SPAN_LIT(":scheme") : SPAN_LIT(":authority"));
    if (message_has(h->m, NAME_CONTENT_LENGTH))
        return malformed(h, "Content-Length of a tunnel", message_get(h->m, NAME_CONTENT_LENGTH));
    s->connect_protocol = h->protocol;
    s->can_tunnel = true;
    return true;
}

static bool
settle_head(struct head_fields *h)
{
    struct http_message *m = h->m;
    if (m->method.ptr == NULL || m->url.ptr == NULL)
        return malformed(h, "Missing pseudo-header",
                         m->method.ptr == NULL ? SPAN_LIT(":method") : SPAN_LIT(":path"));
    if (h->scheme.ptr == NULL && h2_answers_as_rfc())
        return malformed(h, "Missing pseudo-header", SPAN_LIT(":scheme"));
    bool path = m->url.ptr[0] == '/' ||
                (span_eq(m->url, SPAN_LIT("*")) && span_eq(m->method, SPAN_LIT("OPTIONS")));
    if (!path) /* an absolute target would name another host than the one that policies see */
        return malformed(h, "Illegal pseudo-header value", SPAN_LIT(":path"));
    if (!settle_host(h) || !settle_connect(h))
        return false;
    if (h->scheme.ptr != NULL && !h2_answers_as_rfc() && m->n_fields < m->cap_fields)
        put_field(m, (struct http_field){ .name = SPAN_LIT("scheme"), .value = h->scheme });
    (void)message_collect(m, NAME_COOKIE, SPAN_NULL, SPAN_LIT("; ")); /* RFC 9113, 8.2.3 */
    m->proto = h->stream->stream.proto;
    m->minor = 1;
    return true;
}

/* A length that is not that of the content would let the origin read content as a request. *answer: the
 * status that tells the client; 0: a reset. */
static enum h2_error
settle_content(struct h2_stream *h, bool end_stream, struct http1_framing *framing, unsigned *answer)
{
    struct http1_error e = { .status = 400 };
    struct stream *s = &h->stream;
    *answer = 0;
    if (http1_request_framing(s->user->head, framing, &e) != 0 && e.status != 417) {
        *answer = e.bogus == BOGUS_LENGTHS ? 0 : e.status;
        log_text(s->user->log, TAG_ERROR, span_str(e.why));
        return H2_PROTOCOL_ERROR;
    }
    bool known = framing->kind == BODY_LENGTH;
    if (end_stream && known && framing->length > 0)
        return H2_PROTOCOL_ERROR;
    s->content.kind = end_stream ? CONTENT_NONE : known ? CONTENT_KNOWN : CONTENT_UNKNOWN;
    s->content.bytes = known ? framing->length : 0;
    s->continue_due = framing->expect_continue && !end_stream && !s->can_tunnel;
    return H2_NO_ERROR;
}

/* The text of a head: at most http_req_size, in the request's arena. Most heads fit the rest of its chunk. */
struct head_text {
    struct hpack_text text;
    struct arena *arena;
    const char *tail; /* where the text in the arena's tail begins; NULL: it is allocated */
    size_t left;      /* of http_req_size */
};

#define TEXT_STEP_BYTES 4096u

static void
keep_text(struct head_text *t)
{
    if (t->tail != NULL)
        (void)arena_alloc(t->arena, (size_t)(t->text.at - t->tail));
    t->tail = NULL;
}

static bool
more_text(struct hpack_text *text, size_t n)
{
    struct head_text *t = container_of(text, struct head_text, text);
    size_t step = n > TEXT_STEP_BYTES ? n : TEXT_STEP_BYTES;
    keep_text(t);
    if (step > t->left)
        step = t->left;
    char *at = n > step ? NULL : arena_alloc(t->arena, step);
    if (at == NULL)
        return false;
    t->left -= step;
    text->at = at;
    text->end = at + step;
    return true;
}

static struct head_text
head_text(struct arena *a)
{
    size_t room, most = params.http_req_size_bytes;
    char *tail = arena_tail(a, &room);
    if (room > most)
        room = most;
    return (struct head_text){ .text = { .at = tail, .end = tail + room, .more = more_text },
                               .arena = a,
                               .tail = tail,
                               .left = most - room };
}

/* Decodes a block that nobody wants, so that the table stays in step. */
static bool
drop_field(void *ctx, const struct http_field *f, unsigned marks)
{
    (void)ctx, (void)f, (void)marks;
    return false;
}

static enum h2_error
skip_block(struct h2_connection *c, const char *block, size_t n)
{
    char text[64];
    struct hpack_text none = { .at = text, .end = text + sizeof text };
    const char *why = NULL;
    if (!h2_charge(c, H2_COST_HEADER, n * SKIPPED_PRICE))
        return H2_NO_ERROR;
    return hpack_decode(&c->decoder, (const uint8_t *)block, n, &none, drop_field, NULL, &why) ==
                   HPACK_COMPRESSION_ERROR
             ? H2_COMPRESSION_ERROR
             : H2_NO_ERROR;
}

static void
log_compression(struct h2_stream *h, const char *why)
{
    log_printf(h->stream.user->log, TAG_BOGO_HEADER, "HPACK compression error (%s)", why);
}

/* Ends a request that is malformed or too large, with its records: by a response, or by a reset if `answer`
 * is 0. */
static void
refuse_head(struct h2_stream *h, enum h2_error error, unsigned answer)
{
    struct h2_connection *c = h->connection;
    h2_counters(c)->client_req_400++;
    c->wire->session.service->ops->log_head(h->stream.user);
    if (answer != 0)
        h2_stream_send_status(h, answer);
    else
        h2_out_reset(c, h->id, error);
    h->ended = h->cut = true;
    h2_stream_drop(h);
    (void)h2_charge(c, H2_COST_RESET, 1);
}

static enum h2_error
take_request(struct h2_connection *c, struct h2_stream *h, bool end_stream, const char *block, size_t n)
{
    struct stream_user *u = h->stream.user;
    struct head_text room = head_text(u->arena);
    struct head_fields fields = { .stream = h, .m = u->head };
    struct http1_framing framing;
    const char *why = NULL;
    u->head->n_fields = 0;
    enum hpack_result r = hpack_decode(&c->decoder, (const uint8_t *)block, n, &room.text, on_field, &fields,
                                       &why);
    if (r == HPACK_COMPRESSION_ERROR) {
        log_compression(h, why);
        h->ended = h->cut = true;
        h2_stream_drop(h);
        return H2_COMPRESSION_ERROR;
    }
    keep_text(&room);
    if (!h2_charge(c, H2_COST_HEADER, fields.bytes))
        return H2_NO_ERROR; /* the end of the connection has ended the stream, too */
    bool good = r == HPACK_OK && fields.bogus == NULL && settle_head(&fields);
    if (!good) {
        refuse_head(h, r == HPACK_NO_ROOM || fields.too_large ? H2_ENHANCE_YOUR_CALM : H2_PROTOCOL_ERROR, 0);
        return H2_NO_ERROR;
    }
    unsigned answer = 0;
    enum h2_error e = settle_content(h, end_stream, &framing, &answer);
    if (e != H2_NO_ERROR) {
        bool fatal = end_stream && framing.kind == BODY_LENGTH && answer == 0 && !h2_answers_as_rfc();
        refuse_head(h, e, answer);
        return fatal ? e : H2_NO_ERROR;
    }
    if (end_stream)
        h->remote_ended = true;
    h2_stream_serve(h);
    return H2_NO_ERROR;
}

/* Trailers are checked and dropped: see stream.h. */
static enum h2_error
take_trailers(struct h2_connection *c, struct h2_stream *h, bool end_stream, const char *block, size_t n)
{
    if (skip_block(c, block, n) != H2_NO_ERROR)
        return H2_COMPRESSION_ERROR;
    if (!end_stream)
        h2_stream_fault(h, H2_PROTOCOL_ERROR);
    else
        h2_stream_remote_ended(h);
    return H2_NO_ERROR;
}

/* A request that waits holds 12 to 35 KB, and a client can open any number of connections. So a loop with
 * many requests keeps places for connections that have few. */
static bool
takes_streams(const struct h2_connection *c)
{
    bool crowded = c->wire->session.service->n_streams >= params.h2_streams_loop;
    if (c->n_streams >= params.h2_max_concurrent_streams)
        return false;
    if (!crowded || c->n_streams < params.h2_streams_crowded)
        return true;
    h2_counters(c)->h2_streams_crowded++;
    return false;
}

/* A complete block, of `counted` bytes with padding. */
static enum h2_error
take_block(struct h2_connection *c, uint32_t id, unsigned flags, const char *block, size_t n, size_t counted)
{
    bool end_stream = (flags & H2_END_STREAM) != 0;
    struct h2_stream *h = h2_find(c, id);
    if (h != NULL)
        return take_trailers(c, h, end_stream, block, n);
    if (c->state == H2_LEAVING && c->last_goaway) /* the client was told that it is not served */
        return skip_block(c, block, n);
    h = takes_streams(c) ? h2_stream_open(c, id) : NULL;
    if (h == NULL) {
        log_printf(&c->wire->session.log, TAG_DEBUG,
                   "H2: stream %u: Hit maximum number of concurrent streams", id);
        h2_counters(c)->h2_streams_refused++;
        h2_out_reset(c, id, H2_REFUSED_STREAM);
        return h2_charge(c, H2_COST_CONTROL, 1) ? skip_block(c, block, n) : H2_NO_ERROR;
    }
    h2_counters(c)->h2_streams++;
    nsec now = loop_real(c->wire->session.service->loop);
    c->wire->session.service->ops->begin(h->stream.user, c->block.bytes != NULL ? c->block.began : now, now);
    h->stream.bytes.req_head = counted;
    h2_counters(c)->s_req_hdrbytes += counted;
    return take_request(c, h, end_stream, block, n);
}

/* ---- frames ---- */

void
h2_drop_block(struct h2_connection *c)
{
    free(c->block.bytes);
    c->block = (struct h2_block){ .bytes = NULL };
}

static enum h2_error
add_to_block(struct h2_connection *c, const char *bytes, size_t n)
{
    struct h2_block *b = &c->block;
    if (n == 0 && !h2_charge(c, H2_COST_EMPTY, 1))
        return H2_NO_ERROR;
    if (b->n + n > params.http_req_size_bytes || ++b->frames > BLOCK_FRAMES_MAX) {
        h2_budget_count_kill(h2_counters(c), n == 0 ? H2_COST_EMPTY : H2_COST_HEADER);
        return H2_ENHANCE_YOUR_CALM;
    }
    if (b->n + n > b->cap) {
        size_t cap = 2 * (b->n + n);
        char *grown = realloc(b->bytes, cap);
        if (grown == NULL)
            return H2_INTERNAL_ERROR;
        b->bytes = grown;
        b->cap = (uint32_t)cap;
    }
    if (n > 0)
        memcpy(b->bytes + b->n, bytes, n);
    b->n += (uint32_t)n;
    return H2_NO_ERROR;
}

/* Begins a block that goes on in CONTINUATION frames. */
static enum h2_error
open_block(struct h2_connection *c, const struct h2_frame *f, const char *bytes, size_t n)
{
    c->block = (struct h2_block){ .stream = f->stream,
                                  .flags = f->flags,
                                  .bytes = malloc(n + 1),
                                  .cap = (uint32_t)n,
                                  .counted = f->bytes,
                                  .began = loop_real(c->wire->session.service->loop),
                                  .since = loop_now(c->wire->session.service->loop) };
    if (c->block.bytes == NULL)
        return H2_INTERNAL_ERROR;
    enum h2_error e = add_to_block(c, bytes, n);
    h2_arm_timer(c);
    return e;
}

/* A stream that is not open. In 4.x a head for one that was open is an error of its own. */
static enum h2_error
check_stream(struct h2_connection *c, const struct h2_frame *f)
{
    const struct h2_stream *h = h2_find(c, f->stream);
    if (h == NULL && f->stream <= c->last_stream)
        return h2_answers_as_rfc() ? H2_STREAM_CLOSED : H2_PROTOCOL_ERROR;
    if (h == NULL) {
        c->last_stream = f->stream;
        return H2_NO_ERROR;
    }
    if (h->remote_ended || h->cut)
        return h2_answers_as_rfc() ? H2_STREAM_CLOSED : H2_PROTOCOL_ERROR;
    return (f->flags & H2_END_STREAM) != 0 || h2_answers_as_rfc() ? H2_NO_ERROR : H2_PROTOCOL_ERROR;
}

enum h2_error
h2_on_headers(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    const char *at = payload, *end = payload + f->bytes;
    enum h2_error e = check_stream(c, f);
    if (e != H2_NO_ERROR)
        return e;
    if ((f->flags & H2_PADDED) != 0) {
        size_t padding = f->bytes == 0 ? 1 : 1 + (unsigned char)*at++;
        if (padding > f->bytes)
            return H2_PROTOCOL_ERROR; /* RFC 9113, 6.2 */
        end -= padding - 1;
    }
    if ((f->flags & H2_WITH_PRIORITY) != 0) {
        if (end - at < 5)
            return h2_answers_as_rfc() ? H2_FRAME_SIZE_ERROR : H2_PROTOCOL_ERROR;
        bool itself = (h2_get32(at) & H2_STREAM_BITS) == f->stream;
        at += 5;
        if (itself && h2_answers_as_rfc()) {
            h2_out_reset(c, f->stream, H2_PROTOCOL_ERROR);
            return skip_block(c, at, (size_t)(end - at));
        }
    }
    size_t n = (size_t)(end - at);
    return (f->flags & H2_END_HEADERS) != 0 ? take_block(c, f->stream, f->flags, at, n, f->bytes)
                                            : open_block(c, f, at, n);
}

enum h2_error
h2_on_continuation(struct h2_connection *c, const struct h2_frame *f, const char *payload)
{
    struct h2_block *b = &c->block;
    if (b->bytes == NULL)
        return H2_PROTOCOL_ERROR;
    enum h2_error e = add_to_block(c, payload, f->bytes);
    b->counted += f->bytes;
    bool gone = b->bytes == NULL; /* the piece has exhausted the budget */
    if (e != H2_NO_ERROR || gone || (f->flags & H2_END_HEADERS) == 0)
        return e;
    e = take_block(c, b->stream, b->flags, b->bytes, b->n, b->counted);
    h2_drop_block(c);
    h2_arm_timer(c);
    return e;
}
