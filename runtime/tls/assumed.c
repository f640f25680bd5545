/* Facts without a handshake: see assumed.h. */
#include "tls/assumed.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/similar.h"
#include "tls/facts.h"
#include "tls/layer_internal.h"

static const char *const names[TLS_FACTS] = {
    [TLS_FACT_VERSION] = "version",
    [TLS_FACT_CIPHER] = "cipher",
    [TLS_FACT_GROUP] = "group",
    [TLS_FACT_AUTHORITY] = "authority",
    [TLS_FACT_ALPN] = "alpn",
    [TLS_FACT_CERT_SIGN] = "cert_sign",
    [TLS_FACT_CERT_KEY] = "cert_key",
    [TLS_FACT_CLIENT_VERIFY] = "client_verify",
    [TLS_FACT_CLIENT_SUBJECT] = "client_subject",
    [TLS_FACT_CLIENT_ISSUER] = "client_issuer",
    [TLS_FACT_CLIENT_CN] = "client_cn",
    [TLS_FACT_CLIENT_SERIAL] = "client_serial",
    [TLS_FACT_CLIENT_SAN] = "client_san",
    [TLS_FACT_CLIENT_SHA256] = "client_sha256",
    [TLS_FACT_JA3] = "ja3",
    [TLS_FACT_JA4] = "ja4",
    [TLS_FACT_JA4_R] = "ja4_r",
    [TLS_FACT_JA4_O] = "ja4_o",
    [TLS_FACT_JA4_RO] = "ja4_ro",
};

struct tls_assumed {
    struct tls_facts facts;
    struct tls_layer layer;
    struct conn conn;
};

struct tls_assumed *
tls_assumed_new(void)
{
    struct tls_assumed *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->layer.assumed = &a->facts;
    a->conn.layer = &a->layer.layer;
    a->conn.poll.fd = -1;
    text_str(&a->facts.words[TLS_FACT_CLIENT_VERIFY], "none");
    return a;
}

void
tls_assumed_free(struct tls_assumed **ap)
{
    struct tls_assumed *a = *ap;
    *ap = NULL;
    for (unsigned i = 0; a != NULL && i < TLS_FACTS; i++)
        text_release(&a->facts.words[i]);
    free(a);
}

int
tls_assume(struct tls_assumed *a, struct span fact, struct span value, struct text *why)
{
    bool yes = span_eq(value, SPAN_LIT("true")), no = span_eq(value, SPAN_LIT("false"));
    struct similar near = similar_to(fact);
    if (span_eq(fact, SPAN_LIT("resumed"))) {
        a->facts.resumed = yes;
        text_str(why, yes || no ? "" : "resumed is true or false");
        return yes || no ? 0 : ERR_SYNTAX;
    }
    for (unsigned i = 0; i < TLS_FACTS; i++) {
        if (span_eq(fact, span_str(names[i]))) {
            text_clear(&a->facts.words[i]);
            text_add(&a->facts.words[i], value);
            return 0;
        }
        similar_try(&near, names[i]);
    }
    similar_try(&near, "resumed");
    text_printf(why, "module tls has no %.*s", (int)fact.len, fact.ptr);
    if (near.name != NULL)
        text_printf(why, "; did you mean %s", near.name);
    return ERR_NOTFOUND;
}

struct conn *
tls_assumed_conn(struct tls_assumed *a)
{
    return &a->conn;
}
