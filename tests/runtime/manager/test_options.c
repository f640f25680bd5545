/* The daemon's command line, and addresses to listen on. */
#include "manager/options.h"

#include "manager/listen.h"
#include "daemon/params.h"
#include "base/params.h"
#include "test.h"

static struct options o; /* large */

#define PARSE(...) parse((const char *[]){ "vernisd", __VA_ARGS__, NULL })

static const char *
parse(const char **argv)
{
    static char first_line[256];
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    struct text why = { 0 };
    int err = options_parse(argc, (char **)argv, &o, &why);
    snprintf(first_line, sizeof first_line, "%.*s", (int)strcspn(text_cstr(&why), "\n"), text_cstr(&why));
    text_release(&why);
    return err == 0 ? "" : first_line;
}

static void
what_unit_files_say(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-j", "unix,user=vcache", "-F", "-a", ":6081", "-T", "localhost:6082", "-f",
                                 "/etc/varnish/default.vcl", "-S", "/etc/varnish/secret", "-s", "malloc,256m",
                                 "-p", "max_restarts=3", "-l", "80m", "-t", "60")),
                  "");
    EXPECT(o.jail == JAIL_UNIX && strcmp(o.jail_user, "vcache") == 0 && o.foreground);
    EXPECT_EQ_STR(span_str(o.listens[0].address), ":6081");
    EXPECT_EQ_STR(span_str(o.listens[0].name), "a0");
    EXPECT_EQ_STR(span_str(o.cli_listens.text[0]), "localhost:6082");
    EXPECT_EQ_STR(span_str(o.policies.text[0]), "/etc/varnish/default.vcl");
    EXPECT_EQ_INT(o.storages[0].limit_bytes, 256 << 20);
    EXPECT_EQ_INT(params.max_restarts, 3);
    EXPECT(params.default_ttl_s == 60);
}

static void
what_is_not_said_has_a_default(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-b", "none")), "");
    EXPECT_EQ_STR(span_str(o.listens[0].address), ":80");
    EXPECT_EQ_INT(o.n_storages, 1);
    EXPECT_EQ_INT(o.storages[0].limit_bytes, 100 << 20);
    EXPECT(!o.no_cli_listen && !o.no_secret && o.jail == JAIL_DEFAULT);
}

static void
listeners(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", "web=1.2.3.4:80,PROXY", "-a",
                                 "/s.sock,mode=640,user=nobody,group=nogroup", "-a", "[::1]:81,HTTP")),
                  "");
    EXPECT_EQ_STR(span_str(o.listens[0].name), "web");
    EXPECT(o.listens[0].kind == LISTEN_PROXY && o.listens[1].kind == LISTEN_HTTP &&
           o.listens[2].kind == LISTEN_HTTP);
    EXPECT_EQ_INT(o.listens[1].mode, 0640);
    EXPECT_EQ_STR(span_str(o.listens[1].user), "nobody");
    EXPECT_EQ_STR(span_str(o.listens[1].group), "nogroup");
    EXPECT_EQ_STR(span_str(o.listens[2].name), "a2");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", ":443,https", "-a", ":444,PROXY,HTTPS", "-a",
                                 ":445,HTTPS,PROXY")),
                  "");
    EXPECT(o.listens[0].kind == LISTEN_HTTPS && o.listens[1].kind == LISTEN_PROXY_HTTPS &&
           o.listens[2].kind == LISTEN_PROXY_HTTPS);
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", ":443,tls", "-a", ":444,PROXY,TLS")), "");
    EXPECT(o.listens[0].kind == LISTEN_HTTPS && o.listens[1].kind == LISTEN_PROXY_HTTPS);
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", ":443,HTTP,HTTPS")),
                  "Too many protocol sub-args in -a (HTTPS)");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", "/s,mode=999")), "Invalid mode sub-arg 999 in -a");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", "")), "-a without an address: ''");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-a", "a=")), "-a without an address: 'a='");
}

