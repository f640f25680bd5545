/* Cache-Control, lists and entity tags: no crash, values in range, and all items of a list come to an end. */
#include "fuzz.h"
#include "http/cache_control.h"
#include "http/fields.h"

static bool
in_range(int64_t seconds)
{
    return seconds >= -1 && seconds <= (int64_t)1 << 31;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    struct http_field field = { .name = SPAN_LIT("Cache-Control"),
                                .value = span_of(text, size),
                                .id = NAME_CACHE_CONTROL };
    struct http_message m = { .fields = &field,
                              .n_fields = 1,
                              .cap_fields = 1,
                              .seen_ids = { UINT64_MAX, UINT64_MAX },
                              .ids_known = UINT16_MAX };
    struct cache_control cc;
    struct span rest = field.value, item;
    size_t n = 0;
    names_init();
    cache_control_parse(&m, &cc);
    CHECK(in_range(cc.max_age_s) && in_range(cc.s_maxage_s));
    CHECK(in_range(cc.stale_while_revalidate_s) && in_range(cc.stale_if_error_s));
    while (list_next(&rest, &item)) {
        CHECK(item.len > 0 && item.ptr >= text && item.ptr + item.len <= text + size);
        CHECK(++n <= size);
    }
    (void)etag_list_match(field.value, SPAN_LIT("\"a\""));
    (void)list_has_token(field.value, SPAN_LIT("chunked"));
    free(text);
    return 0;
}
