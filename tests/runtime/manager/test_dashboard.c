/* Parts of the dashboard: the history on disk, the reader of the log, the table of URLs. */
#include "manager/dashboard/history.h"
#include "manager/dashboard/log_reader.h"
#include "manager/dashboard/hide.h"
#include "manager/dashboard/urls.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "log/form.h"
#include "log/ring.h"
#include "log/txn.h"
#include "log/vsm.h"
#include "reason_texts.h"
#include "test.h"

#define RING_BYTES 65536u
#define DAY 86400u

static char folder[] = "/tmp/vernis-dashboard-XXXXXX";

/* ---- history ------------------------------------------------------------------------------------------- */

static const nsec noon = 1795780800 * NSEC_PER_SEC;

static void
add(struct history *h, nsec at, float requests)
{
    float values[HISTORY_VALUES];
    for (unsigned i = 0; i < HISTORY_VALUES; i++)
        values[i] = NAN;
    values[HISTORY_REQUESTS] = requests;
    history_add(h, at, values);
}

/* The text of the requests in the JSON. */
static void
expect_requests(const struct history *h, nsec now, unsigned seconds, const char *want)
{
    struct text out = { 0 };
    history_json(h, now, seconds, &out);
    const char *from = strstr(text_cstr(&out), "\"requests\":["),
               *to = from == NULL ? NULL : strchr(from, ']');
    EXPECT(to != NULL);
    if (to != NULL)
        EXPECT_EQ_STR(span_of(from + 12, (size_t)(to - from - 12)), want);
    text_release(&out);
}

static void
open_and_expect(const char *want)
{
    struct history *h = history_open(folder);
    expect_requests(h, noon + 5 * NSEC_PER_SEC, 15, want);
    history_close(&h);
}

static void
history_is_kept_in_its_file(void)
{
    struct history *h = history_open(folder);
    add(h, noon, 7);
    add(h, noon + 5 * NSEC_PER_SEC, 8);
    expect_requests(h, noon + 5 * NSEC_PER_SEC, 15, "null,7,8");
    history_close(&h);
    open_and_expect("null,7,8");
}

static void
long_times_get_averages(void)
{
    struct history *h = history_open(folder);
    add(h, noon, 10);
    add(h, noon + 5 * NSEC_PER_SEC, 20);
    struct text out = { 0 };
    history_json(h, noon + 5 * NSEC_PER_SEC, DAY, &out);
    EXPECT(strstr(text_cstr(&out), "\"step\":240,") != NULL);
    EXPECT(strstr(text_cstr(&out), ",15]") != NULL); /* the mean of both in the last point */
    text_release(&out);
    history_close(&h);
}

static void
a_record_of_the_day_before_is_not_shown(void)
{
    struct history *h = history_open(folder);
    add(h, noon, 10);
    expect_requests(h, noon + (nsec)DAY * NSEC_PER_SEC, 5, "null");
    history_close(&h);
}

/* Changes a byte, or cuts the file there. */
static void
damage(off_t at, bool cut)
{
    char path[PATH_MAX], byte;
    snprintf(path, sizeof path, "%s/%s", folder, HISTORY_FILE);
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && pread(fd, &byte, 1, at) == 1);
    byte ^= 1;
    CHECK(cut ? ftruncate(fd, at) == 0 : pwrite(fd, &byte, 1, at) == 1);
    close(fd);
}

static void
a_damaged_history_begins_anew(void)
{
    static const struct {
        off_t at;
        bool cut;
    } rows[] = { { 0, false },   { 8, false },  { 12, false }, { 24, false },
                 { 100, false }, { 100, true }, { 3, true } };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct history *h = history_open(folder);
        add(h, noon, 7);
        history_close(&h);
        damage(rows[i].at, rows[i].cut);
        open_and_expect("null,null,null");
    }
}

/* ---- the log ------------------------------------------------------------------------------------------- */

static struct log_reader reader;
static unsigned n_records, n_gaps;
static char last[64];
static struct log_record last_record; /* without its text */
static bool later_form;               /* of the next log */

static void
take(void *arg, const struct log_record *r)
{
    if (r == NULL) {
        n_gaps++;
        return;
    }
    n_records++;
    snprintf(last, sizeof last, "%.*s", (int)r->text.len, r->text.ptr);
    last_record = (struct log_record){ .tag = r->tag, .id = r->id };
}

