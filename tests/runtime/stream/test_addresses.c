/* Connections counted by client address: prefixes, the limit, the size of the table, several threads. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "stream/addresses.h"
#include "test.h"

#define TABLE_MAX 64
#define PREFIX_BITS 60 /* not a multiple of 8 */
#define THREADS 4
#define ROUNDS 20000

static struct address
of(const char *text)
{
    struct address a = { .family = strchr(text, ':') != NULL ? 6 : 4, .port = (uint16_t)rand() };
    CHECK(inet_pton(a.family == 6 ? AF_INET6 : AF_INET, text, a.addr) == 1);
    return a;
}

static enum address_entry
enter(const char *text)
{
    struct address a = of(text);
    return addresses_enter(&a);
}

static void
leave(const char *text)
{
    struct address a = of(text);
    addresses_leave(&a);
}

static void
off_nothing_is_counted(void)
{
    params.connections_per_address = 0;
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_UNCOUNTED);
    params.connections_per_address = 2;
    EXPECT_EQ_INT(addresses_enter(&(struct address){ .family = 1 }), ADDRESS_UNCOUNTED);
    EXPECT_EQ_INT(addresses_enter(&(struct address){ .family = 0 }), ADDRESS_UNCOUNTED);
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
an_address_has_its_limit_and_others_have_theirs(void)
{
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_COUNTED);
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_COUNTED);
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_LIMITED);
    EXPECT_EQ_INT(enter("192.0.2.2"), ADDRESS_COUNTED);
    EXPECT_EQ_INT(enter("c000:0201::"), ADDRESS_COUNTED); /* the same bytes, but in another family */
    EXPECT_EQ_INT(addresses_held(), 3);
    uint64_t three = addresses_bytes();
    leave("192.0.2.1");
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_COUNTED);
    params.connections_per_address = 0; /* without a limit, counted connections still leave the count */
    leave("192.0.2.1");
    leave("192.0.2.1");
    leave("192.0.2.2");
    leave("c000:0201::");
    params.connections_per_address = 2;
    EXPECT_EQ_INT(addresses_held(), 0);
    EXPECT_EQ_INT(three - addresses_bytes(), 3 * 80); /* the buckets stay */
}

static void
a_network_is_one_client(void)
{
    EXPECT_EQ_INT(enter("2001:db8:0:10::1"), ADDRESS_COUNTED);
    EXPECT_EQ_INT(enter("2001:db8:0:1f:ffff::2"),
                  ADDRESS_COUNTED); /* equal in the first connections_prefix_ipv6 bits */
    EXPECT_EQ_INT(enter("2001:db8:0:17::3"), ADDRESS_LIMITED);
    EXPECT_EQ_INT(enter("2001:db8:0:20::1"), ADDRESS_COUNTED);
    EXPECT_EQ_INT(addresses_held(), 2);
    leave("2001:db8:0:18::9");
    leave("2001:db8:0:10::1");
    leave("2001:db8:0:20::1");
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
a_full_table_lets_further_addresses_in_uncounted(void)
{
    char text[32];
    for (int i = 0; i < TABLE_MAX; i++) {
        snprintf(text, sizeof text, "198.51.100.%d", i);
        EXPECT_EQ_INT(enter(text), ADDRESS_COUNTED);
    }
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_UNCOUNTED);
    EXPECT_EQ_INT(enter("198.51.100.0"), ADDRESS_COUNTED); /* a counted address is still limited */
    EXPECT_EQ_INT(enter("198.51.100.0"), ADDRESS_LIMITED);
    leave("198.51.100.0");
    for (int i = 0; i < TABLE_MAX; i++) {
        snprintf(text, sizeof text, "198.51.100.%d", i);
        leave(text);
    }
    EXPECT_EQ_INT(addresses_held(), 0);
}

/* ---- debts ---- */

#define NOW (1000 * NSEC_PER_SEC)

static double
debt(const char *text, nsec now)
{
    struct address a = of(text);
    return addresses_debt(&a, now);
}

static void
charge(const char *text, double part, nsec now)
{
    struct address a = of(text);
    addresses_charge(&a, part, now);
}

static bool
wait_with(const char *text)
{
    struct address a = of(text);
    return addresses_wait(&a);
}

