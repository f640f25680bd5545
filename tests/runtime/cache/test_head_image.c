/* Images of heads are the same in every process and every build of their version, and other bytes are
 * refused. */
#include "fixture.h"

#include "cache/object_internal.h"

static struct fixture f;

static struct object *
object_of(const struct http_message *response, const struct http_message *request)
{
    struct object *o;
    CHECK(object_new(f.main, 0, &o) == 0);
    CHECK(object_set_head(o, response, request) == 0);
    return o;
}

static struct span
image_of(const struct object *o)
{
    const struct head_image *h = head_image_of(o->head);
    return span_of((const char *)h, h->bytes);
}

static struct http_message *
full(void)
{
    struct http_message *m = response(&f.arena, 404, "Content-Type", "text/plain", "ETAG", "\"e\"", "X-Own",
                                      "1", "Vary", "Accept-Encoding, X-Own", NULL);
    m->reason = SPAN_LIT("Gone fishing");
    m->proto = SPAN_LIT("HTTP/1.0");
    return m;
}

/* Fixed bytes. A change of any byte needs a new version, because images on disks have the old form. */
static void
the_bytes_of_version_1_do_not_change(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(full(), request(&f.arena, "Accept-Encoding", "gzip", NULL));
    static const char want[] = "\x9d\0\0\0"
                               "\x28\0\0\0"
                               "\x94\x01"
                               "\x04\0"
                               "\x0c\0"
                               "\x01"
                               "\x01"
                               "\x08"
                               "\0"
                               "\0\0" /* 404, four fields, version 1 */
                               "\x12\0"
                               "\0\0"
                               "\x0a\0\0\0" /* Content-Type */
                               "\x0b\0"
                               "\x04\0"
                               "\x03\0\0\0" /* ETag, in another spelling */
                               "\0\0"
                               "\x05\0"
                               "\x01\0\0\0" /* X-Own */
                               "\x0c\0"
                               "\0\0"
                               "\x16\0\0\0" /* Vary */
                               "HTTP/1.0"
                               "Gone fishing"
                               "text/plain"
                               "ETAG"
                               "\"e\""
                               "X-Own"
                               "1"
                               "Accept-Encoding, X-Own"
                               "\x10\0"
                               "\x0f\0"
                               "\x04\0\0\0"
                               "Accept-Encoding"
                               "gzip"
                               "\0\0"
                               "\x05\0"
                               "\xff\xff\xff\xff"
                               "X-Own";
    EXPECT_EQ_SPAN(image_of(o), span_of(want, sizeof want - 1));
    object_release(&o);
    fixture_release(&f);
}

/* A new name goes to the end of enum name_known. */
static void
known_names_keep_their_numbers(void)
{
    EXPECT_EQ_INT(NAME_HOST, 1);
    EXPECT_EQ_INT(NAME_VARY, 12);
    EXPECT_EQ_INT(NAME_CONTENT_TYPE, 18);
    EXPECT_EQ_INT(NAME_X_VARNISH, 35);
    EXPECT_EQ_INT(NAME_ALLOW, 48);
    EXPECT(NAME_KNOWN_COUNT >= 49);
}

/* Ids of names that policies brought differ between processes, so an image has none of them; an object has
 * all. */
static void
interned_names_are_text_in_the_image_and_ids_in_the_object(void)
{
    fixture_init(&f, 1 << 20);
    struct object *before = object_of(full(), NULL);
    name_id id;
    CHECK(name_intern(SPAN_LIT("X-Own"), &id) == 0);
    struct object *after = object_of(full(), NULL);
    EXPECT_EQ_SPAN(image_of(before), image_of(after));
    EXPECT_EQ_INT(after->head->ids[2], id);
    EXPECT_EQ_STR(object_head_get(before, id, SPAN_NULL), "1");
    EXPECT_EQ_STR(object_head_get(after, id, SPAN_NULL), "1");
    object_release(&before);
    object_release(&after);
    fixture_release(&f);
}

