/* Counters in shared memory, as readers see them. */
#include "log/vsc.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/check.h"
#include "log/counters.h"
#include "test.h"
#include "vsm_set.h"

static const struct vsc_row rows[] = {
    { "happy", VSC_BITMAP, VSC_INFO, VSC_BITS, "Said \"yes\"" },
    { "conn", VSC_GAUGE, VSC_DIAG, VSC_INTEGER, "Connections" },
    { "bytes", VSC_COUNTER, VSC_DEBUG, VSC_BYTES, "Bytes" },
};
static const struct vsc_type type = { "test", "A test", rows, 3 };

static const char *
text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text == NULL ? "" : text;
}

static void
a_document_says_what_the_numbers_are(void)
{
    char *text = vsc_document(&type);
    json_t *doc = json_loads(text, 0, NULL), *elem = json_object_get(doc, "elem");
    EXPECT_EQ_INT(json_integer_value(json_object_get(doc, "elements")), 3);
    EXPECT_EQ_INT(json_object_size(elem), 3);
    const char *name;
    json_t *row;
    unsigned i = 0;
    json_object_foreach(elem, name, row)
    { /* in the order of the rows */
        EXPECT_EQ_STR(span_str(name), rows[i].name);
        EXPECT_EQ_STR(span_str(text_of(row, "name")), rows[i].name);
        EXPECT_EQ_STR(span_str(text_of(row, "oneliner")), rows[i].doc);
        EXPECT_EQ_STR(span_str(text_of(row, "docs")), rows[i].doc);
        EXPECT_EQ_STR(span_str(text_of(row, "ctype")), "uint64_t");
        EXPECT_EQ_INT(json_integer_value(json_object_get(row, "index")), 8 * i);
        i++;
    }
    row = json_object_get(elem, "happy");
    EXPECT_EQ_STR(span_str(text_of(row, "type")), "bitmap");
    EXPECT_EQ_STR(span_str(text_of(row, "format")), "bitmap");
    row = json_object_get(elem, "conn");
    EXPECT_EQ_STR(span_str(text_of(row, "type")), "gauge");
    EXPECT_EQ_STR(span_str(text_of(row, "level")), "diag");
    EXPECT_EQ_STR(span_str(text_of(row, "format")), "integer");
    json_decref(doc);
    free(text);
}

/* The worker's counters begin like Varnish's, because some readers find counters by name and others by
 * position. */
static void
main_begins_as_in_varnish(void)
{
    EXPECT_EQ_STR(span_str(counter_rows[0].name), "summs");
    EXPECT_EQ_STR(span_str(counter_rows[1].name), "uptime");
    EXPECT_EQ_STR(span_str(counter_rows[143].name), "n_test_gunzip");
    for (unsigned g = 0; g < COUNTER_GROUPS; g++) {
        const struct vsc_type *t = &counter_groups[g].type;
        for (unsigned i = 0; i < t->n; i++)
            for (unsigned j = 0; j < i; j++)
                EXPECT(strcmp(t->rows[i].name, t->rows[j].name) != 0);
    }
}

static void
instances_are_numbers_behind_a_head(void)
{
    struct vsm *v = new_set_of_counters();
    uint64_t *a = vsc_new(&type, "T.a"), *b = vsc_new(&type, "T.b");
    EXPECT_EQ_INT(a[0] + a[1] + a[2], 0);
    vsc_add(&a[1], 2);
    vsc_add(&a[1], (uint64_t)-1);
    EXPECT_EQ_INT(a[1], 1);
    EXPECT_EQ_INT(((int32_t *)a)[-6], 1); /* not hidden */
    EXPECT_EQ_INT(a[-2], 24);
    EXPECT_EQ_INT(a[-1], b[-1]); /* both share one document */
    vsc_hide(a, true);
    EXPECT_EQ_INT(((int32_t *)a)[-6], 2);
    vsc_hide(a, false);
    EXPECT_EQ_INT(((int32_t *)a)[-6], 1);
    vsc_free(&a);
    EXPECT(a == NULL);
    vsc_free(&a);
    close_set_of_counters(v);
}

/* Readers write names into JSON and XML as they are. */
static void
idents_are_plain_words_and_come_back_as_they_were(void)
{
    static const char ident[] = "POLICY.a{b=\"c d\\\\<&>'%41\x01\x9b\x7f\"}";
    char encoded[200], back[sizeof ident];
    vsc_ident_encode(ident, encoded, sizeof encoded);
    EXPECT_EQ_STR(span_str(encoded), "POLICY.a{b='c%20d%5c%5c%3c%26%3e%27%2541%01%9b%7f'}");
    const char *at = encoded;
    size_t n = 0;
    while (*at != '\0')
        back[n++] = vsc_ident_decode(&at);
    back[n] = '\0';
    EXPECT_EQ_STR(span_str(back), ident);
    vsc_ident_encode("abc\"\"", encoded, 8); /* cut, but not inside of a character */
    EXPECT_EQ_STR(span_str(encoded), "abc''");
    vsc_ident_encode("abc  ", encoded, 8);
    EXPECT_EQ_STR(span_str(encoded), "abc%20");
    at = "%4";
    EXPECT_EQ_INT(vsc_ident_decode(&at), '%');
    EXPECT_EQ_STR(span_str(at), "4");
}

/* The texts about counters, too, reach JSON and XML as they are. */
static void
texts_about_counters_need_no_escapes(void)
{
    for (unsigned i = 0; i < n_counter_rows; i++)
        EXPECT(strpbrk(counter_rows[i].doc, "\"\\<&>") == NULL);
}

static void
without_a_set_they_are_plain_memory(void)
{
    uint64_t *a = vsc_new(&type, "T.a");
    a[2] = 5;
    vsc_hide(a, true);
    EXPECT_EQ_INT(a[2], 5);
    vsc_free(&a);
}

static const struct test tests[] = {
    { "a_document_says_what_the_numbers_are", a_document_says_what_the_numbers_are },
    { "main_begins_as_in_varnish", main_begins_as_in_varnish },
    { "instances_are_numbers_behind_a_head", instances_are_numbers_behind_a_head },
    { "idents_are_plain_words_and_come_back_as_they_were",
      idents_are_plain_words_and_come_back_as_they_were },
    { "texts_about_counters_need_no_escapes", texts_about_counters_need_no_escapes },
    { "without_a_set_they_are_plain_memory", without_a_set_they_are_plain_memory },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
