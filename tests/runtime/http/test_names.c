/* The table of header names: ids, growth, its limit, reads while other threads add names. Also run under
 * TSan. */
#include <pthread.h>

#include "base/check.h"
#include "base/params.h"
#include "http/names.h"
#include "test.h"

static struct span
made_up_name(unsigned i, char out[32])
{
    return span_of(out, (size_t)snprintf(out, 32, "X-Made-Up-%u", i));
}

static void
known_names_have_their_ids_in_any_case(void)
{
    EXPECT_EQ_INT(name_lookup(SPAN_LIT("host")), NAME_HOST);
    EXPECT_EQ_INT(name_lookup(SPAN_LIT("CONTENT-length")), NAME_CONTENT_LENGTH);
    EXPECT_EQ_INT(name_lookup(SPAN_LIT("tE")), NAME_TE);
    for (unsigned i = 1; i < NAME_KNOWN_COUNT; i++)
        EXPECT_EQ_INT(name_lookup(name_text((name_id)i)), i);
    EXPECT_EQ_STR(name_text(NAME_ETAG), "ETag");
}

static void
unknown_names_have_none(void)
{
    static const char *const names[] = {
        "", "h", "Hosts", "Hos", "X-Host", "Content_Length", "Content-Length ", "Ag\x05"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT_EQ_INT(name_lookup(span_str(names[i])), NAME_NONE);
    EXPECT_EQ_INT(name_lookup(SPAN_NULL), NAME_NONE);
}

static void
interning_is_idempotent_and_keeps_the_first_spelling(void)
{
    name_id a, b;
    char text[] = "X-Fancy";
    EXPECT_EQ_INT(name_intern(span_str(text), &a), 0);
    EXPECT(a >= NAME_KNOWN_COUNT);
    memset(text, 'z', sizeof text - 1); /* the table has its own copy */
    EXPECT_EQ_INT(name_intern(SPAN_LIT("x-FANCY"), &b), 0);
    EXPECT_EQ_INT(a, b);
    EXPECT_EQ_STR(name_text(a), "X-Fancy");
    EXPECT_EQ_INT(name_intern(SPAN_LIT("hOsT"), &a), 0);
    EXPECT_EQ_INT(a, NAME_HOST);
}

static void
what_is_no_token_is_not_interned(void)
{
    name_id id = 77;
    EXPECT_EQ_INT(name_intern(SPAN_LIT("a b"), &id), ERR_SYNTAX);
    EXPECT_EQ_INT(name_intern(SPAN_LIT(""), &id), ERR_SYNTAX);
    EXPECT_EQ_INT(name_intern(SPAN_LIT("a:"), &id), ERR_SYNTAX);
    EXPECT_EQ_INT(id, 77);
}

enum { READERS = 2, GROWTH = 3000 };
static atomic_uint added;
static atomic_bool stop;

static void *
look_up_all(void *arg)
{
    (void)arg;
    char text[32];
    while (!atomic_load(&stop)) {
        unsigned n = atomic_load(&added);
        for (unsigned i = n > 50 ? n - 50 : 0; i < n; i++) {
            name_id id = name_lookup(made_up_name(i, text));
            EXPECT(id != NAME_NONE); /* a stored name is always found */
            EXPECT(id == NAME_NONE || span_eq(name_text(id), made_up_name(i, text)));
        }
        EXPECT_EQ_INT(name_lookup(SPAN_LIT("vary")), NAME_VARY);
        unsigned last = names_count() - 1;
        EXPECT_EQ_INT(name_lookup(name_text((name_id)last)), last); /* a counted name is found */
    }
    return NULL;
}

static void
readers_find_every_name_while_the_table_grows(void)
{
    pthread_t threads[READERS];
    char text[32];
    name_id id;
    for (int i = 0; i < READERS; i++)
        CHECK(pthread_create(&threads[i], NULL, look_up_all, NULL) == 0);
    for (unsigned i = 0; i < GROWTH; i++) {
        EXPECT_EQ_INT(name_intern(made_up_name(i, text), &id), 0);
        atomic_store(&added, i + 1);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < GROWTH; i++)
        EXPECT(name_lookup(made_up_name(i, text)) != NAME_NONE);
}

static void
the_table_has_a_limit(void)
{
    char text[32];
    name_id id;
    uint32_t limit = params.header_names_max;
    params.header_names_max = GROWTH; /* exceeded long ago */
    EXPECT_EQ_INT(name_intern(SPAN_LIT("X-One-Too-Many"), &id), ERR_LIMIT);
    EXPECT_EQ_INT(name_intern(made_up_name(7, text), &id), 0); /* stored names stay usable */
    EXPECT_EQ_INT(name_lookup(SPAN_LIT("X-One-Too-Many")), NAME_NONE);
    params.header_names_max = limit;
}

static const struct test tests[] = {
    { "known_names_have_their_ids_in_any_case", known_names_have_their_ids_in_any_case },
    { "unknown_names_have_none", unknown_names_have_none },
    { "interning_is_idempotent_and_keeps_the_first_spelling",
      interning_is_idempotent_and_keeps_the_first_spelling },
    { "what_is_no_token_is_not_interned", what_is_no_token_is_not_interned },
    { "readers_find_every_name_while_the_table_grows", readers_find_every_name_while_the_table_grows },
    { "the_table_has_a_limit", the_table_has_a_limit },
};

int
main(int argc, char **argv)
{
    names_init();
    names_init(); /* again: harmless */
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
