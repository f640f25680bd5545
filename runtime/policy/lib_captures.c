/* Captures of vcl 5.0: the groups of a match. The test itself takes none, and may never run PCRE2. The first
 * group that a policy reads searches the subject, and the hook keeps all groups of the newest such search.
 * While a hook runs, nothing changes the bytes of a text, so address and length tell a subject apart. */
#include "base/check.h"
#include "match/pcre.h"
#include "policy/exports.h"
#include "policy/lib.h"

struct captures {
    const struct regex *regex;
    struct span subject;
    bool matched;
    unsigned n, room; /* groups; those of the pattern beyond REGEX_GROUPS_MAX cannot be read */
    struct span groups[];
};

static struct captures *
captures_of(struct policy_ctx *ctx, const struct regex *re)
{
    struct captures *c = ctx->captures;
    unsigned n = regex_groups(re) + 1;
    n = n < REGEX_GROUPS_MAX ? n : REGEX_GROUPS_MAX;
    if (c == NULL || c->room < n) {
        c = vcl_alloc(ctx, sizeof *c + n * sizeof *c->groups);
        if (c == NULL)
            return NULL;
        c->room = n;
        ctx->captures = c;
    }
    c->n = n;
    return c;
}

static bool
is_of(const struct captures *c, const struct regex *re, struct span subject)
{
    return c != NULL && c->regex == re && c->subject.ptr == subject.ptr && c->subject.len == subject.len;
}

struct span
vcl_match_group(struct policy_ctx *ctx, const struct regex *re, struct span subject, int64_t group)
{
    struct captures *c = ctx->captures;
    CHECK(group >= 0);
    if (!is_of(c, re, subject)) {
        c = captures_of(ctx, re);
        if (c == NULL)
            return SPAN_NULL;
        int result = regex_match_groups(re, subject, c->groups, c->n);
        c->regex = result < 0 ? NULL : re;
        c->subject = subject;
        c->matched = result > 0;
        if (result < 0)
            fail_match_limit(ctx);
    }
    return c->matched && group < c->n ? c->groups[group] : SPAN_NULL;
}
