/* Queries to our own DNS server. */
#include <netdb.h>

#include "base/clock.h"
#include "base/mem.h"
#include "support/dns_server.h"

static const struct dns_row rows[] = {
    DNS_ROW("one.test", ns_t_a, 300, "192.0.2.1"),
    DNS_ROW("both.test", ns_t_a, 300, "192.0.2.1"),
    DNS_ROW("both.test", ns_t_a, 60, "192.0.2.2"),
    DNS_ROW("both.test", ns_t_aaaa, 7, "2001:db8::1"),
    DNS_ROW("alias.test", ns_t_cname, 5, "one.test"),
    { "alias.test", ns_t_a, 300, "192.0.2.9", 0, "one.test" },
    DNS_ROW("empty.test", ns_t_srv, 300, "0 0 80 one.test"),
    DNS_ROW("_http._tcp.test", ns_t_srv, 300, "10 60 80 one.test"),
    DNS_ROW("_http._tcp.test", ns_t_srv, 9, "20 0 8080 both.test"),
    DNS_ROW("_none._tcp.test", ns_t_srv, 300, "0 0 0 ."),
    DNS_FAILS("broken.test", ns_r_servfail),
    DNS_FAILS("silent.test", DNS_SILENT),
    DNS_FAILS("long.test", DNS_CUT),
    DNS_ROW("long.test", ns_t_a, 42, "192.0.2.42"),
};

static struct dns_server server;
static struct address found[4];
static struct dns_addresses answer;

static int
ask_with(const struct dns_options *o, const char *name)
{
    answer = (struct dns_addresses){ .at = found, .max = 4 };
    return dns_addresses(o, name, &answer);
}

static int
ask(const char *name)
{
    return ask_with(&(struct dns_options){ .timeout_s = 1 }, name);
}

static void
expect_found(unsigned i, const char *text)
{
    char shown[ADDRESS_TEXT_BYTES];
    address_text(&found[i], shown);
    EXPECT_EQ_SPAN(span_str(shown), span_str(text));
}

static void
addresses_of_both_kinds_come_with_the_least_time_to_live(void)
{
    EXPECT_EQ_INT(ask("one.test"), 0);
    EXPECT_EQ_INT(answer.n, 1);
    EXPECT_EQ_INT(answer.ttl_s, 300);
    expect_found(0, "192.0.2.1");
    EXPECT_EQ_INT(ask("both.test"), 0);
    EXPECT_EQ_INT(answer.n, 3);
    EXPECT_EQ_INT(answer.ttl_s, 7);
    expect_found(1, "192.0.2.2");
    expect_found(2, "2001:db8::1");
}

static void
another_name_is_followed_and_its_time_counts(void)
{
    EXPECT_EQ_INT(ask("alias.test"), 0);
    EXPECT_EQ_INT(answer.n, 1);
    EXPECT_EQ_INT(answer.ttl_s, 5);
    expect_found(0, "192.0.2.9");
}

static void
what_is_cut_short_is_asked_by_tcp(void)
{
    EXPECT_EQ_INT(ask("long.test"), 0);
    expect_found(0, "192.0.2.42");
    EXPECT_EQ_INT(ask_with(&(struct dns_options){ .timeout_s = 1, .by_tcp = true }, "one.test"), 0);
    expect_found(0, "192.0.2.1");
}

static void
failures_are_told_apart(void)
{
    EXPECT_EQ_INT(ask("nowhere.test"), EAI_NONAME);
    EXPECT_EQ_INT(ask("empty.test"), EAI_NONAME);
    EXPECT_EQ_INT(ask("broken.test"), EAI_AGAIN);
    nsec before = clock_mono_ns();
    EXPECT_EQ_INT(ask("silent.test"), EAI_AGAIN);
    EXPECT(clock_mono_ns() - before < 10 * NSEC_PER_SEC); /* the system's own timeout is longer */
    EXPECT(ask("..") != 0);
    EXPECT(ask("") != 0);
}

static void
a_service_has_targets_with_priority_and_weight(void)
{
    static struct dns_services s;
    const struct dns_options o = { .timeout_s = 1 };
    EXPECT_EQ_INT(dns_services(&o, "_http._tcp.test", &s), 0);
    EXPECT_EQ_INT(s.n, 2);
    EXPECT_EQ_INT(s.ttl_s, 9);
    EXPECT_EQ_SPAN(span_str(s.at[0].host), SPAN_LIT("one.test"));
    EXPECT(s.at[0].priority == 10 && s.at[0].weight == 60 && s.at[0].port == 80);
    EXPECT(s.at[1].priority == 20 && s.at[1].weight == 0 && s.at[1].port == 8080);
    EXPECT_EQ_INT(dns_services(&o, "_none._tcp.test", &s), EAI_NONAME);
    EXPECT_EQ_INT(dns_services(&o, "one.test", &s), EAI_NONAME);
    EXPECT_EQ_INT(dns_services(&o, "broken.test", &s), EAI_AGAIN);
}

static const struct test tests[] = {
    { "addresses_of_both_kinds_come_with_the_least_time_to_live",
      addresses_of_both_kinds_come_with_the_least_time_to_live },
    { "another_name_is_followed_and_its_time_counts", another_name_is_followed_and_its_time_counts },
    { "what_is_cut_short_is_asked_by_tcp", what_is_cut_short_is_asked_by_tcp },
    { "a_service_has_targets_with_priority_and_weight", a_service_has_targets_with_priority_and_weight },
    { "failures_are_told_apart", failures_are_told_apart },
};

int
main(int argc, char **argv)
{
    dns_server_begin(&server, rows, sizeof rows / sizeof rows[0]);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    dns_server_end(&server);
    mem_thread_release();
    return status;
}
