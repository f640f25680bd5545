/* Reading the variants of a key, as explain-key does: kinds, states, selecting fields. Reading changes
 * nothing. */
#include "store_fixture.h"

#include "cache/index.h"
#include "cache/variants.h"

static struct variant
describe(const char *name, unsigned i, struct http_message *req, nsec now)
{
    struct object *found[8];
    struct variant v;
    unsigned n = store_variants(f.store, key(&f.arena, name), found, 8);
    CHECK(i < n && n <= 8);
    variant_describe(f.store, found[i], req, false, now, &v);
    for (unsigned k = 0; k < n; k++)
        object_release(&found[k]);
    v.object = NULL;
    return v;
}

static void
states_follow_the_clock(void)
{
    begin();
    struct http_message *req = REQUEST();
    struct life life = { 10 * SEC, 10 * SEC, 10 * SEC };
    CHECK(store_text(&f, "/a", req, RESPONSE(), life, "body") == 0);
    EXPECT_EQ_INT(describe("/a", 0, req, T0).state, VARIANT_FRESH);
    EXPECT_EQ_INT(describe("/a", 0, req, T0 + 15 * SEC).state, VARIANT_GRACE);
    EXPECT_EQ_INT(describe("/a", 0, req, T0 + 25 * SEC).state, VARIANT_KEEP);
    EXPECT_EQ_INT(describe("/a", 0, req, T0 + 35 * SEC).state, VARIANT_DEAD);
    struct variant v = describe("/a", 0, req, T0);
    EXPECT_EQ_INT(v.kind, VARIANT_RESPONSE);
    EXPECT(v.selected && !v.banned && v.bytes > 4);
    EXPECT_EQ_STR(v.storage, "s0");
    end();
}

static void
the_newest_comes_first_and_all_are_counted(void)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        char value[2] = { (char)('a' + i), '\0' };
        CHECK(store_text(&f, "/a", REQUEST("Foo", value), RESPONSE("Vary", "Foo"), HOUR, value) == 0);
    }
    struct object *found[2] = { NULL };
    EXPECT_EQ_INT(store_variants(f.store, key(&f.arena, "/a"), found, 2), 5);
    EXPECT_EQ_INT(found[0]->hits + found[1]->hits, 0);
    object_release(&found[0]);
    object_release(&found[1]);
    EXPECT_EQ_INT(store_variants(f.store, key(&f.arena, "/b"), found, 2), 0);
    EXPECT(describe("/a", 0, REQUEST("Foo", "e"), T0).selected &&
           !describe("/a", 1, REQUEST("Foo", "e"), T0).selected);
    end();
}

static void
what_is_fetched_is_busy(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(describe("/a", 0, req, T0).kind, VARIANT_BUSY);
    CHECK(fetch_insert(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL) == 0);
    EXPECT_EQ_INT(describe("/a", 0, req, T0).kind, VARIANT_BUSY);
    CHECK(object_publish(l.busy, -1) == 0 && body_add(l.busy, "half", 4) == 0);
    uint64_t half = describe("/a", 0, req, T0).bytes;
    EXPECT_EQ_INT(describe("/a", 0, req, T0).kind, VARIANT_RESPONSE);
    CHECK(body_add(l.busy, "half", 4) == 0);
    EXPECT_EQ_INT(describe("/a", 0, req, T0).bytes, half + 4);
    object_complete(l.busy);
    object_release(&l.busy);
    end();
}

static void
a_banned_variant_says_so_and_stays(void)
{
    begin();
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d = NULL;
    CHECK(store_text(&f, "/a", REQUEST(), RESPONSE(), HOUR, "body") == 0);
    CHECK(ban_draft_parse(SPAN_LIT("obj.status == 200"), &d, error) == 0 &&
          ban_by_draft(f.store, &d, T0, error) == 0);
    EXPECT(describe("/a", 0, REQUEST(), T0).banned);
    EXPECT(describe("/a", 0, REQUEST(), T0).banned);
    EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
    end();
}

struct fields {
    char text[256];
};

static void
add_field(struct span name, struct span stored, bool same, void *arg)
{
    struct fields *out = arg;
    size_t n = strlen(out->text);
    (void)snprintf(out->text + n, sizeof out->text - n, "%.*s=%.*s%s;", (int)name.len, name.ptr,
                   (int)stored.len, stored.ptr == NULL ? "" : stored.ptr, same ? "" : "!");
}

static void
selecting_fields_show_what_was_stored(void)
{
    begin();
    struct object *o = NULL;
    struct fields got = { "" };
    CHECK(store_text(&f, "/a", REQUEST("Foo", " 1 , 2"), RESPONSE("Vary", "Foo, Bar"), HOUR, "body") == 0);
    EXPECT_EQ_INT(store_variants(f.store, key(&f.arena, "/a"), &o, 1), 1);
    variant_fields(o, REQUEST("Foo", "1,2", "Bar", "x"), add_field, &got);
    EXPECT_EQ_STR(span_str(got.text), "Foo=1,2;Bar=!;");
    object_release(&o);
    end();
}

static const struct test tests[] = {
    TEST(states_follow_the_clock),
    TEST(the_newest_comes_first_and_all_are_counted),
    TEST(what_is_fetched_is_busy),
    TEST(a_banned_variant_says_so_and_stays),
    TEST(selecting_fields_show_what_was_stored),
};


int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
