/* Structured fields (RFC 9651): accepted values; one syntax error voids the whole field. */
#include "base/check.h"
#include "http/structured.h"
#include "test.h"

/* The number of members, or ERR_SYNTAX; `item` has the last one. */
static int
members(const char *field, bool dictionary, struct sf_item *item)
{
    struct sf_reader r = sf_reader(span_str(field));
    struct span key;
    int n = 0, more;
    while ((more = dictionary ? sf_next_of_dictionary(&r, &key, item) : sf_next_of_list(&r, item)) == 1)
        n++;
    return more == 0 ? n : more;
}

static void
dictionaries_are_read(void)
{
    static const struct {
        const char *field;
        int members;
        enum sf_type last;
    } rows[] = {
        { "", 0, SF_BOOLEAN },
        { "   ", 0, SF_BOOLEAN },
        { "a", 1, SF_BOOLEAN },
        { "a=?0", 1, SF_BOOLEAN },
        { "a;x=1;y, b=2", 2, SF_INTEGER },
        { "a=1 \t,\t b=-2", 2, SF_INTEGER },
        { "max-age=3600, *k_.-9=\"x\"", 2, SF_STRING },
        { "a=1.5", 1, SF_DECIMAL },
        { "a=tok/en:*", 1, SF_TOKEN },
        { "a=:aGk=:", 1, SF_BYTES },
        { "a=@1659578233", 1, SF_DATE },
        { "a=%\"x\"", 1, SF_DISPLAY },
        { "a=(1 \"x\" t;p=1);q", 1, SF_INNER_LIST },
        { "a=()", 1, SF_INNER_LIST },
        { "a=\"q\\\"\\\\\"", 1, SF_STRING },
        { "a=999999999999999", 1, SF_INTEGER },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sf_item item = { SF_BOOLEAN, 0, SPAN_NULL };
        if (!EXPECT_EQ_INT(members(rows[i].field, true, &item), rows[i].members) ||
            !EXPECT_EQ_INT(item.type, rows[i].last))
            fprintf(stderr, "  %s\n", rows[i].field);
    }
}

static void
a_mistake_voids_the_field(void)
{
    static const char *const fields[] = {
        "a=",     "A=1",       "a=1,",       "a=1,,b=2",
        ",a",     "a =1",      "a= 1",       "a=1 b",
        "a=\"x",  "a=\"\\n\"", "a=?2",       "a=--1",
        "a=-",    "a=1.",      "a=1.2345",   "a=1234567890123456",
        "a=(1",   "a=(1,2)",   "a=(1\"x\")", "a=:x",
        "a=@1.5", "a=%x",      "a=&",        "max-age=10000, &&&&&",
        "a;=1",   "9=1",       "a=\"\x01\"", "a=\"\xe9\"",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct sf_item item;
        if (!EXPECT_EQ_INT(members(fields[i], true, &item), ERR_SYNTAX))
            fprintf(stderr, "  %s\n", fields[i]);
    }
}

static void
values_are_what_was_written(void)
{
    struct sf_item item;
    EXPECT_EQ_INT(members("a=-42", true, &item), 1);
    EXPECT_EQ_INT(item.integer, -42);
    EXPECT_EQ_INT(members("\"one\", \"two words\";p", false, &item), 2);
    EXPECT_EQ_STR(item.text, "two words");
    EXPECT_EQ_INT(members("one two", false, &item), ERR_SYNTAX);
}

static const struct test tests[] = {
    { "dictionaries_are_read", dictionaries_are_read },
    { "a_mistake_voids_the_field", a_mistake_voids_the_field },
    { "values_are_what_was_written", values_are_what_was_written },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
