/* Files of tables: what CSV and JSON mean, and the place and the words of each error. */
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "match/table/read.h"
#include "test.h"

/* Values are texts without an exclamation mark. */
static int
read_value(void *arg, struct span text, struct span *out, char *why, size_t cap)
{
    if (memchr(text.ptr, '!', text.len) != NULL) {
        snprintf(why, cap, "is not calm");
        return ERR_SYNTAX;
    }
    *out = text;
    return 0;
}

static struct table_form
form_of(enum table_kind kind, enum table_format format)
{
    return (struct table_form){ .kind = kind,
                                .format = format,
                                .key_column = SPAN_NULL,
                                .value_column = SPAN_NULL,
                                .texts = true,
                                .value = read_value };
}

/* The rows as "key=value;", or the error as "line:column: text". */
static const char *
read_as(const struct table_form *form, struct span content)
{
    static char out[2000];
    char buf[TABLE_KEY_TEXT_BYTES];
    struct table *t = NULL;
    struct table_error error;
    size_t at = 0;
    out[0] = '\0';
    if (table_read(form, content, &t, &error) != 0) {
        EXPECT(t == NULL);
        snprintf(out, sizeof out, "%u:%u: %s", error.at.line, error.at.column, error.text);
        return out;
    }
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW; row = table_next(t, row)) {
        struct span key = table_key_text(form->kind, table_key(t, row), buf), value = table_value(t, row);
        at += (size_t)snprintf(out + at, sizeof out - at, "%.*s=%.*s;", (int)key.len, key.ptr, (int)value.len,
                               value.ptr);
    }
    table_release(&t);
    return out;
}

struct reading_case {
    const char *content, *want;
};

static void
expect_cases(const struct table_form *form, const struct reading_case *cases, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ_SPAN(span_str(read_as(form, span_str(cases[i].content))), span_str(cases[i].want));
}

#define N(rows) (sizeof(rows) / sizeof *(rows))

static void
csv_has_two_columns(void)
{
    static const struct reading_case cases[] = {
        { "", "" },
        { "\n\r\n", "" },
        { "/a,/b", "/a=/b;" },
        { "/a,/b\n/c,/d\r\n", "/a=/b;/c=/d;" },
        { "\xef\xbb\xbf/a,/b\n", "/a=/b;" },
        { "/a,\n,/d\n", "/a=;=/d;" },
        { "/a b , c\n", "/a b = c;" },
        { "\"a,b\",\"c\"\"d\"\n", "a,b=c\"d;" },
        { "\"a\nb\",\"\"\n", "a\nb=;" },
        { "k\xc3\xa4se,\xf0\x9f\xa7\x80\n", "k\xc3\xa4se=\xf0\x9f\xa7\x80;" },
        { "a\n", "1:1: the line has 1 column instead of 2" },
        { "a,b\n\nc,d,e\n", "3:1: the line has 3 columns instead of 2" },
        { "a,b\nc,\"d\n\n", "2:3: the quoted field has no end" },
        { "a,b\nc,\"d\"e\n", "2:6: a comma or the end of the line is missing behind the quoted field" },
        { "a,b\"c\"\n", "1:4: a quote within a field: put the field in quotes and write \"\" for this one" },
        { "a\rb,c\n", "1:2: a carriage return without a line feed" },
        { "a,\xff\n", "1:3: the field is not UTF-8" },
        { "\"x\ny\",1\na,\xc3\n", "3:3: the field is not UTF-8" },
        { "a,\xed\xa0\x80\n", "1:3: the field is not UTF-8" },
        { "a,\xc0\x80\n", "1:3: the field is not UTF-8" },
        { "a,1\nb,2!\n", "2:3: value \"2!\" is not calm" },
        { "a,1\nb,2\na,3\n", "3:1: the key occurs twice; it is also in line 1" },
    };
    struct table_form form = form_of(TABLE_EXACT, TABLE_CSV);
    expect_cases(&form, cases, N(cases));
    EXPECT_EQ_SPAN(span_str(read_as(&form, span_of("a\0b,1", 5))),
                   SPAN_LIT("1:1: the key has a NUL byte, and no text of a request has one"));
}

