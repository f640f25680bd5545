/* The command line of the daemon: see options.h. Options and their meaning are Varnish's. */
#include "admin/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "admin/params.h"
#include "base/check.h"

#define STORAGE_DEFAULT "default,100m"

static const struct {
    char letter;
    const char *arg, *what;
} usage_rows[] = {
    { 'a', "[name=]address[:port][,HTTP|PROXY][,user=U][,group=G][,mode=M]", "listen for clients; may be repeated (default :80)" },
    { 'b', "address[:port] | path | none", "a policy with just this origin" },
    { 'f', "file", "load this policy; the last one becomes active; '' for none" },
    { 'n', "dir", "work directory (default: host name below /var/lib/varnish)" },
    { 's', "[name=]malloc[,size]", "storage; may be repeated (default: malloc,100m)" },
    { 'F', NULL, "stay in the foreground" },
    { 'd', NULL, "debug: foreground, command line on stdin, worker not started" },
    { 'C', NULL, "compile the policy, say whether it is right, and exit" },
    { 'T', "address[:port] | none", "listen for the command line; may be repeated (default localhost:0)" },
    { 'M', "address:port", "connect to a master and offer the command line there" },
    { 'S', "file | none", "secret for the command line (default: _.secret in the work directory)" },
    { 'P', "file", "write the process id there" },
    { 'i', "identity", "name of this instance" },
    { 'I', "file", "run these commands before the worker starts" },
    { 'p', "parameter=value", "set a parameter; may be repeated" },
    { 'r', "parameter[,parameter]", "protect parameters against change" },
    { 't', "seconds", "the same as -p default_ttl=" },
    { 'l', "size", "the same as -p vsl_space=" },
    { 'j', "unix[,user=U][,group=G] | none", "as whom the worker and the compiler run" },
    { 'h', "kind", "hash kind: accepted, there is one" },
    { 'W', "waiter", "waiter: accepted, there is one" },
    { 'x', "parameter | cli | optstring", "print documentation and exit" },
    { 'V', NULL, "print the version and exit" },
    { '?', NULL, "print this and exit" },
};

void
options_usage(struct text *out)
{
    text_str(out, "Usage: vernisd [options]\n");
    for (unsigned i = 0; i < sizeof usage_rows / sizeof *usage_rows; i++)
        text_printf(out, "  -%c %s\n        %s\n", usage_rows[i].letter, usage_rows[i].arg == NULL ? "" : usage_rows[i].arg,
                    usage_rows[i].what);
}

static int
fail(struct text *why, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(why, fmt, ap);
    va_end(ap);
    return ERR_SYNTAX;
}

static int
copy_text(char *to, size_t cap, struct span from, const char *what, struct text *why)
{
    if (from.len >= cap)
        return fail(why, "%s is too long: %.*s\n", what, (int)from.len, from.ptr);
    memcpy(to, from.ptr, from.len);
    to[from.len] = '\0';
    return 0;
}

/* The part of *text up to `by`; *text goes on behind it. */
static struct span
cut(struct span *text, char by)
{
    const char *at = text->len == 0 ? NULL : memchr(text->ptr, by, text->len);
    size_t n = at == NULL ? text->len : (size_t)(at - text->ptr);
    struct span part = span_of(text->ptr, n);
    size_t skip = at == NULL ? n : n + 1;
    *text = span_of(text->ptr + skip, text->len - skip);
    return part;
}

/* "key=" at the front of `part`: the value behind it. */
static bool
take_key(struct span part, const char *key, struct span *value)
{
    size_t n = strlen(key);
    if (part.len < n || memcmp(part.ptr, key, n) != 0)
        return false;
    *value = span_of(part.ptr + n, part.len - n);
    return true;
}

