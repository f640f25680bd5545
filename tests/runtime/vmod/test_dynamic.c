/* Module dynamic, with name resolution by the test. */
#include <netdb.h>
#include <semaphore.h>
#include <unistd.h>

#include "loop/fiber.h"
#include "loop/offload.h"
#include "origin/director.h"
#include "policy/acl.h"
#include "support/dns_server.h"
#include "support/image.h"
#include "vmod/dynamic_lookup.h"
#include "vmod/register.h"

typedef void *new_fn(struct policy_ctx *, uint32_t, struct span, struct span, struct span,
                     const struct image_probe *, const struct acl *, double, double, double, double, double,
                     double, int64_t, int64_t, const struct vcl_blob *, struct span, double, int64_t);
typedef void *resolver_fn(struct policy_ctx *, int32_t, int64_t);
typedef const struct vcl_blob *use_fn(struct policy_ctx *, void *);
typedef struct director *backend_fn(struct policy_ctx *, void *, struct span, struct span);
typedef struct director *service_fn(struct policy_ctx *, void *, struct span);
typedef void fini_fn(struct policy_ctx *, void *);

#define FUNCTION(shape, name) ((shape *)export_find(SPAN_LIT(name))->fn)
#define SHORT_S 0.005
#define LONG_S 1000.0

static struct loop *loop;
static struct policy_env env;
static struct policy_image image;
static struct policy *policy;
static struct arena arena;
static struct policy_ctx ctx;
static void *names;

static atomic_uint lookups, last_byte, failure;
static sem_t gate;
static atomic_bool gated;

static int
answer(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n)
{
    atomic_fetch_add(&lookups, 1);
    while (atomic_load(&gated) && sem_wait(&gate) != 0)
        ;
    *n = failure == 0 ? 2 : 0;
    for (unsigned i = 0; i < *n; i++)
        out[i] = (struct address){ .family = 4, .port = 80, .addr = { 192, 0, 2, (uint8_t)(last_byte + i) } };
    return (int)atomic_load(&failure);
}

static void
begin_policy(void)
{
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    env = (struct policy_env){ .n_loops = 1, .loops = &loop };
    image = image_empty();
    policy = image_load(&env, &image);
    policy_ctx_init(&ctx, policy, loop, &arena);
    dynamic_set_lookup(answer);
    while (sem_trywait(&gate) == 0)
        ;
    lookups = failure = 0;
    last_byte = 1;
}

static void
begin_with(double ttl, double patience, const char *share, const struct acl *allowed, int64_t keep)
{
    begin_policy();
    names = FUNCTION(new_fn, "dynamic_new")(&ctx, allowed != NULL ? 1u << 4 : 0, SPAN_LIT("80"), SPAN_NULL,
                                            span_str(share), NULL, allowed, ttl, -1, -1, -1, LONG_S, patience,
                                            0, 0, NULL, SPAN_LIT("cfg"), ttl, keep);
    EXPECT(names != NULL);
}

static void
begin(double ttl, double patience)
{
    begin_with(ttl, patience, "DEFAULT", NULL, 3);
}

static void
leave_loop(void *l)
{
    backend_loop_release(l);
}

static void
end(void)
{
    while (policy_uses(policy) > 0)
        loop_run_once(loop, NSEC_PER_SEC);
    FUNCTION(fini_fn, "dynamic_fini")(&ctx, names);
    policy_unload(&policy);
    on_loop(loop, leave_loop, loop);
    offload_stop();
    loop_release(&loop);
    arena_release(&arena);
    dynamic_set_lookup(NULL);
}

static struct director *
named(const char *host)
{
    return FUNCTION(backend_fn, "dynamic_backend")(&ctx, names, span_str(host), SPAN_NULL);
}

struct asking {
    struct director *of;
    struct backend *got;
    bool done;
};

static void
ask(void *arg)
{
    struct asking *a = arg;
    a->got = director_resolve(a->of, &ctx);
    a->done = true;
}

static void
spawn(void *arg)
{
    EXPECT_EQ_INT(fiber_spawn(loop, ask, arg), 0);
}

static void
run_until_done(struct asking *a)
{
    while (!a->done)
        loop_run_once(loop, NSEC_PER_SEC);
}

