/* The hold of a transaction on a policy's tables: they are as they were at its first look-up until it lets
 * go, whatever is replaced meanwhile. */
#ifndef VERNIS_POLICY_TABLE_PIN_H
#define VERNIS_POLICY_TABLE_PIN_H

#include <stdatomic.h>

struct table_set;

struct table_pin {
    const struct table_set *set;   /* NULL: no look-up yet */
    atomic_uint_fast64_t *holders; /* of `set`, the number on the loop that took the pin */
};

/* After the last hook of the transaction, on its loop. Harmless on a zeroed or released pin. */
void table_pin_release(struct table_pin *pin);

#endif
