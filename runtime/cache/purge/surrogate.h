/* The table of surrogate keys: see surrogate.c. The shard's lock is held unless a comment says otherwise. */
#ifndef VERNIS_CACHE_PURGE_SURROGATE_H
#define VERNIS_CACHE_PURGE_SURROGATE_H

#include "cache/digest.h"
#include "cache/object.h"

struct store;
struct surrogates;

/* ERR_NOMEM. */
int surrogates_new(struct storage *const *account, const struct digest_secret *secret,
                   struct surrogates **out);
void surrogates_release(struct surrogates **s);                 /* call after the index is empty */
void surrogates_attach(struct surrogates *s, struct object *o); /* o must have its head and be in the index */
void surrogates_detach(struct surrogates *s, struct object *o); /* harmless if not attached */
#define SURROGATE_GROUPS_MAX 64u /* for one field; RFC 9875 requires at least 32 */
/* Parses a field Cache-Groups or Cache-Group-Invalidation into tags; 0: no group, or not a list of
 * strings. */
unsigned surrogate_groups(const struct digest_secret *secret, struct span field,
                          struct digest out[SURROGATE_GROUPS_MAX]);
bool surrogate_next(struct span *words, struct span *word);
void surrogates_each(const struct surrogates *s, const struct object *o,
                     void (*fn)(struct digest word, void *arg), void *arg);
/* Runs fn on each object that has the word, with a reference, and returns how often fn returned true. Call
 * without locks; may yield. */
unsigned surrogates_visit(struct surrogates *s, struct digest word, bool (*fn)(struct object *o, void *arg),
                          void *arg);

#endif
