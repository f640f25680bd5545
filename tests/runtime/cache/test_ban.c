/* Bans: parsing, matching, growth and shrinking of the list, and the lurker against a model that keeps every
 * response's time of storing and tests all bans since. */
#include "ban_fixture.h"

#include "cache/ban_internal.h"
#include "cache/index.h"
#include "log/counters.h"

static const struct life LONG = { 1000 * SEC, 10 * SEC, 5 * SEC };

static void
put(const char *name, const char *foo)
{
    EXPECT_EQ_INT(store_text(&f, name, NULL, response(&f.arena, 200, "foo", foo, NULL), LONG, "body"), 0);
}

static enum lookup_result
get_with(const char *name, struct http_message *req)
{
    struct lookup l = lookup_of(key(&f.arena, name), req, T0);
    enum lookup_result r = store_lookup(f.store, &l);
    object_release(&l.object);
    if (l.busy != NULL)
        store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    return r;
}

static bool
is_hit(const char *name)
{
    return get_with(name, NULL) == LOOKUP_HIT;
}

static uint64_t
counted(const char *name)
{
    struct counters sum;
    counters_sum(&sum);
    for (unsigned i = 0; i < n_counter_rows; i++)
        if (strcmp(counter_rows[i].name, name) == 0)
            return counters_value(&sum, &counter_rows[i]);
    return UINT64_MAX;
}

/* ---- reading ---- */

static void
what_a_ban_cannot_be_is_said(void)
{
    begin();
    static const char *const wrong[][2] = {
        { NULL, "Null argument" },
        { " ", "No ban conditions found." },
        { "req.url", "Expected comparison operator." },
        { "req.url ==", "Expected second operand." },
        { "req.url // bar", "expected conditional (==, !=, ~ or !~) got \"//\"" },
        { "req.url > bar", "expected conditional (==, !=, ~ or !~) got \">\"" },
        { "req.url == bar or", "Expected && between conditions, found \"or\"" },
        { "req.url == bar &&", "No ban conditions found." },
        { "foo == bar", "Unknown or unsupported field \"foo\"" },
        { "req.urls == bar", "Unknown or unsupported field \"req.urls\"" },
        { "obj.http. == bar", "Unknown or unsupported field \"obj.http.\"" },
        { "obj.age == 4", "expected duration <n.nn>[ms|s|m|h|d|w|y] got \"4\"" },
        { "obj.age == -4s", "expected duration <n.nn>[ms|s|m|h|d|w|y] got \"-4s\"" },
        { "obj.age ~ 4d", "expected conditional (==, !=, >, >=, < or <=) got \"~\"" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        EXPECT_EQ_STR(span_str(ban_at(wrong[i][0], T0)), wrong[i][1]);
    EXPECT(strstr(ban_at("req.url ~ [[[", T0), "Regex compile error: ") != NULL);
    EXPECT_EQ_INT(list().n, 1);
    end();
}

static void
a_list_shows_durations_in_their_largest_unit(void)
{
    begin();
    static const char *const forms[][2] = {
        { "0s", "0s" },   { "123ms", "123ms" }, { "0.456s", "456ms" }, { "6.789s", "6.789s" },
        { "42y", "42y" }, { "365d", "1y" },     { "9w", "9w" },        { "7d", "1w" },
        { "24h", "1d" },  { "18h", "18h" },     { "1.5h", "90m" },     { "0.5m", "30s" },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[64], shown[80];
        snprintf(text, sizeof text, "obj.keep == %s && req.http.X != %s", forms[i][0], forms[i][0]);
        snprintf(shown, sizeof shown, "- obj.keep == %s && req.http.X != %s\n", forms[i][1], forms[i][0]);
        ban(text);
        EXPECT_EQ_INT(strncmp(list().text, shown, strlen(shown)), 0);
    }
    end();
}

/* ---- look-ups ---- */

static void
only_what_was_stored_before_is_concerned(void)
{
    begin();
    ban("obj.http.foo == a");
    put("x", "a");
    EXPECT(is_hit("x"));
    ban("obj.http.foo == b");
    EXPECT(is_hit("x"));
    ban("obj.http.foo == a");
    EXPECT(!is_hit("x"));
    put("x", "a");
    EXPECT(is_hit("x"));
    end();
}

/* Each with a list of its own: the ban's text, and whether it matches the response. */
static void
operators_and_fields_mean_what_they_say(void)
{
    begin();
    static const struct {
        const char *text;
        bool concerns;
    } rows[] = {
        { "req.url == /u", true },
        { "req.url != /u", false },
        { "req.url ~ ^/", true },
        { "req.url !~ ^/", false },
        { "req.http.Host == h", true },
        { "req.http.host ~ H", false },
        { "req.http.none ~ .", false },
        { "req.http.none !~ .", false },
        { "req.http.none == x", false },
        { "req.http.none != x", true },
        { "obj.status == 200", true },
        { "obj.status != 200", false },
        { "obj.http.FOO == a", true },
        { "obj.http.foo ~ ^a$", true },
        { "obj.http.bar != a", true },
        { "obj.ttl > 999s", true },
        { "obj.ttl > 1000s", false },
        { "obj.ttl == 1000s", true },
        { "obj.ttl <= 1000s", true },
        { "obj.age >= 0s", true },
        { "obj.age > 0s", false },
        { "obj.age < 1s", true },
        { "obj.grace == 10s", true },
        { "obj.grace != 10s", false },
        { "obj.keep >= 5s", true },
        { "obj.keep < 5s", false },
        { "req.url ~ . && obj.http.foo == a", true },
        { "req.url ~ . && obj.http.foo == b", false },
    };
    struct http_message *req = request(&f.arena, "Host", "h", NULL);
    req->url = SPAN_LIT("/u");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put("x", "a");
        ban(rows[i].text);
        bool gone = get_with("x", req) != LOOKUP_HIT;
        if (gone != rows[i].concerns)
            fprintf(stderr, "%s\n", rows[i].text);
        EXPECT_EQ_INT(gone, rows[i].concerns);
    }
    end();
}

/* The result does not depend on the time of the test. */
static void
ttl_and_age_are_those_at_the_time_of_the_ban(void)
{
    begin();
    put("x", "a");
    EXPECT_EQ_STR(span_str(ban_at("obj.age > 20s", T0 + 10 * SEC)), "");
    EXPECT_EQ_STR(span_str(ban_at("obj.ttl < 980s", T0 + 10 * SEC)), "");
    struct lookup l = lookup_of(key(&f.arena, "x"), NULL, T0 + 900 * SEC);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_HIT);
    object_release(&l.object);
    EXPECT_EQ_STR(span_str(ban_at("obj.age >= 20s", T0 + 20 * SEC)), "");
    EXPECT(!is_hit("x"));
    end();
}

