/* Tables of a policy: look-ups by compiled code, values of each type, replacement while transactions hold the
 * old rows, and files that do not fit. */
#include <pthread.h>
#include <unistd.h>

#include "base/check.h"
#include "policy/table/tables.h"
#include "policy/table/value.h"
#include "support/image.h"

static const struct policy_env no_env;

#define N(rows) (sizeof(rows) / sizeof *(rows))

/* ---- policies with tables ------------------------------------------------------------------------------ */

static const struct image_table_row moved_rows[] = { { .key = { "/old", 4 }, .text = { "/new", 4 } },
                                                     { .key = { "/a", 2 }, .text = { "", 0 } } };
static const struct image_table_row limit_rows[] = { { .key = { "api.", 4 }, .whole = 7 },
                                                     { .key = { "api.eu.", 7 }, .whole = -2 } };
static const struct image_table_row ttl_rows[] = { { .key = { "example.com", 11 }, .real = 1.5 } };
static const struct image_table_row flag_rows[] = { { .key = { "yes", 3 }, .whole = 1 },
                                                    { .key = { "no", 2 }, .whole = 0 } };
static const struct image_table_row peer_rows[] = { { .key = { "a", 1 }, .text = { "\4\300\0\2\1", 5 } } };
static const struct image_table_row near_rows[] = { { .key = { "\300\0\2\7\30", 5 }, .whole = 1 } };

enum { MOVED, LIMIT, TTL, FLAG, PEER, NEAR, N_TABLES };

static const struct image_table all_tables[N_TABLES] = {
    [MOVED] = { .name = { "moved", 5 }, .rows = moved_rows, .n_rows = N(moved_rows) },
    [LIMIT] = { .name = { "limit", 5 },
                .rows = limit_rows,
                .n_rows = N(limit_rows),
                .kind = IMAGE_TABLE_PREFIX,
                .value = IMAGE_TABLE_OF_INT },
    [TTL] = { .name = { "ttl", 3 },
              .rows = ttl_rows,
              .n_rows = N(ttl_rows),
              .kind = IMAGE_TABLE_SUFFIX,
              .value = IMAGE_TABLE_OF_DURATION },
    [FLAG] = { .name = { "flag", 4 },
               .rows = flag_rows,
               .n_rows = N(flag_rows),
               .value = IMAGE_TABLE_OF_BOOL },
    [PEER] = { .name = { "peer", 4 }, .rows = peer_rows, .n_rows = N(peer_rows), .value = IMAGE_TABLE_OF_IP },
    [NEAR] = { .name = { "near", 4 },
               .rows = near_rows,
               .n_rows = N(near_rows),
               .kind = IMAGE_TABLE_IP,
               .value = IMAGE_TABLE_OF_BACKEND },
};

static const struct image_backend two_backends[] = {
    { .name = { "de", 2 }, .host = { "127.0.0.1", 9 }, .port = { "81", 2 }, .probe = -1 },
    { .name = { "fr", 2 }, .host = { "127.0.0.1", 9 }, .port = { "82", 2 }, .probe = -1 },
};

static struct policy_image
image_with(const struct image_table *tables, unsigned n)
{
    struct policy_image im = image_empty();
    im.tables = tables;
    im.n_tables = n;
    im.backends = two_backends;
    im.n_backends = N(two_backends);
    return im;
}

/* A policy with one table of texts, whose rows are in a file. */
struct filed {
    char path[40];
    struct image_table table;
    struct policy_image im;
    struct policy *policy;
};

static void
write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");
    EXPECT(f != NULL && fputs(content, f) >= 0 && fclose(f) == 0);
}

static void
new_file(char path[40], const char *content)
{
    snprintf(path, 40, "/tmp/test_tables_XXXXXX");
    int fd = mkstemp(path);
    EXPECT(fd >= 0);
    close(fd);
    write_file(path, content);
}

