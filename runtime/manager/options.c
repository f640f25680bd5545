/* The options of the daemon: see options.h. Options and their meaning are Varnish's. */
#include "manager/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "manager/log_tools.h"
#include "manager/option_text.h"
#include "daemon/params.h"
#include "base/check.h"
#include "option_rows.h"

#define STORAGE_DEFAULT "default,100m"

static const struct {
    char letter;
    const char *name, *arg, *what; /* name: the long form, or NULL */
} usage_rows[] = { OPTION_ROWS };

#define LONG_OPTION 256 /* added to the letter of an option that was given by its long name */
#define N_OPTIONS (sizeof usage_rows / sizeof *usage_rows)

void
options_usage(const char *program, struct text *out)
{
    const char *slash = strrchr(program, '/');
    text_printf(out, "Usage: %s [options]\n", slash == NULL ? program : slash + 1);
    for (unsigned i = 0; i < N_OPTIONS; i++)
        text_printf(out, "  -%c%s%s %s\n        %s\n", usage_rows[i].letter,
                    usage_rows[i].name == NULL ? "" : ", --",
                    usage_rows[i].name == NULL ? "" : usage_rows[i].name,
                    usage_rows[i].arg == NULL ? "" : usage_rows[i].arg, usage_rows[i].what);
}

static int
option_switch(struct span value, const char *name, bool *out, struct text *why)
{
    *out = span_eq(value, SPAN_LIT("on"));
    if (*out || span_eq(value, SPAN_LIT("off")))
        return 0;
    return option_fail(why, "%s of -j must be on or off, not '%.*s'\n", name, (int)value.len, value.ptr);
}

static int
option_folders(struct span value, struct options *o, struct text *why)
{
    for (struct span rest = value; rest.len > 0;) {
        struct span folder = option_cut(&rest, ':');
        if (folder.len == 0 || folder.ptr[0] != '/')
            return option_fail(why, "readable of -j needs absolute paths, separated by colons: '%.*s'\n",
                               (int)folder.len, folder.ptr);
    }
    return option_copy(o->jail_readable, sizeof o->jail_readable, value, "readable of -j", why);
}

/* The parts of -j that both jails have. */
static int
option_confine(struct span part, bool drops, struct options *o, struct text *why)
{
    struct span value;
    bool on;
    int err;
    if (option_key(part, "seccomp=", &value)) {
        err = option_switch(value, "seccomp", &on, why);
        o->jail_seccomp = on ? CONFINE_ON : CONFINE_OFF;
    } else if (option_key(part, "landlock=", &value)) {
        err = option_switch(value, "landlock", &on, why);
        o->jail_landlock = on ? CONFINE_ON : CONFINE_OFF;
    } else if (option_key(part, "cores=", &value))
        err = option_switch(value, "cores", &o->jail_cores, why);
    else if (option_key(part, "readable=", &value))
        err = option_folders(value, o, why);
    else
        err = option_fail(
            why, "%s jail: unknown sub-argument '%.*s': use %sseccomp=, landlock=, readable= or cores=\n",
            drops ? "Unix" : "No", (int)part.len, part.ptr,
            drops ? "user=, workuser=, keyuser=, ccgroup=, " : "");
    return err;
}

/* Acts on all processes of the daemon: they inherit the setting. */
static int
option_huge_pages(struct span value, struct text *why)
{
    bool must = span_eq(value, SPAN_LIT("disable")), may = span_eq(value, SPAN_LIT("try-disable"));
    bool on = span_eq(value, SPAN_LIT("enable"));
    if (!must && !may && !on && !span_eq(value, SPAN_LIT("ignore")))
        return option_fail(why, "transparent_hugepage of -j: use ignore, enable, disable or try-disable\n");
    if ((must || may || on) && prctl(PR_SET_THP_DISABLE, !on, 0, 0, 0) != 0 && !may)
        return option_fail(why, "transparent_hugepage of -j: %s\n", strerror(errno));
    return 0;
}

