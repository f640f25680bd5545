/* Sets of certificates: settings of listeners, and which names they answer for. */
#include "tls/set.h"

#include <stdlib.h>

#include "tls/set_settings.h"
#include "test.h"

#define PEM "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"

/* The error; "": none. */
static const char *
read_settings(const char *lines, struct tls_settings *s)
{
    static char said[256];
    struct text why = { 0 };
    tls_settings_init(s);
    int err = tls_settings_read(s, span_str(lines), &why);
    snprintf(said, sizeof said, "%s", text_cstr(&why));
    text_release(&why);
    return err == 0 ? "" : said;
}

static void
authorities_stay_together(void)
{
    static const char *const ends[] = { "", "\n", "\n\n", "\nalpn h2", "\nalpn h2\n" };
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct tls_settings s;
        char lines[512], *copy;
        snprintf(lines, sizeof lines, "protos TLSv1.3\nclient_ca " PEM "\n" PEM "%s", ends[i]);
        copy = strdup(lines); /* so that a read behind the end is seen */
        EXPECT_EQ_STR(span_str(read_settings(copy, &s)), "");
        EXPECT_EQ_STR(span_str(s.client_ca), PEM "\n" PEM);
        EXPECT_EQ_INT(s.protocols, TLS_PROTOCOL_1_3);
        tls_settings_release(&s);
        free(copy);
    }
}

static void
switches_and_mistakes(void)
{
    struct tls_settings s;
    EXPECT_EQ_STR(span_str(read_settings("match_global off\nsni_nomatch_abort on\n", &s)), "");
    EXPECT(s.own_only && s.sni_nomatch_abort);
    EXPECT_EQ_STR(span_str(read_settings("match_global on\nalpn http/1.1\n", &s)), "");
    EXPECT(!s.own_only && s.no_h2);
    EXPECT_EQ_STR(span_str(read_settings("protos SSLv3", &s)), "invalid value of protos: SSLv3");
    EXPECT_EQ_STR(span_str(read_settings("client_verify maybe", &s)),
                  "invalid value of client_verify: maybe");
    EXPECT_EQ_STR(span_str(read_settings("colour red", &s)), "unknown setting colour: red");
}

static const struct test tests[] = {
    { "authorities_stay_together", authorities_stay_together },
    { "switches_and_mistakes", switches_and_mistakes },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
