/* Views of texts. The first byte splits an input into a text and a name or pattern. An edit divides the pairs
 * of a list into those that stay and those that go, a second edit changes nothing, and all values lie in the
 * text. */
#include "base/literal.h"
#include "fuzz.h"
#include "http/cache_control.h"
#include "http/fields.h"
#include "http/pairs.h"
#include "http/target.h"

static void
check_inside(struct span part, struct span text)
{
    CHECK(part.len == 0 || (part.ptr >= text.ptr && part.ptr + part.len <= text.ptr + text.len));
}

static size_t
check_select(const struct pairs_form *form, struct span text, struct span patterns, bool keep,
             struct arena *a)
{
    size_t n, again;
    struct span once = pairs_select(form, text, 0, patterns, keep, a, &n);
    CHECK(once.ptr != NULL && once.len <= 2 * text.len + form->joint.len);
    struct span twice = pairs_select(form, once, 0, patterns, keep, a, &again);
    CHECK(again == n && (once.len == 0 || twice.ptr == once.ptr) && twice.len == once.len);
    return n;
}

static void
check_form(const struct pairs_form *form, struct span text, struct span name, struct arena *a)
{
    size_t n, sorted;
    check_inside(pairs_value(form, text, name), text);
    (void)pairs_select(form, text, 0, SPAN_LIT("*"), true, a, &n);
    CHECK(pairs_has(form, text, name) == (check_select(form, text, name, true, a) > 0));
    CHECK(check_select(form, text, name, true, a) + check_select(form, text, name, false, a) == n);
    struct span once = pairs_sort(form, text, 0, a, &sorted);
    struct span twice = pairs_sort(form, once, 0, a, &sorted);
    CHECK(sorted == n && twice.len == once.len && (once.len == 0 || twice.ptr == once.ptr));
}

static void
check_values(struct span text)
{
    int64_t n = 0;
    double real = 0;
    uint8_t address[16];
    size_t bytes = 0;
    if (literal_int(text, &n))
        CHECK(literal_real(text, &real) ? real == (double)n : text.len > 12);
    if (literal_bytes(text, &n))
        CHECK(n >= 0);
    if (literal_duration(text, &real))
        CHECK(real == real);
    if (literal_address(text, address, &bytes))
        CHECK(bytes == 4 || bytes == 16);
    nsec t;
    CHECK(http_date_seconds(text, &n) != 0 || http_date_parse(text, &t) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    size_t name_bytes = data[0] < size - 1 ? data[0] : size - 1, text_bytes = size - 1 - name_bytes;
    char *name = fuzz_copy(data + 1, name_bytes), *text = fuzz_copy(data + 1 + name_bytes, text_bytes);
    struct span t = span_of(text, text_bytes), n = span_of(name, name_bytes);
    struct arena a;
    arena_init(&a, 0);
    check_form(&pairs_query, t, n, &a);
    check_form(&pairs_cookie, t, n, &a);
    check_inside(target_extension(t), t);
    check_inside(target_parameter(t, n), t);
    CHECK(target_select(t, n, false, &a).len <= t.len && target_sort(t, &a).len <= t.len);
    struct span value = cache_control_value(t, n);
    check_inside(value, t);
    CHECK(memchr(n.ptr, 0, n.len) != NULL || cache_control_has(t, n) == (value.ptr != NULL));
    check_values(t);
    arena_release(&a);
    free(name);
    free(text);
    return 0;
}
