/* br (RFC 7932) and zstd (RFC 8878) as filters that pack a body for delivery. */
#ifndef VERNIS_FILTER_CODERS_H
#define VERNIS_FILTER_CODERS_H

#include "filter/filter.h"

int br_open(const struct filter_wants *wants, struct filter **out);
int zstd_open(const struct filter_wants *wants, struct filter **out);
size_t coder_bytes(void); /* approximate memory of either filter */

#endif
