/* Files of tables. The manager copies each file into the folder of images before the worker reads it: the
 * worker's user may be unable to read the operator's file, and the next worker gets the same rows although
 * the file has changed since. */
#ifndef VERNIS_MANAGER_POLICIES_POLICY_TABLES_H
#define VERNIS_MANAGER_POLICIES_POLICY_TABLES_H

#include <stdint.h>

#include "manager/policies/policies.h"

#define TABLE_NAME_BYTES 128u
#define TABLE_WORDS_MAX 240u /* of kept_words: three for each table */

struct file_stamp { /* of a file: differs when it has changed. Zero: it is missing */
    uint64_t inode;
    int64_t bytes, changed;
};

struct kept_table {
    struct list link;             /* of vcl.tables */
    char *name, *file, *copy;     /* owned; file: the operator's name of it */
    struct file_stamp read, seen; /* of the file: when it was copied or last tried; at the last look */
    bool replaced;                /* a command named another file than the policy */
};

/* After a load: copies the files whose rows the worker has read, which its answer names. */
void policies_keep_tables(struct policies *p, struct vcl *vcl, struct span answer);
void kept_tables_forget(struct vcl *vcl); /* removes the copies */
/* Each table, its copy, and the name of its file, as words behind those of `load`. Returns the new number. */
unsigned kept_words(const struct policies *p, const struct vcl *vcl, const char *words[], unsigned n);

/* Sends table_replace or table_diff to the worker for a table, "TABLE" of the active policy or
 * "POLICY.TABLE", and a file. `done` gets the answer, or the reason why nothing was sent. */
enum table_verb { TABLE_DIFF, TABLE_REPLACE };
void policies_table(struct policies *p, enum table_verb verb, const char *table, const char *file, bool json,
                    child_done_fn *done, void *arg);
/* Splits "POLICY.TABLE". NULL: the policy does not exist, or there is no active one; `why` has the reason. */
struct vcl *policies_of_table(struct policies *p, const char *name, const char **table, struct text *why);

/* ---- table_watch.c ---- */
void table_watch_start(struct policies *p);
void file_stamp(const char *path, struct file_stamp *out);

#endif