static void
load_filed(struct filed *f, const char *content, enum image_table_value value, const struct policy_env *env)
{
    new_file(f->path, content);
    f->table = (struct image_table){ .name = { "t", 1 }, .file = span_str(f->path), .value = value };
    f->im = image_with(&f->table, 1);
    f->policy = image_load(env, &f->im);
}

static void
drop_filed(struct filed *f)
{
    policy_unload(&f->policy);
    unlink(f->path);
}

/* ---- transactions -------------------------------------------------------------------------------------- */

struct transaction {
    struct client_vars vars;
    struct policy_ctx ctx;
    struct arena arena;
};

static void
begin(struct transaction *x, struct policy *p)
{
    x->vars = (struct client_vars){ 0 };
    client_vars_fill(&x->vars);
    arena_init(&x->arena, 0);
    policy_ctx_init(&x->ctx, p, NULL, &x->arena);
    x->ctx.client = &x->vars;
    x->ctx.hook = HOOK_RECV;
}

static void
end(struct transaction *x)
{
    table_pin_release(&x->vars.tables);
    arena_release(&x->arena);
}

static struct span
text_of(struct transaction *x, const char *key)
{
    return vcl_table_text(&x->ctx, 0, vcl_table_find(&x->ctx, 0, span_str(key)));
}

/* ---- look-ups ------------------------------------------------------------------------------------------ */

static void
values_have_the_types_of_the_tables(void)
{
    struct policy_image im = image_with(all_tables, N_TABLES);
    struct policy *p = image_load(&no_env, &im);
    struct transaction x;
    struct vcl_ip near = { .family = 4, .addr = { 192, 0, 2, 200 } },
                  far = { .family = 4, .addr = { 192, 0, 3, 0 } };
    begin(&x, p);
    struct policy_ctx *c = &x.ctx;
    EXPECT_EQ_SPAN(text_of(&x, "/old"), SPAN_LIT("/new"));
    EXPECT(text_of(&x, "/a").ptr != NULL && text_of(&x, "/a").len == 0);
    EXPECT(text_of(&x, "/b").ptr == NULL);
    EXPECT_EQ_INT(vcl_table_find(c, MOVED, SPAN_LIT("/b")), -1);
    EXPECT_EQ_INT(vcl_table_find(c, MOVED, SPAN_NULL), -1);
    EXPECT_EQ_INT(vcl_table_int(c, LIMIT, vcl_table_find(c, LIMIT, SPAN_LIT("api.us"))), 7);
    EXPECT_EQ_INT(vcl_table_int(c, LIMIT, vcl_table_find(c, LIMIT, SPAN_LIT("api.eu.1"))), -2);
    EXPECT(vcl_table_real(c, TTL, vcl_table_find(c, TTL, SPAN_LIT("www.example.com"))) == 1.5);
    EXPECT_EQ_INT(vcl_table_bool(c, FLAG, vcl_table_find(c, FLAG, SPAN_LIT("yes"))), 1);
    EXPECT_EQ_INT(vcl_table_bool(c, FLAG, vcl_table_find(c, FLAG, SPAN_LIT("no"))), 0);
    const struct vcl_ip *peer = vcl_table_ip(c, PEER, vcl_table_find(c, PEER, SPAN_LIT("a")));
    EXPECT(peer->family == 4 && peer->addr[0] == 192 && peer->addr[3] == 1);
    EXPECT(vcl_table_backend(c, NEAR, vcl_table_find_ip(c, NEAR, &near)) == vcl_ref_backend(c, 1));
    EXPECT_EQ_INT(vcl_table_find_ip(c, NEAR, &far), -1);
    EXPECT_EQ_INT(vcl_table_find_ip(c, NEAR, NULL), -1);
    EXPECT(vcl_table_backend(c, NEAR, -1) == NULL && vcl_table_ip(c, PEER, -1) == NULL);
    end(&x);
    policy_unload(&p);
    EXPECT(!tables_collect());
}

static int32_t
init_with_look_up(struct policy_ctx *ctx)
{
    return vcl_table_find(ctx, 0, SPAN_LIT("a")) >= 0 ? ACTION_OK : ACTION_FAIL;
}

