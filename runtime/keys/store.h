/* The private keys of the key process, by the manager's numbers. */
#ifndef VERNIS_KEYS_STORE_H
#define VERNIS_KEYS_STORE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

/* Reads chain and key from PEM text, which may be one and the same, checks that they belong together, and
 * keeps the key. `out`: what struct key_loaded is followed by, also for an error. ERR_SYNTAX, ERR_NOMEM */
int key_store_load(uint32_t number, struct span chain, struct span key, struct text *out);
/* The same without the chain, because the worker has it. The caller compares the public key. */
int key_store_load_again(uint32_t number, struct span key, struct text *out);
void key_store_drop(uint32_t number); /* wipes the key; harmless without one */
/* Signs `what` if it has the form of a server's signature in TLS. Bytes written; ERR_NOTFOUND: no such key;
 * ERR_SYNTAX: not such content, or a scheme that the key does not have */
ssize_t key_store_sign(uint32_t number, uint16_t scheme, struct span what, unsigned char *out, size_t cap);
void key_store_release(void);

#endif
