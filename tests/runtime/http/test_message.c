/* Heads in memory: look-up, change, limits, hop-by-hop marks. */
#include "base/check.h"
#include "http/http1.h"
#include "http/message.h"
#include "test.h"

static struct arena arena;
static struct http_message m;

static void
setup(unsigned cap)
{
    arena_release(&arena);
    CHECK(message_init(&m, &arena, cap) == 0);
}

static void
add(const char *name, const char *value)
{
    EXPECT_EQ_INT(message_add(&m, name_lookup(span_str(name)), span_str(name), span_str(value)), 0);
}

/* "Name=value;" of all fields, hop-by-hop ones in parentheses. */
static struct span
shown(void)
{
    static char out[1024];
    size_t n = 0;
    for (unsigned i = 0; i < m.n_fields; i++) {
        const struct http_field *f = &m.fields[i];
        n += (size_t)snprintf(out + n, sizeof out - n, f->flags & FIELD_HOP ? "(%.*s=%.*s);" : "%.*s=%.*s;",
                              (int)f->name.len, f->name.ptr, (int)f->value.len, f->value.ptr);
    }
    return span_of(out, n);
}

static void
fields_are_found_by_id_and_by_name(void)
{
    setup(8);
    add("Host", "a");
    add("X-Own", "1");
    add("x-own", "2");
    EXPECT_EQ_STR(message_get(&m, NAME_HOST), "a");
    EXPECT_EQ_SPAN(message_get(&m, NAME_AGE), SPAN_NULL);
    EXPECT(message_has(&m, NAME_HOST) && !message_has(&m, NAME_AGE));
    EXPECT_EQ_STR(message_get_named(&m, NAME_NONE, SPAN_LIT("X-OWN")), "1"); /* the first */
    EXPECT_EQ_SPAN(message_get_named(&m, NAME_NONE, SPAN_LIT("X-Other")), SPAN_NULL);
}

static void
a_name_interned_after_the_field_came_is_found_by_its_id(void)
{
    setup(8);
    add("X-Late", "1");
    name_id id;
    EXPECT_EQ_INT(name_intern(SPAN_LIT("x-late"), &id), 0);
    EXPECT_EQ_STR(message_get_named(&m, id, SPAN_NULL), "1");
    EXPECT_EQ_STR(message_get(&m, id), "1");
    EXPECT_EQ_INT(message_set(&m, id, SPAN_NULL, SPAN_LIT("2")), 0);
    EXPECT_EQ_STR(shown(), "x-late=2;"); /* one field, not two */
}

/* A parsed head carries the ids of all names that a policy has interned, so a look-up compares no text and an
 * absent field takes no search. */
static void
parsed_heads_carry_the_ids_of_interned_names(void)
{
    static const struct http1_limits limits = { .head_bytes = 4096, .line_bytes = 1024, .fields = 8 };
    struct http1_error error;
    name_id here, absent, late;
    EXPECT_EQ_INT(name_intern(SPAN_LIT("X-Parsed-Here"), &here), 0);
    EXPECT_EQ_INT(name_intern(SPAN_LIT("X-Parsed-Absent"), &absent), 0);
    setup(8);
    char head[] = "GET / HTTP/1.1\r\nX-Parsed-Late: 2\r\nx-parsed-here: 1\r\n\r\n";
    EXPECT(http1_parse_request(head, sizeof head - 1, &limits, &m, &error) > 0);
    EXPECT_EQ_INT(name_intern(SPAN_LIT("X-Parsed-Late"), &late), 0);
    EXPECT(message_has_ids(&m, here) && !message_lacks(&m, here) && message_lacks(&m, absent));
    EXPECT(!message_has_ids(&m, late) && !message_lacks(&m, late));
    EXPECT_EQ_STR(message_get(&m, here), "1");
    EXPECT_EQ_STR(message_get(&m, late), "2");
    struct http_message copy;
    CHECK(message_init(&copy, &arena, 8) == 0 && message_copy(&copy, &m) == 0);
    EXPECT(message_lacks(&copy, absent) && !message_lacks(&copy, late));
    add("X-Parsed-Never", "3"); /* from here on nobody knows when names were looked up */
    EXPECT(!message_has_ids(&m, here) && message_has_ids(&m, NAME_AGE));
    EXPECT_EQ_STR(message_get(&m, here), "1");
    EXPECT_EQ_SPAN(message_get(&m, absent), SPAN_NULL);
}

