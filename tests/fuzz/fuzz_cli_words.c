/* Lines of the command line: the words of an accepted line, quoted again, are the same words. */
#include "fuzz.h"
#include "manager/cli/words.h"

static void
check_round_trip(const struct words *first)
{
    struct text line = { 0 };
    struct words again;
    const char *why;
    for (unsigned i = 0; i < first->n; i++) {
        if (i > 0)
            text_str(&line, " ");
        words_quote(&line, span_of(first->w[i], strlen(first->w[i])));
    }
    CHECK(words_parse(text_span(&line), &again, &why) == 0);
    CHECK(again.n == first->n);
    for (unsigned i = 0; i < again.n; i++)
        CHECK(strcmp(again.w[i], first->w[i]) == 0);
    words_release(&again);
    text_release(&line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct words words;
    const char *why = NULL;
    char *line = fuzz_copy(data, size);
    if (words_parse(span_of(line, size), &words, &why) == 0) {
        check_round_trip(&words);
        words_release(&words);
    } else
        CHECK(why != NULL);
    free(line);
    return 0;
}
