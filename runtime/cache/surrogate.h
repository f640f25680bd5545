/* The table of surrogate keys: see surrogate.c. The shard's lock is held, but where a comment says otherwise. */
#ifndef VERNIS_CACHE_SURROGATE_H
#define VERNIS_CACHE_SURROGATE_H

#include "cache/digest.h"
#include "cache/object.h"

struct store;
struct surrogates;

int surrogates_new(struct store *s, const struct digest_secret *secret, struct surrogates **out);      /* ERR_NOMEM */
void surrogates_release(struct surrogates **s);         /* nothing is stored any more */
void surrogates_attach(struct surrogates *s, struct object *o);     /* o has its head and is in the index */
void surrogates_detach(struct surrogates *s, struct object *o);     /* harmless when not attached */
#define SURROGATE_GROUPS_MAX 64u        /* of one field; RFC 9875 asks for 32 at the least */
/* The groups of a field Cache-Groups or Cache-Group-Invalidation, as tags; 0: none, or not a list of strings. */
unsigned surrogate_groups(const struct digest_secret *secret, struct span field, struct digest out[SURROGATE_GROUPS_MAX]);
bool surrogate_next(struct span *words, struct span *word);
void surrogates_each(const struct surrogates *s, const struct object *o, void (*fn)(struct digest word, void *arg), void *arg);
/* Runs fn on each object that has the word, referenced meanwhile, and adds up what it returns. No lock held; may yield. */
unsigned surrogates_visit(struct surrogates *s, struct digest word, bool (*fn)(struct object *o, void *arg), void *arg);

#endif
