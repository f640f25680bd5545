/* Fetches of parts, for partial objects (docs/partial-objects.md): what a fetch asks of an origin's Range support, and what it makes of
 * the answer. fetch_part.c is the fetch of a miss that asks for a range; fetch_hole.c fills holes of an object that is stored. */
#ifndef VERNIS_PART_H
#define VERNIS_PART_H

#include "cache/parts.h"
#include "http/fields.h"
#include "proxy/parts/hole.h"
#include "proxy/request_state.h"

struct fetch;

struct fetch_part {
    struct range_wish asked;            /* of the origin: aligned to segments, or a suffix */
    uint32_t segment_bytes;             /* the parameter may change before the response comes */
    struct span text;                   /* the same as the field Range */
    bool if_range;                      /* the client may want the whole after all */
    bool plain;                         /* Accept-Encoding was changed: bytes of a coding that we may undo are of no use */
    /* Of the response, while it is a part: */
    uint64_t total;                     /* 0: it is none */
    struct byte_range got;
    struct span validator;              /* a strong one; NULL: it has none */
    bool personal;                      /* the origin says that it is for one user, or not to be stored */
    bool kept;                          /* it is stored */
    uint64_t received;
    struct hole *hole;                  /* one side of it; NULL: nobody waits */
    /* A fetch that fills holes: */
    struct object *object;              /* own reference */
    struct parts_claim claim;
    bool trouble;                       /* the origin's: all that wait for the claim share it */
};

/* ---- fetch_part.c ---- */
/* Before the fetch begins: if its request wants a part of content that may be stored in parts, bereq asks for that. ERR_NOMEM. */
int fetch_part_ask(struct fetch *f, struct request *r);
/* After vcl_backend_fetch, which may have changed Range. */
void fetch_part_sent(struct fetch *f);
/* The head has come: a part of what was asked for becomes the head of a 200. False: its part is of no use. */
bool fetch_part_take(struct fetch *f);
void fetch_part_announce(struct fetch *f);              /* Content-Length is that of the whole */
/* After vcl_backend_response: the policy, or the client, needs the whole. */
bool fetch_part_is_unwanted(const struct fetch *f);
void fetch_part_drop(struct fetch *f);                  /* another response takes its place, which is no part; harmless without */
void fetch_part_forget(struct fetch *f);                /* the next try asks for the whole */
bool fetch_has_part(const struct fetch *f);
bool fetch_part_is_confirmed(const struct fetch *f);    /* by a 304, if what is stale has parts: still the same version */
/* While the head is settled: may it be stored in parts? Decides `kept`. */
bool fetch_part_may_stay(struct fetch *f, const struct storage *st);
int fetch_part_settle(struct fetch *f);                 /* ERR_NOMEM, ERR_LIMIT */
/* Receives the claimed bytes from the exchange, behind `skip` others, and ends exchange and claim. 0, or an error with `why`. */
int fetch_part_receive(struct fetch *f, uint64_t skip);
int fetch_part_store(struct fetch *f);                  /* a part that is kept, from its publication on */
void fetch_part_release(struct fetch *f);
bool is_personal(const struct http_message *response);
bool is_version(const struct http_message *response, struct span validator);
/* Is the content of the response as long as this range, and not in a coding unless the origin was asked for one? */
bool fetch_part_fits(const struct fetch *f, struct byte_range got);

/* ---- fetch_hole.c ---- */
int fetch_hole_ask(struct fetch *f);                    /* before the fetch begins: bereq asks for the hole. ERR_NOMEM */
void fetch_run_hole(void *fetch);                       /* the fiber */

#endif
