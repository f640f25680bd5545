/* Address lists: longest prefix, negation, families. */
#include <arpa/inet.h>

#include "policy/acl.h"
#include "test.h"

#define MAX_ENTRIES 512

static struct image_acl_entry entries[MAX_ENTRIES];
static unsigned n;

static void
entry(const char *address, unsigned bits, bool negated)
{
    struct image_acl_entry *e = &entries[n++];
    *e = (struct image_acl_entry){
        .family = 4, .bits = (uint8_t)bits, .negated = negated, .text = span_str(address)
    };
    if (inet_pton(AF_INET, address, e->addr) == 1)
        return;
    e->family = 6;
    EXPECT(inet_pton(AF_INET6, address, e->addr) == 1);
}

static struct acl *
build(void)
{
    struct image_acl im = { .name = SPAN_LIT("acl"), .entries = entries, .n_entries = n };
    struct acl *acl = NULL;
    EXPECT_EQ_INT(acl_new(&im, &acl), 0);
    n = 0;
    return acl;
}

static struct acl_verdict
look_up(const struct acl *acl, const char *address)
{
    struct vcl_ip ip = { .family = 4 };
    if (inet_pton(AF_INET, address, ip.addr) != 1) {
        ip.family = 6;
        EXPECT(inet_pton(AF_INET6, address, ip.addr) == 1);
    }
    return acl_look_up(acl, &ip);
}

static void
the_longest_prefix_decides(void)
{
    entry("10.0.0.0", 8, false);
    entry("10.1.2.0", 24, false);
    entry("10.1.0.0", 16, true);
    struct acl *acl = build();
    EXPECT(look_up(acl, "10.9.9.9").match);
    EXPECT(!look_up(acl, "10.1.9.9").match);
    EXPECT_EQ_STR(look_up(acl, "10.1.9.9").text, "10.1.0.0");
    EXPECT(look_up(acl, "10.1.2.3").match);
    EXPECT(!look_up(acl, "11.0.0.0").match);
    EXPECT(look_up(acl, "11.0.0.0").text.ptr == NULL);
    acl_release(&acl);
}

static void
bits_beyond_the_prefix_do_not_count(void)
{
    entry("192.168.1.77", 25, false);
    struct acl *acl = build();
    EXPECT(look_up(acl, "192.168.1.127").match);
    EXPECT(!look_up(acl, "192.168.1.128").match);
    acl_release(&acl);
}

static void
a_prefix_of_no_bits_covers_its_family_only(void)
{
    entry("0.0.0.0", 0, false);
    struct acl *acl = build();
    EXPECT(look_up(acl, "255.255.255.255").match);
    EXPECT(!look_up(acl, "::1").match);
    acl_release(&acl);
}

static void
ipv6_prefixes(void)
{
    entry("2001:db8::", 32, false);
    entry("2001:db8:0:1::", 64, true);
    entry("2001:db8:0:1::5", 128, false);
    struct acl *acl = build();
    EXPECT(look_up(acl, "2001:db8:ffff::1").match);
    EXPECT(!look_up(acl, "2001:db8:0:1::4").match);
    EXPECT(look_up(acl, "2001:db8:0:1::5").match);
    EXPECT(!look_up(acl, "2001:db9::").match);
    acl_release(&acl);
}

static void
of_two_equal_prefixes_the_first_decides(void)
{
    entry("10.0.0.0", 8, true);
    entry("10.0.0.0", 8, false);
    struct acl *acl = build();
    EXPECT(!look_up(acl, "10.0.0.1").match);
    acl_release(&acl);
}

static void
no_address_is_in_no_list(void)
{
    entry("0.0.0.0", 0, false);
    struct acl *acl = build();
    struct vcl_ip unix_socket = { .family = 0 };
    EXPECT(!acl_look_up(acl, &unix_socket).match);
    EXPECT(!acl_look_up(acl, NULL).match);
    acl_release(&acl);
    acl = build(); /* empty */
    EXPECT(!look_up(acl, "1.2.3.4").match);
    acl_release(&acl);
}

static void
a_prefix_too_long_for_its_family_is_refused(void)
{
    entry("10.0.0.0", 33, false);
    struct image_acl im = { .name = SPAN_LIT("acl"), .entries = entries, .n_entries = n };
    struct acl *acl = NULL;
    EXPECT_EQ_INT(acl_new(&im, &acl), -6); /* ERR_SYNTAX */
    EXPECT(acl == NULL);
    n = 0;
}