/* The backend that a fetch would use; empty: none. */
static struct span
chosen(struct director *d)
{
    struct asking a = { .of = d };
    on_loop(loop, spawn, &a);
    run_until_done(&a);
    return a.got == NULL ? SPAN_LIT("") : backend_name(a.got);
}

static void
addresses_of_a_name_take_turns(void)
{
    begin(LONG_S, LONG_S);
    struct director *d = named("a.test");
    EXPECT(director_healthy(d, NULL)); /* no request has used it yet */
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.1:80)"));
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.2:80)"));
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT("(192.0.2.1:80)"));
    EXPECT_EQ_INT(lookups, 1);
    (void)chosen(named("b.test"));
    EXPECT_EQ_INT(lookups, 2);
    end();
}

static void
those_who_need_the_first_answer_wait_for_the_same(void)
{
    begin(LONG_S, LONG_S);
    atomic_store(&gated, true);
    struct asking a[3] = { { .of = named("a.test") }, { .of = named("a.test") }, { .of = named("a.test") } };
    for (int i = 0; i < 3; i++)
        on_loop(loop, spawn, &a[i]);
    EXPECT(!a[0].done && !a[1].done && !a[2].done);
    atomic_store(&gated, false);
    sem_post(&gate);
    for (int i = 0; i < 3; i++) {
        run_until_done(&a[i]);
        EXPECT(a[i].got != NULL);
    }
    EXPECT_EQ_INT(lookups, 1);
    end();
}

static void
patience_has_an_end(void)
{
    begin(LONG_S, SHORT_S);
    atomic_store(&gated, true);
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT(""));
    atomic_store(&gated, false);
    sem_post(&gate);
    while (policy_uses(policy) > 0)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT("(192.0.2.1:80)")); /* the answer arrived at last */
    end();
}

static void
a_name_is_looked_up_again_while_its_last_answer_serves(void)
{
    begin(SHORT_S, LONG_S);
    struct director *d = named("a.test");
    (void)chosen(d);
    last_byte = 7;
    usleep((useconds_t)(2e6 * SHORT_S));
    atomic_store(&gated, true);
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.2:80)")); /* no request waits */
    atomic_store(&gated, false);
    sem_post(&gate);
    while (policy_uses(policy) > 0)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(lookups, 2);
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.7:80)"));
    end();
}

static void
a_failure_leaves_the_last_good_answer(void)
{
    begin(SHORT_S, LONG_S);
    struct director *d = named("a.test"), *never = named("never.test");
    (void)chosen(d);
    failure = (unsigned)EAI_AGAIN;
    EXPECT_EQ_SPAN(chosen(never), SPAN_LIT(""));
    EXPECT(!director_healthy(never, NULL));
    usleep((useconds_t)(2e6 * SHORT_S));
    for (int i = 0; i < 3; i++)
        EXPECT(chosen(d).len > 0);
    EXPECT(director_healthy(d, NULL));
    end();
}

static void
names_share_backends_or_have_their_own(void)
{
    begin_with(LONG_S, LONG_S, "HOST", NULL, 3);
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT(".a.test(192.0.2.1:80)"));
    EXPECT_EQ_SPAN(chosen(named("b.test")), SPAN_LIT(".b.test(192.0.2.1:80)"));
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT(".a.test(192.0.2.2:80)"));
    end();
}

static void
addresses_can_be_limited_to_those_of_an_acl(void)
{
    const struct image_acl_entry entry = {
        .family = 4, .bits = 32, .addr = { 192, 0, 2, 2 }, .text = SPAN_LIT("192.0.2.2")
    };
    struct acl *allowed;
    EXPECT_EQ_INT(acl_new(&(struct image_acl){ .name = SPAN_LIT("allowed"),
                                               .entries = &entry,
                                               .n_entries = 1 },
                          &allowed),
                  0);
    begin_with(LONG_S, LONG_S, "DEFAULT", allowed, 3);
    for (int i = 0; i < 2; i++)
        EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT("(192.0.2.2:80)"));
    end();
    acl_release(&allowed);
}

static void
count_member(struct director *d, void *arg)
{
    ++*(unsigned *)arg;
}

