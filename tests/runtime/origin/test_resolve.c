/* Backends whose names get other addresses. The test replaces name resolution. */
#include <netdb.h>
#include <stdlib.h>

#include "http/names.h"
#include "loop/offload.h"
#include "origin/backend_internal.h"
#include "pool_fixture.h"

static _Atomic(const char *)
    answers[3];           /* addresses of any name, NULL at the end; no address: the name does not exist */
static atomic_uint asked; /* number of resolutions */

/* Replaces the C library's function. */
int
getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **out)
{
    struct addrinfo *first = NULL, **last = &first;
    bool numeric = (hints->ai_flags & AI_NUMERICHOST) != 0;
    const char *list[] = { numeric ? host : answers[0], numeric ? NULL : answers[1], NULL };
    atomic_fetch_add(&asked, !numeric);
    for (unsigned i = 0; list[i] != NULL; i++) {
        struct {
            struct addrinfo ai;
            struct sockaddr_in sin;
        } *one = calloc(1, sizeof *one);
        one->sin = (struct sockaddr_in){ .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)(port == NULL ? 0 : atoi(port))) };
        if (inet_pton(AF_INET, list[i], &one->sin.sin_addr) != 1) {
            free(one);
            return EAI_NONAME;
        }
        one->ai = (struct addrinfo){ .ai_family = AF_INET,
                                     .ai_addr = (struct sockaddr *)&one->sin,
                                     .ai_addrlen = sizeof one->sin };
        *last = &one->ai;
        last = &one->ai.ai_next;
    }
    *out = first;
    return first == NULL ? EAI_NONAME : 0;
}

void
freeaddrinfo(struct addrinfo *list)
{
    for (struct addrinfo *next; list != NULL; list = next) {
        next = list->ai_next;
        free(list);
    }
}

static void
now_at(const char *a, const char *b)
{
    answers[1] = NULL;
    answers[0] = a;
    answers[1] = b;
}

/* Turns the loop until `n` resolutions failed or changed something. */
static void
turn_until_counted(const uint64_t *counter, uint64_t n)
{
    while (*counter < n)
        loop_run_once(loop, NSEC_PER_MSEC);
}

/* Waits for a resolution that began after this call, and for the result of the previous one. */
static void
turn_until_asked_again(void)
{
    for (unsigned n = atomic_load(&asked); atomic_load(&asked) < n + 3;)
        loop_run_once(loop, NSEC_PER_MSEC);
}

static struct backend *
named(void)
{
    begin();
    params.backend_resolve_interval_s = 0.002;
    now_at("127.0.0.1", NULL);
    declared.host = SPAN_LIT("origin.example");
    struct backend *b = make();
    backend_start_probe(b, loop);
    return b;
}

static void
end_named(struct backend *b)
{
    backend_release(&b);
    while (fiber_count(loop) > 0) /* running resolutions and polls end */
        loop_run_once(loop, NSEC_PER_MSEC);
    params.backend_resolve_interval_s = 0;
    offload_stop(); /* first: its threads still use the loop just after they woke it */
    end();
}

static void
an_address_that_changes_is_taken_and_connections_drain(void)
{
    struct backend *b = named();
    struct counters *n = counters_here();
    uint64_t before = n->backend_resolved;
    struct step one = get(b), idle = get(b);
    on_loop(loop, keep_it, &idle.got);
    EXPECT_EQ_INT(backend_idle(b), 1);
    now_at("127.0.0.2", NULL);
    turn_until_counted(&n->backend_resolved, before + 1);
    EXPECT_EQ_INT(backend_idle(b), 0);
    struct address peer;
    conn_peer(&one.got->conn, &peer);
    EXPECT(one.got->conn.poll.fd >= 0 && peer.addr[3] == 1); /* still open, but not for another request */
    on_loop(loop, keep_it, &one.got);
    EXPECT_EQ_INT(backend_idle(b), 0);
    EXPECT_EQ_INT(b->address.to_found.at[0].addr[3], 2);
    now_at("127.0.0.1", NULL);
    turn_until_counted(&n->backend_resolved, before + 2);
    struct step two = get(b);
    EXPECT_EQ_INT(two.err, 0);
    EXPECT(!two.got->reused);
    on_loop(loop, drop_it, &two.got);
    end_named(b);
}

static void
an_address_that_is_still_among_the_answers_stays(void)
{
    struct backend *b = named();
    uint64_t before = counters_here()->backend_resolved, failed = counters_here()->backend_resolve_fail;
    struct endpoint *ep = b->endpoint;
    now_at("127.0.0.2", "127.0.0.1");
    turn_until_asked_again();
    now_at(NULL, NULL); /* the name is gone, so the old addresses stay */
    turn_until_counted(&counters_here()->backend_resolve_fail, failed + 1);
    EXPECT(b->endpoint == ep);
    EXPECT_EQ_INT(counters_here()->backend_resolved, before);
    end_named(b);
}

static void
polls_go_on_at_the_new_address(void)
{
    begin();
    params.backend_resolve_interval_s = 0.002;
    now_at("127.0.0.2", NULL); /* nothing listens there */
    declared.host = SPAN_LIT("origin.example");
    static const struct image_probe probe = { .name = { "p", 1 },
                                              .expected_response = 200,
                                              .window = 1,
                                              .threshold = 1,
                                              .timeout_s = 2,
                                              .interval_s = 0.01 };
    struct backend *b = NULL;
    char why[128];
    EXPECT_EQ_INT(backend_new(SPAN_LIT("p"), &declared, NULL, &probe, &b, why, sizeof why), 0);
    backend_start_probe(b, loop);
    EXPECT(!director_healthy(backend_director(b), NULL));
    now_at("127.0.0.1", NULL);
    while (!director_healthy(backend_director(b), NULL))
        loop_run_once(loop, NSEC_PER_MSEC);
    end_named(b);
}

static void
without_the_parameter_or_a_name_nothing_is_looked_up(void)
{
    struct backend *b = named();
    EXPECT(b->resolver != NULL);
    backend_stop_probe(b);
    EXPECT(b->resolver == NULL);
    params.backend_resolve_interval_s = 0;
    backend_start_probe(b, loop);
    EXPECT(b->resolver == NULL);
    params.backend_resolve_interval_s = 1;
    declared.host = SPAN_LIT("127.0.0.1");
    struct backend *numeric = make();
    backend_start_probe(numeric, loop);
    EXPECT(numeric->resolver == NULL);
    backend_release(&numeric);
    end_named(b);
}

static const struct test tests[] = {
    { "an_address_that_changes_is_taken_and_connections_drain",
      an_address_that_changes_is_taken_and_connections_drain },
    { "an_address_that_is_still_among_the_answers_stays", an_address_that_is_still_among_the_answers_stays },
    { "polls_go_on_at_the_new_address", polls_go_on_at_the_new_address },
    { "without_the_parameter_or_a_name_nothing_is_looked_up",
      without_the_parameter_or_a_name_nothing_is_looked_up },
};

int
main(int argc, char **argv)
{
    names_init();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
