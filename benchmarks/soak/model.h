/* The objects of the soak, as its origin makes them and its client verifies them. The seed and the number of
 * an object determine everything, so neither side stores bodies. Every body begins with a frame: number,
 * variant, version and length, which determine the rest. A version is the time at which the origin made the
 * body (CLOCK_MONOTONIC, milliseconds), so the client also detects bodies that are too old. */
#ifndef VERNIS_BENCHMARKS_SOAK_MODEL_H
#define VERNIS_BENCHMARKS_SOAK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FRAME_BYTES 31u
#define BODY_BYTES_MAX 5000000u
#define PART_BYTES_MAX 60000u /* of objects that pages include, and of those in gzip coding at any hop */
#define INCLUDES_MAX 5u
#define RUN_BYTES_MAX 2000u /* of a page's text between two includes */
#define PAGE_BYTES_MAX (INCLUDES_MAX * (RUN_BYTES_MAX + 300u) + 100u)
#define GROUPS 500u
#define VARIANTS 4u

enum kind { PLAIN, GZIPPED, TO_GZIP, TO_GUNZIP, VARIES, PAGE };

struct soak_object {
    uint32_t number, bytes, ttl_s, period_ms, n_includes;
    enum kind kind;
    bool chunked, whole; /* whole: not streamed */
};

extern uint32_t n_objects; /* number of objects */
extern uint64_t seed;

uint64_t mix(uint64_t x);
uint64_t chance(uint64_t stream, uint64_t n); /* random, the same for each run with this seed */
struct soak_object object_of(uint32_t number);
uint32_t now_ms(void);

/* Bytes [from, from + n) of the text of a body. Its letters are a to p. */
void fill(uint64_t key, uint64_t from, char *out, size_t n);
uint64_t key_of(uint32_t number, unsigned variant, uint32_t version);
void frame_of(char out[FRAME_BYTES + 1], uint32_t number, unsigned variant, uint32_t version, uint32_t bytes);

/* A page is "<", its frame, ">", and for each include: text, the included object, and "<number>". */
uint32_t included(const struct soak_object *page, unsigned n); /* number of the included object */
uint32_t run_bytes(uint32_t number, unsigned n);               /* length of the text before the include */
int url_of(char *out, size_t room, uint32_t number);

#endif
