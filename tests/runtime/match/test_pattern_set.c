/* Pattern sets: results of a scan, the first matching pattern from a number on, tables that are full. Also
 * run under TSan. */
#include <pthread.h>

#include "base/check.h"
#include "base/params.h"
#include "match/pattern_dfa.h"
#include "match/pattern_set.h"
#include "test.h"

#include "match/pattern_made.h"

/* The first pattern from `from` on that matches, or m->n. */
static unsigned
next_match(const struct made *m, struct span subject, unsigned from)
{
    unsigned i = pattern_set_next_bit(m->set, m->bits, from);
    while (i < m->n && pattern_set_test(m->set, subject, m->bits, i) != 1)
        i = pattern_set_next_bit(m->set, m->bits, i + 1);
    return i;
}

/* The numbers of the patterns that match, as text. */
static const char *
matching(struct made *m, struct span subject)
{
    static char text[8 * PATTERNS_MAX];
    size_t at = 0;
    text[0] = '\0';
    pattern_set_scan(m->set, subject, m->bits);
    for (unsigned i = next_match(m, subject, 0); i < m->n; i = next_match(m, subject, i + 1))
        at += (size_t)snprintf(text + at, sizeof text - at, at == 0 ? "%u" : " %u", i);
    for (unsigned i = 0; i < m->n; i++) { /* a pattern without its bit does not match */
        bool matches = next_match(m, subject, i) == i;
        EXPECT_EQ_INT(pattern_set_test(m->set, subject, m->bits, i), matches);
    }
    return text;
}

static void
every_matching_pattern_is_found_in_order(void)
{
    static const char *const texts[] = { "^/a", "b$", "=/ab", "^/x", "(a)b\\1", "." };
    struct made m;
    make_set(&m, texts, 6);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("/ab"))), "0 1 2 5");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("/aba"))), "0 4 5");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("\n"))), "");
    drop_set(&m);
}

static void
unset_matches_as_empty_and_equals_nothing(void)
{
    static const char *const texts[] = { "^$", "=", "a" };
    struct made m;
    make_set(&m, texts, 3);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_NULL)), "0");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT(""))), "0 1");
    drop_set(&m);
}

/* Each text differs from another one in its last byte, or in its length. */
static void
texts_of_all_lengths_are_told_apart(void)
{
    enum { LENGTHS = 60 };
    static const char all[] = "/catalogue/of/many/things?sorted=by-name&page=2&lang=de&x=12";
    static char names[2 * LENGTHS][LENGTHS + 3];
    const char *texts[2 * LENGTHS];
    struct made m;
    for (unsigned i = 0; i < 2 * LENGTHS; i++) {
        unsigned len = i / 2 + 1;
        snprintf(names[i], sizeof names[i], "=%.*s%c", (int)len - 1, all, "!#"[i % 2]);
        texts[i] = names[i];
    }
    make_set(&m, texts, 2 * LENGTHS);
    for (unsigned i = 0; i < 2 * LENGTHS; i++) {
        char number[8];
        snprintf(number, sizeof number, "%u", i);
        EXPECT_EQ_STR(span_str(matching(&m, span_str(texts[i] + 1))), number);
    }
    EXPECT_EQ_STR(span_str(matching(&m, span_str(all))), "");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT(""))), "");
    drop_set(&m);
}

static void
patterns_beyond_the_first_word(void)
{
    static char names[130][8];
    const char *texts[130];
    for (unsigned i = 0; i < 130; i++) {
        snprintf(names[i], sizeof names[i], "^%u$", i);
        texts[i] = names[i];
    }
    texts[64] = "=64";
    struct made m;
    make_set(&m, texts, 130);
    EXPECT_EQ_INT(pattern_set_words(m.set), 4);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("129"))), "129");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("64"))), "64");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("130"))), "");
    drop_set(&m);
}

static void
a_limit_of_pcre2_is_reported_with_its_pattern(void)
{
    static const char *const texts[] = { "^b", "^(a+)+\\1c$", "a" };
    struct made m;
    make_set(&m, texts, 3);
    struct span subject = SPAN_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc");
    pattern_set_scan(m.set, subject, m.bits);
    EXPECT_EQ_INT(pattern_set_next_bit(m.set, m.bits, 0), 1);
    EXPECT_EQ_INT(pattern_set_test(m.set, subject, m.bits, 1), ERR_LIMIT);
    EXPECT_EQ_INT(next_match(&m, subject, 2), 2);
    drop_set(&m);
}

