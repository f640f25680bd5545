/* The address of a backend as it was declared, and the addresses its names have now: its own, and those of the backend that connections
 * go through (`.via`). Looking up blocks; the texts are fixed, so that a thread of the offload pool may look up what a loop uses.
 * Private to this room. */
#ifndef VERNIS_BACKEND_ADDRESS_H
#define VERNIS_BACKEND_ADDRESS_H

#include "origin/endpoint.h"
#include "policy_abi.h"

struct place {                          /* one .host with its .port, or a .path */
    char *host, *port;                  /* owned; NULL: the path */
    char path[ENDPOINT_PATH_BYTES];
    bool by_name;                       /* the host is no address in numbers: another look-up may find others */
};

struct found {                          /* addresses of a place, at most one a family */
    struct address at[ENDPOINT_ADDRESSES_MAX];
    unsigned n;                         /* 0: a path */
};

struct backend_address {
    struct place to, through;
    bool has_via;                       /* connections go `through`, and a PROXY header tells there where `to` is */
    struct span greeting, preamble, authority;  /* owned; the greeting is the preamble of `through` */
    uint32_t proxy_header;
    struct found to_found, through_found;       /* owner loop, once the backend is used */
};

/* Copies what was declared, and looks its names up. `via`: NULL: none. On failure `why` says what is wrong, and nothing is held. */
int backend_address_init(struct backend_address *a, const struct image_backend *im, const struct image_backend *via, char *why, size_t cap);
void backend_address_release(struct backend_address *a);        /* harmless on a zeroed one */
bool backend_address_by_name(const struct backend_address *a);

/* Any thread; blocks. Addresses that were found before and are still among the answers stay: a resolver that turns its answers round
 * changes nothing. */
int backend_address_look_up(const struct backend_address *a, struct found *to, struct found *through, char *why, size_t cap);
struct endpoint *backend_address_endpoint(const struct backend_address *a);     /* of what was found; a reference */

#endif
