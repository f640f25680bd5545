/* Bans: conditions on requests and stored responses. A ban invalidates the older responses that meet it. Each
 * shared response points at the newest ban that it is known not to meet. A lookup compares this with the
 * newest ban of the list, and tests the bans between only if they differ (store_lookup), outside the locks of
 * the index. The lurker (ban_lurker.c) tests bans without request conditions in the background, which
 * shortens the list.
 *
 * Any thread. One lock guards the list; it is a leaf: no other lock is taken under it. */
#ifndef VERNIS_CACHE_BAN_H
#define VERNIS_CACHE_BAN_H

#include "base/clock.h"
#include "base/span.h"

#define BAN_ERROR_BYTES 512u
#define BAN_TESTS_MAX 1024u /* limit for the conditions of one ban */

struct bans;
struct ban_draft; /* a ban under construction */
struct store;

struct ban_draft *ban_draft_new(void);
void ban_draft_release(struct ban_draft **d); /* harmless on NULL */
/* Adds a condition; all of them must hold. ERR_SYNTAX or ERR_LIMIT with the reason in `error`; the caller can
 * then only release the draft. */
int ban_draft_add(struct ban_draft *d, struct span field, struct span oper, struct span value,
                  char error[BAN_ERROR_BYTES]);
/* Parses "FIELD OPERATOR VALUE && ...", split only at white space. SPAN_NULL is an error too. */
int ban_draft_parse(struct span text, struct ban_draft **out, char error[BAN_ERROR_BYTES]);

/* The policy of this fetch makes the ban, which does not concern the fetch's own response. */
void ban_draft_by(struct ban_draft *d, uint64_t xid, uint64_t born);
bool ban_draft_on_requests(const struct ban_draft *d); /* has a condition on requests */

struct ban_count {
    uint64_t stored, tested, matching; /* responses */
    bool whole;                        /* all were tested */
};

/* Counts the stored responses that meet the conditions at `now`, where a condition on requests sees a request
 * without fields. Ends after about `patience`: the shards of the index are by a keyed digest, so those tested
 * until then are a random sample. */
void store_ban_count(struct store *s, const struct ban_draft *d, nsec now, nsec patience,
                     struct ban_count *out);
/* Calls fn for each field of conditions; "req.http." and "obj.http." want a name after them. */
void ban_fields_each(void (*fn)(const char *name, void *arg), void *arg);
/* store_ban turns a draft into a ban (invalidation.h). */

struct ban_info {
    nsec time;
    unsigned refs;  /* responses that were last tested against this ban */
    bool completed; /* no stored response meets it, or a newer equal ban exists */
    bool on_requests, on_objects;
    struct span text; /* as ban_draft_parse reads it, durations in their largest unit */
    const void *id;
};

/* Calls fn for each ban, newest first; the list may change meanwhile. fn must not block for long: old bans
 * are not freed until it returns. */
void store_ban_each(struct store *s, void (*fn)(const struct ban_info *info, void *arg), void *arg);

/* ---- the lurker ---- */
/* Runs one round: tests the bans that are due, and removes bans that no response holds. Rests between batches
 * with pause(seconds, arg). Returns the time until the next round may have work. */
nsec store_lurk(struct store *s, nsec now, void (*pause)(double seconds, void *arg), void *arg);
/* Starts a thread that runs the rounds; new bans wake it. Stopping waits for the thread to end. */
int store_lurker_start(struct store *s);
void store_lurker_stop(struct store *s);

#endif