/* ---- the same without ids ---- */

enum { MODEL_NAMES = 160, MODEL_FIELDS = 24, MODEL_STEPS = 20000 };

static struct {
    unsigned name[MODEL_FIELDS], value[MODEL_FIELDS], n;
} model;
static uint64_t model_random = 88172645463325252u;

static unsigned
random_below(unsigned n)
{
    model_random ^= model_random << 13;
    model_random ^= model_random >> 7;
    model_random ^= model_random << 17;
    return (unsigned)(model_random >> 20) % n;
}

static struct span
numbered(const char *lead, unsigned i)
{
    char text[32];
    return arena_copy(&arena, span_of(text, (size_t)snprintf(text, sizeof text, "%s%u", lead, i)));
}

static void
model_drop(unsigned name, unsigned from)
{
    unsigned kept = from;
    for (unsigned i = from; i < model.n; i++)
        if (model.name[i] != name) {
            model.name[kept] = model.name[i];
            model.value[kept++] = model.value[i];
        }
    model.n = kept;
}

static void
model_set(unsigned name, unsigned value)
{
    unsigned at = 0;
    while (at < model.n && model.name[at] != name)
        at++;
    if (at == model.n)
        model.n++;
    model.name[at] = name;
    model.value[at] = value;
    model_drop(name, at + 1);
}

static void
model_step(unsigned step)
{
    unsigned name = random_below(MODEL_NAMES), what = random_below(8);
    if (random_below(4) != 0) /* most often a name that is there */
        name = model.n > 0 ? model.name[random_below(model.n)] : name;
    struct span text = numbered(step % 2 ? "X-Model-" : "x-model-", name);
    name_id id = name_lookup(text);
    if (what < 3 && model.n < MODEL_FIELDS) {
        EXPECT_EQ_INT(message_add(&m, id, text, numbered("", step)), 0);
        model.name[model.n] = name;
        model.value[model.n++] = step;
    } else if (what < 5 && model.n < MODEL_FIELDS) {
        EXPECT_EQ_INT(message_set(&m, id, text, numbered("", step)), 0);
        model_set(name, step);
    } else if (what == 5) {
        message_unset(&m, id, text);
        model_drop(name, 0);
    } else if (what == 6 && random_below(8) == 0) {
        (void)name_intern(text, &id);
    } else if (what == 7 && random_below(100) == 0) {
        message_clear(&m); /* later fields carry the ids that exist by now */
        model.n = 0;
    }
}

/* Random changes agree with a list of names and values, while names enter the table. */
static void
changes_mean_the_same_with_and_without_ids(void)
{
    setup(MODEL_FIELDS);
    model.n = 0;
    for (unsigned step = 0; step < MODEL_STEPS; step++) {
        model_step(step);
        unsigned name = random_below(MODEL_NAMES), at = 0;
        struct span text = numbered("X-Model-", name);
        while (at < model.n && model.name[at] != name)
            at++;
        struct span want = at < model.n ? numbered("", model.value[at]) : SPAN_NULL;
        EXPECT_EQ_SPAN(message_get_named(&m, name_lookup(text), text), want);
        EXPECT_EQ_INT(m.n_fields, model.n);
    }
}

static void
setting_replaces_all_of_the_name_in_place(void)
{
    setup(8);
    add("A", "1");
    add("B", "2");
    add("a", "3");
    add("C", "4");
    EXPECT_EQ_INT(message_set(&m, NAME_NONE, SPAN_LIT("A"), SPAN_LIT("new")), 0);
    EXPECT_EQ_STR(shown(), "A=new;B=2;C=4;");
    EXPECT_EQ_INT(message_set(&m, NAME_AGE, SPAN_NULL, SPAN_NULL), 0); /* unset text sets an empty value */
    EXPECT_EQ_STR(shown(), "A=new;B=2;C=4;Age=;");
    message_unset(&m, NAME_NONE, SPAN_LIT("b"));
    message_unset(&m, NAME_NONE, SPAN_LIT("absent"));
    EXPECT_EQ_STR(shown(), "A=new;C=4;Age=;");
}