static void
vcl_init_may_look_up(void)
{
    struct filed f;
    new_file(f.path, "a,1\n");
    f.table = (struct image_table){ .name = { "t", 1 }, .file = span_str(f.path) };
    f.im = image_with(&f.table, 1);
    f.im.hooks[HOOK_INIT] = init_with_look_up;
    f.policy = image_load(&no_env, &f.im);
    EXPECT(f.policy != NULL);
    drop_filed(&f);
    EXPECT(!tables_collect());
}

/* ---- replacement --------------------------------------------------------------------------------------- */

static int
replace(struct policy *p, const char *content, struct table_error *error)
{
    char path[40];
    struct table *t = NULL;
    new_file(path, content);
    int err = policy_read_table(p, 0, path, &t, error);
    if (err == 0)
        policy_put_table(p, 0, &t, span_str(path));
    unlink(path);
    return err;
}

static void
a_transaction_sees_one_state_of_the_table(void)
{
    struct filed f;
    struct table_error error;
    struct transaction before, early, after;
    load_filed(&f, "a,1\n", IMAGE_TABLE_OF_STRING, &no_env);
    begin(&before, f.policy);
    begin(&early, f.policy);
    EXPECT_EQ_SPAN(text_of(&before, "a"), SPAN_LIT("1"));
    EXPECT_EQ_INT(replace(f.policy, "a,2\nb,3\n", &error), 0);
    begin(&after, f.policy);
    EXPECT_EQ_SPAN(text_of(&before, "a"), SPAN_LIT("1"));
    EXPECT(text_of(&before, "b").ptr == NULL);
    EXPECT_EQ_SPAN(text_of(&early, "a"), SPAN_LIT("2")); /* its first look-up comes after the replacement */
    EXPECT_EQ_SPAN(text_of(&after, "b"), SPAN_LIT("3"));
    EXPECT(tables_collect()); /* no loop has acknowledged */
    tables_seen_by_all();
    EXPECT(tables_collect()); /* `before` holds the old rows */
    EXPECT_EQ_SPAN(text_of(&before, "a"), SPAN_LIT("1"));
    end(&before);
    EXPECT(!tables_collect());
    EXPECT_EQ_SPAN(text_of(&early, "a"), SPAN_LIT("2"));
    end(&early);
    end(&after);
    drop_filed(&f);
    EXPECT(!tables_collect());
}

static void
other_tables_keep_their_rows(void)
{
    struct filed f;
    struct table_error error;
    struct transaction x;
    struct image_table tables[2];
    load_filed(&f, "a,1\n", IMAGE_TABLE_OF_STRING, &no_env);
    policy_unload(&f.policy);
    tables[0] = f.table;
    tables[1] = all_tables[MOVED];
    f.im = image_with(tables, 2);
    f.policy = image_load(&no_env, &f.im);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ_INT(replace(f.policy, "a,2\n", &error), 0);
    tables_seen_by_all();
    EXPECT(!tables_collect());
    begin(&x, f.policy);
    EXPECT_EQ_INT(vcl_table_find(&x.ctx, 1, SPAN_LIT("/old")) >= 0, 1);
    end(&x);
    drop_filed(&f);
}

static void
tables_outlive_their_policy_for_a_transaction(void)
{
    struct filed f;
    struct transaction x;
    load_filed(&f, "a,1\n", IMAGE_TABLE_OF_STRING, &no_env);
    begin(&x, f.policy);
    struct span text = text_of(&x, "a");
    drop_filed(&f);
    EXPECT(tables_collect());
    EXPECT_EQ_SPAN(text, SPAN_LIT("1"));
    end(&x);
    EXPECT(!tables_collect());
}

