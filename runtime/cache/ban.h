/* Bans: conditions on requests and stored responses. A response that meets one which is newer than itself is not served any
 * more. Each shared response points at the newest ban it is known not to meet; a look-up compares that with the newest of all,
 * and only where they differ are the bans between tested (store_lookup), outside the locks of the index. The lurker
 * (ban_lurker.c) tests what says nothing about requests in the background, so that the list gets shorter again.
 *
 * Any thread. One lock guards the list; it is a leaf: nothing else is taken under it. */
#ifndef VERNIS_BAN_H
#define VERNIS_BAN_H

#include "base/clock.h"
#include "base/span.h"

#define BAN_ERROR_BYTES 512u
#define BAN_TESTS_MAX 1024u             /* conditions of one ban */

struct bans;
struct ban_draft;                       /* a ban that is being put together */
struct store;

struct ban_draft *ban_draft_new(void);
void ban_draft_release(struct ban_draft **d);           /* harmless on NULL */
/* One more condition that must hold too. ERR_SYNTAX or ERR_LIMIT, and why; the draft can only be released then. */
int ban_draft_add(struct ban_draft *d, struct span field, struct span oper, struct span value, char error[BAN_ERROR_BYTES]);
/* "FIELD OPERATOR VALUE && ...", words split at white space and nothing else. SPAN_NULL is an error as well. */
int ban_draft_parse(struct span text, struct ban_draft **out, char error[BAN_ERROR_BYTES]);

/* The ban is one of this fetch's policy, which knows the response at hand: that is not concerned. */
void ban_draft_by(struct ban_draft *d, uint64_t xid, uint64_t born);
/* A draft becomes a ban by store_ban (invalidation.h). */

struct ban_info {
    nsec time;
    unsigned refs;                      /* responses that were last tested against this one */
    bool completed;                     /* all that is stored is known not to meet it, or a newer one says the same */
    bool on_requests, on_objects;
    struct span text;                   /* as ban_draft_parse would read it, durations in their largest unit */
    const void *id;
};

/* Newest first; the list may change meanwhile. fn may not block for long: the tail of the list waits for it. */
void store_ban_each(struct store *s, void (*fn)(const struct ban_info *info, void *arg), void *arg);

/* ---- the lurker ---- */
/* One round: tests what is due, takes what nobody needs off the list. Rests between batches by pause(seconds, arg). Returns how
 * long until there may be something to do again. */
nsec store_lurk(struct store *s, nsec now, void (*pause)(double seconds, void *arg), void *arg);
/* A thread that does so, woken by new bans. Stopping waits for it. */
int store_lurker_start(struct store *s);
void store_lurker_stop(struct store *s);

#endif
