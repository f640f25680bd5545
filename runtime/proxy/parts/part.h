/* Fetches of parts, for partial objects (docs/partial-objects.md): the Range request to an origin, and the
 * handling of its response. fetch_part.c is the fetch of a miss that asks for a range; fetch_hole.c fills
 * holes of a stored object. */
#ifndef VERNIS_PROXY_PARTS_PART_H
#define VERNIS_PROXY_PARTS_PART_H

#include "body/partial.h"
#include "http/fields.h"
#include "proxy/parts/hole.h"
#include "proxy/request_state.h"

struct fetch;

struct fetch_part {
    struct range_wish asked; /* asked of the origin: aligned to segments, or a suffix */
    uint32_t segment_bytes;  /* the segment size, as the parameter may change during the fetch */
    struct span text;        /* `asked` as text of the field Range */
    bool if_range;           /* the client may want the whole after all */
    /* Accept-Encoding was set to identity: a part of an encoding that the delivery must undo would be
     * useless */
    bool plain;
    /* Set from the response, while it is a part: */
    uint64_t total; /* 0: the response is not a part */
    struct byte_range got;
    struct span validator; /* a strong validator; NULL: none */
    bool personal;         /* the response is for one user, or must not be stored */
    bool kept;             /* the part is stored */
    uint64_t received;
    struct hole *hole; /* the side of the fetch; NULL: no request waits */
    /* For a fetch that fills holes: */
    struct object *object; /* own reference */
    struct hole_claim claim;
    bool trouble; /* the origin failed: all waiters of the claim share the failure */
};

/* ---- fetch_part.c ---- */
/* Before the fetch begins: asks for a range, if the request wants one of content that may be stored in parts.
 * ERR_NOMEM. */
int fetch_part_ask(struct fetch *f, struct request *r);
/* After vcl_backend_fetch, which may have changed Range. */
void fetch_part_sent(struct fetch *f);
/* Call after the response head: turns the head of the expected part into that of a 200. False: the response
 * cannot be used. */
bool fetch_part_take(struct fetch *f);
void fetch_part_announce(struct fetch *f); /* sets Content-Length to that of the whole content */
/* After vcl_backend_response: does the policy or the client need the whole content? */
bool fetch_part_is_unwanted(const struct fetch *f);
void fetch_part_drop(struct fetch *f);   /* the response is not a part any more; harmless without a part */
void fetch_part_forget(struct fetch *f); /* lets the next try ask for the whole content */
bool fetch_has_part(const struct fetch *f);
/* After a 304: is a stale object in parts still of the same version? */
bool fetch_part_is_confirmed(const struct fetch *f);
/* May the part be stored? Sets `kept`. Called while the head is settled. */
bool fetch_part_may_stay(struct fetch *f, const struct storage *st);
int fetch_part_settle(struct fetch *f); /* ERR_NOMEM, ERR_LIMIT */
/* Receives the claimed bytes from the exchange, after dropping the first `skip`. Ends exchange and claim. 0,
 * or an error with `why`. */
int fetch_part_receive(struct fetch *f, uint64_t skip);
int fetch_part_store(struct fetch *f); /* publishes and receives a kept part */
void fetch_part_release(struct fetch *f);
bool is_version(const struct http_message *response, struct span validator);
/* Is the content as long as the range, and not encoded if identity was asked for? */
bool fetch_part_fits(const struct fetch *f, struct byte_range got);

/* ---- fetch_hole.c ---- */
int fetch_hole_ask(struct fetch *f); /* before the fetch begins: sets the Range of the hole. ERR_NOMEM */
void fetch_run_hole(void *fetch);    /* the fiber */

#endif
