/* The origins of a trial: scripted answers, and what the origins were asked. They speak a protocol of their
 * own (stream/exchange.h) that has no sockets. */
#ifndef VERNIS_TRIAL_ORIGIN_H
#define VERNIS_TRIAL_ORIGIN_H

#include "stream/exchange.h"
#include "trial/answer.h"
#include "trial/bytes.h"

#define TRIAL_ANSWERS_MAX 256u

void origin_begin(void); /* forgets answers and requests */
void origin_forget_requests(void);
void origin_retire_answers(void);                  /* fetches under way keep theirs */
int origin_add(const struct trial_answer *answer); /* ERR_LIMIT */
const struct trial_bytes *origin_requests(void);
exchange_open_fn origin_open; /* for proxy_env */

#endif