static void
a_file_that_does_not_fit_changes_nothing(void)
{
    struct filed f;
    struct table_error error;
    struct transaction x;
    load_filed(&f, "a,1\n", IMAGE_TABLE_OF_INT, &no_env);
    EXPECT_EQ_INT(replace(f.policy, "a,2\nb,many\n", &error), ERR_SYNTAX);
    EXPECT_EQ_SPAN(span_str(error.text), SPAN_LIT("value \"many\" is not an INT: up to 15 digits"));
    EXPECT_EQ_INT(error.at.line, 2);
    EXPECT_EQ_INT(error.at.column, 3);
    begin(&x, f.policy);
    EXPECT_EQ_INT(vcl_table_int(&x.ctx, 0, vcl_table_find(&x.ctx, 0, SPAN_LIT("a"))), 1);
    end(&x);
    drop_filed(&f);
}

static void
a_policy_with_a_bad_file_does_not_load(void)
{
    struct filed f = { .path = "" };
    char error[512] = "", want[200];
    new_file(f.path, "a,1\nb\n");
    f.table = (struct image_table){ .name = { "t", 1 }, .file = span_str(f.path) };
    f.im = image_with(&f.table, 1);
    EXPECT_EQ_INT(policy_load_image(&no_env, SPAN_LIT("p"), &f.im, &f.policy, error, sizeof error),
                  ERR_SYNTAX);
    snprintf(want, sizeof want, "table \"t\": %s:2:1: the line has 1 column instead of 2", f.path);
    EXPECT_EQ_SPAN(span_str(error), span_str(want));
    unlink(f.path);
    EXPECT_EQ_INT(policy_load_image(&no_env, SPAN_LIT("p"), &f.im, &f.policy, error, sizeof error), ERR_SYS);
    snprintf(want, sizeof want, "table \"t\": %s: cannot read the file: No such file or directory", f.path);
    EXPECT_EQ_SPAN(span_str(error), span_str(want));
    EXPECT(!tables_collect());
}

static void
a_kept_file_stands_in_for_the_declared_one(void)
{
    struct filed f;
    char kept[40];
    char *files[] = { (char[]){ "other" },
                      (char[]){ "/nonexistent" },
                      (char[]){ "/other.csv" },
                      (char[]){ "t" },
                      kept,
                      (char[]){ "/shown.csv" },
                      NULL };
    struct policy_env env = { .table_files = files };
    struct table_info info;
    struct transaction x;
    new_file(kept, "a,kept\n");
    load_filed(&f, "a,declared\n", IMAGE_TABLE_OF_STRING, &env);
    begin(&x, f.policy);
    EXPECT_EQ_SPAN(text_of(&x, "a"), SPAN_LIT("kept"));
    policy_table_info(f.policy, 0, &info);
    EXPECT_EQ_SPAN(info.file, SPAN_LIT("/shown.csv"));
    end(&x);
    drop_filed(&f);
    unlink(kept);
}

static void
damaged_images_are_refused(void)
{
    struct policy *p = NULL;
    char error[512] = "";
    const struct image_table_row far_row = { .key = { "a", 1 }, .whole = 2 }, no_text = { .key = { "a", 1 } },
                                 long_prefix = { .key = { "\300\0\2\1\41", 5 }, .whole = 1 };
    const struct image_table tables[] = {
        { .name = { "t", 1 }, .kind = IMAGE_TABLE_COUNT },
        { .name = { "t", 1 }, .value = IMAGE_TABLE_OF_COUNT },
        { .name = { "t", 1 }, .n_rows = 1 },
        { .name = { "t", 1 }, .key_column = { "k", 1 } },
        { .name = { "t", 1 }, .rows = &far_row, .n_rows = 1, .value = IMAGE_TABLE_OF_BACKEND },
        { .name = { "t", 1 }, .rows = &no_text, .n_rows = 1 },
        { .name = { "t", 1 },
          .rows = &long_prefix,
          .n_rows = 1,
          .kind = IMAGE_TABLE_IP,
          .value = IMAGE_TABLE_OF_INT },
    };
    for (unsigned i = 0; i < N(tables); i++) {
        struct policy_image im = image_with(&tables[i], 1);
        EXPECT_EQ_INT(policy_load_image(&no_env, SPAN_LIT("p"), &im, &p, error, sizeof error), ERR_SYNTAX);
        EXPECT(strstr(error, "image is damaged") != NULL);
    }
}

