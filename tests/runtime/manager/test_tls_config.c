/* Files of -A in hitch's grammar: what they mean, and what is refused. */
#include "manager/tls/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

#define FRONTEND "frontend = { host = \"*\" port = \"443\" }\n"

static struct tls_config c;
static struct text said;

/* "": the file is right; else the error. */
static const char *
parse(const char *text)
{
    tls_config_release(&c);
    text_clear(&said);
    (void)tls_config_parse("f", span_str(text), &c, &said);
    if (said.len > 0)
        said.len--; /* the newline */
    return said.len == 0 ? "" : strtok((char *)text_cstr(&said), "\n");
}

#define EXPECT_PARSED(text) EXPECT_EQ_STR(span_str(parse(text)), "")
#define EXPECT_REFUSED(text, why) EXPECT_EQ_STR(span_str(parse(text)), why)

static const char *
files(unsigned at)
{
    static char out[512];
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < c.frontends[at].n_files; i++)
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s", n > 0 ? " " : "",
                              c.frontends[at].files[i].cert);
    return out;
}

static void
a_frontend_is_an_address(void)
{
    static const struct {
        const char *text, *address;
    } rows[] = {
        { FRONTEND, ":443" },
        { "frontend = { port = \"443\" }", ":443" },
        { "frontend { port = 443; }", ":443" },
        { "frontend = { host = \"127.0.0.1\" port = \"8443\" }", "127.0.0.1:8443" },
        { "frontend = { host = \"::1\" port = \"443\" }", "[::1]:443" },
        { "frontend = { host = \"/run/tls.sock\" }", "/run/tls.sock" },
        { "frontend = \"[*]:443\"", ":443" },
        { "frontend = \"[::1]:443\"", "[::1]:443" },
        { "frontend = \"[localhost]:443\"", "localhost:443" },
        { "frontend = \"*:443\"", ":443" },
        { "frontend = \":443\"", ":443" },
        { "frontend = \"site.test:443\"", "site.test:443" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        EXPECT_PARSED(rows[i].text);
        EXPECT_EQ_INT(c.n_frontends, 2);
        EXPECT_EQ_STR(span_str(c.frontends[1].address), rows[i].address);
        EXPECT_EQ_STR(span_str(c.frontends[1].name), "tls0");
    }
    EXPECT_PARSED("frontend = { name = \"web\" port = \"1\" } frontend = \"[*]:2\" frontend = \"[*]:3\"");
    EXPECT_EQ_STR(span_str(c.frontends[1].name), "web");
    EXPECT_EQ_STR(span_str(c.frontends[2].name), "tls0");
    EXPECT_EQ_STR(span_str(c.frontends[3].name), "tls1");
}

static void
the_last_certificate_is_the_default(void)
{
    EXPECT_PARSED(FRONTEND
                  "pem-file = \"a.pem\"\npem-file = \"b.pem\" # the default\npem-file = \"c.pem\"\n");
    EXPECT_EQ_STR(span_str(files(0)), "c.pem b.pem a.pem");
    EXPECT_PARSED("frontend = { port = \"443\" pem-file = \"a.pem\" pem-file = \"b.pem\" }");
    EXPECT_EQ_STR(span_str(files(1)), "b.pem a.pem");
    EXPECT_PARSED("frontend = \"[*]:443+x.pem\"");
    EXPECT_EQ_STR(span_str(files(1)), "x.pem");
}

static void
a_key_may_have_its_own_file(void)
{
    EXPECT_PARSED(FRONTEND "pem-file = {\n cert = \"a.pem\"\n private-key = \"a.key\"\n name = \"www\" }\n");
    EXPECT_EQ_STR(span_str(c.frontends[0].files[0].cert), "a.pem");
    EXPECT_EQ_STR(span_str(c.frontends[0].files[0].key), "a.key");
    EXPECT_EQ_STR(span_str(c.frontends[0].files[0].id), "www");
    EXPECT_REFUSED(FRONTEND "pem-file = {\n private-key = \"a.key\" }",
                   "f:2: pem-file needs cert = \"FILE\"");
}

static void
touch(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    EXPECT(f != NULL && fclose(f) == 0);
}

static void
a_folder_holds_certificates(void)
{
    char folder[] = "/tmp/vernis-pem-XXXXXX", text[512], command[128];
    EXPECT(mkdtemp(folder) != NULL);
    touch(folder, "b.pem");
    touch(folder, "a.pem");
    touch(folder, "c.pem");
    touch(folder, "note.txt");
    touch(folder, ".d.pem.swp");
    snprintf(text, sizeof text, FRONTEND "pem-dir = \"%s/\" pem-dir-glob = \"*.pem\"", folder);
    EXPECT_PARSED(text);
    EXPECT_EQ_INT(c.frontends[0].n_files, 3);
    EXPECT(strstr(files(0), "//") == NULL);
    EXPECT(strcmp(strrchr(c.frontends[0].files[0].cert, '/'), "/a.pem") == 0); /* the default */
    EXPECT(strcmp(strrchr(c.frontends[0].files[1].cert, '/'), "/c.pem") == 0);
    snprintf(text, sizeof text, FRONTEND "pem-dir = \"%s\" pem-dir-glob = \"*.pem\" pem-file = \"x.pem\"",
             folder);
    EXPECT_PARSED(text);
    EXPECT_EQ_STR(span_str(c.frontends[0].files[0].cert), "x.pem");
    EXPECT(strcmp(strrchr(c.frontends[0].files[3].cert, '/'), "/a.pem") == 0);
    EXPECT_REFUSED(FRONTEND "\npem-dir = \"/no/such/folder\"",
                   "f:3: pem-dir /no/such/folder: No such file or directory");
    snprintf(command, sizeof command, "rm -r %s", folder);
    EXPECT(system(command) == 0);
}

static void
listeners_inherit_settings(void)
{
    EXPECT_PARSED("ciphers = \"A:B\"\ntls-protos = TLSv1.2 TLSv1.3\nprefer-server-ciphers = yes\n"
                  "ecdh-curve = \"X25519\" alpn-protos = \"h2, http/1.1,\" sni-nomatch-abort = on\n"
                  "ciphersuites = \"S\"\n"
                  "frontend = { port = \"1\" tls-protos = TLSv1.3 ciphers = \"C\" sni-nomatch-abort = off }\n"
                  "frontend = { port = \"2\" pem-file = \"a\" }\n"
                  "frontend = { port = \"3\" pem-file = \"a\" match-global-certs = on ciphers = \"\" }\n");
    EXPECT_EQ_STR(
        span_str(c.frontends[0].settings),
        "protos TLSv1.2 TLSv1.3\nciphers A:B\nciphersuites S\ngroups X25519\nprefer_server_ciphers on\n"
        "sni_nomatch_abort on\nalpn h2 http/1.1\n");
    EXPECT_EQ_STR(span_str(c.frontends[1].settings),
                  "protos TLSv1.3\nciphers C\nciphersuites S\ngroups X25519\nprefer_server_ciphers on\n"
                  "sni_nomatch_abort off\nalpn h2 http/1.1\nmatch_global on\n");
    EXPECT(strstr(c.frontends[2].settings, "match_global off\n") != NULL);
    EXPECT(strstr(c.frontends[3].settings, "match_global on\n") != NULL);
    EXPECT(strstr(c.frontends[3].settings, "ciphers A:B\n") != NULL); /* "" sets nothing */
    EXPECT_PARSED(FRONTEND "ecdh-curve = \"auto\"");
    EXPECT_EQ_STR(span_str(c.frontends[0].settings), "");
}

static void
clients_are_verified_by_authorities(void)
{
    char path[] = "/tmp/vernis-ca-XXXXXX", text[512];
    int fd = mkstemp(path);
    static const char pem[] =
        "# a comment\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\nname value\n"
        "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n";
    EXPECT(write(fd, pem, sizeof pem - 1) == (ssize_t)sizeof pem - 1);
    snprintf(text, sizeof text, FRONTEND "client-verify = required client-verify-ca = \"%s\"", path);
    EXPECT_PARSED(text);
    EXPECT_EQ_STR(
        span_str(c.frontends[0].settings),
        "client_verify required\nclient_ca -----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n\n");
    EXPECT_REFUSED("frontend = { port = \"1\"\nclient-verify = optional }",
                   "f:1: client-verify = optional needs client-verify-ca = \"FILE\"");
    EXPECT_REFUSED("\nclient-verify = require",
                   "f:2: client-verify must be none, optional or required, not require");
    EXPECT_REFUSED("client-verify-ca = \"/no/such\"", "f:1: /no/such: No such file or directory");
    EXPECT(ftruncate(fd, 0) == 0 && pwrite(fd, "-----BEGIN PRIVATE KEY-----", 27, 0) == 27);
    snprintf(text, sizeof text, "client-verify-ca = \"%s\"", path);
    EXPECT(strstr(parse(text), "holds a private key") != NULL);
    close(fd);
    unlink(path);
}

static void
settings_of_hitch_alone_are_noted(void)
{
    EXPECT_PARSED(
        "backend = \"[127.0.0.1]:6086\"\nworkers = 4\nworkers = auto\ndaemon = on\nuser = \"hitch\"\n"
        "write-proxy-v2 = on\nkeepalive = 3600\nlog-level = 1\nocsp-dir = \"/var/lib/hitch\"\n" FRONTEND
        "pem-file = { cert = \"a\" ocsp-verify-staple = on dhparam = \"d\" }");
    unsigned lines = 0;
    for (const char *at = text_cstr(&c.notes); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    EXPECT_EQ_INT(lines, 11);
    EXPECT(strstr(text_cstr(&c.notes),
                  "f:2: workers has no effect: the parameter loops sets the number of threads\n") != NULL);
    EXPECT(!c.proxy);
    EXPECT_PARSED(FRONTEND "proxy-proxy = on");
    EXPECT(c.proxy);
    EXPECT_EQ_INT(c.notes.len, 0);
    EXPECT_PARSED(FRONTEND "tls-protos = TLSv1.0, TLSv1.1, TLSv1.2\nssl = off tls = \"on\"");
    EXPECT_EQ_STR(span_str(c.frontends[0].settings), "protos TLSv1.2 TLSv1.3\n");
    EXPECT_EQ_STR(text_span(&c.notes), "f:2: SSLv3, TLSv1.0 and TLSv1.1 are not offered\n"
                                       "f:3: tls = on offers TLSv1.2 and TLSv1.3\n");
}

static void
mistakes_name_file_and_line(void)
{
    EXPECT_REFUSED("\n\nfrontent = \"[*]:443\"", "f:3: unknown setting 'frontent': did you mean frontend?");
    EXPECT_REFUSED("zzzzzzzz = 1", "f:1: unknown setting 'zzzzzzzz'");
    EXPECT_REFUSED("port = \"443\"", "f:1: port belongs in a frontend block");
    EXPECT_REFUSED("frontend = {\nworkers = 1 }", "f:2: workers belongs outside of blocks");
    EXPECT_REFUSED("cert = \"a\"", "f:1: cert belongs in a pem-file block");
    EXPECT_REFUSED("ciphers \"A\"", "f:1: ciphers needs = and a value");
    EXPECT_REFUSED("ciphers =", "f:1: ciphers needs a value");
    EXPECT_REFUSED("ciphers = {", "f:1: ciphers needs a value");
    EXPECT_REFUSED("ciphers = \"A\nworkers = 1", "f:1: the quote is not closed");
    EXPECT_REFUSED("\nfrontend = { port = \"1\"\n", "f:2: the block is not closed with }");
    EXPECT_REFUSED("}", "f:1: }: a setting was expected");
    EXPECT_REFUSED("sni-nomatch-abort = maybe", "f:1: sni-nomatch-abort must be on or off, not maybe");
    EXPECT_REFUSED("tls-protos = TLSv1.4", "f:1: tls-protos needs TLSv1.2, TLSv1.3 or both, without quotes");
    EXPECT_REFUSED("tls-protos = TLSv1.1", "f:1: only TLSv1.2 and TLSv1.3 are offered");
    EXPECT_REFUSED("frontend = { host = \"a\" }", "f:1: the frontend needs a port");
    EXPECT_REFUSED("frontend = { port = \"1\" match-global-certs = off }",
                   "f:1: the frontend has no certificate: match-global-certs is off");
    EXPECT_REFUSED(
        "pem-file = { cert = \"a\"\n ciphers = \"A\" }",
        "f:2: ciphers in a pem-file block: ciphers are those of a listener: write it into its frontend block");
    EXPECT_REFUSED(FRONTEND FRONTEND, "f:2: two frontends listen on :443");
    EXPECT_REFUSED("frontend = { name = \"w\" port = \"1\" } frontend = { name = \"w\" port = \"2\" }",
                   "f:1: two frontends have the name w");
    EXPECT_REFUSED("# nothing\n", "f:2: it has no frontend: add frontend = { host = \"*\" port = \"443\" }");
    EXPECT(tls_config_parse("f", span_of("a\0b", 3), &c, &said) != 0);
    EXPECT(tls_config_read("/no/such/file", &c, &said) != 0);
    EXPECT(tls_config_read("/", &c, &said) != 0);
}

static const struct test tests[] = {
    { "a_frontend_is_an_address", a_frontend_is_an_address },
    { "the_last_certificate_is_the_default", the_last_certificate_is_the_default },
    { "a_key_may_have_its_own_file", a_key_may_have_its_own_file },
    { "a_folder_holds_certificates", a_folder_holds_certificates },
    { "listeners_inherit_settings", listeners_inherit_settings },
    { "clients_are_verified_by_authorities", clients_are_verified_by_authorities },
    { "settings_of_hitch_alone_are_noted", settings_of_hitch_alone_are_noted },
    { "mistakes_name_file_and_line", mistakes_name_file_and_line },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    tls_config_release(&c);
    text_release(&said);
    return status;
}