static void
csv_columns_have_names(void)
{
    static const struct reading_case cases[] = {
        { "host,shop\na,1\nb,2\n", "a=1;b=2;" },
        { "note,\"shop\",host\n,1,a\n\"x,y\",2,b\n", "a=1;b=2;" },
        { "host,shop\n", "" },
        { "", "1:1: the head line has no column \"host\"" },
        { "host,stop\na,1\n", "1:1: the head line has no column \"shop\"" },
        { "host,shop,note\na,1\n", "2:1: the line has 2 columns instead of 3" },
        { "shop,host\n1,a\n2,b\n3,a\n", "4:3: the key occurs twice; it is also in line 2" },
    };
    struct table_form form = form_of(TABLE_EXACT, TABLE_CSV);
    form.key_column = SPAN_LIT("host");
    form.value_column = SPAN_LIT("shop");
    expect_cases(&form, cases, N(cases));
}

static void
csv_has_a_limit_of_columns(void)
{
    char line[200];
    struct table_form form = form_of(TABLE_EXACT, TABLE_CSV);
    memset(line, ',', sizeof line);
    EXPECT_EQ_SPAN(span_str(read_as(&form, span_of(line, 100))),
                   SPAN_LIT("1:65: the line has more than 64 columns"));
    EXPECT_EQ_SPAN(span_str(read_as(&form, span_of(line, 63))),
                   SPAN_LIT("1:1: the line has 64 columns instead of 2"));
}

static void
keys_of_ip_tables_are_networks(void)
{
    static const struct reading_case cases[] = {
        { "192.0.2.1,a\n2001:db8::1,b\n", "192.0.2.1=a;2001:db8::1=b;" },
        { "192.0.2.0/24,a\n2001:DB8::/32,b\n::/0,c\n", "192.0.2.0/24=a;2001:db8::/32=b;::/0=c;" },
        { "192.0.2.9/24,a\n", "1:1: key \"192.0.2.9/24\" has bits behind its prefix" },
        { "192.0.2.0/33,a\n", "1:1: key \"192.0.2.0/33\" has a prefix of more than 32 bits" },
        { "192.0.2,a\n", "1:1: key \"192.0.2\" is not an address or a network" },
        { "192.0.2.0/,a\n", "1:1: key \"192.0.2.0/\" is not an address or a network" },
        { "192.0.2.0/2x,a\n", "1:1: key \"192.0.2.0/2x\" is not an address or a network" },
        { "192.0.2.0/-1,a\n", "1:1: key \"192.0.2.0/-1\" is not an address or a network" },
        { "::1/129,a\n", "1:1: key \"::1/129\" is not an address or a network" },
        { "example.com,a\n", "1:1: key \"example.com\" is not an address or a network" },
        { "192.0.2.0/24,a\n192.000.2.0/24,b\n",
          "2:1: key \"192.000.2.0/24\" is not an address or a network" },
        { "2001:db8::,a\n2001:DB8:0::0/128,b\n", "2:1: the key occurs twice; it is also in line 1" },
    };
    struct table_form form = form_of(TABLE_IP, TABLE_CSV);
    expect_cases(&form, cases, N(cases));
}