static unsigned
listed(void)
{
    unsigned n = 0;
    struct director *all = names; /* the object's first member */
    all->ops->list(all, count_member, &n);
    return n;
}

static void
answer_again(struct director *d, unsigned first_byte)
{
    unsigned before = lookups;
    last_byte = first_byte;
    usleep((useconds_t)(2e6 * SHORT_S));
    (void)chosen(d);
    while (policy_uses(policy) > 0)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(lookups, before + 1);
}

static void
a_backend_no_answer_has_is_retired_and_comes_back(void)
{
    begin_with(SHORT_S, LONG_S, "DEFAULT", NULL, 0);
    struct director *d = named("a.test");
    (void)chosen(d);
    EXPECT_EQ_INT(listed(), 2);
    answer_again(d, 2); /* 192.0.2.2 and .3 */
    EXPECT_EQ_INT(listed(), 2);
    answer_again(d, 1);
    EXPECT_EQ_INT(listed(), 2);
    EXPECT(chosen(d).len > 0);
    end();
    begin_with(SHORT_S, LONG_S, "DEFAULT", NULL, 100000);
    d = named("a.test");
    (void)chosen(d);
    answer_again(d, 7);
    EXPECT_EQ_INT(listed(), 4); /* kept for a multiple of the ttl */
    end();
}

static void
a_name_that_nobody_uses_loses_its_answer(void)
{
    begin_policy();
    names = FUNCTION(new_fn, "dynamic_new")(&ctx, 0, SPAN_LIT("80"), SPAN_NULL, SPAN_LIT("DEFAULT"), NULL,
                                            NULL, LONG_S, -1, -1, -1, SHORT_S, LONG_S, 0, 0, NULL,
                                            SPAN_LIT("cfg"), LONG_S, 0);
    (void)chosen(named("a.test"));
    last_byte = 7;
    usleep((useconds_t)(2e6 * SHORT_S));
    (void)chosen(named("b.test")); /* notices that the name is unused */
    EXPECT_EQ_INT(listed(), 4);
    (void)named("b.test");
    EXPECT_EQ_INT(listed(), 2);
    EXPECT_EQ_SPAN(chosen(named("a.test")), SPAN_LIT("(192.0.2.8:80)")); /* its round robin continues */
    EXPECT_EQ_INT(lookups, 3);
    end();
}

/* ---- with a resolver
 * ----------------------------------------------------------------------------------------------------- */

static void
settle(void) /* until no resolution is running */
{
    while (policy_uses(policy) > 0)
        loop_run_once(loop, NSEC_PER_SEC);
}

static struct dns_server server;
static void *resolver;

static void
begin_asking(const struct dns_row *rows, size_t n, double ttl, const char *ttl_from)
{
    begin_policy();
    dns_server_begin(&server, rows, n);
    resolver = FUNCTION(resolver_fn, "dynamic_resolver_new")(&ctx, 1, 16);
    const struct vcl_blob *blob = FUNCTION(use_fn, "dynamic_resolver_use")(&ctx, resolver);
    names = FUNCTION(new_fn, "dynamic_new")(&ctx, 1u << 13, SPAN_LIT("80"), SPAN_NULL, SPAN_LIT("DEFAULT"),
                                            NULL, NULL, ttl, -1, -1, -1, LONG_S, LONG_S, 0, 0, blob,
                                            span_str(ttl_from), ttl, 3);
    EXPECT(names != NULL);
}

static void
end_asking(void)
{
    end();
    FUNCTION(fini_fn, "dynamic_resolver_fini")(NULL, resolver);
    dns_server_end(&server);
}

/* Whether the name was queried again after a part of the answer's ttl. */
static bool
asked_again(const struct dns_row *row, double ttl, const char *ttl_from)
{
    begin_asking(row, 1, ttl, ttl_from);
    struct director *d = named(row->asked);
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.1:80)"));
    unsigned before = server.asked;
    usleep((useconds_t)(4e6 * SHORT_S));
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.1:80)"));
    settle();
    bool again = server.asked > before;
    end_asking();
    return again;
}

