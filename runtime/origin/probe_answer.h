/* The response to a poll. */
#ifndef VERNIS_ORIGIN_PROBE_ANSWER_H
#define VERNIS_ORIGIN_PROBE_ANSWER_H

#include "loop/conn.h"

#define PROBE_LINE_BYTES 512u

struct probe_answer {
    bool empty;                      /* the origin closed without a byte */
    char line[PROBE_LINE_BYTES + 1]; /* its first line; the beginning of a longer one */
};

/* Receives a whole response: up to the end of its content, or of the connection. The origin must send all of
 * it by the deadline. `method`: of the request. Returns the status, ERR_SYNTAX if there is none, or an
 * error of the connection. Fiber. */
int probe_receive(struct conn *c, struct span method, nsec deadline, struct probe_answer *out);

#endif