/* ---- values as texts ----------------------------------------------------------------------------------- */

static void
values_are_read_as_literals(void)
{
    static const struct {
        enum image_table_value type;
        const char *text, *shown; /* NULL: refused */
    } cases[] = {
        { IMAGE_TABLE_OF_STRING, "any text", "any text" },
        { IMAGE_TABLE_OF_INT, "-5", "-5" },
        { IMAGE_TABLE_OF_INT, "999999999999999", "999999999999999" },
        { IMAGE_TABLE_OF_INT, "1000000000000000", NULL },
        { IMAGE_TABLE_OF_INT, "", NULL },
        { IMAGE_TABLE_OF_INT, "5 ", NULL },
        { IMAGE_TABLE_OF_INT, "+5", NULL },
        { IMAGE_TABLE_OF_INT, "0x5", NULL },
        { IMAGE_TABLE_OF_REAL, "2.5", "2.500" },
        { IMAGE_TABLE_OF_REAL, "-2", "-2.000" },
        { IMAGE_TABLE_OF_REAL, "2.", NULL },
        { IMAGE_TABLE_OF_REAL, ".5", NULL },
        { IMAGE_TABLE_OF_REAL, "1e5", NULL },
        { IMAGE_TABLE_OF_DURATION, "10m", "600.000s" },
        { IMAGE_TABLE_OF_DURATION, "1.5h", "5400.000s" },
        { IMAGE_TABLE_OF_DURATION, "10", NULL },
        { IMAGE_TABLE_OF_DURATION, "10 m", NULL },
        { IMAGE_TABLE_OF_DURATION, "m", NULL },
        { IMAGE_TABLE_OF_BYTES, "64KB", "65536B" },
        { IMAGE_TABLE_OF_BYTES, "1.5MB", "1572864B" },
        { IMAGE_TABLE_OF_BYTES, "64", "64B" },
        { IMAGE_TABLE_OF_BYTES, "-1B", NULL },
        { IMAGE_TABLE_OF_BYTES, "9999PB", NULL },
        { IMAGE_TABLE_OF_BOOL, "true", "true" },
        { IMAGE_TABLE_OF_BOOL, "false", "false" },
        { IMAGE_TABLE_OF_BOOL, "1", NULL },
        { IMAGE_TABLE_OF_IP, "192.0.2.1", "192.0.2.1" },
        { IMAGE_TABLE_OF_IP, "2001:db8::1", "2001:db8::1" },
        { IMAGE_TABLE_OF_IP, "192.0.2.0/24", NULL },
        { IMAGE_TABLE_OF_IP, "example.com", NULL },
        { IMAGE_TABLE_OF_BACKEND, "fr", "fr" },
        { IMAGE_TABLE_OF_BACKEND, "us", NULL },
    };
    struct policy_image im = image_with(NULL, 0);
    for (unsigned i = 0; i < N(cases); i++) {
        struct value_reader r = { .image = &im, .type = cases[i].type };
        struct span value = SPAN_NULL;
        char why[128] = "", buf[VALUE_TEXT_BYTES];
        int err = value_of_text(&r, span_str(cases[i].text), &value, why, sizeof why);
        if (!EXPECT_EQ_INT(err, cases[i].shown == NULL ? ERR_SYNTAX : 0))
            fprintf(stderr, "case %u: %s\n", i, cases[i].text);
        if (err == 0 && cases[i].shown != NULL)
            EXPECT_EQ_SPAN(value_text(cases[i].type, &im, value, buf), span_str(cases[i].shown));
        EXPECT((*why != '\0') == (err != 0));
    }
}

/* ---- under load ---------------------------------------------------------------------------------------- */

#define THREADS 3
#define ROUNDS 300

static struct policy *busy_policy;
static struct loop *busy_loops[THREADS];
static atomic_uint transactions;
static atomic_int stopping;

