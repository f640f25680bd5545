/* See hpack_decode.h. Text goes straight to the caller's memory. When that is full, or the caller wants no
 * more fields, text that enters the table goes through a buffer of the table's size: a field that does not
 * fit there only empties the table. */
#include "stream/h2/hpack_decode.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/put.h"
#include "http/chars.h"
#include "http/fields.h"
#include "stream/h2/huffman.h"

#define INTEGER_SHIFT_MAX 28 /* of the fifth byte behind the prefix: 32 bits */
#define NAME_MARKS (HPACK_PSEUDO | HPACK_ODD_NAME)

struct block {
    struct hpack_decoder *d;
    const uint8_t *p, *end;
    struct hpack_text *text;  /* the caller's, or the spare one */
    enum hpack_result result; /* HPACK_OK: fields are stored */
    struct hpack_text spare;
    char *spare_begin; /* NULL: not needed so far */
    bool lost;         /* the field's text did not fit there, either: it is larger than the table */
    const char *why;   /* the mistake; NULL: none so far */
    hpack_field_fn *on_field;
    void *ctx;
};

static bool
fail(struct block *b, const char *why)
{
    b->why = why;
    return false;
}

/* RFC 7541, 5.1: `prefix` is the mask of the bits that belong to the integer. */
static inline bool
take_integer(struct block *b, uint32_t prefix, uint32_t *out)
{
    uint32_t n = *b->p++ & prefix;
    *out = n;
    if (n < prefix)
        return true;
    for (unsigned shift = 0; b->p < b->end; shift += 7) {
        uint64_t byte = *b->p++;
        uint64_t sum = n + ((byte & 0x7f) << shift);
        if (shift > INTEGER_SHIFT_MAX || sum > UINT32_MAX)
            return fail(b, "integer is too large");
        n = (uint32_t)sum;
        if (byte < 0x80)
            return *out = n, true;
    }
    return fail(b, "block ends within an integer");
}

/* ---- text ---- */

/* The text of the field does not fit, or is not wanted: from now on only the table is kept in step. */
static void
stop_storing(struct block *b, enum hpack_result why)
{
    uint32_t room = b->d->table.bytes_max;
    b->result = why;
    b->spare_begin = mem_alloc(room + 1); /* never empty */
    b->spare = (struct hpack_text){ .at = b->spare_begin, .end = b->spare_begin + room };
    b->text = &b->spare;
}

/* Room for n bytes of text; NULL: the text is lost. */
static char *
place_elsewhere(struct block *b, size_t n)
{
    struct hpack_text *t = b->text;
    if (b->result == HPACK_OK && (t->more == NULL || !t->more(t, n)))
        stop_storing(b, HPACK_NO_ROOM);
    char *at = b->text->at;
    if ((size_t)(b->text->end - at) < n) {
        b->lost = true;
        return NULL;
    }
    b->text->at = at + n;
    return at;
}

static inline char *
text_place(struct block *b, size_t n)
{
    char *at = b->text->at;
    if ((size_t)(b->text->end - at) < n)
        return place_elsewhere(b, n);
    b->text->at = at + n;
    return at;
}

static bool
take_coded(struct block *b, size_t n_in, struct span *out)
{
    size_t room = (size_t)(b->text->end - b->text->at);
    ssize_t n = huffman_decode(b->p, n_in, b->text->at, room, &b->why);
    if (n < 0)
        return false;
    char *at = text_place(b, (size_t)n);
    if (at != NULL && (size_t)n > room)
        huffman_decode(b->p, n_in, at, (size_t)n, &b->why);
    *out = span_of(at, (size_t)n);
    b->p += n_in;
    return true;
}

static bool
take_text(struct block *b, struct span *out)
{
    uint32_t n;
    if (b->p == b->end)
        return fail(b, "block ends within a field");
    bool coded = (*b->p & 0x80) != 0;
    if (!take_integer(b, 0x7f, &n))
        return false;
    if (n > (size_t)(b->end - b->p))
        return fail(b, "text is longer than its block");
    if (coded)
        return take_coded(b, n, out);
    char *at = text_place(b, n);
    *out = span_of(at, n);
    if (at != NULL)
        put_span(at, span_of((const char *)b->p, n));
    b->p += n;
    return true;
}

/* ---- fields ---- */

static unsigned
marks_of_name(struct span name)
{
    bool pseudo = name.len > 0 && name.ptr[0] == ':';
    bool odd = !is_token(pseudo ? span_of(name.ptr + 1, name.len - 1) : name);
    for (size_t i = 0; i < name.len; i++)
        odd |= name.ptr[i] >= 'A' && name.ptr[i] <= 'Z';
    return (pseudo ? HPACK_PSEUDO : 0) | (odd ? HPACK_ODD_NAME : 0);
}

static unsigned
marks_of_value(struct span value)
{
    bool blank = value.len > 0 && (char_is_blank(value.ptr[0]) || char_is_blank(value.ptr[value.len - 1]));
    return blank || !is_field_value(value) ? HPACK_ODD_VALUE : 0;
}

static inline void
emit(struct block *b, const struct http_field *f, unsigned marks)
{
    if (b->result == HPACK_OK && !b->on_field(b->ctx, f, marks))
        stop_storing(b, HPACK_REFUSED);
}

/* A number from 1 on, of either table. *e is NULL for the static one. */
static inline bool
find_entry(struct block *b, uint32_t index, const struct hpack_entry **e)
{
    const struct hpack_table *t = &b->d->table;
    if (index == 0)
        return fail(b, "index is 0");
    if (index > HPACK_STATIC_COUNT + t->n)
        return fail(b, "index is beyond the table");
    *e = index <= HPACK_STATIC_COUNT ? NULL : hpack_table_entry(t, index - HPACK_STATIC_COUNT - 1);
    return true;
}

