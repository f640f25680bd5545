/* See hpack_encode.h. */
#include "stream/h2/hpack_encode.h"

#include "base/check.h"
#include "base/put.h"
#include "stream/h2/hpack_table.h"

#define LITERAL 0x00u /* without indexing, RFC 7541, 6.2.2 */
#define LITERAL_PREFIX 0x0fu
#define TEXT_PREFIX 0x7fu
#define INDEXED 0x80u
#define STATUS_FIRST 8u /* the static entries of :status: 200, 204, 206, 304, 400, 404, 500 */
#define STATUS_LAST 14u

static inline uint8_t *
put_integer(uint8_t *p, unsigned kind, uint32_t prefix, size_t n)
{
    if (n < prefix) {
        *p = (uint8_t)(kind | n);
        return p + 1;
    }
    *p++ = (uint8_t)(kind | prefix);
    for (n -= prefix; n >= 0x80; n >>= 7)
        *p++ = (uint8_t)(n | 0x80);
    *p = (uint8_t)n;
    return p + 1;
}

/* Adds bit 5 to the bytes of a word that are A to Z. */
static inline uint64_t
lower_case(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t low = word & 0x7f * ones;
    uint64_t from_a = low + (0x80 - 'A') * ones, behind_z = low + (0x7f - 'Z') * ones;
    uint64_t upper = (from_a ^ behind_z) & ~word & 0x80 * ones;
    return word | upper >> 2;
}

/* For text of fewer than eight bytes, and the last ones of longer text. */
static uint8_t *
put_lower(uint8_t *p, struct span name)
{
    uint64_t word;
    size_t at = 0;
    for (; at + 8 <= name.len; at += 8) {
        memcpy(&word, name.ptr + at, 8);
        word = lower_case(word);
        memcpy(p + at, &word, 8);
    }
    for (; at < name.len; at++)
        p[at] = (uint8_t)ascii_lower(name.ptr[at]);
    return p + name.len;
}

size_t
hpack_encode_status(uint8_t *out, unsigned status)
{
    CHECK(status >= 100 && status <= 999);
    char digits[4];
    put_decimal(digits, status);
    for (unsigned i = STATUS_FIRST; i <= STATUS_LAST; i++)
        if (memcmp(hpack_static[i].value.ptr, digits, 3) == 0) {
            *out = (uint8_t)(INDEXED | i);
            return 1;
        }
    out[0] = LITERAL | STATUS_FIRST;
    out[1] = 3;
    memcpy(out + 2, digits, 3);
    return HPACK_STATUS_BYTES_MAX;
}

size_t
hpack_encode_field(uint8_t *out, size_t size, const struct http_field *f)
{
    if (size < hpack_field_max(f->name.len, f->value.len))
        return 0;
    unsigned index = f->id < NAME_KNOWN_COUNT ? hpack_static_of[f->id] : 0;
    uint8_t *p = put_integer(out, LITERAL, LITERAL_PREFIX, index);
    if (index == 0)
        p = put_lower(put_integer(p, 0, TEXT_PREFIX, f->name.len), f->name);
    p = put_integer(p, 0, TEXT_PREFIX, f->value.len);
    return (size_t)((uint8_t *)put_span((char *)p, f->value) - out);
}