static void
an_object_made_of_an_image_is_the_same(void)
{
    fixture_init(&f, 1 << 20);
    struct http_message *gzip = request(&f.arena, "Accept-Encoding", "gzip", NULL),
                        *back = response(&f.arena, 200, NULL);
    struct object *from = object_of(full(), gzip), *to;
    CHECK(object_new(f.main, 0, &to) == 0);
    EXPECT_EQ_INT(object_set_image(to, image_of(from)), 0);
    EXPECT_EQ_SPAN(image_of(to), image_of(from));
    EXPECT_EQ_INT(to->status, 404);
    CHECK(object_head_load(to, back) == 0);
    EXPECT_EQ_STR(back->reason, "Gone fishing");
    EXPECT_EQ_INT(back->n_fields, 4);
    EXPECT_EQ_STR(message_get(back, NAME_ETAG), "\"e\"");
    EXPECT_EQ_STR(back->fields[1].name, "ETAG");
    EXPECT_EQ_STR(message_get_named(back, name_lookup(SPAN_LIT("X-Own")), SPAN_LIT("X-Own")), "1");
    EXPECT(object_selected_by(to, gzip, false));
    EXPECT(!object_selected_by(to, request(&f.arena, "X-Own", "1", NULL), false));
    object_release(&from);
    object_release(&to);
    fixture_release(&f);
}

static void
touch(struct span name, struct span value, void *arg)
{
    size_t *sum = arg;
    for (size_t i = 0; i < name.len; i++)
        *sum += (unsigned char)name.ptr[i];
    for (size_t i = 0; i < value.len; i++)
        *sum += (unsigned char)value.ptr[i];
}

static int
taken(const char *bytes, size_t n)
{
    struct object *o;
    CHECK(object_new(f.main, 0, &o) == 0);
    int err = object_set_image(o, span_of(bytes, n));
    size_t sum = 0;
    if (err == 0) {
        object_head_each(o, touch, &sum);
        (void)object_selected_by(o, request(&f.arena, "Accept-Encoding", "gzip", NULL), false);
    }
    object_release(&o);
    return err;
}

static void
damaged_images_are_refused_or_still_whole(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(full(), request(&f.arena, "Accept-Encoding", "gzip", NULL));
    struct span image = image_of(o);
    for (size_t n = 0; n < image.len; n++) {
        char *copy = malloc(n + 1); /* so that ASan sees a read behind the end */
        memcpy(copy, image.ptr, n);
        EXPECT_EQ_INT(taken(copy, n), ERR_SYNTAX);
        free(copy);
    }
    for (size_t at = 0; at < image.len; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            char *copy = malloc(image.len);
            memcpy(copy, image.ptr, image.len);
            copy[at] = (char)(copy[at] ^ (1 << bit));
            (void)taken(copy, image.len); /* checksums detect flipped bits; reading them must be safe */
            free(copy);
        }
    object_release(&o);
    fixture_release(&f);
}

static void
an_image_of_another_version_is_refused_as_such(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(full(), NULL);
    struct head_image *copy = malloc(image_of(o).len);
    memcpy(copy, image_of(o).ptr, image_of(o).len);
    copy->version = HEAD_IMAGE_VERSION + 1;
    EXPECT_EQ_INT(taken((const char *)copy, image_of(o).len), ERR_LIMIT);
    free(copy);
    object_release(&o);
    fixture_release(&f);
}

static const struct test tests[] = {
    TEST(the_bytes_of_version_1_do_not_change),
    TEST(known_names_keep_their_numbers),
    TEST(an_object_made_of_an_image_is_the_same),
    TEST(damaged_images_are_refused_or_still_whole),
    TEST(an_image_of_another_version_is_refused_as_such),
    TEST(interned_names_are_text_in_the_image_and_ids_in_the_object), /* interns: last */
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