static int
option_jail(const char *text, struct options *o, struct text *why)
{
    struct span rest = span_str(text), kind = option_cut(&rest, ','), value;
    if (kind.len == 0)
        return option_fail(why, "-j argument is empty\n");
    bool on_linux = span_eq(kind, SPAN_LIT("linux")), drops = on_linux || span_eq(kind, SPAN_LIT("unix"));
    if (!drops && !span_eq(kind, SPAN_LIT("none")))
        return option_fail(why, "Unknown jail method \"%.*s\": use linux, unix or none\n", (int)kind.len,
                           kind.ptr);
    o->jail = drops ? JAIL_UNIX : JAIL_NONE;
    int err = 0;
    while (err == 0 && rest.len > 0) {
        struct span part = option_cut(&rest, ',');
        if (drops && option_key(part, "user=", &value))
            err = option_copy(o->jail_user, sizeof o->jail_user, value, "user of -j", why);
        else if (drops && option_key(part, "workuser=", &value))
            err = option_copy(o->jail_work_user, sizeof o->jail_work_user, value, "workuser of -j", why);
        else if (drops && option_key(part, "keyuser=", &value))
            err = option_copy(o->jail_key_user, sizeof o->jail_key_user, value, "keyuser of -j", why);
        else if (drops && option_key(part, "ccgroup=", &value))
            err = option_copy(o->jail_compiler_group, sizeof o->jail_compiler_group, value, "ccgroup of -j",
                              why);
        else if (on_linux && option_key(part, "transparent_hugepage=", &value))
            err = option_huge_pages(value, why);
        else
            err = option_confine(part, drops, o, why);
    }
    return err;
}

static int
option_param(const char *text, struct options *o, struct text *why)
{
    const char *eq = strchr(text, '=');
    char name[64];
    if (eq == NULL || (size_t)(eq - text) >= sizeof name)
        return option_fail(why, "-p needs name=value: '%s'\n", text);
    memcpy(name, text, (size_t)(eq - text));
    name[eq - text] = '\0';
    o->log_form_given |= strcmp(name, LOG_FORM_PARAM) == 0;
    return param_set(name, eq + 1, why) == 0 ? 0 : ERR_SYNTAX;
}

static int
option_list_add(struct option_list *list, const char *text, char letter, struct text *why)
{
    if (list->n == OPTION_LIST_MAX)
        return option_fail(why, "Too many -%c: at most %u\n", letter, OPTION_LIST_MAX);
    list->text[list->n++] = text;
    return 0;
}

static int
add_listen(struct options *o, const char *text, struct text *why)
{
    if (o->n_listens == OPTION_LIST_MAX)
        return option_fail(why, "Too many -a: at most %u\n", OPTION_LIST_MAX);
    struct listen_spec *spec = &o->listens[o->n_listens];
    snprintf(spec->name, sizeof spec->name, "a%u", o->n_listens);
    spec->option = "-a";
    o->n_listens++;
    return option_listen(text, spec, why);
}

/* -A: a listener for each frontend. */
static int
add_frontends(struct options *o, const char *file, struct text *why)
{
    if (o->tls.path != NULL)
        return option_fail(why, "Only one -A allowed\n");
    int err = tls_config_read(file, &o->tls, why);
    for (unsigned i = 1; err == 0 && i < o->tls.n_frontends; i++) {
        struct text spec = { 0 };
        text_printf(&spec, "%s=%s,%sHTTPS", o->tls.frontends[i].name, o->tls.frontends[i].address,
                    o->tls.proxy ? "PROXY," : "");
        err = add_listen(o, text_cstr(&spec), why);
        o->listens[o->n_listens - 1].option = "-A";
        text_release(&spec);
    }
    return err;
}

static int
add_storage(struct options *o, const char *text, struct text *why)
{
    if (o->n_storages == OPTION_LIST_MAX)
        return option_fail(why, "Too many -s: at most %u\n", OPTION_LIST_MAX);
    struct storage_spec *spec = &o->storages[o->n_storages];
    spec->name[0] = '\0';
    int err = option_storage(text, spec, why);
    if (err == 0 && spec->name[0] == '\0')
        snprintf(spec->name, sizeof spec->name, "s%u", o->n_unnamed_storages++);
    for (unsigned i = 0; err == 0 && i < o->n_storages; i++)
        if (strcmp(o->storages[i].name, spec->name) == 0)
            err = option_fail(why, "(-s %s) '%s' is already defined\n", text, spec->name);
    o->n_storages++;
    return err;
}

