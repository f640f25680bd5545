/* The most requested URLs, the URLs that miss, with the reasons, and the time of origins, from records of the
 * log (log_reader.h). The records may be a sample.
 *
 * All tables have fixed sizes. A full table drops its least requested URL; counts fade, so that the tables
 * show the last minutes. */
#ifndef VERNIS_MANAGER_DASHBOARD_URLS_H
#define VERNIS_MANAGER_DASHBOARD_URLS_H

#include "manager/dashboard/log_reader.h"
#include "base/text.h"

#define URLS_MAX 1024u
#define URL_BYTES 240u         /* longer URLs are cut */
#define URL_HOST_BYTES 80u     /* as are longer names of hosts */
#define URL_DETAILS_BYTES 120u /* of a reason */
#define URLS_OPEN_MAX 512u     /* transactions in progress */
#define URLS_SHOWN 25u

struct urls;

struct urls *urls_new(void);
void urls_free(struct urls **u);                          /* harmless on NULL */
void urls_record(void *urls, const struct log_record *r); /* a log_record_fn */
/* Lets the counts fade by `seconds`. */
void urls_age(struct urls *u, double seconds);

/* Times to the first byte of origins since the last call. False: there were no responses. */
struct origin_times {
    unsigned n;
    double p50_s, p95_s;
};
bool urls_origin_times(struct urls *u, struct origin_times *out);
/* Appends the JSON lists "urls" and "misses" with the first of each, "urls_in_all" and "misses_in_all" with
 * the numbers of known ones, "reasons" with the sums of all misses and passes of each reason, and "sampled",
 * the requests seen since the start. A miss has the id of its reason and the sentence
 * (compiler/observe/reason_texts.py). */
void urls_json(const struct urls *u, struct text *out);

#endif
