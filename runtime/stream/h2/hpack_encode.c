/* See hpack_encode.h. */
#include "stream/h2/hpack_encode.h"

#include "base/check.h"
#include "base/put.h"
#include "stream/h2/hpack_table.h"

#define LITERAL 0x00u /* without indexing, RFC 7541, 6.2.2 */
#define LITERAL_PREFIX 0x0fu
#define TEXT_PREFIX 0x7fu
#define ADDED 0x40u /* with incremental indexing, RFC 7541, 6.2.1 */
#define ADDED_PREFIX 0x3fu
#define SIZE_UPDATE 0x20u /* RFC 7541, 6.3 */
#define SIZE_PREFIX 0x1fu
#define INDEXED 0x80u
#define INDEXED_PREFIX 0x7fu
#define STATUS_FIRST 8u /* the static entries of :status: 200, 204, 206, 304, 400, 404, 500 */
#define STATUS_LAST 14u

static inline uint8_t *
put_integer(uint8_t *p, unsigned kind, uint32_t prefix, size_t n)
{
    if (n < prefix) {
        *p = (uint8_t)(kind | n);
        return p + 1;
    }
    *p++ = (uint8_t)(kind | prefix);
    for (n -= prefix; n >= 0x80; n >>= 7)
        *p++ = (uint8_t)(n | 0x80);
    *p = (uint8_t)n;
    return p + 1;
}

/* Adds bit 5 to the bytes of a word that are A to Z. */
static inline uint64_t
lower_case(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t low = word & 0x7f * ones;
    uint64_t from_a = low + (0x80 - 'A') * ones, behind_z = low + (0x7f - 'Z') * ones;
    uint64_t upper = (from_a ^ behind_z) & ~word & 0x80 * ones;
    return word | upper >> 2;
}

/* For text of fewer than eight bytes, and the last ones of longer text. */
static uint8_t *
put_lower(uint8_t *p, struct span name)
{
    uint64_t word;
    size_t at = 0;
    for (; at + 8 <= name.len; at += 8) {
        memcpy(&word, name.ptr + at, 8);
        word = lower_case(word);
        memcpy(p + at, &word, 8);
    }
    for (; at < name.len; at++)
        p[at] = (uint8_t)ascii_lower(name.ptr[at]);
    return p + name.len;
}

size_t
hpack_encode_status(uint8_t *out, unsigned status)
{
    CHECK(status >= 100 && status <= 999);
    char digits[4];
    put_decimal(digits, status);
    for (unsigned i = STATUS_FIRST; i <= STATUS_LAST; i++)
        if (memcmp(hpack_static[i].value.ptr, digits, 3) == 0) {
            *out = (uint8_t)(INDEXED | i);
            return 1;
        }
    out[0] = LITERAL | STATUS_FIRST;
    out[1] = 3;
    memcpy(out + 2, digits, 3);
    return HPACK_STATUS_BYTES_MAX;
}

/* The static index of the name; 0: none. */
static unsigned
name_index(const struct http_field *f)
{
    return f->id < NAME_KNOWN_COUNT ? hpack_static_of[f->id] : 0;
}

static size_t
put_literal(uint8_t *out, unsigned kind, uint32_t prefix, const struct http_field *f)
{
    unsigned index = name_index(f);
    uint8_t *p = put_integer(out, kind, prefix, index);
    if (index == 0)
        p = put_lower(put_integer(p, 0, TEXT_PREFIX, f->name.len), f->name);
    p = put_integer(p, 0, TEXT_PREFIX, f->value.len);
    return (size_t)((uint8_t *)put_span((char *)p, f->value) - out);
}

size_t
hpack_encode_field(uint8_t *out, size_t size, const struct http_field *f)
{
    return size < hpack_field_max(f->name.len, f->value.len) ? 0
                                                             : put_literal(out, LITERAL, LITERAL_PREFIX, f);
}

/* ---- with a table ---- */

/* Fields whose values seldom return within a session, and secrets, which a table would let others probe
 * (RFC 7541, 7.1). */
