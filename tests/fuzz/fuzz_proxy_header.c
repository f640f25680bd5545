/* PROXY headers: what is told lies within what was parsed, typed fields fill their room to the last byte, and
 * a prefix of an accepted header waits for more. */
#include "fuzz.h"
#include "stream/proxy_header.h"

static void
check_fields(struct span fields)
{
    while (fields.len > 0) {
        CHECK(fields.len >= 3);
        size_t n = 3 + (size_t)((unsigned char)fields.ptr[1] << 8 | (unsigned char)fields.ptr[2]);
        CHECK(n <= fields.len);
        fields = span_of(fields.ptr + n, fields.len - n);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct proxy_told told = { 0 };
    struct proxy_note note;
    char *in = fuzz_copy(data, size);
    ssize_t n = proxy_header_parse(span_of(in, size), &told, &note);
    CHECK(n <= (ssize_t)size && n <= PROXY_RECEIVED_BYTES_MAX);
    CHECK(note.tag == 0 || memchr(note.text, '\0', sizeof note.text) != NULL);
    if (n <= 0)
        CHECK(told.fields.len == 0 && told.client.family == 0);
    if (told.fields.len > 0)
        CHECK(told.fields.ptr >= in && told.fields.ptr + told.fields.len == in + n);
    check_fields(told.fields);
    for (ssize_t len = 1; len < n; len += 1 + n / 16)
        CHECK(proxy_header_parse(span_of(in, (size_t)len), &told, &note) == 0);
    free(in);
    return 0;
}
