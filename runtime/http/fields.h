/* Field values (RFC 9110, 5.6): lists, dates, numbers, quality values, validators, ranges. Pure functions of text that know no message. */
#ifndef VERNIS_FIELDS_H
#define VERNIS_FIELDS_H

#include "base/clock.h"
#include "base/span.h"

bool list_next(struct span *rest, struct span *item);       /* comma-separated, quotes respected, trimmed, empty ones skipped */
bool list_has_token(struct span list, struct span token);   /* ignoring case, parameters after ';' not part of it */
struct span span_trim(struct span s);
bool accepts_gzip(struct span accept_encoding);              /* q=0 refuses it, absent is no */
/* The name of an item of a list that has weights (RFC 9110, 12.4.2), and its weight in thousandths, rounded up; one that is not a number is
 * 0, none is 1000. */
struct span weighted_item(struct span item, int *weight);
bool is_token(struct span s);
bool is_field_value(struct span s);                         /* no line end that would begin another field (RFC 9110, 5.5) */
int parse_uint(struct span s, uint64_t *out);               /* digits only; ERR_SYNTAX, ERR_LIMIT on overflow */
#define DELTA_SECONDS_MAX ((int64_t)1 << 31)                /* RFC 9111, 1.2.2 */
int parse_delta_seconds(struct span s, int64_t *out_s);     /* RFC 9111, 1.2.2: saturates at 2^31; quotes tolerated */

struct civil {
    int year, month, day, hour, minute, second;         /* month 1 to 12; a leap second is the one before it */
};

int civil_seconds(const struct civil *c, int64_t *out);     /* since 1970, UTC; ERR_SYNTAX: there is no such day or time */
int civil_weekday(int64_t seconds);                         /* 0: Sunday */
int http_date_parse(struct span s, nsec *out);              /* all three forms of RFC 9110, 5.6.7 */
/* RFC 9110 calls dates case-sensitive, but no two dates differ by case alone: what was sent so can only mean one. */
int http_date_parse_any_case(struct span s, nsec *out);
#define HTTP_DATE_BYTES 29
void http_date_format(nsec t, char out[HTTP_DATE_BYTES]);   /* IMF-fixdate, no NUL */

bool etag_weak_match(struct span a, struct span b);
bool etag_list_match(struct span list, struct span etag);   /* If-None-Match, incl. "*" */
bool etag_list_match_strong(struct span list, struct span etag);    /* the same, but no weak tag matches */

struct byte_range { uint64_t first, last; };                /* inclusive */
/* One range of `bytes=`, parsed while the length of the content is not known. A suffix asks for the last `last` bytes, and has first 0.
 * A range without an end has last UINT64_MAX. */
struct range_wish {
    struct byte_range bytes;
    bool suffix;
};
int range_wish_parse(struct span value, struct range_wish *out);    /* 1, 0 or ERR_LIMIT as range_parse */
int range_spec_parse(struct span spec, struct range_wish *out);     /* one range without its unit: 1 or ERR_LIMIT */
int range_place(const struct range_wish *w, int64_t total, struct byte_range *out);     /* 1, 0 or ERR_LIMIT as range_parse */
int content_range_parse(struct span value, struct byte_range *out, uint64_t *total);   /* with a known total; else ERR_SYNTAX */
/* One range of `bytes=`; total -1: not known yet. 1 = to be sent, 0 = ignore the field (other unit, several ranges, total
 * unknown), ERR_LIMIT = malformed or not satisfiable: 416 (RFC 9110, 14.2 allows it for both, Varnish does so). */
int range_parse(struct span value, int64_t total, struct byte_range *out);

#endif
