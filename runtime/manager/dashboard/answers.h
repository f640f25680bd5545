/* Answers of the worker to the dashboard, checked and made short. The worker may have fewer rights than the
 * manager: an answer that is not the expected JSON gives nothing. */
#ifndef VERNIS_MANAGER_DASHBOARD_ANSWERS_H
#define VERNIS_MANAGER_DASHBOARD_ANSWERS_H

#include "base/text.h"

#define ANSWER_BYTES_MAX (16u << 20)
#define ANSWER_RULES 30u /* kept by hits, and as many by time */

/* Of `rules -j`: the rules with the most hits and those that took the most time. */
void rules_json(struct span answer, struct text *out);
/* Of `backend.list -j -p`. The histories of probes become texts, because JSON numbers have fewer than 64
 * bits in browsers. */
void backends_json(struct span answer, struct text *out);

#endif
