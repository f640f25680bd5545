/* Classes of bytes in RFC 9110 and 9112, and scanning for the first byte outside of one. */
#ifndef VERNIS_CHARS_H
#define VERNIS_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHAR_TOKEN 1u                   /* tchar (RFC 9110, 5.6.2) */
#define CHAR_TARGET 2u                  /* request-target: visible, no '#', and bytes above 127 as they are seen in the wild */
#define CHAR_DIGIT 4u
#define CHAR_HEX 8u
#define CHAR_ETAG 16u                   /* etagc (RFC 9110, 8.8.3) */
#define CHAR_AUTHORITY 32u              /* host and port: no '/', '?', '@', quotes or brackets other than of an IPv6 literal */
#define CHAR_UNRESERVED 64u             /* never needs percent encoding (RFC 3986, 2.3) */

extern const uint8_t char_class[256];   /* chars.c */

static inline bool
char_is(char c, unsigned class)
{
    return (char_class[(unsigned char)c] & class) != 0;
}

static inline const char *
char_skip(const char *p, const char *end, unsigned class)
{
    while (p < end && char_is(*p, class))
        p++;
    return p;
}

static inline bool
char_is_blank(char c)                   /* what optional white space is made of (RFC 9110, 5.6.3) */
{
    return c == ' ' || c == '\t';
}

static inline bool
char_is_space(char c)                   /* as isspace in the C locale: line ends too */
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* 0 to 15, of a digit of either case; -1 of what is none. */
static inline int
char_hex_value(char c)
{
    return !char_is(c, CHAR_HEX) ? -1 : char_is(c, CHAR_DIGIT) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* First byte that may not be in a field value: a control other than HTAB, or DEL. `end` if there is none. */
const char *char_find_control(const char *p, const char *end);

#endif
