/* hot NAME: the share of one processor's time that the hooks of a policy took since the last call, and the
 * rules that took most of it. The manager asks before it orders optimised code
 * (manager/policies/policy_tier.c). Runs on the admin thread; policy/rule_counts.h has the counters.
 *
 * The answer has two lines: the share in percent, and the numbers of the rules, hottest first, as a JSON
 * array. The first call, and the first one after other rules came, answer 0: they begin the interval. */
#include <stdlib.h>

#include "worker/worker.h"
#include "daemon/status.h"
#include "base/check.h"

#define HOT_RULES_MAX 64u
#define HOT_PART 0.95 /* of the time: rules that the answer lists take so much together */

struct hot_rule {
    uint32_t rule;
    double ns;
};

struct hot_sums {
    const uint64_t *before; /* NULL: no earlier look */
    uint64_t *hits;
    struct hot_rule *rules;
    double ns;
};

static void
add_rule(const struct rule_report *r, uint32_t rule, uint64_t hits, uint64_t timed, double ns)
{
    struct hot_sums *s = r->arg;
    double spent = s->before == NULL || timed == 0 ? 0 : (double)(hits - s->before[rule]) * ns;
    s->hits[rule] = hits;
    s->rules[rule] = (struct hot_rule){ .rule = rule, .ns = spent };
    s->ns += spent;
}

static int
hotter_first(const void *a, const void *b)
{
    double left = ((const struct hot_rule *)a)->ns, right = ((const struct hot_rule *)b)->ns;
    return (left < right) - (left > right);
}

static void
write_rules(struct hot_sums *s, uint32_t n_rules, struct text *out)
{
    double listed = 0;
    if (n_rules > 0)
        qsort(s->rules, n_rules, sizeof *s->rules, hotter_first);
    text_str(out, "[");
    for (uint32_t i = 0; i < n_rules && i < HOT_RULES_MAX && listed < HOT_PART * s->ns; i++) {
        text_printf(out, "%s%u", i > 0 ? "," : "", (unsigned)s->rules[i].rule);
        listed += s->rules[i].ns;
    }
    text_str(out, "]");
}

int
worker_hot(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct loaded *l = argc == 2 ? worker_find(w, argv[1]) : NULL;
    if (l == NULL || l->policy == NULL)
        return text_say(out, CLI_PARAM, "No VCL named %s known\n", argc == 2 ? argv[1] : "");
    uint32_t n = policy_image(l->policy)->n_rules;
    nsec now = clock_mono_ns();
    struct hot_sums sums = { .before = l->look.n_rules == n ? l->look.hits : NULL,
                             .hits = calloc(n + 1u, sizeof *sums.hits),
                             .rules = calloc(n + 1u, sizeof *sums.rules) };
    CHECK(sums.hits != NULL && sums.rules != NULL);
    struct rule_report report = { .each = add_rule, .arg = &sums };
    policy_report_rules(l->policy, &report);
    double interval = (double)(now - l->look.at);
    text_printf(out, "%.3f\n", sums.before == NULL || interval <= 0 ? 0 : 100 * sums.ns / interval);
    write_rules(&sums, n, out);
    free(sums.rules);
    free(l->look.hits);
    l->look = (struct hot_look){ .at = now, .hits = sums.hits, .n_rules = n };
    return CLI_OK;
}
