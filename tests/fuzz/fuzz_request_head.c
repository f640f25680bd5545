/* Request heads: what is accepted is written again and must then parse to the same message. */
#include "fuzz.h"

static void
check_round_trip(struct http_message *m)
{
    struct arena arena = { 0 };
    struct http_message again;
    struct http1_error error;
    size_t cap = http1_head_size(m);
    char *out = malloc(cap);
    CHECK(out != NULL && message_init(&again, &arena, 16) == 0);
    ssize_t n = http1_write_request(m, out, cap);
    CHECK(n > 0);
    struct http1_limits wide = { .head_bytes = cap + 1, .line_bytes = cap, .fields = 16 };
    CHECK(http1_parse_request(out, (size_t)n, &wide, &again, &error) == n);
    CHECK(again.n_fields == m->n_fields && span_eq(again.url, m->url) && span_eq(again.method, m->method));
    for (unsigned i = 0; i < m->n_fields; i++)
        CHECK(span_eq(again.fields[i].name, m->fields[i].name) &&
              span_eq(again.fields[i].value, m->fields[i].value));
    free(out);
    arena_release(&arena);
}

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
    ssize_t n = http1_parse_request(buf, size, &fuzz_limits, &m, &error);
    CHECK(n <= (ssize_t)size);
    if (n < 0)
        CHECK(error.why != NULL && error.status >= 400 && error.offset <= size);
    if (n > 0) {
        fuzz_check_message(&m, buf, (size_t)n);
        if (http1_request_framing(&m, &framing, &error) == 0)
            CHECK(framing.kind != BODY_EOF);
        check_round_trip(&m);
        message_mark_hop(&m);
    }
    /* A prefix of an accepted head is never refused, and complete nowhere before its end. */
    for (ssize_t len = 0; len < n; len += 1 + n / 16)
        CHECK(http1_parse_request(buf, (size_t)len, &fuzz_limits, &m, &error) == 0);
    free(buf);
    arena_release(&arena);
    return 0;
}
