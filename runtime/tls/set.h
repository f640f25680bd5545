/* The certificates and settings of all listeners, as one set. A set is made on the admin thread, published
 * whole, and never changed after that. Each loop takes the newest one before a handshake (context.h). */
#ifndef VERNIS_TLS_SET_H
#define VERNIS_TLS_SET_H

#include <stdatomic.h>

#include "tls/certificate.h"

struct tls_name { /* one host name of one frontend */
    struct span name;
    unsigned frontend;
    struct tls_certificate *by_kind[TLS_KEY_KINDS]; /* NULL: none */
};

#define TLS_DEMANDS_BYTES 32u

enum tls_client_verify { TLS_CLIENT_NONE, TLS_CLIENT_OPTIONAL, TLS_CLIENT_REQUIRED };

/* The texts are in OpenSSL's notation; NULL: the parameter's value. */
struct tls_settings {
    int protocols; /* bits of TLS_PROTOCOL_* */
    char *ciphers, *ciphersuites, *groups;
    char *client_ca, *client_crl; /* PEM */
    int prefer_server_ciphers;    /* -1: the parameter's value */
    bool sni_nomatch_abort, no_h2;
    bool own_only; /* clients get no certificate that is for all listeners */
    enum tls_client_verify client_verify;
    unsigned client_depth;
    unsigned char client_demands[TLS_DEMANDS_BYTES]; /* digest of all client_*; zero: none */
};

#define TLS_PROTOCOL_1_2 1
#define TLS_PROTOCOL_1_3 2

struct tls_frontend {
    char *listener; /* name of -a; "": for all listeners */
    struct tls_settings settings;
    struct tls_name first; /* for clients that ask for no name, or for an unknown one */
};

#define TLS_FOR_ALL 0u /* the first frontend */

struct tls_set {
    atomic_uint refs;
    unsigned generation; /* 0: not published */
    struct tls_frontend *frontends;
    unsigned n_frontends;
    struct tls_certificate **certificates;
    unsigned n_certificates;
    struct tls_name *names; /* a hash table */
    unsigned names_cap, n_names;
};

/* ---- making one ---- */

struct tls_set *tls_set_new(void); /* with a frontend for all. NULL: no memory */
/* settings: lines of a name and a value (set_settings.c). The first call is for all (""): other listeners
 * begin with those settings. ERR_SYNTAX, ERR_NOMEM with the reason */
int tls_set_frontend(struct tls_set *s, const char *listener, struct span settings, struct text *why);
/* An empty chain: the published set has this number. ERR_SYNTAX, ERR_NOTFOUND, ERR_NOMEM with the reason */
int tls_set_certificate(struct tls_set *s, uint32_t number, const char *listener, struct span chain,
                        struct text *why);
/* Takes the reference. Loops use it from their next handshake on. */
void tls_set_publish(struct tls_set *s);
void tls_set_release(struct tls_set **s); /* any thread */
void tls_set_forget(void);                /* the published one, at the end of the process */

/* ---- using one ---- */

struct tls_set *tls_set_newest(void); /* a reference; NULL: none was published */
unsigned tls_set_generation(void);    /* of the newest; 0: none */
/* of a listener; TLS_FOR_ALL if it has none of its own */
unsigned tls_set_find_frontend(const struct tls_set *s, struct span listener);
/* For a host name (lower case) that a client asks for: exact, then with its first label replaced by *; first
 * of the frontend, then of all, unless it is own_only. NULL: none. */
const struct tls_name *tls_set_find_name(const struct tls_set *s, unsigned frontend, struct span host);
/* What a client gets that asks for no name; NULL: nothing. */
const struct tls_name *tls_set_first(const struct tls_set *s, unsigned frontend);

#endif