static void
a_debt_has_a_limit_and_shrinks_with_time(void)
{
    EXPECT(debt("192.0.2.1", NOW) == 0);
    charge("192.0.2.1", 0.5, NOW);
    charge("2001:db8:0:10::1", 0.25, NOW);
    EXPECT(debt("192.0.2.1", NOW) == 0.5);
    EXPECT(debt("192.0.2.2", NOW) == 0);
    EXPECT(debt("2001:db8:0:1f:ffff::2", NOW) == 0.25); /* the same network */
    charge("192.0.2.1", 1, NOW);
    EXPECT(debt("192.0.2.1", NOW) == 1);
    EXPECT(debt("192.0.2.1", NOW + 5 * NSEC_PER_SEC) == 0.5);
    EXPECT(debt("192.0.2.1", NOW + 4 * NSEC_PER_SEC) == 0.5); /* another loop read the clock earlier */
    EXPECT_EQ_INT(addresses_held(), 2);
    EXPECT(debt("192.0.2.1", NOW + 10 * NSEC_PER_SEC) == 0);
    EXPECT(debt("2001:db8:0:10::1", NOW + 10 * NSEC_PER_SEC) == 0);
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
a_paid_debt_makes_room_when_another_address_is_charged(void)
{
    charge("192.0.2.1", 1, NOW);
    charge("192.0.2.2", 1, NOW + 60 * NSEC_PER_SEC);
    EXPECT_EQ_INT(addresses_held(), 1);
    EXPECT(debt("192.0.2.2", NOW + 100 * NSEC_PER_SEC) == 0);
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
the_oldest_debt_makes_room_in_a_full_table(void)
{
    char text[32];
    for (int i = 0; i <= TABLE_MAX; i++) {
        snprintf(text, sizeof text, "198.51.100.%d", i);
        charge(text, 1, NOW + i);
    }
    EXPECT_EQ_INT(addresses_held(), TABLE_MAX);
    EXPECT(debt("198.51.100.0", NOW) == 0);
    EXPECT(debt("198.51.100.1", NOW) > 0);
    EXPECT_EQ_INT(enter("198.51.100.1"), ADDRESS_COUNTED); /* it stays while a connection counts */
    EXPECT_EQ_INT(enter("192.0.2.1"), ADDRESS_COUNTED);
    EXPECT(debt("198.51.100.2", NOW) == 0);
    EXPECT(debt("198.51.100.1", NOW) > 0);
    leave("192.0.2.1");
    leave("198.51.100.1");
    for (int i = 0; i <= TABLE_MAX; i++) {
        snprintf(text, sizeof text, "198.51.100.%d", i);
        EXPECT(debt(text, NOW + 60 * NSEC_PER_SEC) == 0);
    }
    EXPECT_EQ_INT(addresses_held(), 0);
}

static enum address_entry
shake(const char *text, nsec now)
{
    struct address a = of(text);
    return addresses_shake(&a, now);
}

static void
shaken(const char *text)
{
    struct address a = of(text);
    addresses_shaken(&a);
}

static void
so_many_handshakes_of_an_address_are_under_way(void)
{
    params.tls_handshakes_per_address = 0;
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_UNCOUNTED);
    params.tls_handshakes_per_address = 2;
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_LIMITED);
    EXPECT_EQ_INT(shake("2001:db8:0:10::1", NOW), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("2001:db8:0:1f::1", NOW), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("2001:db8:0:11::1", NOW), ADDRESS_LIMITED); /* the same network */
    shaken("192.0.2.1");
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_COUNTED);
    params.tls_handshakes_per_address = 0; /* those that are counted still leave the count */
    shaken("192.0.2.1");
    shaken("192.0.2.1");
    shaken("2001:db8:0:10::1");
    shaken("2001:db8:0:10::1");
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
so_many_handshakes_of_an_address_begin_in_a_second(void)
{
    params.tls_handshake_rate_per_address = 4;
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_COUNTED);
        shaken("192.0.2.1");
    }
    EXPECT_EQ_INT(shake("192.0.2.1", NOW), ADDRESS_TOO_FAST);
    EXPECT_EQ_INT(shake("192.0.2.1", NOW + NSEC_PER_SEC / 2), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("192.0.2.1", NOW + NSEC_PER_SEC / 2), ADDRESS_COUNTED);
    EXPECT_EQ_INT(shake("192.0.2.1", NOW + NSEC_PER_SEC / 2), ADDRESS_TOO_FAST);
    shaken("192.0.2.1");
    shaken("192.0.2.1");
    EXPECT_EQ_INT(addresses_held(), 1); /* it is known for a second */
    EXPECT_EQ_INT(shake("192.0.2.2", NOW + 3 * NSEC_PER_SEC), ADDRESS_COUNTED);
    EXPECT_EQ_INT(addresses_held(), 1);
    params.tls_handshake_rate_per_address = 0;
    shaken("192.0.2.2");
    params.tls_handshakes_per_address = 1;
    EXPECT_EQ_INT(shake("192.0.2.1", NOW + 4 * NSEC_PER_SEC), ADDRESS_COUNTED);
    shaken("192.0.2.1");
    params.tls_handshakes_per_address = 0;
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void
so_many_connections_of_an_address_wait(void)
{
    charge("192.0.2.1", 1, NOW);
    EXPECT(wait_with("192.0.2.1"));
    EXPECT(wait_with("192.0.2.1"));
    EXPECT(!wait_with("192.0.2.1"));
    EXPECT(wait_with("192.0.2.2"));
    struct address a = of("192.0.2.1"), b = of("192.0.2.2");
    EXPECT(debt("192.0.2.1", NOW + 60 * NSEC_PER_SEC) == 0);
    EXPECT_EQ_INT(addresses_held(), 2); /* for those that wait */
    addresses_waited(&a);
    EXPECT(wait_with("192.0.2.1"));
    addresses_waited(&a);
    addresses_waited(&a);
    addresses_waited(&b);
    EXPECT_EQ_INT(addresses_held(), 0);
}

