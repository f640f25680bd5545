/* Files of tables: see policy_tables.h. */
#include "manager/policies/policy_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/policies/policy_file.h"
#include "daemon/frame.h"
#include "daemon/status.h"
#include "base/check.h"
#include "log/report.h"

/* ---- the copies of a policy ---------------------------------------------------------------------------- */

static struct kept_table *
find_kept(const struct vcl *vcl, const char *name)
{
    list_each(it, &vcl->tables)
    {
        struct kept_table *k = container_of(it, struct kept_table, link);
        if (strcmp(k->name, name) == 0)
            return k;
    }
    return NULL;
}

static char *
text_copy(const char *text)
{
    char *copy = strdup(text);
    CHECK(copy != NULL);
    return copy;
}

static void
forget_one(struct kept_table *k)
{
    unlink(k->copy);
    list_remove(&k->link);
    free(k->name);
    free(k->file);
    free(k->copy);
    free(k);
}

/* Takes the copy, and removes that of an earlier file. */
static void
keep(struct vcl *vcl, const char *table, const char *file, const char *copy, const struct file_stamp *stamp,
     bool by_command)
{
    struct kept_table *k = find_kept(vcl, table);
    bool replaced = by_command && (k == NULL || k->replaced || strcmp(k->file, file) != 0);
    if (k != NULL)
        forget_one(k);
    k = calloc(1, sizeof *k);
    CHECK(k != NULL);
    *k = (struct kept_table){ .name = text_copy(table),
                              .file = text_copy(file),
                              .copy = text_copy(copy),
                              .read = *stamp,
                              .seen = *stamp,
                              .replaced = replaced };
    list_push_back(&vcl->tables, &k->link);
}

void
kept_tables_forget(struct vcl *vcl)
{
    list_each(it, &vcl->tables) forget_one(container_of(it, struct kept_table, link));
}

unsigned
kept_words(const struct policies *p, const struct vcl *vcl, const char *words[], unsigned n)
{
    unsigned most = n + TABLE_WORDS_MAX;
    list_each(it, &vcl->tables)
    {
        const struct kept_table *k = container_of(it, struct kept_table, link);
        if (n + 3 > most)
            break;
        words[n++] = k->name;
        words[n++] = workdir_inside(p->env.dir, k->copy);
        words[n++] = k->file;
    }
    return n;
}

/* ---- copying ------------------------------------------------------------------------------------------- */

/* The copy keeps the ending of the name, which tells the format. */
static int
copy_file(struct policies *p, const char *table, const char *file, char copy[PATH_MAX], struct text *why)
{
    char image[PATH_MAX];
    const char *ending = strrchr(file, '.');
    bool json = ending != NULL && strcmp(ending, ".json") == 0;
    workdir_image_path(p->env.dir, table, image);
    if (snprintf(copy, PATH_MAX, "%.*s%s", PATH_MAX - 8, image, json ? ".json" : ".csv") >= PATH_MAX)
        return text_say(why, ERR_LIMIT, "The name of the file is too long\n");
    return workdir_copy_table(file, copy, why);
}

void
policies_keep_tables(struct policies *p, struct vcl *vcl, struct span answer)
{
    struct span words, table, file;
    if (!frame_word(&answer, &words)) /* without tables, the answer is only words for an operator */
        return;
    while (frame_word(&answer, &table) && frame_word(&answer, &file)) {
        char copy[PATH_MAX];
        struct file_stamp stamp;
        struct text why = { 0 };
        if (find_kept(vcl, table.ptr) != NULL)
            continue;
        file_stamp(file.ptr, &stamp);
        if (copy_file(p, table.ptr, file.ptr, copy, &why) == 0)
            keep(vcl, table.ptr, file.ptr, copy, &stamp, false);
        else
            log_line(LOG_LEVEL_WARNING, "the next worker will read table %s again: %s", table.ptr,
                     text_cstr(&why));
        text_release(&why);
    }
}

/* ---- replace and diff ---------------------------------------------------------------------------------- */

struct table_operation {
    struct policies *policies;
    enum table_verb verb;
    char policy[POLICY_NAME_BYTES], table[TABLE_NAME_BYTES], file[PATH_MAX], copy[PATH_MAX];
    struct file_stamp stamp;
    child_done_fn *done;
    void *arg;
};

struct vcl *
policies_of_table(struct policies *p, const char *name, const char **table, struct text *why)
{
    char policy[POLICY_NAME_BYTES];
    const char *dot = strrchr(name, '.');
    *table = dot == NULL ? name : dot + 1;
    if (dot != NULL)
        snprintf(policy, sizeof policy, "%.*s", (int)(dot - name), name);
    struct vcl *vcl = dot == NULL ? p->active : policies_find(p, policy);
    if (vcl == NULL || vcl->loading) {
        text_printf(why, dot == NULL ? "There is no active policy%s\n" : "There is no policy named %s\n",
                    dot == NULL ? "" : policy);
        return NULL;
    }
    return vcl_policy(vcl);
}

static void
answered(void *arg, int status, struct span text)
{
    struct table_operation *op = arg;
    struct vcl *vcl = policies_find(op->policies, op->policy);
    if (op->verb == TABLE_REPLACE && status == CLI_OK && vcl != NULL)
        keep(vcl, op->table, op->file, op->copy, &op->stamp, true);
    else
        unlink(op->copy);
    op->done(op->arg, status, text);
    free(op);
}

static void
refuse(struct text *why, child_done_fn *done, void *arg)
{
    done(arg, CLI_PARAM, text_span(why));
    text_release(why);
}

void
policies_table(struct policies *p, enum table_verb verb, const char *name, const char *file, bool json,
               child_done_fn *done, void *arg)
{
    struct text why = { 0 };
    const char *table;
    struct table_operation *op = calloc(1, sizeof *op);
    CHECK(op != NULL);
    *op = (struct table_operation){ .policies = p, .verb = verb, .done = done, .arg = arg };
    struct vcl *vcl = policies_of_table(p, name, &table, &why);
    int err = vcl == NULL ? ERR_NOTFOUND : 0;
    if (err == 0) {
        snprintf(op->policy, sizeof op->policy, "%s", vcl->name);
        snprintf(op->table, sizeof op->table, "%s", table);
        (void)policy_file_find(file, op->file); /* the copy reports a missing file */
        file_stamp(op->file, &op->stamp);
        err = copy_file(p, op->table, op->file, op->copy, &why);
    }
    if (err != 0) {
        free(op);
        refuse(&why, done, arg);
        return;
    }
    const char *words[6] = { verb == TABLE_DIFF ? "table_diff" : "table_replace" };
    unsigned n = 1;
    if (json)
        words[n++] = "-j";
    words[n++] = op->policy;
    words[n++] = op->table;
    words[n++] = workdir_inside(p->env.dir, op->copy);
    words[n++] = op->file;
    child_call(p->env.child, answered, op, n, words);
}
