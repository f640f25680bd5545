/* The file of -A, in hitch's grammar, which Varnish 9 reads, too: listeners with HTTPS, their settings and
 * their certificates. Settings that concern hitch alone are accepted, and noted. Those that would weaken a
 * listener if they were dropped are errors. */
#ifndef VERNIS_MANAGER_TLS_CONFIG_H
#define VERNIS_MANAGER_TLS_CONFIG_H

#include "base/text.h"

#define TLS_CONFIG_BYTES_MAX (1u << 20)
#define TLS_CONFIG_CA_BYTES_MAX (1u << 20) /* also of a list of revoked certificates */
#define TLS_CONFIG_DEPTH_MAX 100u
#define TLS_CONFIG_FILES_MAX 100000u /* of a folder */

struct tls_file {     /* a certificate */
    char *id;         /* NULL: none given */
    char *cert, *key; /* paths; key "": in cert */
    char *staple;     /* path of an answer of OCSP. NULL: none given */
};

/* A listener, or, at first, what is for all of them. */
struct tls_frontend_config {
    char *name, *address;   /* of the listener, as for -a; "": for all */
    char *settings;         /* lines of the command tls.frontend; those for all are repeated in each */
    struct tls_file *files; /* the default certificate first; of two with one name the first is used */
    unsigned n_files;
};

struct tls_config {
    char *path; /* NULL: not read */
    struct tls_frontend_config *frontends;
    unsigned n_frontends;
    bool proxy;        /* connections begin with a PROXY header */
    struct text notes; /* lines: settings without effect */
};

/* ERR_SYNTAX or ERR_SYS with a line in `why`: file, line, what is wrong; *out is released then. */
int tls_config_read(const char *path, struct tls_config *out, struct text *why);
/* As tls_config_read, of a text. Reads the files of authorities and lists folders, too. */
int tls_config_parse(const char *path, struct span text, struct tls_config *out, struct text *why);
/* Gives the frontends of a file that was read again the names of the listeners that are open on their
 * addresses (names by number would move). Removes the others, with a line for each in `said`. */
void tls_config_match(struct tls_config *c, const struct tls_config *open, struct text *said);
void tls_config_release(struct tls_config *c); /* harmless on a zeroed one */

#endif
