/* The stored head of a response as bytes that mean the same in every process: no pointer, no interned name id, little-endian. It can
 * be written to a disk or sent to a peer, and read back by a later build, which checks it first. What lives with it (bans, the
 * position it was born at, the ids of its names in this process) is in struct object_head. */
#ifndef VERNIS_CACHE_HEAD_IMAGE_H
#define VERNIS_CACHE_HEAD_IMAGE_H

#include "http/message.h"

/* Raised when the layout changes, or the number of a name in enum name_known (a test knows those of this version). */
#define HEAD_IMAGE_VERSION 1u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "images are little-endian, and so far read as they are");

struct image_field {
    uint16_t known;                     /* enum name_known; 0: the name is text */
    uint16_t name_bytes;                /* 0: spelled as name_text(known) */
    uint32_t value_bytes;
};

/* Then n_fields fields, then the texts: proto, reason, names and values, the Vary spec (vary.h). */
struct head_image {
    uint32_t bytes, vary_bytes;         /* bytes: all of it */
    uint16_t status, n_fields, reason_bytes;    /* reason_bytes 0: the standard one of the status */
    uint8_t version, minor, proto_bytes;        /* proto_bytes 0: HTTP/1.minor */
    uint8_t vary_any;                   /* 1: Vary: * */
    uint16_t zero;
    struct image_field fields[];
};

_Static_assert(sizeof(struct head_image) == 20 && sizeof(struct image_field) == 8, "no padding: the layout is the format");

/* Content of the image of a response: the fields without FIELD_HOP, and a Vary spec for `request` (NULL: none). */
struct image_plan {
    const struct http_message *response, *request;
    size_t n_fields, text_bytes, vary_bytes;
    struct span proto, reason;
    bool vary_any;
};

int image_plan(const struct http_message *response, const struct http_message *request, struct image_plan *out);    /* ERR_LIMIT */
size_t image_bytes(const struct image_plan *p);
/* `ids`: those of the names in this process, one a field. */
void image_pack(const struct image_plan *p, struct head_image *out, name_id ids[]);

/* Of bytes from elsewhere. ERR_SYNTAX: no image, or not whole; ERR_LIMIT: of another version. */
int image_check(struct span bytes);
/* The ids of a checked image's names, one a field. */
void image_names(const struct head_image *h, name_id ids[]);

static inline const char *
image_texts(const struct head_image *h)
{
    return (const char *)&h->fields[h->n_fields];
}

static inline struct span
image_take(const char **at, size_t n)
{
    struct span s = { *at, n };
    *at += n;
    return s;
}

static inline struct span
image_take_name(const struct image_field *field, const char **at)
{
    return field->name_bytes == 0 && field->known != NAME_NONE ? name_text(field->known) : image_take(at, field->name_bytes);
}

struct span image_proto(unsigned minor);    /* the usual one */

#endif