static void
sets_have_a_limit(void)
{
    struct pattern_set *set = NULL;
    EXPECT_EQ_INT(pattern_set_new(NULL, PATTERN_SET_MAX + 1, &set), ERR_LIMIT);
    EXPECT(set == NULL);
    EXPECT_EQ_INT(pattern_set_new(NULL, 0, &set), 0);
    pattern_set_release(&set);
    pattern_set_release(&set); /* harmless */
}

/* After any byte, 2,000 items of each pattern wait for the next one. */
static void
lists_of_items_have_a_limit(void)
{
    char pattern[4100] = "[^x](?:";
    const char *texts[100];
    struct made m;
    for (unsigned i = 0; i < 2000; i++)
        strcat(pattern, "a|");
    strcat(pattern, "b)");
    for (unsigned i = 0; i < 100; i++)
        texts[i] = pattern;
    texts[99] = "^a";
    make_set(&m, texts, 100);
    EXPECT(pattern_set_left(m.set) > 0);
    EXPECT(pattern_set_left(m.set) < 99);
    matching(&m, SPAN_LIT("ya"));
    for (unsigned i = 0; i < 99; i++)
        EXPECT_EQ_INT(pattern_set_test(m.set, SPAN_LIT("ya"), m.bits, i), 1);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("a"))), "99");
    drop_set(&m);
}

/* ---- who decides ------------------------------------------------------------------------------------- */

static unsigned
left_to_pcre2(const char *pattern)
{
    struct made m;
    make_set(&m, &pattern, 1);
    unsigned left = pattern_set_left(m.set);
    drop_set(&m);
    return left;
}

static void
only_what_is_not_regular_is_left_to_pcre2(void)
{
    static const char *const ours[] = {
        "^/a(b|c)*$",
        "(?i)\\.(png|jpe?g)(\\?.*)?$",
        "[^/\\d[:alpha:]]{2,40}?",
        "\\x41\\0\\Q.*\\E+",
        "(?<name>a)|(?s:.)\\z",
        "(a|$)*b",
        "(|a)",
    };
    static const char *const theirs[] = {
        "(a)\\1",  "a(?=b)", "\\bbot\\b", "a++b",      "(?>ab?)c", "(*UCP)a",     "(?R)?a",
        "(?x)a b", "a$\\n",  "\\Ga",      "a{1,1001}", "\\R",      "(?|(a)|(b))", "(?m)^a$",
    };
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (!EXPECT_EQ_INT(left_to_pcre2(ours[i]), 0))
            fprintf(stderr, "%s\n", ours[i]);
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        if (!EXPECT_EQ_INT(left_to_pcre2(theirs[i]), 1))
            fprintf(stderr, "%s\n", theirs[i]);
}

static void
the_automaton_rules_out_what_pcre2_would_decide(void)
{
    static const char *const texts[] = { "^/(a+)x\\1$" };
    struct made m;
    make_set(&m, texts, 1);
    pattern_set_scan(m.set, SPAN_LIT("/aay"), m.bits);
    EXPECT_EQ_INT(pattern_set_next_bit(m.set, m.bits, 0), 1);
    pattern_set_scan(m.set, SPAN_LIT("/aaxa"), m.bits);
    EXPECT_EQ_INT(pattern_set_next_bit(m.set, m.bits, 0), 0);
    EXPECT_EQ_INT(pattern_set_test(m.set, SPAN_LIT("/aaxa"), m.bits, 0), 0);
    EXPECT_EQ_INT(pattern_set_test(m.set, SPAN_LIT("/aaxaa"), m.bits, 0), 1);
    drop_set(&m);
}

/* ---- full tables ------------------------------------------------------------------------------------- */

/* Patterns with many states: each remembers where in the last bytes there was an `a`. */
static const char *const many_states[] = { "a.{12}b", "a.{11}c", "c.{13}a", "b.{12}a$", "^x" };

static void
random_subject(unsigned *random, char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *random = *random * 1103515245 + 12345;
        text[i] = "abc"[(*random >> 16) % 3];
    }
}

