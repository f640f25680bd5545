/* The tables of a policy. All of them together are a set that never changes. A transaction pins the set at
 * its first look-up, so it sees one state of every table. The admin thread replaces a table by publishing
 * another set, and frees a set when no transaction holds it any more.
 *
 * Counts of holders are one for each loop. A loop that has read the pointer to a set counts itself before it
 * runs its next mailbox item. So a set may be freed once every loop has run an item after the replacement,
 * and the counts are zero: call tables_seen_by_all() then.
 *
 * Belongs together with policy/state: the tables are a part of a policy's state. */
#ifndef VERNIS_POLICY_TABLE_TABLES_H
#define VERNIS_POLICY_TABLE_TABLES_H

#include "match/table/read.h"
#include "policy/policy.h"
#include "policy/table/pin.h"

#define TABLES_MAX 80u /* of a policy; the manager sends three words for each in one command */

struct tables;

struct table_info {
    struct span name, file; /* file: where its rows are from now; SPAN_NULL: the policy */
    enum table_kind kind;
    enum image_table_value value;
    const struct table *table; /* lent until the next replacement */
    bool replaceable;          /* its rows come from a file */
};

int tables_new(const struct policy_env *env, const struct policy_image *im, struct tables **out, char *error,
               size_t cap);
/* No loop uses the policy any more. Transactions may still hold its tables. */
void tables_release(struct tables **tables);
unsigned tables_count(const struct tables *tables); /* NULL has none */

/* Any thread that runs hooks. The table stays valid until the transaction releases its pin; in vcl_init and
 * vcl_fini, until the hook ends. */
const struct table *table_of_transaction(struct policy_ctx *ctx, int64_t i);

/* ---- admin thread ---- */

void policy_table_info(const struct policy *p, unsigned i, struct table_info *out);
unsigned policy_tables(const struct policy *p);
int policy_find_table(const struct policy *p, struct span name); /* negative: ERR_NOTFOUND */
/* Reads a file as the table declares it; the policy's table stays. */
int policy_read_table(const struct policy *p, unsigned i, const char *path, struct table **out,
                      struct table_error *error);
/* Takes the table. `file` is its name for operators. New transactions see it at once. */
void policy_put_table(struct policy *p, unsigned i, struct table **t, struct span file);
/* For tests: replaces one row of any table, or adds it; without a value, removes it. Key and value are texts,
 * as in a file. On failure the table stays, and `error` has the reason. */
int policy_put_row(struct policy *p, unsigned i, struct span key, struct span value,
                   struct table_error *error);
/* The policy will serve no new requests: its rows count as replaced. */
void policy_tables_discarded(struct policy *p);
/* Do transactions hold more than tables_replaced_max of replaced rows? Then more must not be replaced. A
 * transaction sees one state of all tables, so a client that sends its request slowly, once for each
 * replacement, would hold a copy each. */
bool tables_hold_too_much(char *error, size_t cap);
/* Every loop has run a mailbox item since the last replacement. */
void tables_seen_by_all(void);
bool tables_collect(void); /* frees what nobody holds; true: something is still held */

#endif
