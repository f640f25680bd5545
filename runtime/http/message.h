/* A parsed head: start line and fields, in memory of an arena or lent from a buffer or object that lives longer.
 * A field's name and value are spans; nothing is NUL-ended. Used for all four messages of a policy. The layout is part of the
 * policy ABI (inlined helpers read it). Not thread-safe: one owner. */
#ifndef VERNIS_MESSAGE_H
#define VERNIS_MESSAGE_H

#include "base/mem.h"
#include "http/names.h"
#include "log/txn.h"

struct http_field {
    struct span name, value;
    name_id id;                     /* NAME_NONE: not interned, compare the text */
    uint16_t flags;                 /* FIELD_* */
};

/* http_max_hdr limits what a peer sends. A message has room for that many fields and for those that a proxy adds itself, so that a
 * head at the limit can still be passed on. */
#define MESSAGE_OWN_FIELDS 8u
unsigned message_room(unsigned max_fields, unsigned have);      /* for message_init: `have` fields, or the limit, and our own */

#define FIELD_HOP 1u                /* hop-by-hop: named by Connection or by RFC 9110, 7.6.1; not forwarded */

struct http_message {
    struct http_field *fields;
    uint16_t n_fields, cap_fields;  /* cap_fields: http_max_hdr at creation plus room for what a proxy adds */
    uint16_t status;
    uint8_t minor;                  /* HTTP/1.minor */
    uint8_t failed;                 /* a change did not fit (fields or arena): it is not sent */
    struct span method, url, proto, reason;     /* request: method url proto; response: proto reason */
    struct arena *arena;
    struct log_txn *log;            /* while set, every change of a field is logged under `log_family`; NULL after init */
    uint32_t log_family;            /* TAG_REQ, TAG_RESP, TAG_BEREQ, TAG_BERESP */
    uint16_t withheld;              /* fields taken off cap_fields for a while */
    uint64_t seen_ids;              /* a bit for each id a field has or had: most questions are about fields that are absent */
};

static inline uint64_t
message_id_bit(name_id id)
{
    return UINT64_C(1) << (id % 64);
}

/* It has no field of that name, which is known since the start: no field of such a name lacks its id. */
static inline bool
message_lacks(const struct http_message *m, name_id id)
{
    return id != NAME_NONE && id < NAME_KNOWN_COUNT && (m->seen_ids & message_id_bit(id)) == 0;
}

/* A field is written at this place: whoever fills `fields` himself. */
static inline void
message_put(struct http_message *m, unsigned at, struct http_field f)
{
    m->fields[at] = f;
    m->seen_ids |= message_id_bit(f.id);
}

/* A policy that fills a message must not take the places of the fields that are added when it is sent. */
void message_withhold(struct http_message *m, unsigned fields);
void message_restore(struct http_message *m);       /* harmless when nothing is withheld */

int message_init(struct http_message *m, struct arena *a, unsigned cap_fields);     /* ERR_NOMEM */
struct span message_get_named(const struct http_message *m, name_id id, struct span name);  /* id may be NAME_NONE */
static inline struct span
message_get(const struct http_message *m, name_id id)                               /* first value; SPAN_NULL if absent */
{
    return message_lacks(m, id) ? SPAN_NULL : message_get_named(m, id, SPAN_NULL);
}
bool message_has(const struct http_message *m, name_id id);
/* All fields of that name go, one comes. Values are kept by reference: they live as long as the message. Failure also sets
 * m->failed. `name` gives the spelling; with an id other than NAME_NONE it may be SPAN_NULL. */
int message_set(struct http_message *m, name_id id, struct span name, struct span value);
int message_add(struct http_message *m, name_id id, struct span name, struct span value);
void message_unset(struct http_message *m, name_id id, struct span name);
/* Fields whose test is false go. */
typedef bool message_test(const struct http_field *f, void *arg);
void message_retain(struct http_message *m, message_test *keep, void *arg);
int message_replace(struct http_message *m, unsigned at, struct span name, struct span value);      /* the field at that place */
int message_collect(struct http_message *m, name_id id, struct span name, struct span separator);   /* joins equal fields into one */
int message_copy(struct http_message *dst, const struct http_message *src);     /* start line + fields by reference, into dst's own array */
int message_keep_text(struct http_message *m);     /* copies all fields: whoever lent their text takes it back. ERR_NOMEM */
/* From here on changes are logged; the whole head as it stands is logged now. `log` outlives the message, or is taken off it. */
void message_log(struct http_message *m, struct log_txn *log, enum log_tag family);
void message_log_start_line(const struct http_message *m);  /* method, url and protocol; or protocol, status and reason */
/* Set FIELD_HOP: on the fields that Connection names, for the moment a message is received, as a policy may set fields of the
 * same names later; on those that are hop-by-hop by themselves, whoever set them; on both. */
void message_mark_named(struct http_message *m);
void message_mark_always(struct http_message *m);
void message_mark_hop(struct http_message *m);
bool message_never_hop(name_id id);     /* means something to everybody on the way: naming it in Connection has no effect */
bool method_is_idempotent(struct span method);      /* RFC 9110, 9.2.2; methods of extensions are not */
struct span status_reason(unsigned status);         /* standard phrase; "Unknown HTTP Status" otherwise */

#endif