/* -r a,b,c: protects after all options, so that -p may come before or after -r. */
static int
protect_all(const struct option_list *lists, struct text *why)
{
    for (unsigned i = 0; i < lists->n; i++) {
        struct span rest = span_str(lists->text[i]);
        while (rest.len > 0) {
            struct span name = option_cut(&rest, ',');
            char text[64];
            if (option_copy(text, sizeof text, name, "Name of -r", why) != 0)
                return ERR_SYNTAX;
            if (param_protect(text) != 0) {
                text_str(why, "-r: ");
                param_unknown(text, why);
                return option_fail(why, "\n");
            }
        }
    }
    return 0;
}

static int
take_option(int letter, const char *arg, struct options *o, struct option_list *protect, struct text *why)
{
    switch (letter) {
    case 'a': return add_listen(o, arg, why);
    case 'A': return add_frontends(o, arg, why);
    case 'b':
        if (o->backend != NULL)
            return option_fail(why, "Only one -b can be specified\n");
        o->backend = arg;
        return 0;
    case 'C': o->compile_only = true; return 0;
    case 'd': o->debug = true; return 0;
    case 'D': return option_list_add(&o->values, arg, 'D', why);
    case 'f':
        if (*arg == '\0') {
            o->no_policy = true;
            return 0;
        }
        return option_list_add(&o->policies, arg, 'f', why);
    case 'F': o->foreground = true; return 0;
    case 'E':
    case 'h':
    case 'W':
        if (strchr(o->idle, letter) == NULL)
            o->idle[strlen(o->idle)] = (char)letter;
        return 0;
    case 'i':
        o->identity = arg;
        return *arg == '\0' ? option_fail(why, "Identity (-i) cannot be the empty string.\n") : 0;
    case 'I':
        if (o->init_file != NULL)
            return option_fail(why, "Only one -I allowed\n");
        o->init_file = arg;
        return 0;
    case 'j': return option_jail(arg, o, why);
    case 'l': {
        /* Varnish once had three sizes here; the first one is the size of the log. */
        char size[64];
        struct span rest = span_str(arg);
        int err = option_copy(size, sizeof size, option_cut(&rest, ','), "-l", why);
        return err == 0 && param_set("vsl_space", size, why) == 0 ? 0 : ERR_SYNTAX;
    }
    case 'M': return option_list_add(&o->cli_masters, arg, 'M', why);
    case 'n': o->workdir = arg; return 0;
    case 'P': o->pid_file = arg; return 0;
    case 'p': return option_param(arg, o, why);
    case 'r': return option_list_add(protect, arg, 'r', why);
    case 's': return add_storage(o, arg, why);
    case 'S':
        o->no_secret = strcmp(arg, "none") == 0;
        o->secret_file = o->no_secret ? NULL : arg;
        return 0;
    case 'T':
        if (strcmp(arg, "none") == 0) {
            o->no_cli_listen = true;
            return 0;
        }
        return option_list_add(&o->cli_listens, arg, 'T', why);
    case 't': return param_set("default_ttl", arg, why) == 0 ? 0 : ERR_SYNTAX;
    case 'V': o->version = true; return 0;
    case 'x': o->explain = arg; return 0;
    case '?': o->usage = true; return 0;
    default: WRONG("option without a case");
    }
}

/* -V and -x must stand alone, because they would ignore other arguments silently. */
static int
check_alone(int letter, int argc, bool first, struct text *why)
{
    if (letter != 'V' && letter != 'x')
        return 0;
    if (!first)
        return option_fail(why, "-%c must be the first argument\n", letter);
    return argc == (letter == 'V' ? 2 : 3) ? 0 : option_fail(why, "Too many arguments for -%c\n", letter);
}