/* Puts an empty ring and its index into the folder. */
static uint32_t *
new_log(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/_.log", folder);
    (void)unlink(path);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, RING_BYTES) == 0);
    void *mem = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(mem != MAP_FAILED);
    close(fd);
    if (later_form)
        ring_open_later(mem, RING_BYTES);
    else
        ring_open(mem, RING_BYTES);
    snprintf(path, sizeof path, "%s/_.index", folder);
    (void)unlink(path);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fprintf(f, "# 1 2\n+ _.other 0 4096 Stat MAIN\n+ _.log 0 %u Log\n", RING_BYTES);
    fclose(f);
    log_reader_release(&reader);
    n_records = 0;
    log_read(&reader, folder, take, NULL);
    n_gaps = 0; /* the first look always leaves out what came before */
    return mem;
}

static void
write_record(uint32_t id, enum log_tag tag, const char *text)
{
    uint32_t words[128] = { 0 };
    unsigned head_words = log_form_head_words(later_form);
    size_t n = strlen(text) + 1;
    CHECK(n <= sizeof words - head_words * sizeof *words);
    log_form_head(words, later_form, tag, (uint32_t)n, id);
    memcpy(&words[head_words], text, n);
    (void)ring_append(words, head_words + (n + 3) / 4);
}

static void
the_reader_follows_the_log_round_the_ring(void)
{
    void *mem = new_log();
    char text[32];
    unsigned written = 0;
    for (unsigned round = 0; round < 600; round++) {
        for (unsigned i = 0; i < 10; i++) {
            snprintf(text, sizeof text, "record %u", written++);
            write_record(1, TAG_DEBUG, text);
        }
        log_read(&reader, folder, take, NULL);
        EXPECT_EQ_INT(n_gaps, 0);
        EXPECT_EQ_INT(n_records, written);
        EXPECT_EQ_STR(span_str(last), text);
    }
    munmap(mem, RING_BYTES);
}

static void
the_reader_knows_both_forms_of_the_log(void)
{
    void *mem = new_log();
    write_record(LOG_CLIENT | 1, TAG_NOTICE, "older");
    log_read(&reader, folder, take, NULL);
    struct log_record older = last_record;
    EXPECT_EQ_STR(span_str(last), "older");
    munmap(mem, RING_BYTES);
    later_form = true;
    mem = new_log();
    write_record(LOG_CLIENT | 1, TAG_NOTICE, "later");
    later_form = false;
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_STR(span_str(last), "later");
    EXPECT_EQ_INT(last_record.tag, older.tag);
    EXPECT_EQ_INT(last_record.id, older.id);
    munmap(mem, RING_BYTES);
}

static void
a_late_reader_continues_at_new_records(void)
{
    void *mem = new_log();
    for (unsigned i = 0; i < 10000; i++)
        write_record(1, TAG_DEBUG, "some text");
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_INT(n_gaps, 1);
    EXPECT(n_records < 1000);
    write_record(1, TAG_DEBUG, "the newest");
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_INT(n_gaps, 1); /* no other */
    EXPECT_EQ_STR(span_str(last), "the newest");
    munmap(mem, RING_BYTES);
}

static void
a_new_index_leads_to_the_log_of_the_new_worker(void)
{
    void *old = new_log();
    write_record(1, TAG_DEBUG, "old");
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_STR(span_str(last), "old");
    struct log_reader kept = reader;
    reader = (struct log_reader){ 0 };
    void *mem = new_log(); /* the file system may give its index the number of the old one */
    log_reader_release(&reader);
    reader = kept;
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_INT(n_gaps, 1);
    write_record(1, TAG_DEBUG, "new");
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_STR(span_str(last), "new");
    munmap(old, RING_BYTES);
    munmap(mem, RING_BYTES);
}

static void
an_index_that_the_worker_writes_anew_is_no_gap(void)
{
    void *mem = new_log();
    char path[PATH_MAX], new[PATH_MAX];
    write_record(1, TAG_DEBUG, "before");
    log_read(&reader, folder, take, NULL);
    snprintf(path, sizeof path, "%s/_.index", folder);
    snprintf(new, sizeof new, "%s/_.index.new", folder);
    FILE *f = fopen(new, "w");
    CHECK(f != NULL);
    fprintf(f, "# 1 2\n+ _.log 0 %u Log\n", RING_BYTES);
    fclose(f);
    CHECK(rename(new, path) == 0);
    write_record(1, TAG_DEBUG, "behind");
    log_read(&reader, folder, take, NULL);
    EXPECT_EQ_INT(n_gaps, 0);
    EXPECT_EQ_INT(n_records, 2); /* none twice */
    EXPECT_EQ_STR(span_str(last), "behind");
    munmap(mem, RING_BYTES);
}

