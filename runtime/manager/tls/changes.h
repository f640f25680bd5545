/* Changes of the certificates, by the commands tls.cert.*, by the file of -A at the start, and by an upgrade.
 * They take turns: each begins when the one before has ended, so that a commit sends a set that stays as it
 * is. */
#ifndef VERNIS_MANAGER_TLS_CHANGES_H
#define VERNIS_MANAGER_TLS_CHANGES_H

#include "manager/tls/certificates.h"
#include "manager/tls/set_sender.h"

enum change_kind {
    CHANGE_LOAD,     /* stages one; answers with its id */
    CHANGE_COMMIT,   /* uses what is staged, on all loops */
    CHANGE_ROLLBACK, /* forgets what is staged */
    CHANGE_DISCARD,  /* drops `id` at the next commit */
    CHANGE_RELOAD,   /* reads the file of -A and all certificates again, and commits if all are good */
};

struct change { /* what the caller fills; texts are copied */
    enum change_kind kind;
    const char *id;                              /* NULL: made from the file's name */
    const char *frontend, *cert_file, *key_file; /* of a load: "" for all listeners; "" in cert_file */
    bool is_default;
};

/* status as in daemon/status.h. text: the reason, or an id. */
typedef void change_done_fn(void *arg, int status, struct span text);

struct turn;

struct changes {
    struct certificates *certificates;
    struct set_sender sender;
    struct list queue; /* struct turn; the first is under way */
    bool running;
    const struct tls_config *config; /* -A as read at the start; lent; path NULL: none */
    struct turn *held;               /* a commit that waits for the sender */
    set_sent_fn *send_done;          /* a new worker gets the set, or waits for the sender; NULL: neither */
    void *send_arg;
};

void changes_init(struct changes *ch, struct certificates *certificates, const struct tls_config *config);
void changes_release(struct changes *ch);
void changes_make(struct changes *ch, const struct change *what, change_done_fn *done, void *arg);
/* Sends the set in use to a worker that has just started. Commands that follow find it in force. */
void changes_send(struct changes *ch, set_sent_fn *done, void *arg);

#endif
