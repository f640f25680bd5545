/* The command line of the daemon: see options.h. Options and their meaning are Varnish's. */
#include "admin/options.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
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
    { 'j', "unix[,user=U][,workuser=W][,ccgroup=G] | none", "as whom the compiler and the worker run" },
    { 'h', "kind", "hash kind: accepted, there is one" },
    { 'W', "waiter", "waiter: accepted, there is one" },
    { 'x', "parameter | vsl | cli | builtin | optstring", "print documentation and exit" },
    { 'V', NULL, "print the version and exit" },
    { '?', NULL, "print this and exit" },
};

void
options_usage(const char *program, struct text *out)
{
    const char *slash = strrchr(program, '/');
    text_printf(out, "Usage: %s [options]\n", slash == NULL ? program : slash + 1);
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

/* What a mode says, and says only once. */
static int
listen_mode(struct span value, struct listen_spec *out, struct text *why)
{
    char digits[64], *end;
    if (out->has_mode)
        return fail(why, "Too many mode sub-args in -a (mode=%.*s)\n", (int)value.len, value.ptr);
    if (value.len == 0)
        return fail(why, "Empty mode sub-arg in -a\n");
    int err = copy_text(digits, sizeof digits, value, "mode of -a", why);
    if (err != 0)
        return err;
    errno = 0;
    long mode = strtol(digits, &end, 8);
    if (*end != '\0')
        return fail(why, "Invalid mode sub-arg %s in -a\n", digits);
    if (errno != 0)
        return fail(why, "Cannot parse mode sub-arg %s in -a: %s\n", digits, strerror(errno));
    if (mode <= 0 || mode > 0777)
        return fail(why, "Mode sub-arg %s out of range in -a\n", digits);
    out->mode = (mode_t)mode;
    out->has_mode = true;
    return 0;
}

static int
listen_owner(const char *what, struct span value, char to[64], bool known, struct text *why)
{
    if (*to != '\0')
        return fail(why, "Too many %s sub-args in -a (%s=%.*s)\n", what, what, (int)value.len, value.ptr);
    if (!known)
        return fail(why, "Unknown %s %.*s in -a\n", what, (int)value.len, value.ptr);
    return copy_text(to, 64, value, what, why);
}

static int
listen_argument(struct span part, bool *protocol_given, struct listen_spec *out, struct text *why)
{
    struct span value;
    char name[64] = "";
    if (memchr(part.ptr, '=', part.len) == NULL) {
        if (*protocol_given)
            return fail(why, "Too many protocol sub-args in -a (%.*s)\n", (int)part.len, part.ptr);
        *protocol_given = true;
        out->proxy_protocol = span_eq_nocase(part, SPAN_LIT("PROXY"));
        if (!out->proxy_protocol && !span_eq_nocase(part, SPAN_LIT("HTTP")) && !span_eq_nocase(part, SPAN_LIT("HTTP/1")))
            return fail(why, "Unknown protocol '%.*s' in -a: known are HTTP and PROXY\n", (int)part.len, part.ptr);
        return 0;
    }
    if (out->address[0] != '/')
        return fail(why, "Invalid sub-arg %.*s for IP addresses in -a\n", (int)part.len, part.ptr);
    if (take_key(part, "mode=", &value))
        return listen_mode(value, out, why);
    bool user = take_key(part, "user=", &value);
    if (!user && !take_key(part, "group=", &value))
        return fail(why, "Invalid sub-arg %.*s in -a\n", (int)part.len, part.ptr);
    if (value.len < sizeof name)
        memcpy(name, value.ptr, value.len);
    if (user)
        return listen_owner("user", value, out->user, getpwnam(name) != NULL, why);
    return listen_owner("group", value, out->group, getgrnam(name) != NULL, why);
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
    if (*address.ptr != '/' && memchr(address.ptr, '/', address.len) != NULL)
        return fail(why, "Unix domain socket addresses must be absolute paths in -a (%.*s)\n", (int)address.len, address.ptr);
    int err = copy_text(out->address, sizeof out->address, address, "Address of -a", why);
    bool protocol_given = false;
    while (err == 0 && rest.len > 0)
        err = listen_argument(cut(&rest, ','), &protocol_given, out, why);
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

/* file,PATH,SIZE[,GRANULARITY[,ADVICE]]: PATH is only kept for the warning, the last two say how a file would be mapped. */
static int
storage_file(struct span *rest, struct storage_spec *out, struct text *why)
{
    struct span path = cut(rest, ','), size = cut(rest, ','), granularity = cut(rest, ',');
    if (path.len == 0 || size.len == 0)
        return fail(why, "-s file needs a path and a size: file,path,size\n");
    struct span advice = cut(rest, ',');
    bool known = advice.len == 0 || span_eq(advice, SPAN_LIT("normal")) || span_eq(advice, SPAN_LIT("sequential"))
                 || span_eq(advice, SPAN_LIT("random"));
    uint64_t bytes;
    if (!known)
        return fail(why, "Unknown advice of -s file: '%.*s'\n", (int)advice.len, advice.ptr);
    if (granularity.len > 0 && parse_size(granularity, &bytes, why) != 0)
        return ERR_SYNTAX;
    if (rest->len == 0)
        *rest = size;
    return copy_text(out->file, sizeof out->file, path, "Path of -s", why);
}

/* debug[,lessspace][,SIZE]: as malloc, but what wants space for content gets a byte less than it asked for. */
static bool
storage_lessspace(struct span *rest)
{
    struct span after = *rest, word = cut(&after, ',');
    if (!span_eq(word, SPAN_LIT("lessspace")))
        return false;
    *rest = after;
    return true;
}

int
option_storage(const char *text, struct storage_spec *out, struct text *why)
{
    struct span rest = span_str(text), kind = cut(&rest, ',');
    if (kind.len > 0 && memchr(kind.ptr, '=', kind.len) != NULL) {
        struct span name = cut(&kind, '=');
        if (!is_name(name))
            return fail(why, "invalid -s name \"%.*s\"=[...]\n", (int)name.len, name.ptr);
        if (kind.len == 0)
            return fail(why, "Empty named -s argument \"%.*s=\"\n", (int)name.len, name.ptr);
        int err = copy_text(out->name, sizeof out->name, name, "Name of -s", why);
        if (err != 0)
            return err;
    }
    out->file[0] = '\0';
    bool file = span_eq(kind, SPAN_LIT("file"));
    out->debug = span_eq(kind, SPAN_LIT("debug"));
    out->less_space = out->debug && storage_lessspace(&rest);
    bool memory = span_eq(kind, SPAN_LIT("malloc")) || span_eq(kind, SPAN_LIT("default")) || span_eq(kind, SPAN_LIT("umem"));
    if (!file && !out->debug && !memory)
        return fail(why, "Unknown storage kind '%.*s' of -s: known are malloc, default (the same), file, debug\n", (int)kind.len, kind.ptr);
    if (file && storage_file(&rest, out, why) != 0)
        return ERR_SYNTAX;
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
    if (kind.len == 0)
        return fail(why, "-j argument is empty\n");
    if (span_eq(kind, SPAN_LIT("none")) && rest.len == 0) {
        o->jail = JAIL_NONE;
        return 0;
    }
    if (!span_eq(kind, SPAN_LIT("unix")))
        return fail(why, "Unknown jail method \"%.*s\": known are unix and none\n", (int)kind.len, kind.ptr);
    o->jail = JAIL_UNIX;
    int err = 0;
    while (err == 0 && rest.len > 0) {
        struct span part = cut(&rest, ',');
        if (take_key(part, "user=", &value))
            err = copy_text(o->jail_user, sizeof o->jail_user, value, "user of -j", why);
        else if (take_key(part, "workuser=", &value))
            err = copy_text(o->jail_work_user, sizeof o->jail_work_user, value, "workuser of -j", why);
        else if (take_key(part, "ccgroup=", &value))
            err = copy_text(o->jail_compiler_group, sizeof o->jail_compiler_group, value, "ccgroup of -j", why);
        else
            err = fail(why, "Unix jail: unknown sub-argument '%.*s': known are user=, workuser= and ccgroup=\n", (int)part.len, part.ptr);
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
    spec->name[0] = '\0';
    int err = option_storage(text, spec, why);
    if (err == 0 && spec->name[0] == '\0')
        snprintf(spec->name, sizeof spec->name, "s%u", o->n_unnamed_storages++);
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
    case 'I':
        if (o->init_file != NULL)
            return fail(why, "Only one -I allowed\n");
        o->init_file = arg;
        return 0;
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

/* These stand alone: what else is there would be ignored without a word. */
static int
check_alone(int letter, int argc, bool first, struct text *why)
{
    if (letter != 'V' && letter != 'x')
        return 0;
    if (!first)
        return fail(why, "-%c must be the first argument\n", letter);
    return argc == (letter == 'V' ? 2 : 3) ? 0 : fail(why, "Too many arguments for -%c\n", letter);
}

static int
check_together(struct options *o, struct text *why)
{
    if (o->usage || o->version || o->explain != NULL)
        return 0;
    if (o->debug && o->foreground)
        return fail(why, "Only one of -d or -F can be specified\n");
    if (o->backend != NULL && (o->policies.n > 0 || o->no_policy))
        return fail(why, "Only one of -b or -f can be specified\n");
    if (o->compile_only && o->backend == NULL && o->policies.n == 0)
        return fail(why, "-C needs either -b <backend> or -f <vcl_file>\n");
    if (o->compile_only && o->debug)
        return fail(why, "-d makes no sense with -C\n");
    if (o->compile_only && o->foreground)
        return fail(why, "-F makes no sense with -C\n");
    if (!o->debug && o->backend == NULL && o->policies.n == 0 && !o->no_policy)
        return fail(why, "Neither -b nor -f given. (use -f '' to override)\n");
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
    bool first = true;
    optind = 1;
    opterr = 0;
    while (err == 0 && (letter = getopt(argc, argv, ":" OPTION_TEXT)) != -1) {
        if (letter == ':' || (letter == '?' && optopt != '?' && optopt != 0))
            err = refuse(letter, optopt, why);
        else if ((err = check_alone(letter, argc, first, why)) == 0)
            err = take_option(letter, optarg, o, &protect, why);
        first = false;
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