static void
a_response_is_tested_once_against_each_ban(void)
{
    begin();
    put("x", "a");
    uint64_t tested = counted("bans_tested"), tests = counted("bans_tests_tested"),
             killed = counted("bans_obj_killed");
    ban("req.url ~ nothing && obj.status == 200");
    ban("obj.http.foo == b");
    EXPECT(is_hit("x") && is_hit("x"));
    EXPECT_EQ_INT(counted("bans_tested") - tested, 1);
    EXPECT_EQ_INT(counted("bans_tests_tested") - tests, 2);
    ban("obj.status == 200 && obj.http.foo == a");
    EXPECT(!is_hit("x"));
    EXPECT_EQ_INT(counted("bans_tested") - tested, 2);
    EXPECT_EQ_INT(counted("bans_tests_tested") - tests, 4);
    EXPECT_EQ_INT(counted("bans_obj_killed") - killed, 1);
    end();
}

static void
each_variant_is_tested_for_itself(void)
{
    begin();
    struct http_message *en = request(&f.arena, "lang", "en", NULL),
                        *de = request(&f.arena, "lang", "de", NULL);
    EXPECT_EQ_INT(store_text(&f, "x", en, response(&f.arena, 200, "Vary", "lang", "foo", "1", NULL), LONG,
                             "hello"),
                  0);
    EXPECT_EQ_INT(store_text(&f, "x", de, response(&f.arena, 200, "Vary", "lang", "foo", "2", NULL), LONG,
                             "hallo"),
                  0);
    ban("obj.http.foo == 1");
    EXPECT_EQ_INT(get_with("x", de), LOOKUP_HIT);
    EXPECT_EQ_INT(get_with("x", en), LOOKUP_MISS);
    end();
}

