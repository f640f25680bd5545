/* The options of the daemon, parsed and checked. Nothing is opened or started here. Texts point into argv or
 * into the buffers below. */
#ifndef VERNIS_MANAGER_OPTIONS_H
#define VERNIS_MANAGER_OPTIONS_H

#include <sys/types.h>

#include "manager/tls/config.h"
#include "base/text.h"
#include "stream/listen.h"

#define OPTION_LIST_MAX 64u /* how often an option may be repeated */

struct option_list {
    unsigned n;
    const char *text[OPTION_LIST_MAX];
};

struct listen_spec { /* -a */
    char name[64];
    char address[512];  /* "host:port", ":port", or a path */
    const char *option; /* what the operator changes to get another address, as "-a"; NULL: nothing */
    enum listen_kind kind;
    bool has_mode;
    char user[64], group[64];
    mode_t mode;
};

struct storage_spec { /* -s */
    char name[64];
    char file[256]; /* PATH of "file,PATH,SIZE", only for a warning: content is in memory;
                     * else "" */
    uint64_t limit_bytes;
    bool debug, less_space; /* kind debug, for tests of full storages */
};

/* default: on if the kernel can, else a warning */
enum confine { CONFINE_DEFAULT, CONFINE_OFF, CONFINE_ON };
enum jail { JAIL_DEFAULT, JAIL_NONE, JAIL_UNIX }; /* default: unix if possible */

struct options {
    struct listen_spec listens[OPTION_LIST_MAX];
    struct storage_spec storages[OPTION_LIST_MAX];
    unsigned n_unnamed_storages; /* their names: s0, s1, ... */
    unsigned n_listens, n_storages;
    struct option_list policies;                 /* -f; without empty names, which set no_policy */
    struct option_list values;                   /* -D */
    struct option_list cli_listens, cli_masters; /* -T, -M */
    bool no_cli_listen, no_secret;               /* -T none, -S none */
    bool compile_only, debug, foreground, version, usage, no_policy;
    bool long_form;        /* --help, --version */
    bool log_form_given;   /* -p with LOG_FORM_PARAM */
    const char *backend;   /* -b */
    struct tls_config tls; /* -A; path NULL: none. Its frontends are among the listens */
    /* -i -n -P -S -I -x */
    const char *identity, *workdir, *pid_file, *secret_file, *init_file, *explain;
    char idle[8]; /* letters of options that have no effect, each once; NUL-ended */
    enum jail jail;
    char jail_user[64], jail_work_user[64], jail_key_user[64], jail_compiler_group[64];
    enum confine jail_seccomp, jail_landlock;
    bool jail_cores;
    char jail_readable[1024]; /* "": everything its user may read */
};

/* Also sets the parameters that -p, -r, -t and -l name. ERR_SYNTAX with a line or two in `why`. */
int options_parse(int argc, char **argv, struct options *out, struct text *why);
void options_usage(const char *program, struct text *out);

int option_listen(const char *text, struct listen_spec *out, struct text *why);
int option_storage(const char *text, struct storage_spec *out, struct text *why);

#endif
