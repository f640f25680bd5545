/* Shared by the tests of bans: one store, and shorthands for its list of bans. */
#ifndef VERNIS_TESTS_RUNTIME_CACHE_BAN_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_CACHE_BAN_FIXTURE_H

#include "fixture.h"

#include "base/params.h"

static struct fixture f;

static inline void
begin(void)
{
    fixture_init(&f, 0);
    params.ban_lurker_age_s = 0;
    params.ban_lurker_sleep_s = 0.01;
    params.ban_cutoff = 0;
    params.ban_dups = true;
}

static inline void
end(void)
{
    fixture_release(&f);
}

static inline const char *
ban_at(const char *text, nsec now)
{
    static char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    if (ban_draft_parse(text == NULL ? SPAN_NULL : span_str(text), &d, error) != 0)
        return error;
    return ban_by_draft(f.store, &d, now, error) == 0 ? "" : error;
}

static inline void
ban(const char *text)
{
    EXPECT_EQ_STR(span_str(ban_at(text, T0)), "");
}

struct listed {
    unsigned n, completed, refs;
    char text[4096];
};

static inline void
list_one(const struct ban_info *info, void *arg)
{
    struct listed *l = arg;
    l->n++;
    l->completed += info->completed;
    l->refs += info->refs;
    snprintf(l->text + strlen(l->text), sizeof l->text - strlen(l->text), "%s%.*s\n",
             info->completed ? "C " : "- ", (int)info->text.len, info->text.ptr);
}

static inline struct listed
list(void)
{
    struct listed l = { 0 };
    store_ban_each(f.store, list_one, &l);
    return l;
}

static inline nsec
lurk(nsec now)
{
    return store_lurk(f.store, now, NULL, NULL);
}

#endif
