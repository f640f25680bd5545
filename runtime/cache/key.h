/* The primary key is the text that hash_data collected; a NUL ends each piece. The entry keeps the whole key
 * and compares all of it, so two keys are never confused; the digest (digest.h) only finds the bucket. Vary
 * selects among the variants of a key (RFC 9111, 4.1). */
#ifndef VERNIS_CACHE_KEY_H
#define VERNIS_CACHE_KEY_H

#include "http/message.h"

#define KEY_BYTES_MAX 65536 /* more than a URL that fills a head of default size */

struct cache_key {
    char *bytes; /* arena of the request */
    uint32_t len, cap;
    bool failed; /* over KEY_BYTES_MAX or arena full */
};

void key_add(struct cache_key *k, struct arena *a, struct span piece);     /* vcl: hash_data */
void key_add_part(struct cache_key *k, struct arena *a, struct span part); /* begins or continues a piece */
/* A hash for tables of this process only; a store has its own digests (index_key_digest). */
uint64_t key_hash(const struct cache_key *k);
void key_digest(const struct cache_key *k, uint8_t out[32]); /* SHA-256: req.hash */

#endif
