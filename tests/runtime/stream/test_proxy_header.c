/* PROXY headers, both versions: accepted headers, cut at any place, and refused headers. */
#include "base/check.h"
#include "stream/proxy_header.h"
#include "test.h"

static struct proxy_info info;
static struct proxy_note note;

static ssize_t
parse(const char *bytes, size_t n)
{
    memset(&info, 0, sizeof info);
    return proxy_header_parse(span_of(bytes, n), &info, &note);
}

static ssize_t
parse_text(const char *text)
{
    return parse(text, strlen(text));
}

static void
expect_address(const struct address *a, const char *ip, unsigned port)
{
    char text[ADDRESS_TEXT_BYTES];
    size_t n = address_text(a, text);
    EXPECT_EQ_SPAN(span_of(text, n), span_str(ip));
    EXPECT_EQ_INT(a->port, port);
}

static void
version_1_tells_both_addresses(void)
{
    const char *line = "PROXY TCP4 192.0.2.1 198.51.100.2 1234 80\r\nGET / HTTP/1.1\r\n";
    /* the following bytes do not belong to the header */
    EXPECT_EQ_INT(parse_text(line), strchr(line, '\n') + 1 - line);
    expect_address(&info.client, "192.0.2.1", 1234);
    expect_address(&info.server, "198.51.100.2", 80);
    EXPECT_EQ_INT(parse_text("PROXY TCP6 2001:db8::1 ::1 65535 0\r\n"), 36);
    expect_address(&info.client, "2001:db8::1", 65535);
    expect_address(&info.server, "::1", 0);
}

static void
mapped_addresses_are_ipv4(void)
{
    const char line[] = "PROXY TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.2 1234 80\r\n";
    EXPECT_EQ_INT(parse_text(line), (intmax_t)sizeof line - 1);
    EXPECT_EQ_INT(info.client.family, 4);
    expect_address(&info.client, "192.0.2.1", 1234);
    expect_address(&info.server, "198.51.100.2", 80);
    static const char binary[] = "\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24"
                                 "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1"
                                 "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc6\x33\x64\2"
                                 "\x04\xd2\0\x50";
    EXPECT_EQ_INT(parse(binary, sizeof binary - 1), (intmax_t)sizeof binary - 1);
    EXPECT_EQ_INT(info.client.family, 4);
    expect_address(&info.client, "192.0.2.1", 1234);
    expect_address(&info.server, "198.51.100.2", 80);
}

static void
version_1_unknown_leaves_the_addresses(void)
{
    EXPECT_EQ_INT(parse_text("PROXY UNKNOWN\r\n"), 15);
    EXPECT_EQ_INT(info.client.family, 0);
    EXPECT_EQ_INT(parse_text("PROXY UNKNOWN whatever else\r\n"), 29);
    EXPECT_EQ_INT(info.server.family, 0);
}

static void
a_part_of_a_header_waits_for_more(void)
{
    const char line[] = "PROXY TCP4 192.0.2.1 198.51.100.2 1234 80\r\n";
    for (size_t n = 1; n < sizeof line - 1; n++)
        EXPECT_EQ_INT(parse(line, n), 0);
    EXPECT_EQ_INT(parse(line, sizeof line - 1), (intmax_t)sizeof line - 1);
}