static void
a_full_table_begins_anew_and_rests(void)
{
    struct made m;
    struct pattern_set_counts counts;
    char text[60];
    unsigned random = 1;
    uint32_t before = params.pattern_table_bytes;
    params.pattern_table_bytes = 65536;
    make_set(&m, many_states, 5);
    for (unsigned i = 0; i < 3000; i++) {
        random_subject(&random, text, sizeof text);
        expect_same_as_pcre2(&m, span_of(text, sizeof text));
        pattern_set_count(m.set, &counts);
        EXPECT(counts.bytes < 65536 + 16384); /* the table and the automaton */
    }
    EXPECT(counts.flushes >= 2);
    EXPECT(counts.undecided >= 1024); /* the first rest */
    EXPECT_EQ_INT(counts.scans, 3000);
    for (unsigned i = 0; i < 4096; i++) /* one subject ends the rest */
        pattern_set_scan(m.set, SPAN_LIT("aaaa"), m.bits);
    struct pattern_set_counts calm;
    pattern_set_count(m.set, &calm);
    pattern_set_scan(m.set, SPAN_LIT("aaaa"), m.bits);
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.undecided, calm.undecided);
    drop_set(&m);
    params.pattern_table_bytes = before;
}

static void
a_table_for_few_states_holds_them(void)
{
    struct made m;
    struct pattern_set_counts counts;
    char text[60];
    unsigned random = 1;
    make_set(&m, many_states, 5);
    for (unsigned i = 0; i < 100; i++) {
        random_subject(&random, text, sizeof text);
        expect_same_as_pcre2(&m, span_of(text, sizeof text));
    }
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.flushes, 0);
    EXPECT_EQ_INT(counts.undecided, 0);
    drop_set(&m);
}

static void
a_table_too_small_for_one_state_leaves_all_to_pcre2(void)
{
    struct made m;
    struct pattern_set_counts counts;
    uint32_t before = params.pattern_table_bytes;
    make_set(&m, many_states, 5);
    params.pattern_table_bytes = 64;
    expect_same_as_pcre2(&m, SPAN_LIT("xa"));
    params.pattern_table_bytes = before;
    for (unsigned i = 0; i < 2000; i++) /* longer than the rest */
        expect_same_as_pcre2(&m, SPAN_LIT("xa"));
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.undecided, 1025);
    drop_set(&m);
}

/* ---- compact states ---------------------------------------------------------------------------------- */

static void
bytes_that_lead_to_one_state_are_one_transition(void)
{
    static const char *const texts[] = { "^/[0-9]+$", "^/a0", "^/a1[2-4]", "^/a5678", "^/a9" };
    struct made m;
    struct pattern_set_counts counts;
    make_set(&m, texts, 5); /* each digit has its own class, or shares it with few */
    expect_same_as_pcre2(&m, SPAN_LIT("/0123456789"));
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.transitions, 3); /* `/`, the first digit, and all others */
    expect_same_as_pcre2(&m, SPAN_LIT("/9876543210x"));
    expect_same_as_pcre2(&m, SPAN_LIT("/a12"));
    expect_same_as_pcre2(&m, SPAN_LIT("/a5"));
    drop_set(&m);
}

/* Where no pattern has begun, bytes that begin none are skipped. The places of `b` and the ends fall on each
 * place of the groups of bytes that are read at once. */
static void
bytes_that_begin_no_pattern_make_no_transitions(void)
{
    static const char *const texts[] = { "b1", "b[2-4]+", "(?i)bx", "b" };
    struct made m;
    struct pattern_set_counts counts;
    make_set(&m, texts, 4);
    expect_same_as_pcre2(&m, SPAN_LIT("acdefghijklmnopqrstuvwxyz?&=/-+0123456789\x80"));
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.transitions, 0);
    for (unsigned place = 0; place < 10; place++)
        for (unsigned behind = 0; behind < 10; behind++) {
            char text[32];
            int len = snprintf(text, sizeof text, "%.*sb%.*s", (int)place, "zzzzzzzzzz", (int)behind,
                               "133Xzzzzzz");
            expect_same_as_pcre2(&m, span_of(text, (size_t)len));
        }
    drop_set(&m);
}

/* Bytes that lead from a state to itself are read in a loop of their own. They end at each byte that leads
 * elsewhere, at the end, and before a line feed at the end. One pattern a set: its states need no rows. */