static bool
is_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = ascii_lower(s.ptr[i]);
        if (!((c >= 'a' && c <= 'z') || (i > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'))))
            return false;
    }
    return s.len > 0;
}

static int
listen_argument(struct span part, struct listen_spec *out, struct text *why)
{
    struct span value;
    bool path = out->address[0] == '/';
    if (span_eq_nocase(part, SPAN_LIT("PROXY")))
        out->proxy_protocol = true;
    else if (span_eq_nocase(part, SPAN_LIT("HTTP")) || span_eq_nocase(part, SPAN_LIT("HTTP/1")))
        out->proxy_protocol = false;
    else if (take_key(part, "user=", &value) && path)
        return copy_text(out->user, sizeof out->user, value, "user of -a", why);
    else if (take_key(part, "group=", &value) && path)
        return copy_text(out->group, sizeof out->group, value, "group of -a", why);
    else if (take_key(part, "mode=", &value) && path) {
        char digits[8] = "", *end;
        if (value.len < 3 || value.len >= sizeof digits)
            return fail(why, "Invalid mode for -a: %.*s\n", (int)value.len, value.ptr);
        memcpy(digits, value.ptr, value.len);
        unsigned long mode = strtoul(digits, &end, 8);
        if (*end != '\0' || mode > 0777)
            return fail(why, "Invalid mode for -a: %s\n", digits);
        out->mode = (mode_t)mode;
        out->has_mode = true;
    } else
        return fail(why, "Invalid argument '%.*s' of -a: HTTP, PROXY%s\n", (int)part.len, part.ptr,
                    path ? ", user=, group=, mode=" : " (user=, group= and mode= only with a path)");
    return 0;
}

int
option_listen(const char *text, struct listen_spec *out, struct text *why)
{
    struct span rest = span_str(text), address = cut(&rest, ',');
    bool has_name = address.len > 0 && *address.ptr != '/' && memchr(address.ptr, '=', address.len) != NULL;
    if (has_name) {
        struct span name = cut(&address, '=');
        if (!is_name(name))
            return fail(why, "Invalid name '%.*s' for -a: it must begin with a letter\n", (int)name.len, name.ptr);
        int err = copy_text(out->name, sizeof out->name, name, "Name of -a", why);
        if (err != 0)
            return err;
    }
    if (address.len == 0)
        return fail(why, "-a without an address: '%s'\n", text);
    int err = copy_text(out->address, sizeof out->address, address, "Address of -a", why);
    while (err == 0 && rest.len > 0)
        err = listen_argument(cut(&rest, ','), out, why);
    return err;
}

/* A size with Varnish's suffixes, by the parser of the parameters. */
static int
parse_size(struct span text, uint64_t *out, struct text *why)
{
    char digits[32], *end;
    if (text.len == 0 || text.len >= sizeof digits || text.ptr[0] < '0' || text.ptr[0] > '9')
        return fail(why, "Invalid size for -s: '%.*s'\n", (int)text.len, text.ptr);
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = '\0';
    double n = strtod(digits, &end);
    static const char units[] = "bkmgt";
    const char *unit = *end == '\0' ? units : strchr(units, ascii_lower(*end));
    bool right = unit != NULL && (*end == '\0' || end[1] == '\0' || (ascii_lower(end[1]) == 'b' && end[2] == '\0'));
    for (const char *u = units; right && u < unit; u++)
        n *= 1024;
    if (!right || n < 1 || n > 0x1p53)
        return fail(why, "Invalid size for -s: '%s' (digits and b, k, m, g or t)\n", digits);
    *out = (uint64_t)n;
    return 0;
}

#define STORAGE_LEAST_BYTES (1u << 20)

int
option_storage(const char *text, struct storage_spec *out, struct text *why)
{
    struct span rest = span_str(text), kind = cut(&rest, ',');
    if (kind.len > 0 && memchr(kind.ptr, '=', kind.len) != NULL) {
        struct span name = cut(&kind, '=');
        if (!is_name(name))
            return fail(why, "invalid -s name \"%.*s\"\n", (int)name.len, name.ptr);
        int err = copy_text(out->name, sizeof out->name, name, "Name of -s", why);
        if (err != 0)
            return err;
    }
    if (!span_eq(kind, SPAN_LIT("malloc")) && !span_eq(kind, SPAN_LIT("default")) && !span_eq(kind, SPAN_LIT("umem")))
        return fail(why, "Unknown storage kind '%.*s' of -s: known are malloc, default (the same)\n", (int)kind.len, kind.ptr);
    struct span size = cut(&rest, ',');
    if (rest.len > 0)
        return fail(why, "Too many arguments of -s %.*s: '%.*s'\n", (int)kind.len, kind.ptr, (int)rest.len, rest.ptr);
    out->limit_bytes = 0;
    int err = size.len == 0 ? 0 : parse_size(size, &out->limit_bytes, why);
    if (err == 0 && size.len > 0 && out->limit_bytes < STORAGE_LEAST_BYTES)
        err = fail(why, "Storage of -s is too small: '%.*s', at least 1m\n", (int)size.len, size.ptr);
    return err;
}

static int
option_jail(const char *text, struct options *o, struct text *why)
{
    struct span rest = span_str(text), kind = cut(&rest, ','), value;
    if (span_eq(kind, SPAN_LIT("none")) && rest.len == 0) {
        o->jail = JAIL_NONE;
        return 0;
    }
    if (!span_eq(kind, SPAN_LIT("unix")))
        return fail(why, "Unknown jail '%s' of -j: known are unix[,user=U][,group=G] and none\n", text);
    o->jail = JAIL_UNIX;
    int err = 0;
    while (err == 0 && rest.len > 0) {
        struct span part = cut(&rest, ',');
        if (take_key(part, "user=", &value) || take_key(part, "workuser=", &value))
            err = copy_text(o->jail_user, sizeof o->jail_user, value, "user of -j", why);
        else if (take_key(part, "group=", &value) || take_key(part, "ccgroup=", &value))
            err = copy_text(o->jail_group, sizeof o->jail_group, value, "group of -j", why);
        else
            err = fail(why, "Unknown argument '%.*s' of -j unix: known are user= and group=\n", (int)part.len, part.ptr);
    }
    return err;
}

static int
option_param(const char *text, struct text *why)
{
    const char *eq = strchr(text, '=');
    char name[64];
    if (eq == NULL || (size_t)(eq - text) >= sizeof name)
        return fail(why, "-p wants name=value: '%s'\n", text);
    memcpy(name, text, (size_t)(eq - text));
    name[eq - text] = '\0';
    return param_set(name, eq + 1, why) == 0 ? 0 : ERR_SYNTAX;
}

static int
option_list_add(struct option_list *list, const char *text, char letter, struct text *why)
{
    if (list->n == OPTION_LIST_MAX)
        return fail(why, "Too many -%c: at most %u\n", letter, OPTION_LIST_MAX);
    list->text[list->n++] = text;
    return 0;
}

static int
add_listen(struct options *o, const char *text, struct text *why)
{
    if (o->n_listens == OPTION_LIST_MAX)
        return fail(why, "Too many -a: at most %u\n", OPTION_LIST_MAX);
    struct listen_spec *spec = &o->listens[o->n_listens];
    snprintf(spec->name, sizeof spec->name, "a%u", o->n_listens);
    o->n_listens++;
    return option_listen(text, spec, why);
}

static int
add_storage(struct options *o, const char *text, struct text *why)
{
    if (o->n_storages == OPTION_LIST_MAX)
        return fail(why, "Too many -s: at most %u\n", OPTION_LIST_MAX);
    struct storage_spec *spec = &o->storages[o->n_storages];
    snprintf(spec->name, sizeof spec->name, "s%u", o->n_storages);
    int err = option_storage(text, spec, why);
    for (unsigned i = 0; err == 0 && i < o->n_storages; i++)
        if (strcmp(o->storages[i].name, spec->name) == 0)
            err = fail(why, "(-s %s) '%s' is already defined\n", text, spec->name);
    o->n_storages++;
    return err;
}

/* -r a,b,c: protected once all options were read, so that -p works in any order. */
static int
protect_all(const struct option_list *lists, struct text *why)
{
    for (unsigned i = 0; i < lists->n; i++) {
        struct span rest = span_str(lists->text[i]);
        while (rest.len > 0) {
            struct span name = cut(&rest, ',');
            char text[64];
            if (copy_text(text, sizeof text, name, "Name of -r", why) != 0 || param_protect(text) != 0)
                return fail(why, "Unknown parameter '%.*s' of -r\n", (int)name.len, name.ptr);
        }
    }
    return 0;
}

static int
take_option(int letter, const char *arg, struct options *o, struct option_list *protect, struct text *why)
{
    switch (letter) {
    case 'a': return add_listen(o, arg, why);
    case 'b':
        if (o->backend != NULL)
            return fail(why, "Only one -b can be specified\n");
        o->backend = arg;
        return 0;
    case 'C': o->compile_only = true; return 0;
    case 'd': o->debug = true; return 0;
    case 'f':
        if (*arg == '\0') {
            o->no_policy = true;
            return 0;
        }
        return option_list_add(&o->policies, arg, 'f', why);
    case 'F': o->foreground = true; return 0;
    case 'h': case 'W': return 0;
    case 'i': o->identity = arg; return *arg == '\0' ? fail(why, "Identity (-i) cannot be the empty string.\n") : 0;
    case 'I': o->init_file = arg; return 0;
    case 'j': return option_jail(arg, o, why);
    case 'l': {
        /* Varnish once took three sizes here; the first is still the one of the log. */
        char size[64];
        struct span rest = span_str(arg);
        int err = copy_text(size, sizeof size, cut(&rest, ','), "-l", why);
        return err == 0 && param_set("vsl_space", size, why) == 0 ? 0 : ERR_SYNTAX;
    }
    case 'M': return option_list_add(&o->cli_masters, arg, 'M', why);
    case 'n': o->workdir = arg; return 0;
    case 'P': o->pid_file = arg; return 0;
    case 'p': return option_param(arg, why);
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
    default: WRONG("option without an arm");
    }
}

static int
check_together(struct options *o, struct text *why)
{
    if (o->usage || o->version || o->explain != NULL)
        return 0;
    if (o->debug && o->foreground)
        return fail(why, "-d cannot be used with -F\n");
    if (o->backend != NULL && (o->policies.n > 0 || o->no_policy))
        return fail(why, "Only one of -b or -f can be specified\n");
    if (o->compile_only && o->backend == NULL && o->policies.n == 0)
        return fail(why, "-C needs either -b <backend> or -f <vcl_file>\n");
    if (!o->debug && o->backend == NULL && o->policies.n == 0 && !o->no_policy)
        return fail(why, "Neither -b nor -f given. (use -f '' to override)\n");
    if (o->compile_only && o->debug)
        return fail(why, "-C cannot be used with -d\n");
    if (o->no_cli_listen && o->cli_listens.n > 0)
        return fail(why, "-T none cannot be used with another -T\n");
    return 0;
}

/* The letter of the option that getopt could not take, and what could have been meant. */
static int
refuse(int letter, int seen, struct text *why)
{
    if (letter == ':')
        return fail(why, "Option -%c needs an argument.\n", seen);
    text_printf(why, "Unknown option -%c. Known are:", seen);
    for (unsigned i = 0; i < sizeof usage_rows / sizeof *usage_rows; i++)
        text_printf(why, " -%c", usage_rows[i].letter);
    return fail(why, "\n");
}

int
options_parse(int argc, char **argv, struct options *o, struct text *why)
{
    *o = (struct options){ 0 };
    struct option_list protect = { 0 };
    int err = 0, letter;
    optind = 1;
    opterr = 0;
    while (err == 0 && (letter = getopt(argc, argv, ":" OPTION_TEXT)) != -1) {
        if (letter == ':' || (letter == '?' && optopt != '?' && optopt != 0))
            err = refuse(letter, optopt, why);
        else
            err = take_option(letter, optarg, o, &protect, why);
    }
    if (err == 0 && optind < argc)
        err = fail(why, "Too many arguments ('%s'...)\n", argv[optind]);
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