static const bool never_added[NAME_KNOWN_COUNT] = {
    [NAME_AGE] = true,           [NAME_CONTENT_LENGTH] = true,      [NAME_CONTENT_RANGE] = true,
    [NAME_ETAG] = true,          [NAME_LAST_MODIFIED] = true,       [NAME_LOCATION] = true,
    [NAME_X_VARNISH] = true,     [NAME_SET_COOKIE] = true,          [NAME_COOKIE] = true,
    [NAME_AUTHORIZATION] = true, [NAME_PROXY_AUTHORIZATION] = true,
};

void
hpack_encoder_init(struct hpack_encoder *e, uint32_t table_bytes)
{
    CHECK(table_bytes <= HPACK_TABLE_BYTES);
    *e = (struct hpack_encoder){ .peer_bytes = HPACK_TABLE_BYTES };
    hpack_table_init(&e->table, table_bytes);
}

void
hpack_encoder_free(struct hpack_encoder *e)
{
    hpack_table_release(&e->table);
}

/* A table that the peer lets grow again stays small. */
void
hpack_encoder_limit(struct hpack_encoder *e, uint32_t table_max)
{
    if (table_max >= e->peer_bytes)
        return;
    e->peer_bytes = table_max;
    e->update_due = true;
    if (table_max < e->table.bytes_max)
        hpack_table_resize(&e->table, table_max);
}

size_t
hpack_encoder_begin(struct hpack_encoder *e, uint8_t *out)
{
    if (!e->update_due)
        return 0;
    e->update_due = false;
    return (size_t)(put_integer(out, SIZE_UPDATE, SIZE_PREFIX, e->peer_bytes) - out);
}

static uint64_t
end_bytes(struct span text) /* the first and the last ones, and the length */
{
    uint64_t first = 0, last = 0;
    if (text.len >= 8) {
        memcpy(&first, text.ptr, 8);
        memcpy(&last, text.ptr + text.len - 8, 8);
    } else {
        put_short((char *)&first, text.ptr, text.len);
    }
    return first * 0x9e3779b97f4a7c15u ^ (last + text.len) * 0xd6e8feb86659fd93u;
}

static uint32_t
field_hash(const struct http_field *f)
{
    uint64_t name = f->id != NAME_NONE ? f->id : end_bytes(f->name);
    return (uint32_t)((end_bytes(f->value) + name * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u >> 32);
}

static bool
entry_is(const struct hpack_table *t, const struct hpack_entry *e, const struct http_field *f)
{
    const char *text = hpack_entry_text(t, e);
    return e->id == f->id && e->name_bytes == f->name.len && e->value_bytes == f->value.len &&
           memcmp(text + e->name_bytes, f->value.ptr, f->value.len) == 0 &&
           (f->id != NAME_NONE || memcmp(text, f->name.ptr, f->name.len) == 0);
}

/* A field enters the table when it is sent a second time, so that values that occur once evict nothing. */
size_t
hpack_encoder_field(struct hpack_encoder *e, uint8_t *out, size_t size, const struct http_field *f)
{
    struct hpack_table *t = &e->table;
    size_t bytes = f->name.len + f->value.len;
    if (size < hpack_field_max(f->name.len, f->value.len))
        return 0;
    if ((f->id < NAME_KNOWN_COUNT && never_added[f->id]) || bytes + HPACK_ENTRY_OVERHEAD > t->bytes_max)
        return put_literal(out, LITERAL, LITERAL_PREFIX, f);
    uint32_t hash = field_hash(f);
    struct hpack_slot *slot = &e->slots[hash % HPACK_SLOTS];
    uint16_t tag = (uint16_t)(hash >> 16);
    if (slot->tag != tag) {
        *slot = (struct hpack_slot){ .tag = tag, .number = (uint16_t)(t->oldest - 1) };
        return put_literal(out, LITERAL, LITERAL_PREFIX, f);
    }
    uint16_t since = (uint16_t)(slot->number - t->oldest);
    if (since < t->n && entry_is(t, hpack_table_entry(t, t->n - 1 - since), f))
        return (size_t)(put_integer(out, INDEXED, INDEXED_PREFIX, HPACK_STATIC_COUNT + t->n - since) - out);
    hpack_table_add(t, f, 0);
    slot->number = (uint16_t)(t->oldest + t->n - 1);
    return put_literal(out, ADDED, ADDED_PREFIX, f);
}
