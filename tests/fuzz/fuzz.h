/* Shared by the fuzz targets: each input is one call, in a block of exactly its size, so that ASan sees a
 * read behind its end. */
#ifndef VERNIS_TESTS_FUZZ_FUZZ_H
#define VERNIS_TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "http/http1.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct http1_limits fuzz_limits = { .head_bytes = 4096, .line_bytes = 512, .fields = 16 };

static inline char *
fuzz_copy(const uint8_t *data, size_t size)
{
    char *copy = malloc(size == 0 ? 1 : size);
    CHECK(copy != NULL);
    memcpy(copy, data, size);
    return copy;
}

/* Spans of a parsed head lie within it, and say nothing that could break a line when written again. */
static inline void
fuzz_check_message(const struct http_message *m, const char *buf, size_t len)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        CHECK(f->name.ptr >= buf && f->name.ptr + f->name.len <= buf + len && f->name.len > 0);
        CHECK(f->value.ptr >= buf && f->value.ptr + f->value.len <= buf + len);
        CHECK(memchr(f->value.ptr, '\r', f->value.len) == NULL &&
              memchr(f->value.ptr, '\n', f->value.len) == NULL);
        CHECK(memchr(f->value.ptr, '\0', f->value.len) == NULL);
        CHECK(f->id == NAME_NONE || span_eq_nocase(name_text(f->id), f->name));
    }
}

#endif
