/* The certificates of this daemon. Changes are staged: they reach clients with a commit, all or none. The
 * text of a key never comes here: the key process reads the files (key_process.h). */
#ifndef VERNIS_MANAGER_TLS_CERTIFICATES_H
#define VERNIS_MANAGER_TLS_CERTIFICATES_H

#include "manager/child.h"
#include "manager/tls/key_process.h"

enum certificate_state {
    CERTIFICATE_COMING,    /* the key process reads it */
    CERTIFICATE_STAGED,    /* will be used from the next commit on */
    CERTIFICATE_COMMITTED, /* in use */
    CERTIFICATE_LEAVING,   /* in use until the next commit */
};

struct certificate {
    enum certificate_state state;
    char *id, *frontend, *cert_file,
        *key_file;                   /* frontend "": for all listeners; key_file "": in cert_file */
    uint32_t number;                 /* of its key */
    char *kind, *names, *chain;      /* NULL while coming */
    long long not_before, not_after; /* seconds since 1970 */
};

typedef void certificates_done_fn(void *arg, int status, struct span text);

struct certificates {
    struct child *child;
    struct key_process *keys;
    struct certificate **all;
    unsigned n;
    unsigned last_id;
    bool committing;
    certificates_done_fn *done; /* of the commit */
    void *done_arg;
};

void certificates_init(struct certificates *c, struct child *child, struct key_process *keys);
/* Stages a certificate, in place of that with the same id. id NULL: one is made from the file's name. Calls
 * done with the id, or with what is wrong. */
void certificates_load(struct certificates *c, const char *id, const char *frontend, const char *cert_file,
                       const char *key_file, certificates_done_fn *done, void *arg);
/* Stages each certificate in use again, from its file as it is now; calls done when all are read. With the
 * first bad one nothing stays staged. */
void certificates_reload(struct certificates *c, certificates_done_fn *done, void *arg);
int certificates_discard(struct certificates *c, const char *id, struct text *why); /* at the next commit */
void certificates_rollback(struct certificates *c);
/* Makes what is staged the set in use, on all loops. */
void certificates_commit(struct certificates *c, certificates_done_fn *done, void *arg);
/* Sends the set in use to a new worker. Commands that follow find it in force. */
void certificates_send(struct certificates *c);
void certificates_release(struct certificates *c);

#endif