static void
a_stale_response_that_is_banned_is_not_served_in_grace(void)
{
    begin();
    put("x", "a");
    ban("obj.http.foo == a");
    struct lookup l = lookup_of(key(&f.arena, "x"), NULL, T0 + 1005 * SEC);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    EXPECT(l.object == NULL);
    store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    end();
}

/* ---- the list ---- */

static void
bans_nobody_needs_leave_the_list(void)
{
    begin();
    put("x", "a");
    ban("req.url ~ a");
    put("y", "b");
    ban("req.url ~ b");
    EXPECT_EQ_INT(list().refs, 2);
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 3); /* x is at the oldest ban, and the lurker skips bans on requests */
    EXPECT(is_hit("x"));
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 2); /* y */
    EXPECT(is_hit("y"));
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 1);
    end();
}

/* ---- the lurker ---- */

static void
the_lurker_waits_until_a_ban_is_old_enough(void)
{
    begin();
    params.ban_lurker_age_s = 10;
    put("x", "a");
    ban("obj.http.foo == a");
    EXPECT_EQ_INT(lurk(T0 + 4 * SEC), 6 * SEC);
    EXPECT_EQ_INT(list().n, 2);
    uint64_t killed = counted("bans_lurker_obj_killed");
    lurk(T0 + 10 * SEC + 1);
    EXPECT_EQ_INT(counted("bans_lurker_obj_killed") - killed, 1);
    EXPECT_EQ_INT(list().n, 1);
    struct store_stats stats;
    store_stats(f.store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    end();
}

/* Two threads ban at once, or the clock is set back: a later ban of the list may have an earlier time. */
static void
the_lurker_passes_over_no_ban_with_a_later_time(void)
{
    begin();
    params.ban_lurker_age_s = 60;
    put("x", "a");
    EXPECT_EQ_STR(span_str(ban_at("obj.http.foo == a", T0 + SEC)), "");
    EXPECT_EQ_STR(span_str(ban_at("obj.http.foo == b", T0)), "");
    lurk(T0 + 60 * SEC + SEC / 2);
    EXPECT(!is_hit("x"));
    end();
}

/* The list of one of Varnish's own tests, and its counters. */
static void
requests_are_a_barrier_to_the_lurker(void)
{
    begin();
    put("1", "bar1");
    put("2", "bar2");
    ban("obj.http.foo == bar1");
    put("3", "bar3");
    ban("obj.http.foo == bar2 && obj.http.foo != foof");
    put("4", "bar4");
    ban("req.http.kill == yes");
    put("5", "bar5");
    ban("obj.http.foo == bar5");
    put("6", "bar6");
    ban("obj.http.foo == bar6");
    put("7", "bar7");
    uint64_t tested = counted("bans_lurker_tested"), tests = counted("bans_lurker_tests_tested");
    uint64_t killed = counted("bans_lurker_obj_killed");
    lurk(T0 + SEC);
    EXPECT_EQ_INT(counted("bans_lurker_tested") - tested, 10);
    EXPECT_EQ_INT(counted("bans_lurker_tests_tested") - tests, 11);
    EXPECT_EQ_INT(counted("bans_lurker_obj_killed") - killed, 4);
    EXPECT_EQ_STR(span_str(list().text),
                  "C obj.http.foo == bar6\nC obj.http.foo == bar5\n- req.http.kill == yes\n"
                  "C obj.http.foo == bar2 && obj.http.foo != foof\n");
    EXPECT(is_hit("3") && is_hit("4") && is_hit("7"));
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 1);
    end();
}

static void
beyond_the_cutoff_responses_are_dropped_untested(void)
{
    begin();
    put("x", "a");
    ban("req.url == no");
    put("y", "a");
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "obj.http.foo == no%d", i);
        ban(text);
    }
    put("z", "a");
    params.ban_cutoff = 2;
    uint64_t cut = counted("bans_lurker_obj_killed_cutoff");
    lurk(T0 + SEC);
    EXPECT_EQ_INT(counted("bans_lurker_obj_killed_cutoff") - cut, 2);
    EXPECT(is_hit("z") && !is_hit("x") && !is_hit("y"));
    end();
}

