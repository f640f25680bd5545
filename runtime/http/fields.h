/* Field values (RFC 9110, 5.6): lists, dates, numbers, quality values, validators, ranges. Pure functions of
 * text, independent of messages. */
#ifndef VERNIS_HTTP_FIELDS_H
#define VERNIS_HTTP_FIELDS_H

#include "base/clock.h"
#include "base/span.h"

/* Splits at commas outside quotes, trims, skips empty items. */
bool list_next(struct span *rest, struct span *item);
bool list_has_token(struct span list, struct span token); /* ignores case and parameters after ';' */
struct span span_trim(struct span s);
bool accepts_gzip(struct span accept_encoding); /* q=0 refuses gzip; an absent field accepts none */
/* Returns the name of an item in a weighted list (RFC 9110, 12.4.2) and its weight in thousandths, rounded
 * up. A malformed weight is 0, an absent one is 1000. */
struct span weighted_item(struct span item, int *weight);
bool is_token(struct span s);
/* No control characters: a line end would begin another field (RFC 9110, 5.5). */
bool is_field_value(struct span s);
int parse_uint(struct span s, uint64_t *out); /* digits only; ERR_SYNTAX, ERR_LIMIT on overflow */
#define DELTA_SECONDS_MAX ((int64_t)1 << 31)  /* RFC 9111, 1.2.2 */
/* RFC 9111, 1.2.2: saturates at 2^31; quotes tolerated. */
int parse_delta_seconds(struct span s, int64_t *out_s);
/* The digits of "+60", "1.5" and "60.", which Varnish reads as whole seconds; other texts as they are. */
struct span whole_seconds(struct span s);

struct civil {
    int year, month, day, hour, minute, second; /* month 1 to 12; a leap second counts as the second before */
};

/* Since 1970, UTC; ERR_SYNTAX: not a valid date or time. */
int civil_seconds(const struct civil *c, int64_t *out);
int civil_weekday(int64_t seconds);            /* 0: Sunday */
int http_date_parse(struct span s, nsec *out); /* all three forms of RFC 9110, 5.6.7 */
/* As http_date_parse, but blanks around the date are an error, and any year has its seconds since 1970. */
int http_date_seconds(struct span s, int64_t *out);
/* RFC 9110 calls dates case-sensitive, but no two dates differ by case alone, so ignoring case is safe. */
int http_date_parse_any_case(struct span s, nsec *out);
#define HTTP_DATE_BYTES 29
void http_date_format(nsec t, char out[HTTP_DATE_BYTES]); /* IMF-fixdate, no NUL */

bool etag_weak_match(struct span a, struct span b);
bool etag_list_match(struct span list, struct span etag);        /* If-None-Match, incl. "*" */
bool etag_list_match_strong(struct span list, struct span etag); /* If-Match: weak tags never match */

struct byte_range {
    uint64_t first, last;
}; /* inclusive */
/* One range of `bytes=`, parsed before the length of the content is known. A suffix asks for the last `last`
 * bytes; its `first` is 0. Without an end, `last` is UINT64_MAX. */
struct range_wish {
    struct byte_range bytes;
    bool suffix;
};
int range_wish_parse(struct span value, struct range_wish *out); /* 1, 0 or ERR_LIMIT as range_parse */
/* One range without its unit: 1 or ERR_LIMIT. */
int range_spec_parse(struct span spec, struct range_wish *out);
/* 1, 0 or ERR_LIMIT as range_parse. */
int range_place(const struct range_wish *w, int64_t total, struct byte_range *out);
/* ERR_SYNTAX also if the total is unknown ("*"). */
int content_range_parse(struct span value, struct byte_range *out, uint64_t *total);
#define TOTAL_UNKNOWN UINT64_MAX
int content_range_parse_open(struct span value, struct byte_range *out, uint64_t *total); /* "*" is valid */
bool content_range_is_of_bytes(struct span value); /* also one that is malformed behind the unit */
/* Parses one range of `bytes=`; total -1: not known yet. 1 = send the range, 0 = ignore the field (other
 * unit, several ranges, unknown total), ERR_LIMIT = malformed or not satisfiable: answer 416 (RFC 9110, 14.2
 * allows it for both, and Varnish does so). */
int range_parse(struct span value, int64_t total, struct byte_range *out);

#endif