static void
a_request_in_progress_at_the_first_look_is_counted(void)
{
    void *mem = new_log();
    struct urls *u = urls_new();
    struct log_reader fresh = { 0 };
    struct text out = { 0 };
    write_record(1, TAG_BEGIN, "req 1000 rxreq");
    write_record(1, TAG_REQ + LOG_URL, "/page");
    log_read(&fresh, folder, urls_record, u);
    write_record(1, TAG_VCL_CALL, "HIT");
    write_record(1, TAG_END, "");
    log_read(&fresh, folder, urls_record, u);
    urls_json(u, &out);
    text_add(&out, span_of("", 1));
    EXPECT(strstr(out.ptr, "\"sampled\":1,") != NULL);
    log_reader_release(&fresh);
    text_release(&out);
    urls_free(&u);
    munmap(mem, RING_BYTES);
}

/* The worker may be controlled by an attacker: no bytes make the reader leave its buffer. */
static void
random_logs_are_harmless(void)
{
    unsigned short state[3] = { 1, 2, 3 };
    for (unsigned round = 0; round < 400; round++) {
        uint32_t *words = new_log();
        struct urls *u = urls_new();
        for (unsigned i = round % 3 == 0 ? 0 : RING_HEAD_BYTES / 4; i < RING_BYTES / 4; i++)
            words[i] = (uint32_t)nrand48(state) << 1 >> (round % 8);
        if (round % 3 == 0)
            memcpy(words, round % 2 == 0 ? RING_MAGIC : RING_MAGIC_LATER, RING_MAGIC_BYTES);
        for (unsigned i = 0; i < 5; i++)
            log_read(&reader, folder, urls_record, u);
        struct text out = { 0 };
        urls_json(u, &out);
        text_release(&out);
        urls_free(&u);
        munmap(words, RING_BYTES);
    }
    log_reader_release(&reader);
}

/* ---- URLs ---------------------------------------------------------------------------------------------- */

static void
record(struct urls *u, uint32_t id, unsigned tag, const char *text)
{
    urls_record(u, &(struct log_record){ .tag = (enum log_tag)tag, .id = id, .text = span_str(text) });
}

static void
request(struct urls *u, uint32_t number, const char *url, const char *hook)
{
    uint32_t id = number | LOG_CLIENT;
    record(u, id, TAG_BEGIN, "req 1 rxreq");
    record(u, id, TAG_REQ + LOG_URL, url);
    record(u, id, TAG_REQ + LOG_HEADER, "Host: a");
    record(u, id, TAG_VCL_CALL, hook);
    record(u, id, TAG_END, "");
}

static void
expect_in_json(const struct urls *u, const char *part)
{
    struct text out = { 0 };
    urls_json(u, &out);
    if (!EXPECT(strstr(text_cstr(&out), part) != NULL))
        fprintf(stderr, "%s is not in %s\n", part, text_cstr(&out));
    text_release(&out);
}

static void
mix(uint32_t a, uint32_t b)
{
    struct urls *u = urls_new();
    record(u, a, TAG_BEGIN, "req 1 rxreq");
    record(u, b, TAG_BEGIN, "req 1 rxreq");
    record(u, a, TAG_REQ + LOG_URL, "/a");
    record(u, b, TAG_REQ + LOG_URL, "/b");
    record(u, a, TAG_VCL_CALL, "HIT");
    record(u, b, TAG_VCL_CALL, "MISS");
    record(u, b, TAG_END, "");
    record(u, a, TAG_END, "");
    expect_in_json(u, "\"url\":\"/a\",\"requests\":1.00,\"hits\":1.00");
    expect_in_json(u, "\"url\":\"/b\",\"requests\":1.00,\"hits\":0.00,\"misses\":1.00");
    urls_free(&u);
}

/* The second ones are of two loops, which take their numbers from chunks. */
static void
transactions_may_be_mixed(void)
{
    mix(1 | LOG_CLIENT, 2 | LOG_CLIENT);
    mix(1 | LOG_CLIENT, (1 + 32768) | LOG_CLIENT);
}

static void
a_full_table_keeps_the_most_requested(void)
{
    struct urls *u = urls_new();
    char url[32];
    for (unsigned i = 0; i < 5000; i++) {
        snprintf(url, sizeof url, "/%u", i);
        request(u, i + 1, url, "MISS");
        request(u, i + 1, "/often", "HIT");
    }
    expect_in_json(u, "\"url\":\"/often\",\"requests\":5000.00");
    urls_free(&u);
}