static void
repeats_are_read_to_their_end(void)
{
    static const char *const texts[] = { "^/[0-9]+x$", "^/[0-9]+:$", "^/[0-9]+\\.css(\\?.*)?$",
                                         "^/[a-f0-9]+y", "^/[^z]*$" };
    static const char *const behind[] = { "",     "x",     "x\n",      ":",         "y1",          "z",
                                          ".css", ".css?", ".css?a\n", ".css?a\nb", ".css?a\nb\n", "\n" };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct made m;
        make_set(&m, &texts[t], 1);
        for (unsigned round = 0; round < 2; round++) /* the second round knows all transitions */
            for (unsigned digits = 0; digits < 12; digits++)
                for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
                    char text[40];
                    int len = snprintf(text, sizeof text, "/%.*s%s", (int)digits, "0123abc98765", behind[i]);
                    expect_same_as_pcre2(&m, span_of(text, (size_t)len));
                }
        drop_set(&m);
    }
}

/* Each letter is known after one round, also where a state has more followers than its record has ranges,
 * and where states that lead to it were made before it got a row. */
static void
a_state_with_many_followers_knows_them_all(void)
{
    static const char *const texts[] = { "(ac|eg|ik|mo|qs)$", "a.c", "e.g|i..k", "m[^o]*o", "[qs]{3}" };
    struct made m;
    struct pattern_set_counts counts;
    char text[8];
    uint64_t known = 0;
    make_set(&m, texts, 5);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 26 * 26 * 26; i++) {
            struct span subject = span_of(text, 4);
            text[0] = (char)('a' + i / 26 % 26);
            text[1] = (char)('a' + i % 26);
            text[2] = (char)('a' + i / 26 / 26);
            text[3] = "acegikmoqs"[i % 10];
            if (round != 1)
                expect_same_as_pcre2(&m, subject);
            else
                pattern_set_scan(m.set, subject, m.bits);
        }
        pattern_set_count(m.set, &counts);
        EXPECT(round == 0 || counts.transitions == known);
        known = counts.transitions;
    }
    drop_set(&m);
}

/* 150 patterns may begin at each `/`. The states behind it name their items by one number, also those that
 * know that another pattern has begun. */
static void
states_do_not_copy_the_beginnings_of_all_patterns(void)
{
    enum { N = 150, MOST = 160 * 1024 };
    static char names[N][32];
    const char *texts[N];
    char text[40];
    struct made m;
    struct pattern_set_counts before, after;
    for (unsigned i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "/%c%u/[^?]*\\.x$", 'a' + i % 25, i);
        texts[i] = names[i];
    }
    make_set(&m, texts, N);
    pattern_set_count(m.set, &before);
    for (unsigned i = 0; i < N * 3; i++) {
        int n = snprintf(text, sizeof text, "/%c%u/z/z%s", 'a' + i % N % 25, i % N, i % 2 == 0 ? ".x" : "");
        expect_same_as_pcre2(&m, span_of(text, (size_t)n));
    }
    pattern_set_count(m.set, &after);
    EXPECT(after.bytes - before.bytes < MOST);
    drop_set(&m);
}

static void
one_long_subject_makes_few_transitions(void)
{
    struct made m;
    struct pattern_set_counts counts;
    static char text[20000];
    unsigned random = 1;
    random_subject(&random, text, sizeof text);
    make_set(&m, many_states, 5);
    expect_same_as_pcre2(&m, span_of(text, sizeof text));
    pattern_set_count(m.set, &counts);
    EXPECT(counts.transitions > 256 && counts.transitions <= 512);
    EXPECT_EQ_INT(counts.undecided, 1);
    drop_set(&m);
}

/* A transition of these has a million items, more than one scan may take: the set leaves the subject to
 * PCRE2, and rests. */