/* Against a search through all entries. */
static void
look_up_agrees_with_a_linear_search(void)
{
    uint32_t seed = 12345;
    for (int round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 200; i++) {
            seed = seed * 1664525 + 1013904223;
            static char text[32]; /* the texts of entries do not matter here */
            snprintf(text, sizeof text, "10.%u.%u.%u", seed >> 28, seed >> 24 & 15, seed >> 16 & 255);
            entry(text, 8 + seed % 25, (seed >> 9 & 3) == 0);
        }
        unsigned count = n;
        struct acl *acl = build();
        for (unsigned i = 0; i < 300; i++) {
            seed = seed * 1664525 + 1013904223;
            uint8_t a[4] = { 10, (uint8_t)(seed >> 28), (uint8_t)(seed >> 24 & 15), (uint8_t)(seed >> 16) };
            int best = -1;
            for (unsigned e = 0; e < count; e++) {
                uint32_t mask = entries[e].bits == 0 ? 0 : ~0u << (32 - entries[e].bits), x, y;
                memcpy(&x, a, 4);
                memcpy(&y, entries[e].addr, 4);
                if (((ntohl(x) ^ ntohl(y)) & mask) == 0 && (best < 0 || entries[e].bits > entries[best].bits))
                    best = (int)e;
            }
            struct vcl_ip ip = { .family = 4, .addr = { a[0], a[1], a[2], a[3] } };
            EXPECT_EQ_INT(acl_look_up(acl, &ip).match, best >= 0 && !entries[best].negated);
        }
        acl_release(&acl);
    }
}

/* 512 entries make at most 1,025 ranges: ten or eleven comparisons, whatever the prefix lengths. */
static void
a_look_up_is_one_binary_search(void)
{
    uint32_t seed = 99;
    for (unsigned i = 0; i < MAX_ENTRIES; i++) {
        static char text[32];
        seed = seed * 1664525 + 1013904223;
        snprintf(text, sizeof text, "10.%u.%u.%u", seed >> 24, seed >> 16 & 255, seed >> 8 & 255);
        entry(text, 1 + i % 32, i % 5 == 0);
    }
    struct acl *acl = build();
    for (unsigned i = 0; i < 256; i++) {
        struct vcl_ip ip = { .family = 4, .addr = { 10, (uint8_t)i, (uint8_t)(7 * i), 1 } };
        unsigned steps = acl_look_up(acl, &ip).steps;
        EXPECT(steps >= 8 && steps <= 11);
    }
    acl_release(&acl);
    entry("10.0.0.0", 8, false);
    acl = build();
    EXPECT_EQ_INT(look_up(acl, "10.1.1.1").steps, 2); /* below, inside, above */
    acl_release(&acl);
}

static void
the_last_addresses_have_a_decider(void)
{
    entry("255.255.255.0", 24, false);
    entry("ffff::", 16, false);
    struct acl *acl = build();
    EXPECT(look_up(acl, "255.255.255.255").match && !look_up(acl, "255.255.254.255").match);
    EXPECT(look_up(acl, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff").match && !look_up(acl, "fffe::1").match);
    acl_release(&acl);
}

static const struct test tests[] = {
    { "the_longest_prefix_decides", the_longest_prefix_decides },
    { "bits_beyond_the_prefix_do_not_count", bits_beyond_the_prefix_do_not_count },
    { "a_prefix_of_no_bits_covers_its_family_only", a_prefix_of_no_bits_covers_its_family_only },
    { "ipv6_prefixes", ipv6_prefixes },
    { "of_two_equal_prefixes_the_first_decides", of_two_equal_prefixes_the_first_decides },
    { "no_address_is_in_no_list", no_address_is_in_no_list },
    { "a_prefix_too_long_for_its_family_is_refused", a_prefix_too_long_for_its_family_is_refused },
    { "look_up_agrees_with_a_linear_search", look_up_agrees_with_a_linear_search },
    { "a_look_up_is_one_binary_search", a_look_up_is_one_binary_search },
    { "the_last_addresses_have_a_decider", the_last_addresses_have_a_decider },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
