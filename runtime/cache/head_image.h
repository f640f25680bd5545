/* The stored head of a response, in a form that every process can read: no pointers, no interned name ids,
 * little-endian. It can be written to a disk or sent to a peer, and read by a later build, which checks it
 * first. struct object_head has the data of this process: bans, the position at birth, the ids of names. */
#ifndef VERNIS_CACHE_HEAD_IMAGE_H
#define VERNIS_CACHE_HEAD_IMAGE_H

#include "http/message.h"

/* Increment when the layout changes, or the number of a name in enum name_known (a test knows the numbers of
 * this version). */
#define HEAD_IMAGE_VERSION 1u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "images are little-endian, and so far read as they are");

struct image_field {
    uint16_t known;      /* enum name_known; 0: the name is text */
    uint16_t name_bytes; /* 0: spelled like name_text(known) */
    uint32_t value_bytes;
};

/* Followed by n_fields fields, then the texts: proto, reason, names and values, the Vary spec (vary.h). */
struct head_image {
    uint32_t bytes, vary_bytes;              /* bytes: size of the whole image */
    uint16_t status, n_fields, reason_bytes; /* reason_bytes 0: the status's standard phrase */
    uint8_t version, minor, proto_bytes;     /* proto_bytes 0: HTTP/1.minor */
    uint8_t vary_any;                        /* 1: Vary: * */
    uint16_t zero;
    struct image_field fields[];
};

_Static_assert(sizeof(struct head_image) == 20 && sizeof(struct image_field) == 8,
               "no padding: the layout is the format");

/* Content of a response's image: the fields without FIELD_HOP, and a Vary spec for `request` (NULL: no
 * spec). */
struct image_plan {
    const struct http_message *response, *request;
    size_t n_fields, text_bytes, vary_bytes;
    struct span proto, reason;
    bool vary_any;
};

/* ERR_LIMIT. */
int image_plan(const struct http_message *response, const struct http_message *request,
               struct image_plan *out);
size_t image_bytes(const struct image_plan *p);
/* `ids`: receives this process's id of each field's name. */
void image_pack(const struct image_plan *p, struct head_image *out, name_id ids[]);

/* Checks foreign bytes. ERR_SYNTAX: not a complete image; ERR_LIMIT: an image of another version. */
int image_check(struct span bytes);
/* Looks up the name id of each field of a checked image. */
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
    return field->name_bytes == 0 && field->known != NAME_NONE ? name_text(field->known)
                                                               : image_take(at, field->name_bytes);
}

struct span image_proto(unsigned minor); /* the standard protocol text */

#endif
