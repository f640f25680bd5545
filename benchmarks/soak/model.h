/* Origin and client of the soak agree by this: everything about an object follows from the seed and its
 * number, so nobody stores bodies. Every body begins with a frame that says number, variant, version and
 * length; the rest follows from these. A version is the moment at which the origin made the body
 * (CLOCK_MONOTONIC, milliseconds), so the client also sees bodies that are too old. */
#ifndef SOAK_MODEL_H
#define SOAK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FRAME_BYTES 31u
#define BODY_BYTES_MAX 5000000u
#define PART_BYTES_MAX 60000u /* of objects that pages include, and of those that are packed or unpacked */
#define INCLUDES_MAX 5u
#define RUN_BYTES_MAX 2000u /* text of a page between two includes */
#define PAGE_BYTES_MAX (INCLUDES_MAX * (RUN_BYTES_MAX + 300u) + 100u)
#define GROUPS 500u
#define VARIANTS 4u

enum kind { PLAIN, GZIPPED, TO_GZIP, TO_GUNZIP, VARIES, PAGE };

struct thing {
    uint32_t number, bytes, ttl_s, period_ms, n_includes;
    enum kind kind;
    bool chunked, whole; /* whole: not streamed */
};

extern uint32_t things; /* how many there are */
extern uint64_t seed;

uint64_t mix(uint64_t x);
uint64_t chance(uint64_t stream, uint64_t n); /* random, the same for each run with this seed */
struct thing thing_of(uint32_t number);
uint32_t now_ms(void);

/* Bytes [from, from + n) of the text of a body, whose letters are a to p. */
void fill(uint64_t key, uint64_t from, char *out, size_t n);
uint64_t key_of(uint32_t number, unsigned variant, uint32_t version);
void frame_of(char out[FRAME_BYTES + 1], uint32_t number, unsigned variant, uint32_t version, uint32_t bytes);

/* A page is "<", its frame, ">", and for each include text, the include, and its number in brackets. */
uint32_t included(const struct thing *page, unsigned n); /* number of the object */
uint32_t run_bytes(uint32_t number, unsigned n);         /* text before the include */
int url_of(char *out, size_t room, uint32_t number);

#endif
