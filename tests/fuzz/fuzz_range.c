/* Ranges: what is satisfiable lies within the content. The first eight bytes of the input are the content's
 * length. */
#include "fuzz.h"
#include "http/fields.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t total;
    struct byte_range r;
    if (size < sizeof total)
        return 0;
    memcpy(&total, data, sizeof total);
    char *text = fuzz_copy(data + sizeof total, size - sizeof total);
    int result = range_parse(span_of(text, size - sizeof total), total, &r);
    CHECK(result == 0 || result == 1 || result == ERR_LIMIT);
    if (result == 1)
        CHECK(r.first <= r.last && total > 0 && r.last < (uint64_t)total);
    free(text);
    return 0;
}