static bool
indexed_field(struct block *b)
{
    uint32_t index;
    const struct hpack_entry *e;
    if (!take_integer(b, 0x7f, &index) || !find_entry(b, index, &e))
        return false;
    if (e == NULL) {
        emit(b, &hpack_static[index], index <= HPACK_STATIC_PSEUDO ? HPACK_PSEUDO : 0);
        return true;
    }
    size_t n = (size_t)e->name_bytes + e->value_bytes;
    char *at = b->result == HPACK_OK ? text_place(b, n) : NULL;
    if (b->result != HPACK_OK)
        return true;
    put_span(at, span_of(hpack_entry_text(&b->d->table, e), n));
    const struct http_field f = { span_of(at, e->name_bytes), span_of(at + e->name_bytes, e->value_bytes),
                                  e->id, 0 };
    emit(b, &f, e->marks);
    return true;
}

/* The name is copied: adding the field to the table may evict or move the entry that it comes from. */
static bool
take_name(struct block *b, uint32_t prefix, struct http_field *f, unsigned *marks)
{
    uint32_t index;
    const struct hpack_entry *e;
    if ((*b->p & prefix) == 0) {
        b->p++;
        if (!take_text(b, &f->name))
            return false;
        *marks = b->lost ? 0 : marks_of_name(f->name);
        f->id = b->lost || (*marks & HPACK_PSEUDO) != 0 ? NAME_NONE : name_lookup(f->name);
        return true;
    }
    if (!take_integer(b, prefix, &index) || !find_entry(b, index, &e))
        return false;
    if (e == NULL) {
        *f = hpack_static[index];
        *marks = index <= HPACK_STATIC_PSEUDO ? HPACK_PSEUDO : 0;
        return true;
    }
    char *at = text_place(b, e->name_bytes);
    if (at != NULL)
        put_span(at, span_of(hpack_entry_text(&b->d->table, e), e->name_bytes));
    *f = (struct http_field){ .name = span_of(at, e->name_bytes), .id = e->id };
    *marks = e->marks & NAME_MARKS;
    return true;
}

static bool
literal_field(struct block *b, uint32_t prefix, bool added)
{
    struct http_field f = { .id = NAME_NONE };
    unsigned marks = 0;
    unsigned never = !added && (*b->p & 0x10) != 0 ? HPACK_NEVER_INDEXED : 0;
    b->spare.at = b->spare_begin;
    b->lost = false;
    if (!take_name(b, prefix, &f, &marks) || !take_text(b, &f.value))
        return false;
    if (b->lost) {
        if (added)
            hpack_table_clear(&b->d->table);
        return true;
    }
    marks |= marks_of_value(f.value);
    if (added)
        hpack_table_add(&b->d->table, &f, marks);
    emit(b, &f, marks | never);
    return true;
}

/* RFC 7541, 6.3. Only at the beginning of a block (4.2). */
static bool
table_size_update(struct block *b)
{
    uint32_t n;
    if (!take_integer(b, 0x1f, &n))
        return false;
    if (n > b->d->limit)
        return fail(b, "table size is above SETTINGS_HEADER_TABLE_SIZE");
    hpack_table_resize(&b->d->table, n);
    b->d->update_due = false;
    return true;
}

static bool
next_field(struct block *b)
{
    uint8_t kind = *b->p;
    if (kind & 0x80)
        return indexed_field(b);
    if (kind & 0x40)
        return literal_field(b, 0x3f, true);
    if (kind & 0x20)
        return fail(b, "table size update is not at the beginning of a block");
    return literal_field(b, 0x0f, false);
}

/* ---- blocks ---- */

void
hpack_decoder_init(struct hpack_decoder *d, unsigned table_max)
{
    *d = (struct hpack_decoder){ .limit = table_max > HPACK_TABLE_BYTES ? table_max : HPACK_TABLE_BYTES };
    CHECK(d->limit <= HPACK_TABLE_BYTES_MAX);
    hpack_table_init(&d->table, HPACK_TABLE_BYTES);
}

void
hpack_decoder_limit(struct hpack_decoder *d, unsigned table_max)
{
    CHECK(table_max <= HPACK_TABLE_BYTES_MAX);
    d->limit = table_max;
    d->update_due = table_max < d->table.bytes_max;
}

void
hpack_decoder_free(struct hpack_decoder *d)
{
    hpack_table_release(&d->table);
}

enum hpack_result
hpack_decode(struct hpack_decoder *d, const uint8_t *block, size_t len, struct hpack_text *text,
             hpack_field_fn *on_field, void *ctx, const char **why)
{
    struct block b = { .d = d,
                       .p = block,
                       .end = block + len,
                       .text = text,
                       .result = HPACK_OK,
                       .on_field = on_field,
                       .ctx = ctx };
    unsigned names = names_count();
    if (names != d->names)
        hpack_table_renew_ids(&d->table);
    d->names = names;
    bool sound = true;
    while (sound && b.p < b.end && (*b.p & 0xe0) == 0x20)
        sound = table_size_update(&b);
    if (sound && d->update_due)
        sound = fail(&b, "block does not begin with the table size update that is due");
    while (sound && b.p < b.end)
        sound = next_field(&b);
    free(b.spare_begin);
    if (sound)
        return b.result;
    *why = b.why;
    return HPACK_COMPRESSION_ERROR;
}