static int
check_together(struct options *o, struct text *why)
{
    if (o->usage || o->version || o->explain != NULL)
        return 0;
    if (o->debug && o->foreground)
        return option_fail(why, "Only one of -d or -F can be specified\n");
    if (o->backend != NULL && (o->policies.n > 0 || o->no_policy))
        return option_fail(why, "Only one of -b or -f can be specified\n");
    if (o->compile_only && o->backend == NULL && o->policies.n == 0 && o->tls.path == NULL)
        return option_fail(why, "-C needs either -b <backend> or -f <vcl_file>, or -A <file>\n");
    if (o->compile_only && o->debug)
        return option_fail(why, "-d makes no sense with -C\n");
    if (o->compile_only && o->foreground)
        return option_fail(why, "-F makes no sense with -C\n");
    if (!o->debug && !o->compile_only && o->backend == NULL && o->policies.n == 0 && !o->no_policy)
        return option_fail(why, "Neither -b nor -f given. (use -f '' to override)\n");
    if (o->no_cli_listen && o->cli_listens.n > 0)
        return option_fail(why, "-T none cannot be used with another -T\n");
    return 0;
}

static void
long_options(struct option out[N_OPTIONS + 1])
{
    unsigned n = 0;
    for (unsigned i = 0; i < N_OPTIONS; i++)
        if (usage_rows[i].name != NULL)
            out[n++] = (struct option){ .name = usage_rows[i].name,
                                        .val = LONG_OPTION + usage_rows[i].letter };
    out[n] = (struct option){ 0 };
}

/* --help and --version stand alone, like -V. */
static int
take_long(int letter, int argc, struct options *o, struct text *why)
{
    o->usage = letter == '?';
    o->version = letter == 'V';
    CHECK(o->usage || o->version);
    o->long_form = true;
    return argc == 2 ? 0 : option_fail(why, "--%s takes no other arguments\n", o->usage ? "help" : "version");
}

static bool
is_long(const char *word)
{
    return strncmp(word, "--", 2) == 0;
}

/* Reports an option that getopt rejected, and lists the known ones. */
static int
refuse(int letter, int seen, const char *word, struct text *why)
{
    if (is_long(word))
        return option_fail(why, "Unknown option %s. Options have one letter: see vernisd --help\n", word);
    if (letter == ':')
        return option_fail(why, "Option -%c needs an argument.\n", seen);
    text_printf(why, "Unknown option -%c. Known are:", seen);
    for (unsigned i = 0; i < N_OPTIONS; i++)
        text_printf(why, " -%c", usage_rows[i].letter);
    return option_fail(why, "\n");
}

int
options_parse(int argc, char **argv, struct options *o, struct text *why)
{
    *o = (struct options){ 0 };
    struct option_list protect = { 0 };
    struct option names[N_OPTIONS + 1];
    int err = 0, letter;
    bool first = true;
    optind = 1;
    opterr = 0;
    long_options(names);
    while (err == 0 && (letter = getopt_long(argc, argv, ":" OPTION_TEXT, names, NULL)) != -1) {
        if (letter > LONG_OPTION)
            err = take_long(letter - LONG_OPTION, argc, o, why);
        else if (letter == ':' ||
                 (letter == '?' && ((optopt != '?' && optopt != 0) || is_long(argv[optind - 1]))))
            err = refuse(letter, optopt, argv[optind - 1], why);
        else if ((err = check_alone(letter, argc, first, why)) == 0)
            err = take_option(letter, optarg, o, &protect, why);
        first = false;
    }
    if (err == 0 && optind < argc)
        err = option_fail(why, "Too many arguments ('%s'...): options begin with -, see vernisd --help\n",
                          argv[optind]);
    if (err == 0)
        err = protect_all(&protect, why);
    if (err == 0)
        err = check_together(o, why);
    if (err == 0 && o->n_listens == 0)
        err = add_listen(o, ":80", why);
    if (err == 0 && o->n_storages == 0)
        err = add_storage(o, STORAGE_DEFAULT, why);
    return err;
}
