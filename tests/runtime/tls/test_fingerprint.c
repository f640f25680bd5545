/* Fingerprints of hellos: of one that is known, of odd ones, and of damaged ones. */
#include "tls/fingerprint.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "base/check.h"
#include "test.h"

#define HELLO_BYTES_MAX 4096

struct maker {
    unsigned char bytes[HELLO_BYTES_MAX];
    size_t n;
};

static void
put(struct maker *m, size_t number, unsigned bytes)
{
    while (bytes-- > 0)
        m->bytes[m->n++] = (unsigned char)(number >> 8 * bytes);
}

/* Hexadecimal digits; commas and blanks are for readers. */
static void
put_hex(struct maker *m, const char *hex)
{
    for (unsigned half = 0; *hex != '\0'; hex++) {
        if (*hex == ',' || *hex == ' ')
            continue;
        unsigned digit = (unsigned)(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
        if (half++ % 2 == 0)
            m->bytes[m->n] = (unsigned char)(digit << 4);
        else
            m->bytes[m->n++] |= (unsigned char)digit;
    }
}

/* A list behind its length. */
static void
put_list(struct maker *m, unsigned bytes, const char *hex)
{
    size_t at = m->n;
    put(m, 0, bytes);
    put_hex(m, hex);
    size_t n = m->n - at - bytes;
    for (unsigned i = 0; i < bytes; i++)
        m->bytes[at + i] = (unsigned char)(n >> 8 * (bytes - 1 - i));
}

/* extensions: whole ones; NULL: the list is not there. */
static struct span
make(struct maker *m, const char *version, const char *ciphers, const char *extensions)
{
    m->n = 0;
    put_hex(m, "01 000000");
    put_hex(m, version);
    for (unsigned i = 0; i < 32; i++)
        put(m, i * 37, 1);
    put_list(m, 1, "0102030405060708");
    put_list(m, 2, ciphers);
    put_list(m, 1, "00");
    if (extensions != NULL)
        put_list(m, 2, extensions);
    m->bytes[2] = (unsigned char)((m->n - 4) >> 8);
    m->bytes[3] = (unsigned char)(m->n - 4);
    return span_of((const char *)m->bytes, m->n);
}

/* "3", "4" and bits of tls_ja4. The text is valid until the next call. */
static struct span
print(struct span message, unsigned kind, unsigned how)
{
    static struct text out;
    text_clear(&out);
    struct tls_hello *h = tls_hello_read(message);
    if (h == NULL)
        return SPAN_LIT("none");
    if (kind == 3)
        tls_hello_ja3(h, &out);
    else
        tls_hello_ja4(h, how, &out);
    free(h);
    return text_span(&out);
}

/* The lists are those of Chrome 143 on Linux, with numbers of GREASE as it adds them, and the fingerprints
 * those that a public service shows for it. */
#define CIPHERS "1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,c013,c014,009c,009d,002f,0035"
#define SCHEMES "0403,0804,0401,0503,0805,0501,0806,0601"

static const char extensions[] =
    "8a8a 0000 002d 0002 0101 0033 0005 0003 6a6a 00 0010 000e 000c 02 6832 08 687474702f312e31"
    "fe0d 0001 00 0017 0000 44cd 0005 0003 02 6832 0000 000b 0009 00 0006 612e74657374"
    "000b 0002 01 00 000a 000c 000a 3a3a 11ec 001d 0017 0018 002b 0007 06 fafa 0304 0303"
    "ff01 0001 00 0023 0000 0012 0000 0005 0005 0100000000"
    "000d 0012 0010 0403 0804 0401 0503 0805 0501 0806 0601 001b 0003 02 0002 dada 0001 00";

static void
a_known_hello(void)
{
    struct maker m;
    struct span hello = make(&m, "0303", "2a2a," CIPHERS, extensions);
    static const char ja3[] =
        "771,4865-4866-4867-49195-49199-49196-49200-52393-52392-49171-49172-156-157-47-53,"
        "45-51-16-65037-23-17613-0-11-10-43-65281-35-18-5-13-27,4588-29-23-24,0";
    EXPECT_EQ_STR(print(hello, 3, 0), ja3);
    unsigned char md5[EVP_MAX_MD_SIZE];
    size_t n;
    EXPECT(EVP_Q_digest(NULL, "MD5", NULL, ja3, sizeof ja3 - 1, md5, &n) == 1 && md5[0] == 0x98 &&
           md5[15] == 0xa4);
    EXPECT_EQ_STR(print(hello, 4, 0), "t13d1516h2_8daaf6152771_d8a2da3f94cd");
    EXPECT_EQ_STR(print(hello, 4, TLS_JA4_ORIGINAL), "t13d1516h2_acb858a92679_f96a17c57971");
    EXPECT_EQ_STR(print(hello, 4, TLS_JA4_RAW),
                  "t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_"
                  "0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_" SCHEMES);
    EXPECT_EQ_STR(
        print(hello, 4, TLS_JA4_RAW | TLS_JA4_ORIGINAL),
        "t13d1516h2_" CIPHERS
        "_002d,0033,0010,fe0d,0017,44cd,0000,000b,000a,002b,ff01,0023,0012,0005,000d,001b_" SCHEMES);
}

static void
odd_hellos(void)
{
    static const struct {
        const char *version, *ciphers, *extensions, *ja3, *ja4;
    } rows[] = {
        { "0301", "002f", NULL, "769,47,,,", "t10i010000_ba72b8082249_000000000000" },
        { "0300", "", "", "768,,,,", "ts3i000000_000000000000_000000000000" },
        { "1234", "0a0a 1a1a", "", "4660,,,,", "t00i000000_000000000000_000000000000" },
        /* a name alone counts, and is in no list */
        { "0303", "", "0000 0000", "771,,0,,", "t12d000100_000000000000_000000000000" },
        /* a protocol of one character; of others than letters and digits; none */
        { "0303", "", "0010 0004 0002 01 61", "771,,16,,", "t12i0001aa_000000000000_000000000000" },
        { "0303", "", "0010 0005 0003 02 2d7f", "771,,16,,", "t12i00012f_000000000000_000000000000" },
        { "0303", "", "0010 0002 0000", "771,,16,,", "t12i000100_000000000000_000000000000" },
        /* lists that go beyond their extension are empty */
        { "0303", "", "000a 0004 0004 001d", "771,,10,,", "t12i000100_1234" },
        { "0303", "", "002b 0003 02 0302", "771,,43,,", "t11i000100_1234" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct maker m;
        struct span hello = make(&m, rows[i].version, rows[i].ciphers, rows[i].extensions);
        EXPECT_EQ_STR(print(hello, 3, 0), rows[i].ja3);
        struct span ja4 = print(hello, 4, 0);
        size_t known = strlen(rows[i].ja4) > 20 ? ja4.len : 10;
        EXPECT(span_eq(span_of(ja4.ptr, known), span_of(rows[i].ja4, known)));
    }
}

static void
counts_have_two_digits(void)
{
    struct maker m;
    char many[120 * 4 + 1], *at = many;
    for (unsigned i = 0; i < 120; i++, at += 4)
        snprintf(at, 5, "%04x", i);
    EXPECT_EQ_STR(span_of(print(make(&m, "0303", many, ""), 4, 0).ptr, 10), "t12i990000");
}

/* Each is refused, or has a fingerprint; the bytes end where the memory ends. */
static void
try_one(const unsigned char *bytes, size_t n, bool whole)
{
    char *copy = malloc(n + 1);
    CHECK(copy != NULL);
    memcpy(copy + 1, bytes, n);
    struct span hello = span_of(copy + 1, n);
    bool read = !span_eq(print(hello, 3, 0), SPAN_LIT("none"));
    EXPECT(whole || !read);
    for (unsigned how = 0; how < 4; how++)
        (void)print(hello, 4, how);
    free(copy);
}

static void
damaged_hellos(void)
{
    struct maker m;
    struct span hello = make(&m, "0303", "2a2a," CIPHERS, extensions);
    for (size_t n = 0; n < hello.len; n++)
        try_one(m.bytes, n, false);
    for (size_t i = 0; i < hello.len; i++) {
        unsigned char before = m.bytes[i];
        for (unsigned k = 0; k < 8; k++) {
            static const unsigned char values[] = { 0, 1, 2, 0x0a, 0x7f, 0x80, 0xfe, 0xff };
            m.bytes[i] = values[k];
            try_one(m.bytes, hello.len, true);
        }
        m.bytes[i] = before;
    }
}

static void
it_is_wanted_as_often_as_asked(void)
{
    EXPECT(!tls_hello_wanted());
    tls_hello_want(1);
    tls_hello_want(1);
    tls_hello_want(-1);
    EXPECT(tls_hello_wanted());
    tls_hello_want(-1);
    EXPECT(!tls_hello_wanted());
}

static const struct test tests[] = {
    { "a_known_hello", a_known_hello },
    { "odd_hellos", odd_hellos },
    { "counts_have_two_digits", counts_have_two_digits },
    { "damaged_hellos", damaged_hellos },
    { "it_is_wanted_as_often_as_asked", it_is_wanted_as_often_as_asked },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
