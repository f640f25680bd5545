/* Decoder of chunked content (RFC 9112, 7.1), fed piece by piece. Only CR LF ends a line: a decoder that
 * accepts other line ends may find another end of the message than the next server on the path (request
 * smuggling). */
#include "base/check.h"
#include "http/chars.h"
#include "http/http1.h"

#define SIZE_DIGITS_MAX 16

enum chunk_state {
    CHUNK_SIZE,  /* hex digits; count: number of digits */
    CHUNK_BLANK, /* blanks after the size, before ';' */
    CHUNK_EXT,   /* count: bytes of the extensions */
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    TRAILER_START, /* start of a line; from here on `count` is bytes of the trailer section */
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    TRAILER_END_LF,
    CHUNK_DONE,
    CHUNK_BROKEN,
};

void
http1_chunked_init(struct http1_chunked *d)
{
    *d = (struct http1_chunked){ .state = CHUNK_SIZE };
}

static const char no_line_end[] = "chunked header no NL", too_long[] = "chunked extension too long";

static int
broken(struct http1_chunked *d, int err, const char *why)
{
    d->why = why;
    return err;
}

static int
size_byte(struct http1_chunked *d, char c)
{
    int digit = char_hex_value(c);
    if (digit >= 0) {
        if (d->count++ == SIZE_DIGITS_MAX)
            return broken(d, ERR_LIMIT, "chunked header too long");
        if (d->left > INT64_MAX >> 4)
            return broken(d, ERR_LIMIT, "bogusly large chunk size");
        d->left = d->left << 4 | (unsigned)digit;
        return 0;
    }
    if (d->count == 0)
        return broken(d, ERR_SYNTAX, "chunked header non-hex");
    d->count = 0;
    if (c == '\r')
        d->state = CHUNK_SIZE_LF;
    else if (c == ';')
        d->state = CHUNK_EXT;
    else if (char_is_blank(c))
        d->state = CHUNK_BLANK;
    else
        return broken(d, ERR_SYNTAX, no_line_end);
    return 0;
}

static bool
is_text(char c)
{
    return c == '\t' || ((unsigned char)c >= 0x20 && c != 0x7f);
}

/* RFC 9112, 7.1.1 allows blanks before the semicolon, but not before the line end. */
static int
blank_byte(struct http1_chunked *d, char c)
{
    if (c == ';')
        d->state = CHUNK_EXT;
    else if (!char_is_blank(c))
        return broken(d, ERR_SYNTAX, no_line_end);
    return ++d->count > CHUNK_EXT_MAX_BYTES ? broken(d, ERR_LIMIT, too_long) : 0;
}

static int
ext_byte(struct http1_chunked *d, char c)
{
    if (c == '\r')
        d->state = CHUNK_SIZE_LF;
    else if (!is_text(c))
        return broken(d, ERR_SYNTAX, no_line_end);
    return ++d->count > CHUNK_EXT_MAX_BYTES ? broken(d, ERR_LIMIT, too_long) : 0;
}

static int
expect_byte(struct http1_chunked *d, char c, char expected, enum chunk_state next)
{
    if (c != expected)
        return broken(d, ERR_SYNTAX, d->state == CHUNK_SIZE_LF ? no_line_end : "chunked tail no NL");
    d->count = next == CHUNK_SIZE ? 0 : d->count;
    d->state = next;
    return 0;
}

static int
trailer_byte(struct http1_chunked *d, char c)
{
    if (++d->count > CHUNK_TRAILER_MAX_BYTES)
        return broken(d, ERR_LIMIT, "chunked trailer too long");
    if (d->state == TRAILER_START && c == '\r')
        d->state = TRAILER_END_LF;
    else if (d->state == TRAILER_START)
        d->state = char_is(c, CHAR_TOKEN) ? TRAILER_NAME : CHUNK_BROKEN;
    else if (d->state == TRAILER_NAME && c == ':')
        d->state = TRAILER_VALUE;
    else if (d->state == TRAILER_NAME)
        d->state = char_is(c, CHAR_TOKEN) ? TRAILER_NAME : CHUNK_BROKEN;
    else if (d->state == TRAILER_VALUE && c == '\r')
        d->state = TRAILER_LF;
    else if (d->state == TRAILER_VALUE)
        d->state = is_text(c) ? TRAILER_VALUE : CHUNK_BROKEN;
    else if (d->state == TRAILER_LF)
        d->state = c == '\n' ? TRAILER_START : CHUNK_BROKEN;
    else
        d->state = c == '\n' ? CHUNK_DONE : CHUNK_BROKEN;
    return d->state == CHUNK_BROKEN ? broken(d, ERR_SYNTAX, "chunked trailer is malformed") : 0;
}

static int
chunk_byte(struct http1_chunked *d, char c)
{
    switch ((enum chunk_state)d->state) {
    case CHUNK_SIZE: return size_byte(d, c);
    case CHUNK_BLANK: return blank_byte(d, c);
    case CHUNK_EXT: return ext_byte(d, c);
    case CHUNK_SIZE_LF:
        d->count = 0;
        return expect_byte(d, c, '\n', d->left == 0 ? TRAILER_START : CHUNK_DATA);
    case CHUNK_DATA_CR: return expect_byte(d, c, '\r', CHUNK_DATA_LF);
    case CHUNK_DATA_LF: return expect_byte(d, c, '\n', CHUNK_SIZE);
    case TRAILER_START:
    case TRAILER_NAME:
    case TRAILER_VALUE:
    case TRAILER_LF:
    case TRAILER_END_LF: return trailer_byte(d, c);
    case CHUNK_DATA:
    case CHUNK_DONE:
    case CHUNK_BROKEN: break;
    }
    return ERR_SYNTAX;
}

static void
take_data(struct http1_chunked *d, struct span *in, struct span *out)
{
    CHECK(d->left > 0);
    size_t n = d->left < in->len ? (size_t)d->left : in->len;
    *out = span_of(in->ptr, n);
    in->ptr += n;
    in->len -= n;
    d->left -= n;
    if (d->left == 0)
        d->state = CHUNK_DATA_CR;
}

int
http1_chunked_next(struct http1_chunked *d, struct span *in, struct span *out)
{
    CHECK(in->len == 0 || in->ptr != NULL);
    *out = span_of(in->ptr, 0);
    d->trailer = SPAN_NULL;
    while (in->len > 0 && d->state != CHUNK_DONE) {
        if (d->state == CHUNK_DATA) {
            take_data(d, in, out);
            return 0;
        }
        bool in_trailer = d->state >= TRAILER_START;
        int err = chunk_byte(d, *in->ptr);
        if (err != 0) {
            d->state = CHUNK_BROKEN;
            return err;
        }
        if (in_trailer)
            d->trailer = span_of(d->trailer.ptr != NULL ? d->trailer.ptr : in->ptr, d->trailer.len + 1);
        in->ptr++;
        in->len--;
    }
    return d->state == CHUNK_DONE ? 1 : d->state == CHUNK_BROKEN ? ERR_SYNTAX : 0;
}
