/* Classes of bytes in RFC 9110 and 9112, and the scan for the first byte outside a class. */
#ifndef VERNIS_HTTP_CHARS_H
#define VERNIS_HTTP_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHAR_TOKEN 1u  /* tchar (RFC 9110, 5.6.2) */
#define CHAR_TARGET 2u /* request-target: visible, no '#'; bytes above 127 occur in practice */
#define CHAR_DIGIT 4u
#define CHAR_HEX 8u
#define CHAR_ETAG 16u /* etagc (RFC 9110, 8.8.3) */
/* Host and port: no '/', '?', '@' or quotes, and brackets only around an IPv6 literal. */
#define CHAR_AUTHORITY 32u
#define CHAR_UNRESERVED 64u /* never needs percent encoding (RFC 3986, 2.3) */

extern const uint8_t char_class[256]; /* chars.c */

static inline bool
char_is(char c, unsigned class)
{
    return (char_class[(unsigned char)c] & class) != 0;
}

static inline unsigned
char_bits(char c)
{
    return char_class[(unsigned char)c];
}

/* `class` is one bit: four bytes have it if the AND of their classes has it. */
static inline const char *
char_skip(const char *p, const char *end, unsigned class)
{
    while (end - p >= 4 &&
           (char_bits(p[0]) & char_bits(p[1]) & char_bits(p[2]) & char_bits(p[3]) & class) != 0)
        p += 4;
    while (p < end && char_is(*p, class))
        p++;
    return p;
}

static inline bool
char_is_blank(char c) /* optional white space (RFC 9110, 5.6.3) */
{
    return c == ' ' || c == '\t';
}

static inline bool
char_is_space(char c) /* like isspace in the C locale, with line ends */
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Value of a hex digit of either case, 0 to 15; -1 for any other byte. */
static inline int
char_hex_value(char c)
{
    return !char_is(c, CHAR_HEX) ? -1 : char_is(c, CHAR_DIGIT) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Finds the first byte that a field value may not hold: a control other than HTAB, or DEL. Returns `end` if
 * all bytes are allowed. */
const char *char_find_control(const char *p, const char *end);

#endif