static void
counts_fade(void)
{
    struct urls *u = urls_new();
    request(u, 1, "/a", "HIT");
    urls_age(u, 60);
    expect_in_json(u, "\"requests\":0.61");
    urls_age(u, 600);
    expect_in_json(u, "\"urls\":[]");
    urls_free(&u);
}

static void
misses_add_up_by_reason(void)
{
    struct urls *u = urls_new();
    static const char *const reasons[] = { "expired - 13 s ago", "expired - 7 s ago", "banned -  3 s ago",
                                           "other-variant - 4 stored", "always-miss 0.2.5 " };
    char url[32], text[64];
    for (unsigned i = 0; i < 5; i++) {
        uint32_t id = (i + 1) | LOG_CLIENT;
        snprintf(url, sizeof url, "/%u", i);
        snprintf(text, sizeof text, "why miss %s", reasons[i]);
        record(u, id, TAG_BEGIN, "req 1 rxreq");
        record(u, id, TAG_REQ + LOG_URL, url);
        record(u, id, TAG_DEBUG, text);
        record(u, id, TAG_VCL_CALL, "MISS");
        record(u, id, TAG_END, "");
    }
    request(u, 9, "/none", "MISS");
    request(u, 10, "/hit", "HIT");
    expect_in_json(u, "\"urls_in_all\":7,\"misses_in_all\":6,\"reasons\":[");
    expect_in_json(
        u,
        "{\"reason\":\"expired\",\"requests\":2.00,\"urls\":2,\"text\":\"the stored response expired:  \u2026\"}");
    expect_in_json(
        u,
        "{\"reason\":\"banned\",\"requests\":1.00,\"urls\":1,\"text\":\"a ban covers the stored response 3 s ago\"}");
    expect_in_json(
        u,
        "\"reason\":\"other-variant\",\"text\":\"the stored response is for other values of the fields in Vary: 4 stored\"");
    expect_in_json(u, "\"reason\":\"always-miss\"");
    expect_in_json(u, "{\"reason\":\"unknown\",\"requests\":1.00");
    urls_free(&u);
}

static void
each_reason_is_shown_as_the_worker_logs_it(void)
{
    for (unsigned i = REASON_NONE + 1; i < REASONS; i++) {
        const struct reason_text *reason = &reason_texts[i];
        struct urls *u = urls_new();
        char text[128], want[256];
        record(u, 1 | LOG_BACKEND, TAG_BEGIN, "bereq 1 fetch");
        record(u, 1 | LOG_BACKEND, TAG_BEREQ + LOG_URL, "/a");
        record(u, 1 | LOG_BACKEND, TAG_BEREQ + LOG_HEADER, "Host: a");
        record(u, 1 | LOG_BACKEND, TAG_DEBUG, "why hit-for-miss set-cookie 1.2.3 Set-Cookie");
        snprintf(text, sizeof text, "why not-stored %s - x y", reason->id); /* the last one holds */
        record(u, 1 | LOG_BACKEND, TAG_DEBUG, text);
        record(u, 1 | LOG_BACKEND, TAG_END, "");
        request(u, 2, "/a", "MISS");
        snprintf(want, sizeof want, "\"reason\":\"%s\",\"text\":\"%sx y%s\"", reason->id, reason->before,
                 reason->after);
        expect_in_json(u, want);
        urls_free(&u);
    }
}

static void
what_is_not_a_known_reason_is_unknown(void)
{
    static const char *const texts[] = {
        "why",         "why miss",    "why miss expired - \xff", "why miss new-id - x",
        "lookup miss", "why  miss -", "why miss - - ",           ""
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct urls *u = urls_new();
        record(u, 1 | LOG_CLIENT, TAG_BEGIN, "req 1 rxreq");
        record(u, 1 | LOG_CLIENT, TAG_REQ + LOG_URL, "/a");
        record(u, 1 | LOG_CLIENT, TAG_VCL_CALL, "MISS");
        record(u, 1 | LOG_CLIENT, TAG_DEBUG, texts[i]);
        record(u, 1 | LOG_CLIENT, TAG_END, "");
        expect_in_json(u, i == 2 ? "\"reason\":\"expired\"" : "\"reason\":\"unknown\"");
        urls_free(&u);
    }
}

