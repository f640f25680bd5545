/* Response heads, and where their content ends. */
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = { 0 };
    struct http_message m;
    struct http1_error error = { 0 };
    struct http1_framing framing;
    char *buf = fuzz_copy(data, size);
    names_init();
    CHECK(message_init(&m, &arena, 16) == 0);
    ssize_t n = http1_parse_response(buf, size, &fuzz_limits, &m, &error);
    CHECK(n <= (ssize_t)size);
    if (n < 0)
        CHECK(error.why != NULL && error.status == 503 && error.offset <= size);
    if (n > 0) {
        CHECK(m.status >= 100 && m.status <= 999);
        fuzz_check_message(&m, buf, (size_t)n);
        if (http1_response_framing(&m, SPAN_LIT("GET"), &framing, &error) == 0)
            CHECK(framing.kind != BODY_EOF || !framing.keep_alive);
        char out[8192];
        CHECK(http1_write_response(&m, out, sizeof out) > 0);
    }
    free(buf);
    arena_release(&arena);
    return 0;
}
