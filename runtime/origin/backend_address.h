/* The declared address of a backend, and the addresses that its host names have now: its own host, and the
 * host of the backend that connections go through (`.via`). A lookup blocks. The declared texts never change,
 * so an offload thread may look them up while a loop uses them. Private to this room. */
#ifndef VERNIS_ORIGIN_BACKEND_ADDRESS_H
#define VERNIS_ORIGIN_BACKEND_ADDRESS_H

#include "origin/endpoint.h"
#include "policy_abi.h"

struct place {         /* a .host with its .port, or a .path */
    char *host, *port; /* owned; NULL: use path */
    char path[ENDPOINT_PATH_BYTES];
    bool by_name; /* the host is a name, not a numeric address: a later lookup may find other addresses */
};

struct found { /* addresses of a place, at most one per family */
    struct address at[ENDPOINT_ADDRESSES_MAX];
    unsigned n; /* 0: the place is a path */
};

struct backend_address {
    struct place to, through;
    bool has_via; /* connections go to `through`; a PROXY header tells that proxy the address of `to` */
    struct span greeting, preamble, authority; /* owned; greeting is the preamble of `through` */
    uint32_t proxy_header;
    struct found to_found, through_found; /* owner loop, after init */
};

/* Copies the declaration and looks its names up. `via` may be NULL. On failure `why` describes the error, and
 * *a holds nothing. */
int backend_address_init(struct backend_address *a, const struct image_backend *im,
                         const struct image_backend *via, char *why, size_t cap);
void backend_address_release(struct backend_address *a); /* harmless on a zeroed struct */
bool backend_address_by_name(const struct backend_address *a);

/* Any thread; blocks. Keeps a previous address that is still among the answers, so a resolver that rotates
 * its answers changes nothing. */
int backend_address_look_up(const struct backend_address *a, struct found *to, struct found *through,
                            char *why, size_t cap);
/* endpoint of the found addresses; a new reference */
struct endpoint *backend_address_endpoint(const struct backend_address *a);

#endif