static void
storages(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "malloc", "-s", "big=default,1.5g", "-s",
                                 "Transient=malloc,10m")),
                  "");
    EXPECT_EQ_INT(o.storages[0].limit_bytes, 0);
    EXPECT_EQ_STR(span_str(o.storages[1].name), "big");
    EXPECT_EQ_INT(o.storages[1].limit_bytes, 3ll << 29);
    EXPECT_EQ_STR(span_str(o.storages[2].name), "Transient");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "malloc,1k")),
                  "Storage of -s is too small: '1k', at least 1m");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "disk=file,/var/x,10m,4k,random")), "");
    EXPECT_EQ_STR(span_str(o.storages[0].name), "disk");
    EXPECT_EQ_STR(span_str(o.storages[0].file), "/var/x");
    EXPECT_EQ_INT(o.storages[0].limit_bytes, 10 << 20);
    EXPECT(strncmp(PARSE("-f", "", "-s", "file,/var/x,1000t"),
                   "-s file,/var/x: content is stored in memory, not on disk, and 1048576000 MB exceed",
                   82) == 0);
    /* no memory is reserved, as in Varnish */
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "malloc,1000t")), "");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "file,/var/x")),
                  "-s file needs a path and a size: file,path,size");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "file,/x,1m,1k,fast")), "Unknown advice of -s file: 'fast'");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-s", "malloc,1m,2m")), "Too many arguments of -s malloc: '2m'");
}

static void
options_without_effect_are_noted_once(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-h", "classic", "-W", "poll", "-h", "critbit")), "");
    EXPECT_EQ_STR(span_str(o.idle), "hW");
}

static void
confinement(void)
{
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-j", "none")), "");
    EXPECT(o.jail_seccomp == CONFINE_DEFAULT && o.jail_landlock == CONFINE_DEFAULT && !o.jail_cores &&
           *o.jail_readable == '\0');
    EXPECT_EQ_STR(span_str(
                      PARSE("-f", "", "-j", "none,seccomp=on,landlock=off,cores=on,readable=/srv:/etc/x")),
                  "");
    EXPECT(o.jail == JAIL_NONE && o.jail_seccomp == CONFINE_ON && o.jail_landlock == CONFINE_OFF &&
           o.jail_cores);
    EXPECT_EQ_STR(span_str(o.jail_readable), "/srv:/etc/x");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-j", "unix,seccomp=off,user=x")), "");
    EXPECT(o.jail == JAIL_UNIX && o.jail_seccomp == CONFINE_OFF && strcmp(o.jail_user, "x") == 0);
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-j", "none,seccomp=maybe")),
                  "seccomp of -j must be on or off, not 'maybe'");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-j", "none,readable=/srv:etc")),
                  "readable of -j needs absolute paths, separated by colons: 'etc'");
    EXPECT_EQ_STR(span_str(PARSE("-f", "", "-j", "none,user=x")),
                  "No jail: unknown sub-argument 'user=x': use seccomp=, landlock=, readable= or cores=");
    EXPECT_EQ_STR(
        span_str(PARSE("-f", "", "-j", "unix,cores")),
        "Unix jail: unknown sub-argument 'cores': use user=, workuser=, keyuser=, ccgroup=, seccomp=, landlock=, readable= or cores=");
}

static void
a_list_has_an_end(void)
{
    const char *argv[2 * OPTION_LIST_MAX + 6] = { "vernisd", "-f", "" };
    for (unsigned i = 0; i <= OPTION_LIST_MAX; i++) {
        argv[3 + 2 * i] = "-a";
        argv[4 + 2 * i] = ":0";
    }
    EXPECT_EQ_STR(span_str(parse(argv)), "Too many -a: at most 64");
}

static void
addresses(void)
{
    static const struct {
        const char *text, *host, *port;
    } rows[] = {
        { "127.0.0.1:80", "127.0.0.1", "80" },
        { ":80", "", "80" },
        { "host", "host", "" },
        { "[::1]:80", "::1", "80" },
        { "[::1]", "::1", "" },
        { "::1", "::1", "" },
        { "127.0.0.1 6082", "127.0.0.1", "6082" },
        { "::1 6082", "::1", "6082" },
        { "localhost:http", "localhost", "http" },
    };
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        EXPECT_EQ_INT(listen_split(rows[i].text, host, port), 0);
        EXPECT_EQ_STR(span_str(host), rows[i].host);
        EXPECT_EQ_STR(span_str(port), rows[i].port);
    }
    EXPECT(listen_split("[::1", host, port) != 0);
    EXPECT(listen_split("[::1]x", host, port) != 0);
}

static const struct test tests[] = {
    { "what_unit_files_say", what_unit_files_say },
    { "what_is_not_said_has_a_default", what_is_not_said_has_a_default },
    { "listeners", listeners },
    { "storages", storages },
    { "options_without_effect_are_noted_once", options_without_effect_are_noted_once },
    { "confinement", confinement },
    { "a_list_has_an_end", a_list_has_an_end },
    { "addresses", addresses },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