static void
an_answer_lasts_as_long_as_dns_or_the_policy_say(void)
{
    static const struct dns_row always = DNS_ROW("a.test", ns_t_a, 1000, "192.0.2.1"),
                                never = DNS_ROW("a.test", ns_t_a, 0, "192.0.2.1");
    EXPECT(asked_again(&always, SHORT_S, "cfg"));
    EXPECT(!asked_again(&never, LONG_S, "cfg"));
    EXPECT(!asked_again(&always, SHORT_S, "dns"));
    EXPECT(asked_again(&never, LONG_S, "dns"));
    EXPECT(asked_again(&always, SHORT_S, "min"));
    EXPECT(asked_again(&never, LONG_S, "min"));
    EXPECT(!asked_again(&always, SHORT_S, "max"));
    EXPECT(!asked_again(&never, LONG_S, "max"));
}

static void
what_dns_does_not_have_the_system_may(void)
{
    static const struct dns_row row = DNS_FAILS("broken.test", ns_r_servfail);
    begin_asking(&row, 1, LONG_S, "dns");
    EXPECT_EQ_SPAN(chosen(named("192.0.2.77")), SPAN_LIT("(192.0.2.77:80)"));
    EXPECT_EQ_INT(server.asked, 0);             /* no name */
    EXPECT(chosen(named("localhost")).len > 0); /* from /etc/hosts */
    EXPECT_EQ_SPAN(chosen(named("broken.test")), SPAN_LIT(""));
    end_asking();
}

static struct director *
served(const char *service)
{
    return FUNCTION(service_fn, "dynamic_service")(&ctx, names, span_str(service));
}

#define SRV(rdata) DNS_ROW("_http._tcp.test", ns_t_srv, 1000, rdata)

static void
a_service_is_its_healthy_targets_of_the_lowest_priority(void)
{
    static const struct dns_row rows[] = {
        SRV("10 1 8001 a.test"),
        SRV("10 0 8002 a.test"),
        SRV("20 1 8003 b.test"),
        SRV("5 1 8004 gone.test"),
        DNS_ROW("a.test", ns_t_a, 1000, "192.0.2.1"),
        DNS_ROW("b.test", ns_t_a, 1000, "192.0.2.2"),
    };
    begin_asking(rows, sizeof rows / sizeof rows[0], LONG_S, "dns");
    struct director *d = served("_http._tcp.test");
    EXPECT(director_healthy(d, NULL)); /* no request has used it yet */
    for (int i = 0; i < 20; i++)
        EXPECT_EQ_SPAN(chosen(d),
                       /* the lowest priority has no address, the next no weight */
                       SPAN_LIT("(192.0.2.1:8001)"));
    EXPECT(director_healthy(d, NULL));
    unsigned n = 0;
    d->ops->list(d, count_member, &n);
    EXPECT_EQ_INT(n, 4);
    EXPECT(d == served("_http._tcp.test") && d != named("_http._tcp.test"));
    end_asking();
}

static void
targets_are_chosen_by_weight(void)
{
    static const struct dns_row rows[] = {
        SRV("0 90 8001 a.test"),
        SRV("0 10 8002 a.test"),
        DNS_ROW("a.test", ns_t_a, 1000, "192.0.2.1"),
        DNS_ROW("_even._tcp.test", ns_t_srv, 1000, "0 0 8003 a.test"),
        DNS_ROW("_even._tcp.test", ns_t_srv, 1000, "0 0 8004 a.test"),
    };
    begin_asking(rows, sizeof rows / sizeof rows[0], LONG_S, "dns");
    struct director *weighted = served("_http._tcp.test"), *even = served("_even._tcp.test");
    unsigned often = 0, first = 0;
    for (int i = 0; i < 1000; i++) {
        often += span_eq(chosen(weighted), SPAN_LIT("(192.0.2.1:8001)"));
        first += span_eq(chosen(even), SPAN_LIT("(192.0.2.1:8003)"));
    }
    EXPECT(often > 800 && often < 980); /* the mean plus or minus ten standard deviations */
    EXPECT(first > 300 && first < 700);
    end_asking();
}

