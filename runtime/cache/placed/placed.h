/* Bodies in places (segment/place.h): stored content of known length, from sendfile_min bytes on. The kernel
 * sends them without a copy. All other bodies are segments on the heap (body.c).
 *
 * All places of a body but the last have PLACED_BYTES, so a position is found by arithmetic. The fetch makes
 * one place after the other; readers follow body_bytes. A reader pins one place at a time and holds the pin
 * until the stream has released its bytes. */
#ifndef VERNIS_CACHE_PLACED_PLACED_H
#define VERNIS_CACHE_PLACED_PLACED_H

#include "cache/object.h"
#include "segment/place.h"

#define PLACED_BYTES (1u << 20)

struct store;

/* Pins the place that holds byte `at`, which must be published: see place_pin. After PIN_FAILED call
 * object_lost. */
enum pin placed_pin(struct object *o, uint64_t at, struct pin_waiter *w, struct pinned *out);
void placed_unwait(struct object *o, struct pin_waiter *w); /* cancels a waiter: see place_unwait */
/* Does x pin the place that holds byte `at`? x must be of this object. */
bool placed_has(const struct object *o, uint64_t at, const struct pinned *x);
/* The published bytes of the pinned place, from byte `at` of the body on. */
struct iovec placed_bytes(const struct object *o, uint64_t at, const struct pinned *x);
/* The reader has passed all bytes before `at`: of a private object, this lets the fetch go on. */
void placed_passed(struct object *o, uint64_t at);
/* The storage could not read a place: the response leaves the index. */
void object_lost(struct object *o);
/* Bytes of memory in the store's places, and of the pages that wait for the next places. They are shared
 * memory of this process, not private. */
uint64_t store_placed_bytes(struct store *s);
uint64_t store_kept_bytes(struct store *s);
void store_tidy_places(struct store *s); /* see memfd_space_tidy */

#endif
