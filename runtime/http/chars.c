/* The table of byte classes, and the scan for controls sixteen bytes at a time. */
#include "http/chars.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Sums of CHAR_*, sixteen bytes a row; tests/runtime/http/test_fields.c derives each class from its
 * definition. */
const uint8_t char_class[256] = {
      0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    /* 00 */
      0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,    /* 10 */
      0,  51,   2,  17,  51,  51,  51,  51,  50,  50,  51,  51,  50, 115, 115,  18,    /* 20 */
    127, 127, 127, 127, 127, 127, 127, 127, 127, 127,  50,  50,  18,  50,  18,  18,    /* 30 */
     18, 123, 123, 123, 123, 123, 123, 115, 115, 115, 115, 115, 115, 115, 115, 115,    /* 40 */
    115, 115, 115, 115, 115, 115, 115, 115, 115, 115, 115,  50,  18,  50,  19, 115,    /* 50 */
     19, 123, 123, 123, 123, 123, 123, 115, 115, 115, 115, 115, 115, 115, 115, 115,    /* 60 */
    115, 115, 115, 115, 115, 115, 115, 115, 115, 115, 115,  18,  19,  18, 115,   0,    /* 70 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* 80 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* 90 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* a0 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* b0 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* c0 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* d0 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* e0 */
     18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,  18,    /* f0 */
};

static const char *
find_control_bytewise(const char *p, const char *end)
{
    while (p < end && ((unsigned char)*p >= 0x20 || *p == '\t') && *p != 0x7f)
        p++;
    return p;
}

#ifdef __SSE2__
/* Bit i is set if byte i is a control character. */
static inline unsigned
controls_of(__m128i bytes)
{
    const __m128i blank = _mm_set1_epi8(0x1f), tab = _mm_set1_epi8('\t'), del = _mm_set1_epi8(0x7f);
    __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes);        /* unsigned bytes <= 0x1f */
    __m128i bad = _mm_or_si128(_mm_andnot_si128(_mm_cmpeq_epi8(bytes, tab), low), _mm_cmpeq_epi8(bytes, del));
    return (unsigned)_mm_movemask_epi8(bad);
}

/* For 8 to 15 bytes: looks at the first eight and at the last eight, some of them twice. */
static inline const char *
find_control_twice(const char *p, const char *end)
{
    __m128i first = _mm_loadl_epi64((const __m128i *)p), last = _mm_loadl_epi64((const __m128i *)(end - 8));
    unsigned mask = controls_of(_mm_unpacklo_epi64(first, last));
    if (mask == 0)
        return end;
    unsigned at = (unsigned)__builtin_ctz(mask);
    return at < 8 ? p + at : end - 16 + at;
}

const char *
char_find_control(const char *p, const char *end)
{
    ptrdiff_t n = end - p;
    if (n < 8)
        return find_control_bytewise(p, end);
    if (n < 16)
        return find_control_twice(p, end);
    for (; end - p >= 16; p += 16) {
        unsigned mask = controls_of(_mm_loadu_si128((const __m128i *)p));
        if (mask != 0)
            return p + __builtin_ctz(mask);
    }
    if (p == end)
        return end;
    unsigned mask = controls_of(_mm_loadu_si128((const __m128i *)(end - 16)));
    return mask != 0 ? end - 16 + __builtin_ctz(mask) : end;
}
#else
const char *
char_find_control(const char *p, const char *end)
{
    return find_control_bytewise(p, end);
}
#endif