static void
a_service_is_looked_up_again_and_keeps_its_targets_meanwhile(void)
{
    static struct dns_row rows[] = {
        DNS_ROW("_http._tcp.test", ns_t_srv, 0, "0 0 8001 a.test"),
        DNS_ROW("a.test", ns_t_a, 1000, "192.0.2.1"),
    };
    begin_asking(rows, 2, SHORT_S, "dns");
    struct director *d = served("_http._tcp.test");
    EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.1:8001)"));
    settle();
    dns_server_end(&server);
    rows[0].rdata = "0 0 8002 a.test";
    dns_server_begin(&server, rows, 2);
    while (!span_eq(chosen(d), SPAN_LIT("(192.0.2.1:8002)")))
        EXPECT(chosen(d).len > 0);
    settle();
    dns_server_end(&server);
    dns_server_begin(&server, rows, 0); /* the server has no records any more */
    for (int i = 0; i < 3; i++) {
        usleep((useconds_t)(2e6 * SHORT_S));
        EXPECT_EQ_SPAN(chosen(d), SPAN_LIT("(192.0.2.1:8002)"));
    }
    end_asking();
}

static void
a_service_needs_a_resolver_and_a_name(void)
{
    static const struct dns_row row = DNS_FAILS("broken.test", ns_r_servfail);
    begin(LONG_S, LONG_S);
    EXPECT(served("_http._tcp.test") == NULL && ctx.failed);
    end();
    begin_asking(&row, 1, LONG_S, "dns");
    EXPECT(served("") == NULL && !ctx.failed);
    EXPECT_EQ_SPAN(chosen(served("_nothing._tcp.test")), SPAN_LIT(""));
    EXPECT(!director_healthy(served("_nothing._tcp.test"), NULL));
    end_asking();
}

static void
names_have_limits(void)
{
    begin(LONG_S, LONG_S);
    char host[300];
    memset(host, 'a', sizeof host - 1);
    host[sizeof host - 1] = '\0';
    EXPECT(named(host) == NULL);
    EXPECT(named("") == NULL); /* without a request there is no default name */
    for (int i = 0; i < 512; i++) {
        snprintf(host, sizeof host, "h%d.test", i);
        EXPECT(named(host) != NULL);
    }
    EXPECT(named("one.more.test") == NULL); /* all other names were used just now */
    EXPECT(named("h7.test") != NULL);
    end();
}

static const struct test tests[] = {
    { "addresses_of_a_name_take_turns", addresses_of_a_name_take_turns },
    { "those_who_need_the_first_answer_wait_for_the_same",
      those_who_need_the_first_answer_wait_for_the_same },
    { "patience_has_an_end", patience_has_an_end },
    { "a_name_is_looked_up_again_while_its_last_answer_serves",
      a_name_is_looked_up_again_while_its_last_answer_serves },
    { "a_failure_leaves_the_last_good_answer", a_failure_leaves_the_last_good_answer },
    { "names_share_backends_or_have_their_own", names_share_backends_or_have_their_own },
    { "addresses_can_be_limited_to_those_of_an_acl", addresses_can_be_limited_to_those_of_an_acl },
    { "a_backend_no_answer_has_is_retired_and_comes_back",
      a_backend_no_answer_has_is_retired_and_comes_back },
    { "a_name_that_nobody_uses_loses_its_answer", a_name_that_nobody_uses_loses_its_answer },
    { "an_answer_lasts_as_long_as_dns_or_the_policy_say", an_answer_lasts_as_long_as_dns_or_the_policy_say },
    { "what_dns_does_not_have_the_system_may", what_dns_does_not_have_the_system_may },
    { "a_service_is_its_healthy_targets_of_the_lowest_priority",
      a_service_is_its_healthy_targets_of_the_lowest_priority },
    { "targets_are_chosen_by_weight", targets_are_chosen_by_weight },
    { "a_service_is_looked_up_again_and_keeps_its_targets_meanwhile",
      a_service_is_looked_up_again_and_keeps_its_targets_meanwhile },
    { "a_service_needs_a_resolver_and_a_name", a_service_needs_a_resolver_and_a_name },
    { "names_have_limits", names_have_limits },
};

int
main(int argc, char **argv)
{
    sem_init(&gate, 0, 0);
    vmod_register();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
