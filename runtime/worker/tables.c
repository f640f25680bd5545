/* Commands about tables of policies: list them, show rows, replace the rows by those of a file, compare them
 * with a file. Runs on the admin thread, which reads and builds while the loops go on serving. */
#include <stdio.h>

#include "worker/worker.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "policy/table/tables.h"
#include "policy/table/value.h"

#define REASON_BYTES 256u
#define ROWS_SHOWN_MAX 50u  /* of an answer */
#define TEXT_SHOWN_MAX 200u /* bytes of a key or a value */
#define NUMBER_BYTES 32u

static const char *const kind_names[TABLE_KINDS] = {
    [TABLE_EXACT] = "exact", [TABLE_PREFIX] = "prefix", [TABLE_SUFFIX] = "suffix", [TABLE_IP] = "ip"
};

struct found_table {
    struct policy *policy;
    unsigned place;
    struct table_info info;
};

/* POLICY and TABLE; an empty POLICY is the active one. Returns 0, or the status of a written answer. */
static int
find_table(struct worker *w, const char *policy, const char *table, struct found_table *out,
           struct text *answer)
{
    struct loaded *l = *policy == '\0' ? w->active : worker_find(w, policy);
    if (l == NULL && *policy == '\0')
        return text_say(answer, CLI_CANT, "No active VCL\n");
    if (l == NULL)
        return text_say(answer, CLI_PARAM, "No VCL named %s known\n", policy);
    out->policy = worker_policy(l)->policy;
    int place = policy_find_table(out->policy, span_str(table));
    if (place < 0)
        return text_say(answer, CLI_PARAM, "Policy %s has no table %s\ntable.list shows all tables.\n",
                        worker_policy(l)->name, table);
    out->place = (unsigned)place;
    policy_table_info(out->policy, out->place, &out->info);
    return 0;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* 1000000 as "1,000,000". */
static const char *
grouped(uint64_t n, char buf[NUMBER_BYTES])
{
    char plain[NUMBER_BYTES];
    int len = snprintf(plain, sizeof plain, "%llu", (unsigned long long)n);
    char *to = buf;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    return buf;
}

static void
add_text(struct text *out, struct span text, bool json)
{
    if (json) {
        text_json(out, text);
        return;
    }
    bool cut = text.len > TEXT_SHOWN_MAX;
    text_add(out, cut ? span_of(text.ptr, TEXT_SHOWN_MAX) : text);
    text_str(out, cut ? "..." : "");
}

static void
add_key(struct text *out, const struct found_table *f, const struct table *t, uint32_t row, bool json)
{
    char buf[TABLE_KEY_TEXT_BYTES];
    add_text(out, table_key_text(f->info.kind, table_key(t, row), buf), json);
}

static void
add_value(struct text *out, const struct found_table *f, const struct table *t, uint32_t row, bool json)
{
    char buf[VALUE_TEXT_BYTES];
    add_text(out, value_text(f->info.value, policy_image(f->policy), table_value(t, row), buf), json);
}

/* ---- table.list ---------------------------------------------------------------------------------------- */

static void
list_one(struct text *out, const char *policy, const struct table_info *info, bool json)
{
    char rows[NUMBER_BYTES];
    if (!json) {
        text_printf(out, "%s.%.*s\t%s\t%s\t%s\t%llu KB\t%.*s\n", policy, (int)info->name.len, info->name.ptr,
                    kind_names[info->kind], value_type_name(info->value),
                    grouped(table_rows(info->table), rows),
                    (unsigned long long)(table_bytes(info->table) >> 10), (int)info->file.len,
                    info->file.ptr);
        return;
    }
    text_str(out, "{\"policy\": ");
    text_json(out, span_str(policy));
    text_str(out, ", \"table\": ");
    text_json(out, info->name);
    text_printf(out, ", \"kind\": \"%s\", \"type\": \"%s\", \"rows\": %u, \"bytes\": %llu, \"file\": ",
                kind_names[info->kind], value_type_name(info->value), (unsigned)table_rows(info->table),
                (unsigned long long)table_bytes(info->table));
    if (info->file.ptr == NULL)
        text_str(out, "null");
    else
        text_json(out, info->file);
    text_str(out, "}");
}

/* table_list [-j] */
int
worker_table_list(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    struct text lines = { 0 };
    unsigned n = 0;
    text_str(&lines, json ? "[" : "table\tkind\ttype\trows\tmemory\tfile\n");
    list_each(it, &w->policies)
    {
        const struct loaded *l = container_of(it, struct loaded, link);
        for (unsigned i = 0; l->policy != NULL && !l->discarded && i < policy_tables(l->policy); i++) {
            struct table_info info;
            policy_table_info(l->policy, i, &info);
            text_str(&lines, json && n++ > 0 ? ",\n    " : "");
            list_one(&lines, l->name, &info, json);
        }
    }
    if (json) {
        text_str(&lines, "]");
        text_add(out, text_span(&lines));
    } else {
        text_columns(out, text_span(&lines));
    }
    text_release(&lines);
    return CLI_OK;
}

void
worker_tables_read(const struct policy *p, struct text *out)
{
    for (unsigned i = 0; i < policy_tables(p); i++) {
        struct table_info info;
        policy_table_info(p, i, &info);
        if (!info.replaceable)
            continue;
        if (out->len > 0 && out->ptr[out->len - 1] != '\0')
            text_add(out, span_of("", 1));                        /* ends the words before */
        text_add(out, span_of(info.name.ptr, info.name.len + 1)); /* texts of a policy end with a NUL */
        text_add(out, span_of(info.file.ptr, info.file.len + 1));
    }
}

/* ---- table.show ---------------------------------------------------------------------------------------- */

static void
add_row(struct text *out, const struct found_table *f, uint32_t row, bool json)
{
    const struct table *t = f->info.table;
    text_str(out, json ? "{\"key\": " : "");
    add_key(out, f, t, row, json);
    text_str(out, json ? ", \"value\": " : "\t");
    add_value(out, f, t, row, json);
    text_str(out, json ? "}" : "\n");
}

static void
show_rows(struct text *out, const struct found_table *f, bool json)
{
    const struct table *t = f->info.table;
    char number[NUMBER_BYTES];
    unsigned n = 0;
    text_str(out, json ? "[" : "");
    for (uint32_t row = table_first(t); row != TABLE_NO_ROW && n < ROWS_SHOWN_MAX;
         row = table_next(t, row), n++) {
        text_str(out, json && n > 0 ? ",\n    " : "");
        add_row(out, f, row, json);
    }
    text_str(out, json ? "]" : "");
    if (!json && table_rows(t) > n)
        text_printf(out, "and %s more rows\n", grouped(table_rows(t) - n, number));
}

static int
find_row(const struct found_table *f, struct span key, uint32_t *row, struct text *out)
{
    uint8_t network[TABLE_NETWORK_BYTES];
    struct span bytes;
    char why[128];
    if (table_read_key(f->info.kind, key, network, &bytes, why, sizeof why) != 0)
        return text_say(out, CLI_PARAM, "\"%.*s\" %s\n", (int)key.len, key.ptr, why);
    *row = f->info.kind == TABLE_IP
             ? table_find_ip(f->info.table, bytes.len == 5 ? 4 : 6, (const uint8_t *)bytes.ptr)
             : table_find(f->info.table, bytes);
    return 0;
}

/* table_show [-j] POLICY TABLE [KEY]: the first rows, or the row that a look-up of KEY finds. */
int
worker_table_show(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    struct found_table f;
    if (argc < 3u + json)
        return CLI_PARAM;
    int status = find_table(w, argv[1 + json], argv[2 + json], &f, out);
    if (status != 0)
        return status;
    if (argc == 3u + json) {
        show_rows(out, &f, json);
        return CLI_OK;
    }
    uint32_t row = TABLE_NO_ROW;
    status = find_row(&f, span_str(argv[3 + json]), &row, out);
    if (status != 0)
        return status;
    if (row != TABLE_NO_ROW)
        add_row(out, &f, row, json);
    else if (json)
        text_str(out, "null");
    else
        return text_say(out, CLI_PARAM, "No row of %s is for %s\n", argv[2], argv[3]);
    return CLI_OK;
}

/* ---- differences --------------------------------------------------------------------------------------- */

struct difference {
    uint32_t added, removed, changed;
    unsigned shown;
    struct text rows; /* the first ones */
};

static void
note_row(struct difference *d, const struct found_table *f, const char *sign, const struct table *old,
         uint32_t old_row, const struct table *new, uint32_t new_row, bool json)
{
    struct text *out = &d->rows;
    if (d->shown++ >= ROWS_SHOWN_MAX)
        return;
    if (json)
        text_printf(out, "%s{\"key\": ", d->shown > 1 ? ",\n    " : "");
    else
        text_printf(out, "%s ", sign);
    add_key(out, f, new != NULL ? new : old, new != NULL ? new_row : old_row, json);
    if (old != NULL) {
        text_str(out, json ? ", \"old\": " : "  ");
        add_value(out, f, old, old_row, json);
    }
    if (new != NULL) {
        text_str(out, json ? ", \"new\": " : old != NULL ? " -> " : "  ");
        add_value(out, f, new, new_row, json);
    }
    text_str(out, json ? "}" : "\n");
}

/* The row with a key. `likely` is compared first: most keys of a new file are in the order of the old one,
 * and a search would wait for memory. */
static uint32_t
find_from(const struct table *t, uint32_t likely, struct span key)
{
    return likely != TABLE_NO_ROW && span_eq(table_key(t, likely), key) ? likely : table_find_key(t, key);
}

/* Lists removed rows only if the counts say that there are any. */
static void
compare(const struct found_table *f, const struct table *old, const struct table *new, struct difference *d,
        bool json)
{
    uint32_t kept = 0, likely = table_first(old);
    for (uint32_t row = table_first(new); row != TABLE_NO_ROW; row = table_next(new, row)) {
        uint32_t was = find_from(old, likely, table_key(new, row));
        kept += was != TABLE_NO_ROW;
        likely = was != TABLE_NO_ROW ? table_next(old, was) : likely;
        if (was == TABLE_NO_ROW) {
            d->added++;
            note_row(d, f, "+", NULL, 0, new, row, json);
        } else if (!span_eq(table_value(old, was), table_value(new, row))) {
            d->changed++;
            note_row(d, f, "~", old, was, new, row, json);
        }
    }
    d->removed = table_rows(old) - kept;
    uint32_t left = d->removed;
    for (uint32_t row = table_first(old); row != TABLE_NO_ROW && left > 0 && d->shown < ROWS_SHOWN_MAX;
         row = table_next(old, row))
        if (table_find_key(new, table_key(old, row)) == TABLE_NO_ROW) {
            left--;
            note_row(d, f, "-", old, row, NULL, 0, json);
        }
}

static int
refuse(struct text *out, const char *file, const struct table_error *error)
{
    if (error->at.line == 0)
        return text_say(out, CLI_CANT, "%s: %s; the table stays as it is\n", file, error->text);
    return text_say(out, CLI_CANT, "%s:%u:%u: %s; the table stays as it is\n", file, (unsigned)error->at.line,
                    (unsigned)error->at.column, error->text);
}

static void
add_counts(struct text *out, uint32_t rows, const struct difference *d, bool json)
{
    char number[4][NUMBER_BYTES];
    if (json)
        text_printf(out, "\"rows\": %u, \"added\": %u, \"removed\": %u, \"changed\": %u", (unsigned)rows,
                    (unsigned)d->added, (unsigned)d->removed, (unsigned)d->changed);
    else
        text_printf(out, "%s row%s, %s added, %s removed, %s changed", grouped(rows, number[0]),
                    rows == 1 ? "" : "s", grouped(d->added, number[1]), grouped(d->removed, number[2]),
                    grouped(d->changed, number[3]));
}

/* The words behind -j: POLICY TABLE COPY FILE. COPY is read, FILE is its name for operators. */
struct file_words {
    const char *policy, *table, *copy, *file;
    bool json;
};

static bool
take_words(unsigned argc, char *const argv[], struct file_words *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    if (argc != 5u + json)
        return false;
    *out = (struct file_words){ argv[1 + json], argv[2 + json], argv[3 + json], argv[4 + json], json };
    return true;
}

/* table_diff [-j] POLICY TABLE COPY FILE */
int
worker_table_diff(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct file_words words;
    struct found_table f;
    struct table *new = NULL;
    struct table_error error;
    struct difference d = { .rows = { 0 } };
    if (!take_words(argc, argv, &words))
        return CLI_PARAM;
    int status = find_table(w, words.policy, words.table, &f, out);
    if (status != 0)
        return status;
    if (policy_read_table(f.policy, f.place, words.copy, &new, &error) != 0)
        return refuse(out, words.file, &error);
    compare(&f, f.info.table, new, &d, words.json);
    text_str(out, words.json ? "{" : "");
    add_counts(out, table_rows(new), &d, words.json);
    text_str(out, words.json ? ", \"differences\": [" : "\n");
    text_add(out, text_span(&d.rows));
    text_str(out, words.json ? "]}" : "");
    uint32_t all = d.added + d.removed + d.changed;
    if (!words.json && all > ROWS_SHOWN_MAX)
        text_printf(out, "and %u more differences\n", (unsigned)(all - ROWS_SHOWN_MAX));
    text_release(&d.rows);
    table_release(&new);
    return CLI_OK;
}

/* ---- table.replace ------------------------------------------------------------------------------------- */

static void
nothing(struct loop *loop, void *arg)
{
}

/* Counts the differences after the new rows are live: the old table still exists, as long as this thread does
 * not free what nobody holds. */
static void
answer_replaced(const struct worker *w, const struct found_table *f, const struct table *old, double seconds,
                const struct file_words *words, struct text *out)
{
    struct found_table now = *f;
    struct difference d = { .shown = ROWS_SHOWN_MAX };
    policy_table_info(f->policy, f->place, &now.info);
    compare(&now, old, now.info.table, &d, words->json);
    text_str(out, words->json ? "{\"table\": " : "");
    if (words->json) {
        text_json(out, now.info.name);
        text_str(out, ", ");
    } else {
        text_printf(out, "%s: ", words->table);
    }
    add_counts(out, table_rows(now.info.table), &d, words->json);
    text_printf(out,
                words->json ? ", \"loops\": %u, \"seconds\": %.3f}" : ", live on %u loops after %.1f s\n",
                w->n_loops, seconds);
}

/* table_replace [-j] POLICY TABLE COPY FILE */
int
worker_table_replace(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct file_words words;
    struct found_table f;
    struct table *new = NULL;
    struct table_error error;
    nsec began = clock_mono_ns();
    if (!take_words(argc, argv, &words))
        return CLI_PARAM;
    int status = find_table(w, words.policy, words.table, &f, out);
    if (status != 0)
        return status;
    if (!f.info.replaceable)
        return text_say(out, CLI_CANT, "The rows of table %s are in the policy, not in a file\n",
                        words.table);
    const struct table *old = f.info.table;
    char why[REASON_BYTES];
    if (tables_hold_too_much(why, sizeof why))
        return text_say(out, CLI_CANT, "Table %s: %s; the table stays as it is\n", words.table, why);
    if (policy_read_table(f.policy, f.place, words.copy, &new, &error) != 0)
        return refuse(out, words.file, &error);
    policy_put_table(f.policy, f.place, &new, span_str(words.file));
    worker_on_loops(w, nothing, NULL);
    tables_seen_by_all();
    answer_replaced(w, &f, old, nsec_seconds(clock_mono_ns() - began), &words, out);
    return CLI_OK;
}

/* debug.row TABLE KEY [VALUE]: for tests, of the active policy. */
int
worker_table_row(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct found_table f;
    struct table_error error;
    if (!param_bit("debug", "test_clock"))
        return text_say(out, CLI_CANT, "Rows by hand are for tests: param.set debug +test_clock\n");
    int status = find_table(w, "", argv[1], &f, out);
    if (status != 0)
        return status;
    if (policy_put_row(f.policy, f.place, span_str(argv[2]), argc > 3 ? span_str(argv[3]) : SPAN_NULL,
                       &error) != 0)
        return text_say(out, CLI_CANT, "%s\n", error.text);
    worker_on_loops(w, nothing, NULL);
    tables_seen_by_all();
    return CLI_OK;
}
