/* Characters in UTF-8. */
#ifndef VERNIS_BASE_UTF8_H
#define VERNIS_BASE_UTF8_H

#include <stddef.h>

/* Length of the sequence at p, of which `left` bytes can be read, at least one (RFC 3629: shortest form, no
 * surrogates, up to U+10FFFF); 0: invalid. */
size_t utf8_len(const unsigned char *p, size_t left);

#endif
