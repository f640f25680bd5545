/* The ESI parser as a program, for test_esi_reference.py. Reads cases until the input ends, and writes the
 * events of each. All numbers are 4 bytes, little-endian. A case: bits of the options, length of the URL,
 * length of the page, number of cuts; the URL, the page, and the cuts, each the length of the next piece. An
 * event: a letter, a number of bytes, the bytes. The program records includes in a recipe and replays it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "filter/esi_recipe.h"

#define PAGE_BYTES_MAX (1u << 20)
#define CUTS_MAX 4096u

struct events {
    struct esi_sink sink;
    char *run;
    size_t n_run;
    uint64_t at;
};

static uint32_t
number(void)
{
    unsigned char b[4];
    if (fread(b, 1, sizeof b, stdin) != sizeof b)
        exit(0);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void
event(char kind, const char *p, size_t n)
{
    unsigned char b[4] = { n & 0xff, n >> 8 & 0xff, n >> 16 & 0xff, n >> 24 & 0xff };
    putchar(kind);
    fwrite(b, 1, sizeof b, stdout);
    if (n > 0)
        fwrite(p, 1, n, stdout);
}

static void
on_bytes(struct esi_sink *s, const char *p, size_t n)
{
    struct events *e = (struct events *)s;
    CHECK(n > 0);
    memcpy(e->run + e->n_run, p, n);
    e->n_run += n;
}

static uint64_t
on_end_run(struct esi_sink *s, bool kept)
{
    struct events *e = (struct events *)s;
    CHECK(e->n_run > 0);
    event(kept ? 'k' : 's', e->run, e->n_run);
    e->at += e->n_run;
    e->n_run = 0;
    return e->at;
}

static void
on_include(struct esi_sink *s, const struct esi_include *inc)
{
    struct esi_recipe r = { 0 };
    struct esi_piece piece = { .kind = ESI_INCLUDE, .include = *inc };
    unsigned flags;
    esi_recipe_begin(&r, 0);
    esi_recipe_add(&r, &piece);
    struct span rest = span_of(r.bytes, r.n);
    CHECK(esi_recipe_open(&rest, &flags) == 0 && esi_recipe_next(&rest, flags, &piece) == 1);
    CHECK(esi_recipe_next(&rest, flags, &(struct esi_piece){ 0 }) == 0);
    event('h', piece.include.host.ptr, piece.include.host.len);
    event(piece.include.onerror_continue ? 'c' : 'i', piece.include.target.ptr, piece.include.target.len);
    esi_recipe_release(&r);
}

static void
on_message(struct esi_sink *s, enum esi_severity severity, struct span text)
{
    event('m', text.ptr, text.len);
}

static const struct esi_sink_ops ops = { on_bytes, on_end_run, on_include, on_message };

static char *
read_bytes(size_t n)
{
    char *p = malloc(n); /* exact size, so that ASan sees a read behind the end */
    CHECK(n == 0 || (p != NULL && fread(p, 1, n, stdin) == n));
    return p;
}

static void
parse_piece(struct esi_parser *x, const char *p, size_t n)
{
    if (n == 0)
        return;
    char *copy = malloc(n);
    CHECK(copy != NULL);
    memcpy(copy, p, n);
    esi_parse(x, span_of(copy, n));
    free(copy);
}

int
main(void)
{
    struct esi_parser *x = malloc(sizeof *x);
    CHECK(x != NULL);
    for (;;) {
        uint32_t bits = number(), n_url = number(), n_page = number(), n_cuts = number();
        CHECK(n_url <= PAGE_BYTES_MAX && n_page <= PAGE_BYTES_MAX && n_cuts <= CUTS_MAX);
        char *url = read_bytes(n_url), *page = read_bytes(n_page);
        struct events e = { .sink.ops = &ops, .run = malloc(n_page + 1) };
        struct esi_options o = { bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1 };
        esi_parser_init(x, &o, span_of(url, n_url), &e.sink, 0);
        size_t at = 0;
        for (uint32_t i = 0; i < n_cuts; i++) {
            uint32_t n = number();
            CHECK(n <= n_page - at);
            parse_piece(x, page + at, n);
            at += n;
        }
        parse_piece(x, page + at, n_page - at);
        event('f', "1", esi_parse_end(x) ? 1 : 0);
        fflush(stdout);
        free(e.run);
        free(url);
        free(page);
    }
}