static void
a_full_message_says_so(void)
{
    setup(1);
    add("A", "1");
    EXPECT_EQ_INT(message_set(&m, NAME_NONE, SPAN_LIT("A"), SPAN_LIT("2")), 0);
    EXPECT_EQ_INT(m.failed, 0);
    EXPECT_EQ_INT(message_add(&m, NAME_NONE, SPAN_LIT("B"), SPAN_LIT("2")), ERR_LIMIT);
    EXPECT_EQ_INT(m.failed, 1);
    EXPECT_EQ_STR(shown(), "A=2;");
}

static void
a_line_is_a_field_like_any_other(void)
{
    setup(2);
    struct log_txn t = { .id = 0 };
    m.log = &t;
    EXPECT_EQ_INT(message_add_line(&m, NAME_AGE, 3, SPAN_LIT("Age: 12\r\n")), 0);
    EXPECT_EQ_INT(message_add_line(&m, NAME_VIA, 3, SPAN_LIT("Via: \r\n")), 0);
    EXPECT_EQ_STR(shown(), "Age=12;Via=;");
    EXPECT_EQ_STR(message_get(&m, NAME_AGE), "12");
    EXPECT_EQ_INT(message_add_line(&m, NAME_HOST, 4, SPAN_LIT("Host: a\r\n")), ERR_LIMIT);
    EXPECT(m.failed);
    EXPECT_EQ_INT(message_set(&m, NAME_AGE, SPAN_NULL, SPAN_LIT("13")), 0);
    EXPECT_EQ_STR(shown(), "Age=13;Via=;");
    char head[128];
    m.failed = 0;
    m.status = 200;
    ssize_t n = http1_write_response(&m, head, sizeof head);
    EXPECT_EQ_STR(span_of(head, (size_t)n), "HTTP/1.1 200 OK\r\nAge: 13\r\nVia: \r\n\r\n");
}

static void
values_cannot_add_lines(void)
{
    static const char *const values[] = { "a\r\nB: c", "a\n", "\r", "a\x01" };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setup(4);
        add("A", "1");
        EXPECT_EQ_INT(message_set(&m, NAME_NONE, SPAN_LIT("A"), span_str(values[i])), ERR_SYNTAX);
        EXPECT_EQ_INT(message_add(&m, NAME_HOST, SPAN_NULL, span_str(values[i])), ERR_SYNTAX);
        EXPECT_EQ_INT(m.failed, 1);
        EXPECT_EQ_STR(shown(), "A=1;");
    }
    setup(4);
    EXPECT_EQ_INT(message_add(&m, NAME_NONE, SPAN_LIT("A:"), SPAN_LIT("1")), ERR_SYNTAX);
    EXPECT_EQ_INT(message_add(&m, NAME_NONE, SPAN_LIT("A\r\nB"), SPAN_LIT("1")), ERR_SYNTAX);
}

static void
collecting_joins_equal_fields(void)
{
    setup(8);
    add("Vary", "a");
    add("X", "1");
    add("vary", "");
    add("VARY", "b");
    EXPECT_EQ_INT(message_collect(&m, NAME_VARY, SPAN_NULL, SPAN_LIT(", ")), 0);
    EXPECT_EQ_STR(shown(), "Vary=a, , b;X=1;");
    /* a single field stays as it was */
    EXPECT_EQ_INT(message_collect(&m, NAME_NONE, SPAN_LIT("x"), SPAN_LIT("; ")), 0);
    EXPECT_EQ_INT(message_collect(&m, NAME_AGE, SPAN_NULL, SPAN_LIT("; ")), 0); /* none */
    EXPECT_EQ_STR(shown(), "Vary=a, , b;X=1;");
}

static void
collecting_into_a_full_arena_fails(void)
{
    struct arena small;
    arena_init(&small, ARENA_CHUNK_BYTES);
    CHECK(message_init(&m, &small, 8) == 0);
    add("A", "1");
    add("A", "2");
    while (arena_alloc(&small, 1) != NULL)
        ;
    EXPECT_EQ_INT(message_collect(&m, NAME_NONE, SPAN_LIT("A"), SPAN_LIT(",")), ERR_NOMEM);
    EXPECT_EQ_INT(m.failed, 1);
    arena_release(&small);
}

