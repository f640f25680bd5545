/* A file of -A between its words (config_keys.c) and its meaning (config.c). */
#ifndef VERNIS_MANAGER_TLS_CONFIG_INTERNAL_H
#define VERNIS_MANAGER_TLS_CONFIG_INTERNAL_H

#include "manager/tls/config.h"
#include "manager/tls/config_words.h"

/* Settings that a listener inherits, in the order in which they are sent. The last two are PEM. */
enum config_setting {
    CONFIG_PROTOS,
    CONFIG_CIPHERS,
    CONFIG_CIPHERSUITES,
    CONFIG_GROUPS,
    CONFIG_PREFER,
    CONFIG_ABORT,
    CONFIG_ALPN,
    CONFIG_VERIFY,
    CONFIG_MATCH_GLOBAL,
    CONFIG_CLIENT_DEPTH,
    CONFIG_CLIENT_CA,
    CONFIG_CLIENT_CRL,
    CONFIG_SETTINGS
};

extern const char *const config_setting_names[CONFIG_SETTINGS]; /* of the command tls.frontend */

/* A frontend, or, at first, what is for all of them. Texts are owned; NULL: not set. */
struct config_draft {
    unsigned line;
    char *settings[CONFIG_SETTINGS];
    char *name, *host, *port, *address; /* address: host and port in one */
    struct tls_file *files;             /* in the order of the file */
    unsigned n_files;
};

struct config_reader {
    const char *path;
    struct config_words words;
    struct config_draft *drafts;
    unsigned n_drafts;
    unsigned at;          /* the draft that settings are for */
    struct tls_file *pem; /* in a block of pem-file; NULL: outside */
    char *folder, *glob;
    unsigned folder_line;
    bool proxy;
    struct text notes;
    struct text *why;
};

/* Reads all words into drafts. ERR_SYNTAX, ERR_SYS */
int config_keys_read(struct config_reader *r);
/* ERR_SYNTAX, with a line in r->why that begins with path and line */
int config_fail(struct config_reader *r, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
struct tls_file *config_file_add(struct config_draft *d, const char *cert);

#endif
