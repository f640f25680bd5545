/* Arenas: alignment, limits, reuse; saturating time. */
#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/params.h"
#include "test.h"

#if MEM_ASAN
#include <sanitizer/asan_interface.h>
#endif

static void
pieces_are_aligned_and_do_not_overlap(void)
{
    struct arena a;
    unsigned char *pieces[300];
    arena_init(&a, 0);
    for (size_t i = 0; i < 300; i++) {
        pieces[i] = arena_alloc(&a, i);
        EXPECT(pieces[i] != NULL && (uintptr_t)pieces[i] % 16 == 0);
        memset(pieces[i], (int)(i & 255), i);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t k = 0; k < i; k++)
            if (pieces[i][k] != (i & 255)) {
                EXPECT(!"a piece was overwritten");
                break;
            }
    arena_release(&a);
    arena_release(&a); /* harmless */
    EXPECT_EQ_INT(a.used_bytes, 0);
}

static void
an_empty_piece_is_a_piece(void)
{
    struct arena a = { 0 }; /* a zeroed arena has no limit */
    EXPECT(arena_alloc(&a, 0) != NULL);
    EXPECT_EQ_STR(arena_copy(&a, SPAN_LIT("")), "");
    EXPECT_EQ_SPAN(arena_copy(&a, SPAN_NULL), SPAN_NULL);
    arena_release(&a);
}

static void
the_limit_is_kept(void)
{
    struct arena a;
    arena_init(&a, 4 * ARENA_CHUNK_BYTES);
    size_t n = 0;
    while (arena_alloc(&a, 1000) != NULL)
        n++;
    EXPECT(n >= 28 && n <= 32);
    EXPECT(a.used_bytes <= a.limit_bytes);
    EXPECT(arena_alloc(&a, 3 * ARENA_CHUNK_BYTES) == NULL);
    EXPECT(arena_alloc(&a, SIZE_MAX) == NULL);
    EXPECT(arena_alloc(&a, SIZE_MAX - 20) == NULL);
    arena_release(&a);
    EXPECT(arena_alloc(&a, 3 * ARENA_CHUNK_BYTES) != NULL); /* there is room again */
    arena_release(&a);
}

static void
memory_can_be_withheld_and_given_back(void)
{
    struct arena a;
    struct arena_hold hold = { 0 };
    arena_init(&a, 4 * ARENA_CHUNK_BYTES);
    EXPECT_EQ_INT(arena_left(&a), 4 * ARENA_CHUNK_BYTES);
    EXPECT(arena_alloc(&a, 100) != NULL);
    size_t left = arena_left(&a);
    EXPECT(!arena_withhold(&a, left + 1, &hold));
    EXPECT(arena_withhold(&a, left - 64, &hold));
    EXPECT_EQ_INT(arena_left(&a), 64);
    EXPECT(!a.overflowed);
    EXPECT(arena_alloc(&a, 200) == NULL);
    EXPECT(a.overflowed);
    EXPECT(arena_alloc(&a, 10) != NULL);
    arena_give_back(&a, &hold);
    EXPECT(arena_alloc(&a, 2 * ARENA_CHUNK_BYTES) != NULL);
    EXPECT(arena_alloc(&a, ARENA_CHUNK_BYTES / 2) != NULL);
    EXPECT(a.used_bytes <= a.limit_bytes);
    arena_release(&a);
    EXPECT(!a.overflowed);
}

static void
a_large_piece_leaves_the_current_chunk_in_use(void)
{
    struct arena a;
    arena_init(&a, 0);
    char *small = arena_alloc(&a, 16);
    EXPECT(arena_alloc(&a, 100000) != NULL);
    char *next = arena_alloc(&a, 16);
    EXPECT(next > small && next - small <= 64);
    arena_release(&a);
}

static void
printed_text_of_any_length(void)
{
    struct arena a;
    arena_init(&a, 0);
    EXPECT_EQ_STR(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    struct span s = arena_printf(&a, "%0600d", 1);
    EXPECT_EQ_INT(s.len, 600);
    EXPECT_EQ_INT(s.ptr[599], '1');
    EXPECT_EQ_INT(s.ptr[600], '\0');
    arena_release(&a);
    arena_init(&a, 1);
    EXPECT_EQ_SPAN(arena_printf(&a, "x"), SPAN_NULL);
}

static void
released_memory_is_poisoned_under_asan(void)
{
#if MEM_ASAN
    struct arena a;
    arena_init(&a, 0);
    char *p = arena_alloc(&a, 20);
    EXPECT(!__asan_address_is_poisoned(p + 19));
    EXPECT(__asan_address_is_poisoned(p + 20)); /* poisoned from the first byte after the text */
    arena_release(&a);
    EXPECT(__asan_address_is_poisoned(p));
    mem_thread_release();
#endif
}

static void
a_copied_text_ends_with_nul_and_is_never_null(void)
{
    char *part = mem_text(span_of("policy", 3)), *empty = mem_text(SPAN_NULL);
    EXPECT(strcmp(part, "pol") == 0);
    EXPECT(strcmp(empty, "") == 0);
    free(part);
    free(empty);
}

static void
seconds_saturate(void)
{
    EXPECT(nsec_of(1.5) == 1500000000);
    EXPECT(nsec_of(1e300) == NSEC_NEVER);
    EXPECT(nsec_of(-1e300) == INT64_MIN);
    EXPECT(nsec_of(0.0 / 0.0) == 0);
    EXPECT(nsec_add(NSEC_NEVER, 1) == NSEC_NEVER);
    EXPECT(nsec_add(INT64_MIN, -1) == INT64_MIN);
    EXPECT(nsec_add(3, -5) == -2);
}

static void
defaults_are_in_place_before_main(void)
{
    EXPECT(params.loops >= 1);
    EXPECT_EQ_INT(params.http_req_hdr_len_bytes, 8192);
    EXPECT_EQ_INT(params.fiber_stack_bytes, 131072);
    EXPECT_EQ_STR(span_str(err_name(ERR_TIMEOUT)), "timeout");
    EXPECT_EQ_STR(span_str(err_name(-9999)), "unknown error");
}

static const struct test tests[] = {
    { "pieces_are_aligned_and_do_not_overlap", pieces_are_aligned_and_do_not_overlap },
    { "an_empty_piece_is_a_piece", an_empty_piece_is_a_piece },
    { "the_limit_is_kept", the_limit_is_kept },
    { "memory_can_be_withheld_and_given_back", memory_can_be_withheld_and_given_back },
    { "a_large_piece_leaves_the_current_chunk_in_use", a_large_piece_leaves_the_current_chunk_in_use },
    { "printed_text_of_any_length", printed_text_of_any_length },
    { "released_memory_is_poisoned_under_asan", released_memory_is_poisoned_under_asan },
    { "a_copied_text_ends_with_nul_and_is_never_null", a_copied_text_ends_with_nul_and_is_never_null },
    { "seconds_saturate", seconds_saturate },
    { "defaults_are_in_place_before_main", defaults_are_in_place_before_main },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