static void
copies_are_by_reference_into_own_places(void)
{
    setup(4);
    add("A", "1");
    m.url = SPAN_LIT("/x");
    m.status = 200;
    struct http_message copy;
    CHECK(message_init(&copy, &arena, 4) == 0);
    EXPECT_EQ_INT(message_copy(&copy, &m), 0);
    EXPECT_EQ_INT(message_set(&m, NAME_NONE, SPAN_LIT("A"), SPAN_LIT("2")), 0);
    EXPECT_EQ_STR(message_get_named(&copy, NAME_NONE, SPAN_LIT("A")), "1");
    EXPECT_EQ_STR(copy.url, "/x");
    EXPECT_EQ_INT(copy.status, 200);
    CHECK(message_init(&copy, &arena, 0) == 0);
    EXPECT_EQ_INT(message_copy(&copy, &m), ERR_LIMIT);
    EXPECT_EQ_INT(copy.failed, 1);
}

static void
hop_by_hop_fields_are_marked(void)
{
    setup(16);
    add("Host", "a");
    add("Connection", "X-Mine, keep-alive, \"x");
    add("X-Mine", "1");
    add("Keep-Alive", "5");
    add("TE", "trailers");
    add("Transfer-Encoding", "chunked");
    add("Upgrade", "h2c");
    add("X-Other", "2");
    message_mark_hop(&m);
    EXPECT_EQ_STR(shown(),
                  "Host=a;(Connection=X-Mine, keep-alive, \"x);(X-Mine=1);(Keep-Alive=5);(TE=trailers);"
                  "(Transfer-Encoding=chunked);(Upgrade=h2c);X-Other=2;");
}

static void
connection_cannot_take_away_what_everybody_needs(void)
{
    setup(16);
    add("Connection", "host, Content-Length, cookie, Authorization, cache-control, x-forwarded-for, accept");
    add("Host", "a");
    add("Content-Length", "5");
    add("Cookie", "c");
    add("Authorization", "x");
    add("Cache-Control", "no-store");
    add("X-Forwarded-For", "::1");
    add("Accept", "*/*");
    message_mark_hop(&m);
    for (unsigned i = 1; i < m.n_fields; i++)
        EXPECT_EQ_INT(m.fields[i].flags & FIELD_HOP, m.fields[i].id == NAME_ACCEPT ? FIELD_HOP : 0);
}

static void
reasons(void)
{
    EXPECT_EQ_STR(status_reason(200), "OK");
    EXPECT_EQ_STR(status_reason(503), "Service Unavailable");
    EXPECT_EQ_STR(status_reason(299), "Unknown HTTP Status");
}

static const struct test tests[] = {
    { "fields_are_found_by_id_and_by_name", fields_are_found_by_id_and_by_name },
    { "a_name_interned_after_the_field_came_is_found_by_its_id",
      a_name_interned_after_the_field_came_is_found_by_its_id },
    { "parsed_heads_carry_the_ids_of_interned_names", parsed_heads_carry_the_ids_of_interned_names },
    { "changes_mean_the_same_with_and_without_ids", changes_mean_the_same_with_and_without_ids },
    { "setting_replaces_all_of_the_name_in_place", setting_replaces_all_of_the_name_in_place },
    { "a_full_message_says_so", a_full_message_says_so },
    { "a_line_is_a_field_like_any_other", a_line_is_a_field_like_any_other },
    { "values_cannot_add_lines", values_cannot_add_lines },
    { "collecting_joins_equal_fields", collecting_joins_equal_fields },
    { "collecting_into_a_full_arena_fails", collecting_into_a_full_arena_fails },
    { "copies_are_by_reference_into_own_places", copies_are_by_reference_into_own_places },
    { "hop_by_hop_fields_are_marked", hop_by_hop_fields_are_marked },
    { "connection_cannot_take_away_what_everybody_needs", connection_cannot_take_away_what_everybody_needs },
    { "reasons", reasons },
};

int
main(int argc, char **argv)
{
    names_init();
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    return failed;
}
