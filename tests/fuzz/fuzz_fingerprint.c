/* Hellos of TLS clients: each is refused, or gives fingerprints of the form that their definitions prescribe.
 * A prefix of a hello is refused. */
#include "fuzz.h"
#include "tls/fingerprint.h"

static void
check_ja3(const struct tls_hello *h)
{
    struct text out = { 0 };
    unsigned commas = 0;
    tls_hello_ja3(h, &out);
    for (size_t i = 0; i < out.len; i++) {
        CHECK(out.ptr[i] == ',' || out.ptr[i] == '-' || (out.ptr[i] >= '0' && out.ptr[i] <= '9'));
        commas += out.ptr[i] == ',';
    }
    CHECK(commas == 4);
    text_release(&out);
}

static void
check_ja4(const struct tls_hello *h, unsigned how)
{
    struct text out = { 0 };
    tls_hello_ja4(h, how, &out);
    CHECK(out.len >= 12 && out.ptr[0] == 't' && out.ptr[10] == '_');
    CHECK((how & TLS_JA4_RAW) != 0 || (out.len == 36 && out.ptr[23] == '_'));
    text_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *in = fuzz_copy(data, size);
    struct tls_hello *h = tls_hello_read(span_of(in, size));
    if (h != NULL) {
        check_ja3(h);
        for (unsigned how = 0; how < 4; how++)
            check_ja4(h, how);
        size_t whole = 4 + ((size_t)data[1] << 16 | (size_t)data[2] << 8 | data[3]);
        CHECK(whole <= size && tls_hello_read(span_of(in, whole - 1)) == NULL);
    }
    free(h);
    free(in);
    return 0;
}
