/* Words of a CLI line: quoting, escapes, here documents, and writing them. */
#include "manager/cli/words.h"

#include <stdlib.h>

#include "daemon/frame.h"
#include "base/check.h"
#include "test.h"

/* The words joined by '|', or the error. */
static void
expect_words(const char *line, const char *want)
{
    struct words w;
    const char *why;
    struct text got = { 0 };
    if (words_parse(span_str(line), &w, &why) != 0)
        text_str(&got, why);
    for (unsigned i = 0; i < w.n; i++)
        text_printf(&got, "%s%s", i > 0 ? "|" : "", w.w[i]);
    EXPECT_EQ_STR(text_span(&got), want);
    words_release(&w);
    text_release(&got);
}

static void
words_are_split_at_blanks(void)
{
    expect_words("", "");
    expect_words(" \t ", "");
    expect_words("  vcl.load\ta   b  ", "vcl.load|a|b");
}

static void
quotes_and_escapes_are_decoded(void)
{
    expect_words("\"a b\" c", "a b|c");
    expect_words("\"\"", "");
    expect_words("a\\nb \"\\t\\\\\\\"\"", "a\nb|\t\\\"");
    expect_words("\\x41\\102", "AB");
    expect_words("a\"b\"", "a\"b\""); /* a quote inside a word is a character */
}

static void
bad_quoting_is_told(void)
{
    expect_words("\"abc", "Missing '\"'");
    expect_words("\"a\"b", "Missing blank after '\"'");
    expect_words("a\\q", "Invalid backslash sequence");
    expect_words("a\\", "Invalid backslash sequence");
    expect_words("\\x4", "Invalid backslash sequence");
    expect_words("\\400", "Invalid backslash sequence"); /* more than a byte */
    expect_words("\\000", "NUL byte in a word");
}

static void
the_number_of_words_is_limited(void)
{
    char line[2 * WORDS_MAX + 3];
    for (unsigned i = 0; i <= WORDS_MAX; i++)
        memcpy(line + 2 * i, "a ", 2);
    struct words w;
    const char *why;
    EXPECT_EQ_INT(words_parse(span_of(line, 2 * WORDS_MAX), &w, &why), 0);
    EXPECT_EQ_INT(w.n, WORDS_MAX);
    words_release(&w);
    EXPECT_EQ_INT(words_parse(span_of(line, 2 * WORDS_MAX + 2), &w, &why), ERR_LIMIT);
}

static void
a_here_document_becomes_the_last_word(void)
{
    struct words w;
    const char *why;
    EXPECT_EQ_INT(words_parse(SPAN_LIT("vcl.inline a << END"), &w, &why), 0);
    EXPECT_EQ_STR(span_str(words_heredoc(&w)), "END");
    words_take_heredoc(&w, SPAN_LIT("one\ntwo\n"));
    EXPECT_EQ_INT(w.n, 3);
    EXPECT_EQ_STR(span_str(w.w[1]), "a");
    EXPECT_EQ_STR(span_str(w.w[2]), "one\ntwo\n");
    words_release(&w);
}

static void
what_is_no_here_document(void)
{
    static const char *const lines[] = { "<< END", "a << \"\"", "a <<", "a b END", "a << b c" };
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct words w;
        const char *why;
        EXPECT_EQ_INT(words_parse(span_str(lines[i]), &w, &why), 0);
        EXPECT(words_heredoc(&w) == NULL);
        words_release(&w);
    }
}

static void
quoted_words_come_back_as_they_were(void)
{
    for (unsigned c = 1; c < 256; c++) {
        char text[4] = { 'a', (char)c, ' ', 'b' };
        struct text line = { 0 };
        struct words w;
        const char *why;
        words_quote(&line, span_of(text, sizeof text));
        EXPECT_EQ_INT(words_parse(text_span(&line), &w, &why), 0);
        EXPECT_EQ_INT(w.n, 1);
        EXPECT_EQ_SPAN(span_str(w.w[0]), span_of(text, sizeof text));
        words_release(&w);
        text_release(&line);
    }
}

static void
json_strings(void)
{
    struct text t = { 0 };
    text_json(&t, SPAN_LIT("a\"\\\n\t\r\x01\x7f"));
    EXPECT_EQ_STR(text_span(&t), "\"a\\\"\\\\\\n\\t\\r\\u0001\\u007f\"");
    text_clear(&t);
    text_json(&t, SPAN_LIT("\xc3\xa4 \xf0\x9f\x98\x80")); /* UTF-8 stays */
    EXPECT_EQ_STR(text_span(&t), "\"\xc3\xa4 \xf0\x9f\x98\x80\"");
    text_clear(&t);
    text_json(&t, SPAN_LIT("\xff\xc0\xaf\xed\xa0\x80\xe2\x82")); /* not UTF-8, overlong, surrogate, cut */
    EXPECT_EQ_INT(t.len, 2 + 8 * 3);
    text_release(&t);
}

static void
frames_in_pieces(void)
{
    struct text sent = { 0 }, got = { 0 };
    struct frame_head head;
    struct span body;
    int err;
    frame_add(&sent, 7, 200, SPAN_LIT("hello"));
    for (size_t i = 0; i < sent.len; i++) {
        EXPECT(!frame_next(&got, &head, &body, &err));
        text_add(&got, span_of(sent.ptr + i, 1));
    }
    EXPECT(frame_next(&got, &head, &body, &err));
    EXPECT_EQ_INT(head.id, 7);
    EXPECT_EQ_INT(head.status, 200);
    EXPECT_EQ_STR(body, "hello");
    text_release(&got);
    head.bytes = FRAME_BYTES_MAX + 1;
    text_add(&got, span_of((char *)&head, sizeof head));
    EXPECT(!frame_next(&got, &head, &body, &err));
    EXPECT_EQ_INT(err, ERR_LIMIT);
    text_release(&got);
    text_release(&sent);
}

static const struct test tests[] = {
    { "words_are_split_at_blanks", words_are_split_at_blanks },
    { "quotes_and_escapes_are_decoded", quotes_and_escapes_are_decoded },
    { "bad_quoting_is_told", bad_quoting_is_told },
    { "the_number_of_words_is_limited", the_number_of_words_is_limited },
    { "a_here_document_becomes_the_last_word", a_here_document_becomes_the_last_word },
    { "what_is_no_here_document", what_is_no_here_document },
    { "quoted_words_come_back_as_they_were", quoted_words_come_back_as_they_were },
    { "json_strings", json_strings },
    { "frames_in_pieces", frames_in_pieces },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