static void
malformed_version_1_is_refused(void)
{
    static const char *const lines[] = {
        "GET / HTTP/1.1\r\n",
        "proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
        "PROXY \r\n",
        "PROXY\r\n",
        "PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 65536\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 -1 2\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n",
        "PROXY TCP4  1.2.3.4 1.2.3.4 1 2\r\n",
        "PROXY TCP4 ::1 ::1 1 2\r\n",
        "PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n",
        "PROXY TCP4 1.2.3.256 1.2.3.4 1 2\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 \r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 \r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 99999999999999999999 2\r\n",
        "PROXY TCP6 1111111111111111111111111111111111111111111111111111111111111111 ::1 1 2\r\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!EXPECT_EQ_INT(parse_text(lines[i]), ERR_SYNTAX))
            fprintf(stderr, "    %s", lines[i]);
    EXPECT_EQ_INT(parse("PROXY TCP4 1.2.3.4\0x 1.2.3.4 1 2\r\n", 35), ERR_SYNTAX);
    EXPECT_EQ_INT(info.client.family, 0); /* a refused header changes nothing */
}

static void
a_version_1_line_without_end_is_refused(void)
{
    char line[200] = "PROXY UNKNOWN ";
    memset(line + 14, 'x', sizeof line - 14);
    EXPECT_EQ_INT(parse(line, 107), 0);
    EXPECT_EQ_INT(parse(line, 108), ERR_LIMIT);
    EXPECT_EQ_INT(parse(line, sizeof line), ERR_LIMIT);
}

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"

static void
version_2_tells_both_addresses(void)
{
    static const char v4[] = SIGNATURE "\x21\x11\0\x0c"
                                       "\xc0\0\2\1"
                                       "\xc6\x33\x64\2"
                                       "\4\xd2\0\x50"
                                       "GET";
    EXPECT_EQ_INT(parse(v4, sizeof v4 - 1), 28);
    expect_address(&info.client, "192.0.2.1", 1234);
    expect_address(&info.server, "198.51.100.2", 80);
    static const char v6[] = SIGNATURE "\x21\x21\0\x24"
                                       "\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"
                                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
                                       "\0\1\0\2";
    EXPECT_EQ_INT(parse(v6, sizeof v6 - 1), 52);
    expect_address(&info.client, "2001:db8::1", 1);
    expect_address(&info.server, "::1", 2);
    for (size_t n = 1; n < sizeof v6 - 1; n++)
        EXPECT_EQ_INT(parse(v6, n), 0);
}

static void
what_version_2_adds_is_told(void)
{
    static const char tlv[] = SIGNATURE "\x21\x11\0\x10"
                                        "\xc0\0\2\1"
                                        "\xc6\x33\x64\2"
                                        "\4\xd2\0\x50"
                                        "\4\0\1x";
    EXPECT_EQ_INT(parse(tlv, sizeof tlv - 1), 32);
    expect_address(&info.client, "192.0.2.1", 1234);
    EXPECT_EQ_SPAN(info.fields, span_of("\4\0\1x", 4));
    EXPECT_EQ_INT(parse_text("PROXY TCP4 192.0.2.1 198.51.100.2 1234 80\r\n"), 43);
    EXPECT_EQ_INT(info.fields.len, 0);
}

static void
version_2_without_addresses_leaves_them(void)
{
    static const char local[] = SIGNATURE "\x20\0\0\0", unix_socket[] = SIGNATURE "\x21\x31\0\2xx";
    EXPECT_EQ_INT(parse(local, sizeof local - 1), 16);
    EXPECT_EQ_INT(info.client.family, 0);
    EXPECT_EQ_INT(parse(unix_socket, sizeof unix_socket - 1), 18);
    EXPECT_EQ_INT(info.client.family, 0);
    static const char shorter[] = SIGNATURE "\x21\x11\0\x0b"
                                            "12345678901";
    EXPECT_EQ_INT(parse(shorter, sizeof shorter - 1), 27);
    EXPECT_EQ_INT(info.client.family, 0);
    EXPECT_EQ_STR(span_str(note.text), "PROXY2: Ignoring short IPv4 addresses (11)");
}

static void
what_version_2_adds_is_checked(void)
{
    static const struct {
        const char *fields;
        size_t n;
        const char *fault;
    } rows[] = {
        { "\3\0\4\x71\x79\x59\xb1", 7, NULL },
        { "\3\0\4\x13\x80\x54\x5c", 7, "PROXY2: CRC error" },
        { "\4\0\0\xff\xff", 5, "PROXY2: TLV Dribble bytes" },
        { "\4\0\2x", 4, "PROXY2: TLV Length Error" },
        { "\x20\0\2\1\0", 5, "PROXY2: TLV Length Error" },
        { "\x20\0\7\1\0\0\0\0\x21\0", 10, "PROXY2: TLV Dribble bytes" },
        { "\x20\0\x0b\1\0\0\0\0\x21\0\3TLS", 14, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char bytes[64] = SIGNATURE "\x21\x11\0\0"
                                   "\xc0\0\2\1"
                                   "\xc6\x33\x64\2"
                                   "\4\xd2\0\x50";
        bytes[15] = (char)(12 + rows[i].n);
        memcpy(bytes + 28, rows[i].fields, rows[i].n);
        EXPECT_EQ_INT(parse(bytes, 28 + rows[i].n),
                      rows[i].fault == NULL ? (ssize_t)(28 + rows[i].n) : ERR_SYNTAX);
        EXPECT_EQ_STR(span_str(note.text),
                      rows[i].fault == NULL ? "2 192.0.2.1 1234 198.51.100.2 80" : rows[i].fault);
    }
}

static void
malformed_version_2_is_refused(void)
{
    static const char version[] = SIGNATURE "\x11\x11\0\0", command[] = SIGNATURE "\x22\x11\0\0",
                      large[] = SIGNATURE "\x21\x11\xff\xff", signature[] = "\r\n\r\n\0\r\nQUIX\n";
    EXPECT_EQ_INT(parse(version, sizeof version - 1), ERR_SYNTAX);
    EXPECT_EQ_INT(parse(command, sizeof command - 1), ERR_SYNTAX);
    EXPECT_EQ_INT(parse(large, sizeof large - 1), ERR_LIMIT); /* refused before all of it arrived */
    EXPECT_EQ_INT(parse(signature, sizeof signature - 1), ERR_SYNTAX);
}

static const struct test tests[] = {
    { "version_1_tells_both_addresses", version_1_tells_both_addresses },
    { "mapped_addresses_are_ipv4", mapped_addresses_are_ipv4 },
    { "version_1_unknown_leaves_the_addresses", version_1_unknown_leaves_the_addresses },
    { "a_part_of_a_header_waits_for_more", a_part_of_a_header_waits_for_more },
    { "malformed_version_1_is_refused", malformed_version_1_is_refused },
    { "a_version_1_line_without_end_is_refused", a_version_1_line_without_end_is_refused },
    { "version_2_tells_both_addresses", version_2_tells_both_addresses },
    { "what_version_2_adds_is_told", what_version_2_adds_is_told },
    { "version_2_without_addresses_leaves_them", version_2_without_addresses_leaves_them },
    { "what_version_2_adds_is_checked", what_version_2_adds_is_checked },
    { "malformed_version_2_is_refused", malformed_version_2_is_refused },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
