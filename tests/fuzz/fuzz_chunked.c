/* Chunked content: decoding in one piece and in pieces (of a size the first byte of the input chooses) gives
 * the same bytes, the same end and the same verdict. */
#include "fuzz.h"

struct decoded {
    char *bytes;
    size_t n, consumed;
    int result;
};

static struct decoded
decode(const char *text, size_t len, size_t step)
{
    struct decoded d = { .bytes = malloc(len + 1) };
    struct http1_chunked c;
    CHECK(d.bytes != NULL);
    http1_chunked_init(&c);
    while (d.result == 0 && d.consumed < len) {
        struct span in = span_of(text + d.consumed, len - d.consumed < step ? len - d.consumed : step), out;
        size_t offered = in.len;
        d.result = http1_chunked_next(&c, &in, &out);
        CHECK(in.len < offered || d.result != 0);
        d.consumed += offered - in.len;
        CHECK(d.n + out.len <= len);
        memcpy(d.bytes + d.n, out.ptr, out.len);
        d.n += out.len;
    }
    return d;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = fuzz_copy(data + 1, size - 1);
    struct decoded whole = decode(text, size - 1, size), pieces = decode(text, size - 1, 1 + data[0] % 32);
    CHECK(whole.result == pieces.result && whole.n == pieces.n &&
          memcmp(whole.bytes, pieces.bytes, whole.n) == 0);
    CHECK(whole.consumed == pieces.consumed);
    free(whole.bytes);
    free(pieces.bytes);
    free(text);
    return 0;
}
