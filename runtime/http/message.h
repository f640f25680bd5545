/* A parsed head: start line and fields, in an arena's memory or lent from a buffer or object that lives
 * longer. Field names and values are spans, not NUL-terminated. All four messages of a policy use this type.
 * Its layout is part of the policy ABI (inlined helpers read it). Not thread-safe: one owner. */
#ifndef VERNIS_HTTP_MESSAGE_H
#define VERNIS_HTTP_MESSAGE_H

#include "base/mem.h"
#include "http/names.h"
#include "log/txn.h"

struct http_field {
    struct span name, value;
    name_id id;     /* NAME_NONE: not interned, compare the text */
    uint16_t flags; /* FIELD_* */
};

/* http_max_hdr limits the fields that a peer sends. A message has room for these and for the fields that a
 * proxy adds, so that a head at the limit can still be forwarded. */
#define MESSAGE_OWN_FIELDS 8u
/* Capacity for message_init: the larger of `have` and the limit, plus our own fields. */
unsigned message_room(unsigned max_fields, unsigned have);

#define FIELD_HOP 1u /* hop-by-hop: named by Connection or by RFC 9110, 7.6.1; not forwarded */
/* The name begins a whole line in memory, "name: value" and CR LF. Neighbouring lines are written by one
 * copy. */
#define FIELD_LINE 2u

struct http_message {
    struct http_field *fields;
    uint16_t n_fields, cap_fields; /* cap_fields: http_max_hdr at creation plus room for what a proxy adds */
    uint16_t status;
    uint8_t minor;                          /* HTTP/1.minor */
    uint8_t failed;                         /* a change did not fit or was invalid: do not send the message */
    struct span method, url, proto, reason; /* request: method url proto; response: proto reason */
    struct arena *arena;
    /* While set, every change of a field is logged under `log_family`; NULL after init. */
    struct log_txn *log;
    uint32_t log_family; /* TAG_REQ, TAG_RESP, TAG_BEREQ, TAG_BERESP */
    uint16_t withheld;   /* fields that message_withhold() has taken off cap_fields */
    /* Every field whose name has an id below this one carries its id. A field with a name that was interned
     * after the field was parsed carries none. */
    uint16_t ids_known;
    /* bit id % 128 is set for each id that a field has or had: most lookups are for absent fields */
    uint64_t seen_ids[2];
};

static inline bool
message_seen(const struct http_message *m, name_id id)
{
    return (m->seen_ids[id / 64 % 2] >> id % 64 & 1) != 0;
}

/* True: fields of that name are those with this id, so no text needs to be compared. */
static inline bool
message_has_ids(const struct http_message *m, name_id id)
{
    return id != NAME_NONE && id < m->ids_known;
}

/* True: the message has no field of that name. */
static inline bool
message_lacks(const struct http_message *m, name_id id)
{
    return message_has_ids(m, id) && !message_seen(m, id);
}

/* Writes a field at index `at`. Code that fills `fields` itself must call this, which keeps seen_ids and
 * ids_known right: well-known names always have an id, and nobody knows when another name was looked up. */
static inline void
message_put(struct http_message *m, unsigned at, struct http_field f)
{
    m->fields[at] = f;
    m->seen_ids[f.id / 64 % 2] |= UINT64_C(1) << f.id % 64;
    if (f.id == NAME_NONE && m->ids_known > NAME_KNOWN_COUNT)
        m->ids_known = NAME_KNOWN_COUNT;
}

/* Removes all fields. */
static inline void
message_clear(struct http_message *m)
{
    m->n_fields = 0;
    m->seen_ids[0] = m->seen_ids[1] = 0;
    m->ids_known = UINT16_MAX;
}

/* All fields were put since `names` were in the table, with ids that were looked up since then. */
static inline void
message_ids_are_known(struct http_message *m, unsigned names)
{
    m->ids_known = (uint16_t)names;
}

/* Reserves room for the fields that are added when the message is sent, so that a policy cannot use it up. */
void message_withhold(struct http_message *m, unsigned fields);
void message_restore(struct http_message *m); /* harmless when nothing is withheld */

int message_init(struct http_message *m, struct arena *a, unsigned cap_fields); /* ERR_NOMEM */
/* Id may be NAME_NONE. */
struct span message_get_named(const struct http_message *m, name_id id, struct span name);
static inline struct span
message_get(const struct http_message *m, name_id id) /* first value; SPAN_NULL if absent */
{
    return message_lacks(m, id) ? SPAN_NULL : message_get_named(m, id, SPAN_NULL);
}
bool message_has_named(const struct http_message *m, name_id id);
static inline bool
message_has(const struct http_message *m, name_id id)
{
    return !message_lacks(m, id) && message_has_named(m, id);
}
/* message_set replaces all fields of that name by one. Values are kept by reference: they must live as long
 * as the message. Failure also sets m->failed. `name` gives the spelling; with an id other than NAME_NONE it
 * may be SPAN_NULL. */
int message_set(struct http_message *m, name_id id, struct span name, struct span value);
int message_add(struct http_message *m, name_id id, struct span name, struct span value);
/* message_set for a name with an id, or for which is_token() holds, and a value for which is_field_value()
 * holds. */
int message_set_sound(struct http_message *m, name_id id, struct span name, struct span value);
/* message_add for a whole line: the name, of name_bytes and with this id, ": ", a value for which
 * is_field_value() holds, and CR LF. */
int message_add_line(struct http_message *m, name_id id, size_t name_bytes, struct span line);
void message_unset_named(struct http_message *m, name_id id, struct span name);
static inline void
message_unset(struct http_message *m, name_id id, struct span name)
{
    if (!message_lacks(m, id))
        message_unset_named(m, id, name);
}
/* Removes the fields for which `keep` returns false. */
typedef bool message_test(const struct http_field *f, void *arg);
void message_retain(struct http_message *m, message_test *keep, void *arg);
/* The field at index `at` */
int message_replace(struct http_message *m, unsigned at, struct span name, struct span value);
/* Joins the fields of one name into one. */
int message_collect(struct http_message *m, name_id id, struct span name, struct span separator);
/* Start line + fields by reference, into dst's own array. */
int message_copy(struct http_message *dst, const struct http_message *src);
/* Copies all field text into the arena, so that its lender may free it. ERR_NOMEM. */
int message_keep_text(struct http_message *m);
/* Logs the whole head now, and every later change. `log` must outlive the message, or the owner sets m->log
 * to NULL. */
void message_log(struct http_message *m, struct log_txn *log, enum log_tag family);
/* request: method, url, protocol; response: protocol, status, reason. */
void message_log_start_line(const struct http_message *m);
/* Set FIELD_HOP. _named: on fields that Connection names; call it when a message is received, because a
 * policy may later set fields of the same names. _always: on fields that are always hop-by-hop, also those
 * set by a policy. _hop: on both. */
void message_mark_named(struct http_message *m);
void message_mark_always(struct http_message *m);
void message_mark_hop(struct http_message *m);
/* end-to-end for every server: naming the field in Connection has no effect. */
bool message_never_hop(name_id id);
bool method_is_idempotent(struct span method); /* RFC 9110, 9.2.2; false for extension methods */
struct span status_reason(unsigned status);    /* standard phrase; "Unknown HTTP Status" otherwise */

#endif
