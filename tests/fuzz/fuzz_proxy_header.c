/* PROXY headers: reported addresses and typed fields lie within the parsed bytes, typed fields fill their
 * room to the last byte, and a prefix of an accepted header waits for more. */
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
    struct proxy_info info = { 0 };
    struct proxy_note note;
    char *in = fuzz_copy(data, size);
    ssize_t n = proxy_header_parse(span_of(in, size), &info, &note);
    CHECK(n <= (ssize_t)size && n <= PROXY_RECEIVED_BYTES_MAX);
    CHECK(note.tag == 0 || memchr(note.text, '\0', sizeof note.text) != NULL);
    if (n <= 0)
        CHECK(info.fields.len == 0 && info.client.family == 0);
    if (info.fields.len > 0)
        CHECK(info.fields.ptr >= in && info.fields.ptr + info.fields.len == in + n);
    check_fields(info.fields);
    for (ssize_t len = 1; len < n; len += 1 + n / 16)
        CHECK(proxy_header_parse(span_of(in, (size_t)len), &info, &note) == 0);
    free(in);
    return 0;
}