static void
json_is_one_object(void)
{
    static const struct reading_case cases[] = {
        { "{}", "" },
        { "{ \"/a\": \"/b\", \"/c\" : \"d\\n\\\"\" }", "/a=/b;/c=d\n\";" },
        { "{ \"k\\u00e4se\": \"\" }", "k\xc3\xa4se=;" },
        { "[]", "1:1: the file is not one object: { \"key\": value, ... }" },
        { "{ \"a\": 1 }", "1:3: the value is a number, not a text" },
        { "{ \"a\": \"1\",\n  \"b\": true }", "2:3: the value is true or false, not a text" },
        { "{ \"a\": \"\\\\\\\"{,\",\n\n \"b\":\n null }", "3:2: the value is null, not a text" },
        { "{ \"a\": [\"b\", \"c\"] }", "1:3: the value is an array, not a text" },
        { "{ \"a\": { \"b\": \"c\" } }", "1:3: the value is an object, not a text" },
        { "{ \"a\": \"1\",\n  \"b\": \"2!\" }", "2:3: value \"2!\" is not calm" },
        { "{ \"a\": \"1\",\n  \"a\": \"2\" }", "2:5: the key occurs twice" },
        { "{ \"a\": \"1\", }", "1:13: JSON: string or '}' expected near '}'" },
        { "{ \"a\": \"1\" } x", "1:14: JSON: end of file expected near 'x'" },
    };
    struct table_form form = form_of(TABLE_EXACT, TABLE_JSON);
    expect_cases(&form, cases, N(cases));
}

static void
json_has_numbers_for_values_that_are_numbers(void)
{
    static const struct reading_case cases[] = {
        { "{ \"a\": 1, \"b\": -2.5, \"c\": true, \"d\": \"x\" }", "a=1;b=-2.5;c=true;d=x;" },
        { "{ \"a\": 1,\n \"b\": null }", "2:2: the value is null" },
    };
    struct table_form form = form_of(TABLE_EXACT, TABLE_JSON);
    form.texts = false;
    expect_cases(&form, cases, N(cases));
}

static void
json_networks_that_are_equal_have_places(void)
{
    struct table_form form = form_of(TABLE_IP, TABLE_JSON);
    EXPECT_EQ_SPAN(span_str(
                       read_as(&form, SPAN_LIT("{ \"::1\": \"a\",\n \"::\": \"b\",\n   \"0::1\": \"c\" }"))),
                   SPAN_LIT("3:4: the key occurs twice; it is also in line 1"));
}

static void
a_file_is_read_by_its_name(void)
{
    char path[] = "/tmp/test_table_XXXXXX";
    int fd = mkstemp(path);
    struct table *t = NULL;
    struct table_error error;
    struct table_form form = form_of(TABLE_EXACT, TABLE_CSV);
    EXPECT_EQ_INT(write(fd, "a,1\n", 4), 4);
    close(fd);
    EXPECT_EQ_INT(table_read_file(&form, path, &t, &error), 0);
    EXPECT_EQ_INT(t == NULL ? 0 : table_rows(t), 1);
    table_release(&t);
    unlink(path);
    EXPECT_EQ_INT(table_read_file(&form, path, &t, &error), ERR_SYS);
    EXPECT_EQ_SPAN(span_str(error.text), SPAN_LIT("cannot read the file: No such file or directory"));
    EXPECT_EQ_INT(error.at.line, 0);
    EXPECT_EQ_INT(table_read_file(&form, "/tmp", &t, &error), ERR_SYS);
    EXPECT_EQ_INT(table_format_of("a.json"), TABLE_JSON);
    EXPECT_EQ_INT(table_format_of("json"), TABLE_CSV);
    EXPECT_EQ_INT(table_format_of("a.csv"), TABLE_CSV);
}

static const struct test tests[] = {
    { "csv_has_two_columns", csv_has_two_columns },
    { "csv_columns_have_names", csv_columns_have_names },
    { "csv_has_a_limit_of_columns", csv_has_a_limit_of_columns },
    { "keys_of_ip_tables_are_networks", keys_of_ip_tables_are_networks },
    { "json_is_one_object", json_is_one_object },
    { "json_has_numbers_for_values_that_are_numbers", json_has_numbers_for_values_that_are_numbers },
    { "json_networks_that_are_equal_have_places", json_networks_that_are_equal_have_places },
    { "a_file_is_read_by_its_name", a_file_is_read_by_its_name },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