static void
values_of_users_are_hidden(void)
{
    static const struct {
        const char *url, *shown;
    } rows[] = {
        { "/a?page=1&token=abc&x=2", "/a?page=1&token=hidden&x=2" },
        { "/a?access_token=a%20b", "/a?access_token=hidden" },
        { "/a?X-Amz-Signature=1#f", "/a?X-Amz-Signature=hidden" },
        { "/a;jsessionid=12/b?c=1", "/a;jsessionid=hidden/b?c=1" },
        { "/a?user[password]=x;y?z/w&b=1", "/a?user[password]=hidden&b=1" },
        { "/a?next=/b?token=c", "/a?next=/b?token=hidden" },
        { "/a?KEY=1&key=2&keys=3", "/a?KEY=hidden&key=hidden&keys=3" },
        { "/a?token", "/a?token" },
        { "/a?=1&&;=?", "/a?=1&&;=?" },
        { "/token=1", "/token=1" },
        { "", "" },
    };
    char shown[64];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        hide_url(shown, sizeof shown, span_str(rows[i].url));
        if (!EXPECT(strcmp(shown, rows[i].shown) == 0))
            fprintf(stderr, "%s: %s\n", rows[i].url, shown);
    }
    for (size_t bytes = 1; bytes < 20; bytes++) { /* a longer one is cut, and ends with a NUL */
        hide_url(shown, bytes, SPAN_LIT("/a?token=abc&x=2"));
        EXPECT(strlen(shown) == (bytes - 1 < 19 ? bytes - 1 : 19));
    }
}

static void
texts_of_clients_are_json_texts(void)
{
    struct urls *u = urls_new();
    request(u, 1, "/\"\\\n</script>\xff", "HIT");
    expect_in_json(u, "\"url\":\"/\\\"\\\\\\n</script>\xef\xbf\xbd\"");
    urls_free(&u);
}

static void
origin_times_have_median_and_tail(void)
{
    struct urls *u = urls_new();
    struct origin_times times;
    char text[80];
    EXPECT(!urls_origin_times(u, &times));
    for (unsigned i = 0; i < 100; i++) {
        uint32_t id = (i + 1) | LOG_BACKEND;
        record(u, id, TAG_BEGIN, "bereq 1 fetch");
        record(u, id, TAG_TIMESTAMP, "Fetch: 1795795525.377421 0.001000 0.000001");
        snprintf(text, sizeof text, "Beresp: 1795795525.377869 %.6f 0.000428", i < 90 ? 0.011 : 0.501);
        record(u, id, TAG_TIMESTAMP, text);
        record(u, id, TAG_END, "");
    }
    EXPECT(urls_origin_times(u, &times));
    EXPECT_EQ_INT(times.n, 100);
    EXPECT(times.p50_s > 0.008 && times.p50_s < 0.012);
    EXPECT(times.p95_s > 0.4 && times.p95_s < 0.6);
    EXPECT(!urls_origin_times(u, &times)); /* each time counts once */
    urls_free(&u);
}

static const struct test tests[] = {
    { "history_is_kept_in_its_file", history_is_kept_in_its_file },
    { "long_times_get_averages", long_times_get_averages },
    { "a_record_of_the_day_before_is_not_shown", a_record_of_the_day_before_is_not_shown },
    { "a_damaged_history_begins_anew", a_damaged_history_begins_anew },
    { "the_reader_follows_the_log_round_the_ring", the_reader_follows_the_log_round_the_ring },
    { "the_reader_knows_both_forms_of_the_log", the_reader_knows_both_forms_of_the_log },
    { "a_late_reader_continues_at_new_records", a_late_reader_continues_at_new_records },
    { "a_new_index_leads_to_the_log_of_the_new_worker", a_new_index_leads_to_the_log_of_the_new_worker },
    { "an_index_that_the_worker_writes_anew_is_no_gap", an_index_that_the_worker_writes_anew_is_no_gap },
    { "a_request_in_progress_at_the_first_look_is_counted",
      a_request_in_progress_at_the_first_look_is_counted },
    { "random_logs_are_harmless", random_logs_are_harmless },
    { "transactions_may_be_mixed", transactions_may_be_mixed },
    { "a_full_table_keeps_the_most_requested", a_full_table_keeps_the_most_requested },
    { "counts_fade", counts_fade },
    { "texts_of_clients_are_json_texts", texts_of_clients_are_json_texts },
    { "misses_add_up_by_reason", misses_add_up_by_reason },
    { "each_reason_is_shown_as_the_worker_logs_it", each_reason_is_shown_as_the_worker_logs_it },
    { "what_is_not_a_known_reason_is_unknown", what_is_not_a_known_reason_is_unknown },
    { "values_of_users_are_hidden", values_of_users_are_hidden },
    { "origin_times_have_median_and_tail", origin_times_have_median_and_tail },
};

int
main(int argc, char **argv)
{
    CHECK(mkdtemp(folder) != NULL);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    log_reader_release(&reader);
    vsm_folder_remove(folder);
    return status;
}
