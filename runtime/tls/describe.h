/* Certificates and settings in words, for operators. */
#ifndef VERNIS_TLS_DESCRIBE_H
#define VERNIS_TLS_DESCRIBE_H

#include "tls/set.h"

/* "site.test < Some Authority < Some Root": each is signed by the next. The last is not in the chain unless
 * it signs itself. */
void tls_describe_chain(const struct tls_certificate *c, struct text *out);
/* Lines: a protocol, and its ciphers for this kind of key. ERR_SYNTAX with the reason: a setting is wrong. */
int tls_describe_offer(const struct tls_set *set, unsigned frontend, enum tls_key_kind kind, struct text *out,
                       struct text *why);

#endif
