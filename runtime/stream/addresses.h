/* Counts the connections of each client address, for connections_per_address. One locked table serves all
 * loops of the process; it is empty and unused while the parameter is 0. Addresses are counted by prefix, so
 * that a client with a network of its own counts as one client. */
#ifndef VERNIS_STREAM_ADDRESSES_H
#define VERNIS_STREAM_ADDRESSES_H

#include "loop/conn.h"

enum address_entry {
    ADDRESS_UNCOUNTED, /* limit is off, address is not an Internet address, or the table is full */
    ADDRESS_COUNTED,   /* call addresses_leave when the connection ends */
    ADDRESS_LIMITED,   /* the address has reached its limit */
};

enum address_entry addresses_enter(const struct address *a);
void addresses_leave(const struct address *a);
unsigned addresses_held(void);  /* prefixes in the table */
uint64_t addresses_bytes(void); /* memory of the table; 0 before its first use */

#endif
