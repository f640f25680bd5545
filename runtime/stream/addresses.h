/* Connections of each client address, for connections_per_address. One table for all loops of the process, locked; empty and unused
 * while the parameter is 0. An address is counted by its prefix, so that a client with a network of its own is one client. */
#ifndef VERNIS_ADDRESSES_H
#define VERNIS_ADDRESSES_H

#include "loop/conn.h"

enum address_entry {
    ADDRESS_UNCOUNTED,                  /* off, no Internet address, or the table is full */
    ADDRESS_COUNTED,                    /* addresses_leave once the connection ends */
    ADDRESS_LIMITED,                    /* it has as many as it may have */
};

enum address_entry addresses_enter(const struct address *a);
void addresses_leave(const struct address *a);
unsigned addresses_held(void);          /* prefixes in the table */
uint64_t addresses_bytes(void);         /* of the table; 0 until it is used */

#endif