static void *
come_and_go(void *arg)
{
    struct address a = of("203.0.113.1");
    uint32_t random = (uint32_t)(uintptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        a.addr[3] = (uint8_t)(random >> 29);
        if (addresses_enter(&a) == ADDRESS_COUNTED)
            addresses_leave(&a);
        addresses_charge(&a, 0.001, NOW + i);
        if (addresses_debt(&a, NOW + i) > 0 && addresses_wait(&a))
            addresses_waited(&a);
        if (addresses_shake(&a, NOW + i) == ADDRESS_COUNTED)
            addresses_shaken(&a);
    }
    return NULL;
}

static void
threads_share_the_table(void)
{
    pthread_t threads[THREADS];
    params.tls_handshakes_per_address = 2;
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < 8; i++) {
        struct address a = of("203.0.113.1");
        a.addr[3] = (uint8_t)i;
        EXPECT(addresses_debt(&a, NOW + 60 * NSEC_PER_SEC) == 0);
    }
    EXPECT_EQ_INT(addresses_held(), 0);
}

static const struct test tests[] = {
    { "off_nothing_is_counted", off_nothing_is_counted },
    { "an_address_has_its_limit_and_others_have_theirs", an_address_has_its_limit_and_others_have_theirs },
    { "a_network_is_one_client", a_network_is_one_client },
    { "a_full_table_lets_further_addresses_in_uncounted", a_full_table_lets_further_addresses_in_uncounted },
    { "a_debt_has_a_limit_and_shrinks_with_time", a_debt_has_a_limit_and_shrinks_with_time },
    { "a_paid_debt_makes_room_when_another_address_is_charged",
      a_paid_debt_makes_room_when_another_address_is_charged },
    { "the_oldest_debt_makes_room_in_a_full_table", the_oldest_debt_makes_room_in_a_full_table },
    { "so_many_handshakes_of_an_address_are_under_way", so_many_handshakes_of_an_address_are_under_way },
    { "so_many_handshakes_of_an_address_begin_in_a_second",
      so_many_handshakes_of_an_address_begin_in_a_second },
    { "so_many_connections_of_an_address_wait", so_many_connections_of_an_address_wait },
    { "threads_share_the_table", threads_share_the_table },
};

int
main(int argc, char **argv)
{
    params.connections_per_address = 2;
    params.connections_addresses_max = TABLE_MAX;
    params.connections_prefix_ipv6 = PREFIX_BITS;
    params.h2_penalty_connections = 2;
    params.h2_budget_period_s = 10;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
