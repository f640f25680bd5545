/* The tables of HPACK (RFC 7541, 2.3): the static one, whose names have our numbers, and a dynamic one, first
 * in, first out. A dynamic table takes memory at its first entry, and as much as its entries need: at most
 * 11/8 of its size in RFC 7541's count, rounded up to a power of two. One owner, not thread-safe. */
#ifndef VERNIS_STREAM_H2_HPACK_TABLE_H
#define VERNIS_STREAM_H2_HPACK_TABLE_H

#include "http/message.h"

#define HPACK_STATIC_COUNT 61u
#define HPACK_STATIC_PSEUDO 14u      /* the last one of a pseudo field */
#define HPACK_ENTRY_OVERHEAD 32u     /* RFC 7541, 4.1 */
#define HPACK_TABLE_BYTES 4096u      /* RFC 9113, 6.5.2: the size until SETTINGS change it */
#define HPACK_TABLE_BYTES_MAX 65536u /* parameter h2_header_table_size is at most this */

/* What is known of a field's text. The table keeps the first three, so that text is examined once. */
#define HPACK_PSEUDO 1u        /* the name begins with a colon */
#define HPACK_ODD_NAME 2u      /* not a token in lower case, behind the colon of a pseudo field */
#define HPACK_ODD_VALUE 4u     /* has a control character, or a blank at its beginning or end */
#define HPACK_NEVER_INDEXED 8u /* the sender asks that no table on the way keeps the value */

/* Indices 1 to 61; 0 is unused. Names are in lower case. */
extern const struct http_field hpack_static[HPACK_STATIC_COUNT + 1];
/* The lowest static index of a name; 0: the static table lacks the name. */
extern const uint8_t hpack_static_of[NAME_KNOWN_COUNT];

struct hpack_entry {
    uint32_t at; /* as text_at: the name, then the value */
    uint16_t name_bytes, value_bytes;
    name_id id;
    uint16_t marks;
};

struct hpack_memory {
    uint32_t serves;              /* tables up to this size; a power of two. Also the bytes of text */
    struct hpack_entry entries[]; /* serves / HPACK_ENTRY_OVERHEAD, in a ring; then text */
};

struct hpack_table {
    struct hpack_memory *memory; /* NULL until the first entry */
    uint32_t bytes, bytes_max;   /* RFC 7541, 4.1 */
    uint32_t n, oldest;          /* entries; number of the oldest, counted since the first entry */
    uint32_t text_at;            /* where the next entry's text begins, counted since the first entry */
    uint32_t text_base;          /* the count at which the text memory begins */
};

void hpack_table_init(struct hpack_table *t, uint32_t bytes_max);
void hpack_table_release(struct hpack_table *t); /* harmless on a zeroed table; leaves it empty */
/* Evicts entries until the rest fits. */
void hpack_table_resize(struct hpack_table *t, uint32_t bytes_max);
/* Adds an entry, after evicting as many as it takes (RFC 7541, 4.4); one that is larger than the table leaves
 * it empty. `marks` are of HPACK_*. The text of `f` may not lie in the table. */
void hpack_table_add(struct hpack_table *t, const struct http_field *f, unsigned marks);
void hpack_table_clear(struct hpack_table *t); /* evicts all entries */
/* Names have been interned since entries were added: entries without a number may have one now. */
void hpack_table_renew_ids(struct hpack_table *t);

static inline struct hpack_entry *
hpack_entry_in(struct hpack_memory *m, uint32_t number)
{
    return &m->entries[number & (m->serves / HPACK_ENTRY_OVERHEAD - 1)];
}

static inline char *
hpack_text_in(struct hpack_memory *m)
{
    return (char *)&m->entries[m->serves / HPACK_ENTRY_OVERHEAD];
}

/* Entry number `at` < t->n, 0 is the newest. */
static inline const struct hpack_entry *
hpack_table_entry(const struct hpack_table *t, uint32_t at)
{
    return hpack_entry_in(t->memory, t->oldest + t->n - 1 - at);
}

static inline const char *
hpack_entry_text(const struct hpack_table *t, const struct hpack_entry *e) /* until the next change */
{
    return hpack_text_in(t->memory) + (e->at - t->text_base);
}

#endif