static void
hostile_patterns_take_little_work(void)
{
    enum { N = 150, WORK_MOST = 512 * 512 + 256 * N };
    static char names[N][32], text[65536];
    const char *texts[N];
    struct made m;
    struct pattern_set_counts counts;
    unsigned random = 1;
    random_subject(&random, text, sizeof text);
    for (unsigned i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "a([abc]?){480}%u", i);
        texts[i] = names[i];
    }
    make_set(&m, texts, N);
    uint64_t before = 0, rests = atomic_load(&dfa_totals.rests);
    for (unsigned i = 0; i < 100; i++) {
        pattern_set_scan(m.set, span_of(text, sizeof text), m.bits);
        pattern_set_count(m.set, &counts);
        EXPECT(counts.work - before <= WORK_MOST);
        before = counts.work;
    }
    EXPECT(counts.work > 0 && counts.work <= 4 * WORK_MOST);
    EXPECT_EQ_INT(atomic_load(&dfa_totals.rests) - rests, 1); /* after a scan without a new transition */
    EXPECT_EQ_INT(counts.undecided, 100);
    EXPECT_EQ_INT(pattern_set_next_bit(m.set, m.bits, 0), 0); /* PCRE2 is to decide each */
    drop_set(&m);
}

/* ---- threads ----------------------------------------------------------------------------------------- */

#define THREADS 6u

struct job {
    struct made made; /* its set belongs to the test; results are the thread's */
    pthread_barrier_t *barrier;
    unsigned random;
};

static void *
scan_many(void *arg)
{
    struct job *job = arg;
    char text[30];
    struct pattern_set_counts counts;
    pthread_barrier_wait(job->barrier);
    for (unsigned i = 0; i < 300; i++) {
        random_subject(&job->random, text, sizeof text);
        expect_same_as_pcre2(&job->made, span_of(text, sizeof text));
        if (i % 64 == 0)
            pattern_set_count(job->made.set, &counts);
    }
    return NULL;
}

static void
threads_use_a_new_set_at_once(void)
{
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    struct made m;
    struct pattern_set_counts counts;
    make_set(&m, many_states, 5);
    for (unsigned round = 0; round < 2;
         round++) { /* the second round takes the tables of threads that have ended */
        pthread_barrier_init(&barrier, NULL, THREADS);
        for (unsigned i = 0; i < THREADS; i++) {
            jobs[i] = (struct job){ .made = m, .barrier = &barrier, .random = round * THREADS + i };
            EXPECT_EQ_INT(pthread_create(&threads[i], NULL, scan_many, &jobs[i]), 0);
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&barrier);
    }
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.scans, 2 * THREADS * 300);
    drop_set(&m);
}

static const struct test tests[] = {
    { "every_matching_pattern_is_found_in_order", every_matching_pattern_is_found_in_order },
    { "unset_matches_as_empty_and_equals_nothing", unset_matches_as_empty_and_equals_nothing },
    { "texts_of_all_lengths_are_told_apart", texts_of_all_lengths_are_told_apart },
    { "patterns_beyond_the_first_word", patterns_beyond_the_first_word },
    { "a_limit_of_pcre2_is_reported_with_its_pattern", a_limit_of_pcre2_is_reported_with_its_pattern },
    { "sets_have_a_limit", sets_have_a_limit },
    { "lists_of_items_have_a_limit", lists_of_items_have_a_limit },
    { "only_what_is_not_regular_is_left_to_pcre2", only_what_is_not_regular_is_left_to_pcre2 },
    { "the_automaton_rules_out_what_pcre2_would_decide", the_automaton_rules_out_what_pcre2_would_decide },
    { "a_full_table_begins_anew_and_rests", a_full_table_begins_anew_and_rests },
    { "a_table_for_few_states_holds_them", a_table_for_few_states_holds_them },
    { "a_table_too_small_for_one_state_leaves_all_to_pcre2",
      a_table_too_small_for_one_state_leaves_all_to_pcre2 },
    { "bytes_that_lead_to_one_state_are_one_transition", bytes_that_lead_to_one_state_are_one_transition },
    { "bytes_that_begin_no_pattern_make_no_transitions", bytes_that_begin_no_pattern_make_no_transitions },
    { "repeats_are_read_to_their_end", repeats_are_read_to_their_end },
    { "a_state_with_many_followers_knows_them_all", a_state_with_many_followers_knows_them_all },
    { "states_do_not_copy_the_beginnings_of_all_patterns",
      states_do_not_copy_the_beginnings_of_all_patterns },
    { "one_long_subject_makes_few_transitions", one_long_subject_makes_few_transitions },
    { "hostile_patterns_take_little_work", hostile_patterns_take_little_work },
    { "threads_use_a_new_set_at_once", threads_use_a_new_set_at_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