static void
without_sleep_the_lurker_only_tidies_up(void)
{
    begin();
    params.ban_lurker_sleep_s = 0;
    put("x", "a");
    ban("obj.http.foo == a");
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 2);
    EXPECT(!is_hit("x"));
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 1);
    end();
}

static unsigned pauses;

static void
count_pause(double seconds, void *arg)
{
    EXPECT(seconds == params.ban_lurker_sleep_s && arg == &f);
    pauses++;
}

static void
the_lurker_rests_between_batches(void)
{
    begin();
    params.ban_lurker_batch = 10;
    for (int i = 0; i < 45; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        put(name, "a");
    }
    ban("obj.http.foo == b");
    pauses = 0;
    store_lurk(f.store, T0 + SEC, count_pause, &f);
    EXPECT_EQ_INT(pauses, 4);
    EXPECT_EQ_INT(list().n, 1);
    params.ban_lurker_batch = 1000;
    end();
}

static struct shard *taken;

static void
give_way(double seconds, void *arg)
{
    EXPECT(seconds == params.ban_lurker_holdoff_s && arg == &f);
    pauses++;
    pthread_mutex_unlock(&taken->lock);
}

static void
where_a_look_up_is_under_way_the_lurker_holds_off(void)
{
    begin();
    params.ban_lurker_holdoff_s = 0.03;
    put("x", "a");
    ban("obj.http.foo == a");
    taken = shard_of(f.store, index_key_digest(f.store, key(&f.arena, "x")));
    pthread_mutex_lock(&taken->lock);
    pauses = 0;
    store_lurk(f.store, T0 + SEC, give_way, &f);
    EXPECT_EQ_INT(pauses, 1);
    EXPECT(!is_hit("x"));
    end();
}

/* ---- against a model ---- */

#define MODEL_KEYS 12u
#define MODEL_VALUES 3u
#define MODEL_BANS_MAX 4096u

static uint64_t seed = 88172645463325252ull;

static unsigned
draw(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % n;
}

struct model_ban {
    int value; /* of obj.http.foo; -1: any */
    int user;  /* of req.http.user; -1: any */
};

static struct {
    struct model_ban bans[MODEL_BANS_MAX];
    unsigned n_bans;
    struct {
        bool stored;
        unsigned value, since;
    } keys[MODEL_KEYS];
} model;

static const char *
digit(unsigned n)
{
    static const char *const digits[] = { "0", "1", "2" };
    return digits[n];
}

/* A ban on requests concerns every later request that matches; the response stays stored until one does. */
static bool
model_hit(unsigned k, unsigned user)
{
    if (!model.keys[k].stored)
        return false;
    for (unsigned i = model.keys[k].since; i < model.n_bans; i++) {
        const struct model_ban *b = &model.bans[i];
        if ((b->value < 0 || b->value == (int)model.keys[k].value) && (b->user < 0 || b->user == (int)user)) {
            model.keys[k].stored = false;
            return false;
        }
    }
    model.keys[k].since = model.n_bans; /* known to match none of them, for any request */
    return true;
}

/* A run of the lurker must have no visible effect: it may drop only objects that a ban on responses alone
 * matches. */
static void
model_ban(void)
{
    struct model_ban b = { draw(4) == 0 ? -1 : (int)draw(MODEL_VALUES),
                           draw(3) == 0 ? (int)draw(MODEL_VALUES) : -1 };
    char text[96] = "";
    if (b.value < 0 && b.user < 0)
        b.value = 0;
    if (b.value >= 0)
        snprintf(text, sizeof text, "obj.http.foo == %d", b.value);
    if (b.user >= 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sreq.http.user ~ ^%d$",
                 b.value >= 0 ? " && " : "", b.user);
    ban(text);
    model.bans[model.n_bans++] = b;
}

