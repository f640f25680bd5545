/* The primary key is the text hash_data collected, each piece ended by a NUL. It is kept whole in the entry and compared whole,
 * so two keys can not be taken for each other; its digest (digest.h) only finds the bucket. Variants below a key are told apart by Vary (RFC 9111, 4.1). */
#ifndef VERNIS_KEY_H
#define VERNIS_KEY_H

#include "http/message.h"

#define KEY_BYTES_MAX 65536            /* room for a URL as long as heads are by default, and then some */

struct cache_key {
    char *bytes;                        /* arena of the request */
    uint32_t len, cap;
    bool failed;                        /* over KEY_BYTES_MAX or arena full */
};

void key_add(struct cache_key *k, struct arena *a, struct span piece);      /* vcl: hash_data */
void key_add_part(struct cache_key *k, struct arena *a, struct span part);  /* begins a piece, or goes on with it */
/* For tables that live and die with this process; a store has digests of its own (index_key_digest). */
uint64_t key_hash(const struct cache_key *k);
void key_digest(const struct cache_key *k, uint8_t out[32]);                /* SHA-256: req.hash */

#endif
