/* Texts of times in records: seconds with six decimals, truncated. Each hit writes many of them. Only for
 * txn.c, whose thread keeps the last time. */
#ifndef VERNIS_LOG_MOMENT_H
#define VERNIS_LOG_MOMENT_H

#include <string.h>

#include "base/clock.h"
#include "base/put.h"

#define FRACTION_BYTES 7u /* the point and six decimals */
#define MOMENT_BYTES 32u  /* of the text of a time, with what is copied behind it */

_Static_assert(DECIMAL_BYTES_MAX + FRACTION_BYTES <= MOMENT_BYTES, "moment_keep_second");

/* The text of a time of the clock. Requests that one round of a loop reads have the same time, and nearly all
 * times have the whole seconds of the time before. The point has a fixed place, so that the checks of
 * _FORTIFY_SOURCE vanish. */
struct moment {
    nsec at;
    uint64_t second; /* nanoseconds: the whole seconds of `at` */
    uint32_t start;  /* of the text */
    char text[DECIMAL_BYTES_MAX + MOMENT_BYTES];
};

static _Thread_local struct moment moment_here; /* the last one */

__attribute__((noinline)) static void
moment_keep_second(struct moment *m, nsec t)
{
    char text[DECIMAL_BYTES_MAX];
    uint64_t seconds = (uint64_t)t / NSEC_PER_SEC;
    size_t n = (size_t)(put_decimal(text, seconds) - text);
    m->second = seconds * NSEC_PER_SEC;
    m->start = (uint32_t)(DECIMAL_BYTES_MAX - n);
    memcpy(m->text + m->start, text, n);
    m->text[DECIMAL_BYTES_MAX] = '.';
}

/* Also a negative time, and a second or more. */
__attribute__((noinline)) static char *
put_seconds_any(char *p, nsec t)
{
    uint64_t ns = t < 0 ? 0 - (uint64_t)t : (uint64_t)t, second = ns / NSEC_PER_SEC;
    if (t < 0)
        *p++ = '-';
    p = put_decimal(p, second);
    *p++ = '.';
    return put_six_digits(p, (uint32_t)(ns - second * NSEC_PER_SEC) / 1000);
}

/* A cheap way for less than a second. */
static inline char *
put_seconds(char *p, nsec t)
{
    if (t < 0 || t >= NSEC_PER_SEC)
        return put_seconds_any(p, t);
    memcpy(p, "0.000000", 8);
    return t < 1000 ? p + 8 : put_six_digits(p + 2, (uint32_t)t / 1000);
}

/* As put_seconds, for the time of a clock. Writes MOMENT_BYTES. */
static inline char *
put_clock(char *p, nsec t)
{
    struct moment *m = &moment_here;
    if (t < NSEC_PER_SEC)
        return put_seconds(p, t);
    if (m->at != t) {
        if ((uint64_t)t - m->second >= NSEC_PER_SEC)
            moment_keep_second(m, t);
        put_six_digits(m->text + DECIMAL_BYTES_MAX + 1, (uint32_t)((uint64_t)t - m->second) / 1000);
        m->at = t;
    }
    memcpy(p, m->text + m->start, MOMENT_BYTES);
    return p + (DECIMAL_BYTES_MAX + FRACTION_BYTES) - m->start;
}

#endif
