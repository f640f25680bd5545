/* Facts of a finished handshake, for policies. Nothing is kept for them, because most policies ask for none:
 * OpenSSL answers when a policy asks. */
#ifndef VERNIS_TLS_FACTS_H
#define VERNIS_TLS_FACTS_H

#include "base/text.h"
#include "loop/conn.h"

enum tls_fact {
    TLS_FACT_VERSION,        /* "TLSv1.3" */
    TLS_FACT_CIPHER,         /* OpenSSL's name */
    TLS_FACT_GROUP,          /* "x25519" */
    TLS_FACT_AUTHORITY,      /* the host name that the client asked for, as it wrote it */
    TLS_FACT_ALPN,           /* "h2" */
    TLS_FACT_CERT_SIGN,      /* of our certificate: "ecdsa-with-SHA256" */
    TLS_FACT_CERT_KEY,       /* "EC256", "RSA2048", "ED25519" */
    TLS_FACT_CLIENT_VERIFY,  /* "none": it sent no certificate; "ok"; else OpenSSL's reason */
    TLS_FACT_CLIENT_SUBJECT, /* "CN=a,O=b" (RFC 4514), ASCII only */
    TLS_FACT_CLIENT_ISSUER,
    TLS_FACT_CLIENT_CN,     /* the common name of its subject, in UTF-8 */
    TLS_FACT_CLIENT_SERIAL, /* hexadecimal, upper case */
    TLS_FACT_CLIENT_SAN,    /* "DNS:a.test,email:a@b.test,URI:spiffe://a/b,IP:192.0.2.1" */
    TLS_FACT_CLIENT_SHA256, /* of the certificate, hexadecimal, lower case */
    TLS_FACT_JA3, /* fingerprints of the hello, if a policy wanted them when it came: tls/fingerprint.h */
    TLS_FACT_JA4,
    TLS_FACT_JA4_R,
    TLS_FACT_JA4_O,
    TLS_FACT_JA4_RO,
    TLS_FACTS
};

/* Instead of a handshake: tls/assumed.h. An empty word: no such fact. */
struct tls_facts {
    struct text words[TLS_FACTS];
    bool resumed;
};

/* Adds it to `out`. False: there is none. */
bool tls_fact(const struct conn *c, enum tls_fact fact, struct text *out);
bool tls_resumed(const struct conn *c); /* by a ticket: without a signature */
/* Whether the client has shown a certificate, on this connection or on the one that it resumes. */
bool tls_client_has_certificate(const struct conn *c);
long tls_client_verify(const struct conn *c); /* X509_V_*; 0 also without a certificate */

#endif
