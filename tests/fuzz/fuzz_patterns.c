/* A pattern set of one pattern answers as PCRE2 does. The first byte of the input is the length of the
 * pattern, the rest the subject. */
#include "base/params.h"
#include "fuzz.h"
#include "match/pattern_set.h"

/* JIT code differs from the interpreter in rare cases (tests/support/pattern_pairs.h), so the interpreter is
 * the judge. */
static int
answer_of_pcre2(struct span pattern, struct span subject)
{
    struct regex *re = NULL;
    struct regex_error error;
    CHECK(regex_new_with(pattern, REGEX_ONCE, &re, &error) == 0);
    int matches = regex_match(re, subject);
    regex_release(&re);
    return matches;
}

static void
compare(struct span text, const struct regex *re, struct span subject)
{
    struct pattern patterns[2] = { { text, PATTERN_REGEX, re }, { subject, PATTERN_EQUALS, NULL } };
    struct pattern_set *set;
    uint64_t bits[2];
    CHECK(pattern_set_new(patterns, 2, &set) == 0 && pattern_set_words(set) == 2);
    pattern_set_scan(set, subject, bits);
    int got = pattern_set_test(set, subject, bits, 0);
    int want = answer_of_pcre2(text, subject);
    CHECK(got == want || got == ERR_LIMIT || want == ERR_LIMIT);
    CHECK(pattern_set_test(set, subject, bits, 1) == 1);
    pattern_set_release(&set);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct regex *re = NULL;
    struct regex_error error;
    if (size == 0 || data[0] >= size)
        return 0;
    params.pcre2_jit_compilation = false;
    size_t text_len = data[0], subject_len = size - 1 - text_len;
    char *text = fuzz_copy(data + 1, text_len), *subject = fuzz_copy(data + 1 + text_len, subject_len);
    if (regex_new(span_of(text, text_len), &re, &error) == 0)
        compare(span_of(text, text_len), re, span_of(subject, subject_len));
    regex_release(&re);
    free(text);
    free(subject);
    return 0;
}
