/* One connection of a client of the soak, with blocking reads of response heads and content. */
#ifndef VERNIS_BENCHMARKS_SOAK_WIRE_H
#define VERNIS_BENCHMARKS_SOAK_WIRE_H

#include "check.h"

#define WIRE_BYTES 65536u

struct wire {
    int fd;                     /* -1: closed */
    bool slow, lost, timed_out; /* lost: the server closed the connection or timed out */
    size_t at, n;
    char start[600]; /* of the last head */
    char bytes[WIRE_BYTES];
};

bool wire_open(struct wire *w, int port, bool slow);
void wire_close(struct wire *w, bool reset);
bool wire_send(struct wire *w, const char *p, size_t n);
/* Reads a response, but at most `most` bytes of content. False: no head came. The caller frees the body. */
bool wire_receive(struct wire *w, bool head_only, size_t most, struct received *r, bool *hit, bool *closes);

#endif
