/* A client's hello as its fingerprints see it: JA3, and JA4 of FoxIO. Numbers in the order of the hello,
 * without those of GREASE (RFC 8701), which clients choose at random. */
#ifndef VERNIS_TLS_FINGERPRINT_H
#define VERNIS_TLS_FINGERPRINT_H

#include "base/text.h"

struct tls_hello;

enum tls_ja4 {
    TLS_JA4_RAW = 1,     /* lists instead of their digests */
    TLS_JA4_ORIGINAL = 2 /* in the order of the hello, with the extensions for name and protocol */
};

/* From the message of the handshake with its head (RFC 8446, 4). NULL: it is no whole hello, or no memory.
 * The caller frees it. */
struct tls_hello *tls_hello_read(struct span message);
/* Five lists of decimal numbers; their MD5 is what tables of JA3 contain. */
void tls_hello_ja3(const struct tls_hello *h, struct text *out);
void tls_hello_ja4(const struct tls_hello *h, unsigned how, struct text *out); /* bits of tls_ja4 */

/* ---- whether any is wanted ---- */

/* Hellos are kept from now on, while a policy wants them; any thread. */
void tls_hello_want(int change); /* 1 or -1 */
bool tls_hello_wanted(void);

#endif
