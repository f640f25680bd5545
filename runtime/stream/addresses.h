/* The table of client addresses: the connections of each, for connections_per_address, its handshakes of TLS,
 * for tls_handshakes_per_address, and its debt, for h2_penalty. One locked table serves all loops of the
 * process; it is empty and unused while no address has either. Addresses are counted by prefix, so that a
 * client with a network of its own counts as one client.
 */
#ifndef VERNIS_STREAM_ADDRESSES_H
#define VERNIS_STREAM_ADDRESSES_H

#include "loop/conn.h"

enum address_entry {
    ADDRESS_UNCOUNTED, /* limit is off, address is not an Internet address, or the table is full */
    ADDRESS_COUNTED,   /* call addresses_leave when the connection ends */
    ADDRESS_LIMITED,   /* the address has reached its limit */
    ADDRESS_TOO_FAST,  /* of handshakes only: it has reached its limit for a second */
};

enum address_entry addresses_enter(const struct address *a);
void addresses_leave(const struct address *a);

/* A handshake of an Internet address begins. COUNTED: call addresses_shaken at its end. `now`:
 * CLOCK_MONOTONIC. */
enum address_entry addresses_shake(const struct address *a, nsec now);
void addresses_shaken(const struct address *a);

/* The debt of an Internet address: the part of an HTTP/2 budget (h2/budget.h) that its ended sessions have
 * used up, from 0 to 1. It shrinks with time, by 1 in h2_budget_period. Addresses without a connection stay
 * in the table until it is 0, or until another address needs the room. `now`: CLOCK_MONOTONIC. */
void addresses_charge(const struct address *a, double part, nsec now);
double addresses_debt(const struct address *a, nsec now); /* 0: none, or an address without an entry */
/* A connection of an address in debt begins late. False: h2_penalty_connections of it do so already. */
bool addresses_wait(const struct address *a);
void addresses_waited(const struct address *a); /* after addresses_wait */

unsigned addresses_held(void);  /* prefixes in the table */
uint64_t addresses_bytes(void); /* memory of the table; 0 before its first use */

#endif
