/* Every request of tests/data/malformed_requests is refused with its status and at its stage. Each is parsed
 * from a block of its exact size, and byte by byte, so that ASan sees reads behind the end. Run from the top
 * of the source tree. */
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "http/http1.h"
#include "test.h"

#define CASES_PATH "tests/data/malformed_requests/requests.txt"

enum { CASE_BYTES_MAX = 128 * 1024 };

struct malformed {
    char name[80], stage[16];
    int status;
    char *bytes;
    size_t len;
};

/* Appends an escaped line of the file. */
static void
add_text(struct malformed *m, const char *text)
{
    for (; *text != '\0' && *text != '\n'; text++) {
        char c = *text;
        if (c == '\\') {
            text++;
            char hex[3] = { text[0] == 'x' ? text[1] : '0', text[0] == 'x' ? text[2] : '0', '\0' };
            c = *text == 'r' ? '\r'
              : *text == 'n' ? '\n'
              : *text == 't' ? '\t'
              : *text == 'x' ? (char)strtol(hex, NULL, 16)
                             : *text;
            text += *text == 'x' ? 2 : 0;
        }
        CHECK(m->len < CASE_BYTES_MAX);
        m->bytes[m->len++] = c;
    }
}

static void
add_line(struct malformed *m, const char *line)
{
    char *end;
    if (sscanf(line, "case: %79s", m->name) == 1 || sscanf(line, "status: %d", &m->status) == 1 ||
        sscanf(line, "stage: %15s", m->stage) == 1)
        return;
    if (line[0] == '|')
        add_text(m, line + 1);
    else if (line[0] == '*')
        for (long n = strtol(line + 1, &end, 10); n > 0; n--)
            add_text(m, end + 1);
}

static bool
read_case(FILE *file, struct malformed *m)
{
    char line[8192];
    *m = (struct malformed){ .bytes = m->bytes };
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '\n' && m->len > 0)
            return true;
        add_line(m, line);
    }
    return m->len > 0;
}

struct outcome {
    int status; /* 0: accepted; -1: more bytes wanted */
    const char *stage;
};

static int
decode_chunks(const char *bytes, size_t len)
{
    struct http1_chunked d;
    struct span in = span_of(bytes, len), out;
    int result;
    http1_chunked_init(&d);
    do
        result = http1_chunked_next(&d, &in, &out);
    while (result == 0 && in.len > 0);
    return result;
}

static struct outcome
parse_whole(char *bytes, size_t len)
{
    struct http1_limits lim = {
        .head_bytes = params.http_req_size_bytes,
        .line_bytes = params.http_req_hdr_len_bytes,
        .fields = params.http_max_hdr,
    };
    struct arena arena;
    struct http_message m;
    struct http1_error error = { 0 };
    struct http1_framing framing;
    struct outcome o = { 0, "" };
    arena_init(&arena, 0);
    CHECK(message_init(&m, &arena, lim.fields) == 0);
    ssize_t head = http1_parse_request(bytes, len, &lim, &m, &error);
    if (head <= 0)
        o = (struct outcome){ head == 0 ? -1 : error.status, "head" };
    else if (http1_request_framing(&m, &framing, &error) != 0)
        o = (struct outcome){ error.status, "framing" };
    else if (m.minor == 1 && !message_has(&m, NAME_HOST))
        o = (struct outcome){ 400, "proxy" };
    else if (framing.kind == BODY_CHUNKED && decode_chunks(bytes + head, len - (size_t)head) < 0)
        o = (struct outcome){ 503, "content" };
    EXPECT(error.status == 0 || (error.why != NULL && error.offset <= len));
    arena_release(&arena);
    return o;
}

/* In a block of exactly that size, so that ASan sees a read behind it. */
static struct outcome
parse_copy(const char *bytes, size_t len)
{
    char *copy = malloc(len);
    memcpy(copy, bytes, len);
    struct outcome o = parse_whole(copy, len);
    free(copy);
    return o;
}

/* A prefix is incomplete, or a valid head with content to come, or refused like the whole request. */
static void
check_prefixes(const struct malformed *m)
{
    size_t step = m->len > 1000 ? 97 : 1;
    for (size_t len = 1; len < m->len; len += step) {
        struct outcome o = parse_copy(m->bytes, len);
        if (o.status > 0 && (o.status != m->status || strcmp(o.stage, m->stage) != 0))
            test_eq_int(o.status, m->status, CASES_PATH, (int)len, m->name);
    }
}

static void
every_malformed_request_is_refused(void)
{
    FILE *file = fopen(CASES_PATH, "r");
    if (!EXPECT(file != NULL))
        return;
    unsigned n = 0;
    struct malformed m = { .bytes = malloc(CASE_BYTES_MAX) };
    while (read_case(file, &m)) {
        struct outcome o = parse_copy(m.bytes, m.len);
        if (o.status != m.status || strcmp(o.stage, m.stage) != 0) {
            fprintf(stderr, "%s: %d at %s, expected %d at %s\n", m.name, o.status, o.stage, m.status,
                    m.stage);
            test_note(false, CASES_PATH, 0, m.name);
        }
        check_prefixes(&m);
        n++;
    }
    EXPECT(n >= 200);
    free(m.bytes);
    fclose(file);
}

static const struct test tests[] = {
    { "every_malformed_request_is_refused", every_malformed_request_is_refused },
};

int
main(int argc, char **argv)
{
    names_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