static void
it_does_what_the_model_does(void)
{
    begin();
    for (unsigned round = 0; round < 20000 && model.n_bans < MODEL_BANS_MAX; round++) {
        char name[8];
        unsigned k = draw(MODEL_KEYS), value = draw(MODEL_VALUES), what = draw(16);
        snprintf(name, sizeof name, "%u", k);
        if (what < 4) {
            put(name, digit(value));
            model.keys[k].stored = true;
            model.keys[k].value = value;
            model.keys[k].since = model.n_bans;
        } else if (what < 6) {
            model_ban();
        } else if (what < 8) {
            lurk(draw(2) == 0 ? T0 : T0 + SEC);
        } else {
            struct http_message *req = request(&f.arena, "user", digit(value), NULL);
            EXPECT_EQ_INT(get_with(name, req) == LOOKUP_HIT, model_hit(k, value));
        }
        if (round % 256 == 0)
            fixture_turn(&f);
    }
    EXPECT(model.n_bans > 1000);
    EXPECT(list().n < 200); /* old bans leave the list */
    end();
}

static void
bans_over_their_share_are_refused_by_name(void)
{
    begin();
    fixture_release(&f);
    fixture_init(&f, 200000);
    const char *error = "";
    char text[64];
    unsigned n = 0;
    for (; error[0] == '\0' && n < 100000; n++) {
        snprintf(text, sizeof text, "req.url ~ ^/nothing/%u$", n);
        put(text, "x"); /* holds the previous ban, so that the list cannot be cut */
        error = ban_at(text, T0);
    }
    EXPECT(strstr(error, "ban_share allows 50% of storage s0") != NULL);
    uint64_t bytes = storage_used_for(f.main, USE_BANS), limit = f.main->limit_bytes / 2;
    EXPECT(bytes <= limit && bytes > limit - 2000);
    EXPECT(n > 50);
    EXPECT_EQ_INT(counters_here()->bans_refused, 1);
    /* the store is empty: no object needs the old bans */
    (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
    ban(text);
    end();
}

static struct ban_count
count(const char *text, nsec patience)
{
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    struct ban_count c = { 0 };
    EXPECT_EQ_INT(ban_draft_parse(span_str(text), &d, error), 0);
    store_ban_count(f.store, d, T0, patience, &c);
    ban_draft_release(&d);
    return c;
}

static void
responses_that_match_a_draft_are_counted(void)
{
    begin();
    char name[16];
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "%u", i);
        put(name, i % 3 == 0 ? "a" : "b");
    }
    struct ban_count c = count("obj.http.foo == a", 60 * SEC);
    EXPECT(c.whole);
    EXPECT_EQ_INT(c.stored, 300);
    EXPECT_EQ_INT(c.tested, 300);
    EXPECT_EQ_INT(c.matching, 100);
    c = count("obj.http.foo == a", 0); /* no time left */
    EXPECT(!c.whole);
    EXPECT_EQ_INT(c.stored, 300);
    EXPECT_EQ_INT(c.tested, 0);
    EXPECT(is_hit("0")); /* a count changes nothing */
    end();
}

static const struct test tests[] = {
    TEST(responses_that_match_a_draft_are_counted),
    TEST(bans_over_their_share_are_refused_by_name),
    TEST(what_a_ban_cannot_be_is_said),
    TEST(a_list_shows_durations_in_their_largest_unit),
    TEST(only_what_was_stored_before_is_concerned),
    TEST(operators_and_fields_mean_what_they_say),
    TEST(ttl_and_age_are_those_at_the_time_of_the_ban),
    TEST(a_response_is_tested_once_against_each_ban),
    TEST(each_variant_is_tested_for_itself),
    TEST(a_stale_response_that_is_banned_is_not_served_in_grace),
    TEST(bans_nobody_needs_leave_the_list),
    TEST(the_lurker_waits_until_a_ban_is_old_enough),
    TEST(the_lurker_passes_over_no_ban_with_a_later_time),
    TEST(requests_are_a_barrier_to_the_lurker),
    TEST(beyond_the_cutoff_responses_are_dropped_untested),
    TEST(without_sleep_the_lurker_only_tidies_up),
    TEST(the_lurker_rests_between_batches),
    TEST(where_a_look_up_is_under_way_the_lurker_holds_off),
    TEST(it_does_what_the_model_does),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