/* Every table has n rows, "0" to "n-1", and each has the value n. A mixture of two tables would show another
 * value or a missing row. */
static void
check_one(struct loop *loop)
{
    struct transaction x;
    begin(&x, busy_policy);
    x.ctx.loop = loop;
    struct span n = text_of(&x, "0");
    unsigned rows = (unsigned)atoi(n.ptr == NULL ? "0" : (const char[]){ n.ptr[0], '\0' });
    EXPECT(rows >= 1);
    for (unsigned i = 0; i < 9; i++) {
        char key[2] = { (char)('0' + i), '\0' };
        struct span text = text_of(&x, key);
        EXPECT((text.ptr != NULL) == (i < rows));
        if (text.ptr != NULL)
            EXPECT_EQ_SPAN(text, n);
    }
    end(&x);
    atomic_fetch_add(&transactions, 1);
}

static void *
busy_loop(void *arg)
{
    struct loop *loop = arg;
    while (atomic_load(&stopping) == 0) {
        check_one(loop);
        loop_run_once(loop, 0);
    }
    mem_thread_release();
    return NULL;
}

static atomic_uint acknowledged;

static void
acknowledge(struct post *post)
{
    atomic_fetch_add(&acknowledged, 1);
}

static void
all_loops_acknowledge(void)
{
    struct post posts[THREADS];
    atomic_store(&acknowledged, 0);
    for (int i = 0; i < THREADS; i++) {
        posts[i] = (struct post){ .fn = acknowledge };
        loop_post(busy_loops[i], &posts[i]);
    }
    while (atomic_load(&acknowledged) < THREADS)
        sched_yield();
}

static void
loops_see_whole_tables_while_they_are_replaced(void)
{
    struct filed f;
    struct table_error error;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        EXPECT_EQ_INT(loop_new((unsigned)i, &busy_loops[i]), 0);
    struct policy_env env = { .n_loops = THREADS, .loops = busy_loops };
    load_filed(&f, "0,1\n", IMAGE_TABLE_OF_STRING, &env);
    busy_policy = f.policy;
    for (int i = 0; i < THREADS; i++)
        EXPECT_EQ_INT(pthread_create(&threads[i], NULL, busy_loop, busy_loops[i]), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        char content[100] = "";
        unsigned n = 1 + round % 9;
        for (unsigned i = 0; i < n; i++)
            snprintf(content + strlen(content), sizeof content - strlen(content), "%u,%u\n", i, n);
        EXPECT_EQ_INT(replace(f.policy, content, &error), 0);
        all_loops_acknowledge();
        tables_seen_by_all();
        (void)tables_collect();
    }
    atomic_store(&stopping, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EXPECT(atomic_load(&transactions) > 0);
    EXPECT(!tables_collect());
    drop_filed(&f);
    for (int i = 0; i < THREADS; i++)
        loop_release(&busy_loops[i]);
}

static const struct test tests[] = {
    { "values_have_the_types_of_the_tables", values_have_the_types_of_the_tables },
    { "vcl_init_may_look_up", vcl_init_may_look_up },
    { "a_transaction_sees_one_state_of_the_table", a_transaction_sees_one_state_of_the_table },
    { "other_tables_keep_their_rows", other_tables_keep_their_rows },
    { "tables_outlive_their_policy_for_a_transaction", tables_outlive_their_policy_for_a_transaction },
    { "a_file_that_does_not_fit_changes_nothing", a_file_that_does_not_fit_changes_nothing },
    { "a_policy_with_a_bad_file_does_not_load", a_policy_with_a_bad_file_does_not_load },
    { "a_kept_file_stands_in_for_the_declared_one", a_kept_file_stands_in_for_the_declared_one },
    { "damaged_images_are_refused", damaged_images_are_refused },
    { "values_are_read_as_literals", values_are_read_as_literals },
    { "loops_see_whole_tables_while_they_are_replaced", loops_see_whole_tables_while_they_are_replaced },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
