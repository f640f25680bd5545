/* The certificates of this daemon, and the settings of listeners that came with them. Changes are staged:
 * they reach clients with a commit, all or none. The text of a key never comes here: the key process reads
 * the files (key_process.h). changes.h has the commands, set_sender.h sends the set to the worker. */
#ifndef VERNIS_MANAGER_TLS_CERTIFICATES_H
#define VERNIS_MANAGER_TLS_CERTIFICATES_H

#include "manager/child.h"
#include "manager/listen.h"
#include "manager/tls/config.h"
#include "manager/tls/key_process.h"

enum certificate_state {
    CERTIFICATE_COMING,    /* the key process reads it */
    CERTIFICATE_STAGED,    /* will be used from the next commit on */
    CERTIFICATE_COMMITTED, /* in use */
    CERTIFICATE_LEAVING,   /* in use until the next commit */
};

/* Where it stands in the set. The default of its listener comes first; of two with one name the first is
 * used. */
struct certificate_place {
    bool is_default; /* of a command with -d; the newest of them is first */
    unsigned at;     /* those of -A first */
};

#define PLACE_OF_COMMANDS (1u << 30) /* where those of commands begin */

struct certificate {
    enum certificate_state state;
    char *id;
    char *frontend;             /* name of a listener; "": for all */
    char *cert_file, *key_file; /* key_file "": in cert_file */
    char *staple_file;          /* NULL: cert_file with ".ocsp", if it is there */
    struct certificate_place place;
    bool from_file;                  /* of -A */
    bool seen;                       /* by a reload: it is still in the file of -A */
    struct key_file *key;            /* NULL: the key process has none of it */
    uint32_t number;                 /* of its key */
    struct turn *turn;               /* while coming: the change that loads it (changes.c) */
    char *kind, *names, *chain;      /* NULL while coming; names: separated by blanks */
    long long not_before, not_after; /* seconds since 1970 */
    struct certificate *newer,
        *older;         /* the staged one that will replace it; the one that this staged one replaces */
    nsec sent;          /* start of the worker that has its chain; 0: none */
    uint64_t *counters; /* while it is in use (expiry.h) */
    nsec warned;        /* when the log had its dates (CLOCK_MONOTONIC); 0: not yet */
};

struct frontend_settings { /* owned */
    char *name, *lines;    /* as of the command tls.frontend */
};

struct settings_set {
    struct frontend_settings *all;
    unsigned n;
};

struct certificates {
    struct child *child;
    struct key_process *keys;
    const struct listens *listens; /* of clients; NULL: any listener is right */
    struct certificate **all;
    unsigned n;
    unsigned last_place;
    struct settings_set settings, next_settings; /* in use; staged */
    bool has_next_settings;
};

void certificates_init(struct certificates *c, struct child *child, struct key_process *keys,
                       const struct listens *listens);
void certificates_release(struct certificates *c);

struct certificate *certificates_find(const struct certificates *c, const char *id,
                                      enum certificate_state state);
/* The name of the file without its folder and ending: its id, if no other certificate has it. Owned. */
char *certificates_name(const char *file);
/* Copies the texts. id NULL: one is made from the file's name. */
struct certificate *certificates_add(struct certificates *c, const char *id, const char *frontend,
                                     const char *cert_file, const char *key_file);
/* Takes the answer of the key process (tls/key_wire.h); the certificate is staged then, in place of one with
 * the same id. ERR_SYNTAX: the answer is not as it must be. */
int certificates_fill(struct certificates *c, struct certificate *one, struct span text);
void certificates_drop(struct certificates *c, struct certificate *one);
void certificates_stage_settings(struct certificates *c, const struct tls_config *from);

bool certificates_staged(const struct certificates *c); /* something waits for a commit */
int certificates_discard(struct certificates *c, const char *id, struct text *why); /* ERR_NOTFOUND */
void certificates_rollback(struct certificates *c);
void certificates_settle(struct certificates *c); /* what was staged is in use from now on */
/* Those of the set in use, or of that after a commit, in order. The caller frees the array. */
struct certificate **certificates_set(const struct certificates *c, bool next, unsigned *n);

#endif
