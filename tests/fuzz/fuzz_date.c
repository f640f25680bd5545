/* Dates: what parses and is representable is formatted and parsed to the same second. */
#include "fuzz.h"
#include "http/fields.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size), out[HTTP_DATE_BYTES];
    nsec t, again;
    if (http_date_parse(span_of(text, size), &t) == 0 && t > INT64_MIN && t < NSEC_NEVER - 1) {
        http_date_format(t, out);
        CHECK(http_date_parse(span_of(out, sizeof out), &again) == 0 && again == t);
    }
    free(text);
    return 0;
}
