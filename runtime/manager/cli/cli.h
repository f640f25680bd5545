/* Connections of the command line: framing, authentication, one request at a time in order of arrival. While
 * a request waits (for a compile or a load), other connections go on, and its client may disconnect.
 * commands.c and its neighbours implement the commands. */
#ifndef VERNIS_MANAGER_CLI_CLI_H
#define VERNIS_MANAGER_CLI_CLI_H

#include "manager/events.h"
#include "manager/cli/words.h"
#include "daemon/status.h"
#include "base/text.h"

#define CLI_CONNS_MAX 64u /* TCP clients at once; as many again on the Unix socket */
#define CLI_LINE_UNAUTH_BYTES 80u
#define CLI_INPUT_UNAUTH_BYTES 4096u     /* buffered before authentication; then reading pauses */
#define CLI_REQUEST_BYTES_MAX (4u << 20) /* one line, or one here document */
#define CLI_FILE_BYTES_MAX (32u << 20)   /* of a file of commands */
#define CLI_AUTH_TIMEOUT_S 60.0
#define CLI_SEND_TIMEOUT_S \
    60.0 /* a client that does not take its answer for this long is \
          * disconnected */
#define CLI_CHALLENGE_BYTES 32u
#define CLI_LOCAL_LIMIT_BYTES (16u << 20) /* longest answer on the Unix socket, instead of cli_limit */

struct banner;
struct child;
struct workdir;
struct cli;

/* The source files of commands. */
enum cli_file {
    CLI_OF_DAEMON,
    CLI_OF_VCL,
    CLI_OF_PARAM,
    CLI_OF_DASHBOARD,
    CLI_OF_TABLE,
    CLI_OF_TLS,
    CLI_OF_WORKER,
    CLI_FILES
};

struct cli_request {
    enum cli_file file; /* file of the command, which owns `context` */
    void *context;
    struct cli *cli;    /* NULL after the client has disconnected */
    struct words words; /* as typed */
    unsigned argc;
    char *argv[WORDS_MAX]; /* command and arguments without -j */
    bool json;
    int status;
    struct text out;
};

typedef void cli_command_fn(struct cli_request *req); /* calls cli_done at once or later, exactly once */

#define COMMAND_JSON 1u   /* has a -j form */
#define COMMAND_UNAUTH 2u /* allowed before authentication */
#define COMMAND_WORKER 4u /* needs a worker */
#define COMMAND_DEBUG 8u  /* hidden from plain help */

struct cli_command {
    const char *name, *syntax, *help;
    unsigned min_args, max_args, flags;
    cli_command_fn *fn;
};

struct cli_rows { /* the commands of a file */
    enum cli_file file;
    const struct cli_command *rows;
    unsigned n;
};

#define CLI_COMMANDS_MAX 128u

struct cli_list { /* all commands, sorted by name */
    const struct cli_command *row[CLI_COMMANDS_MAX];
    unsigned n;
};

void cli_list_all(struct cli_list *out);

enum cli_kind { CLI_TCP, CLI_UNIX, CLI_STDIO, CLI_MASTER, CLI_FILE };

struct cli_env { /* lent for the life of the server */
    struct events *events;
    const struct child *child; /* some commands need a running worker */
    const struct workdir *dir; /* for the secret */
    const struct banner *banner;
    void *contexts[CLI_FILES]; /* what the commands of each file use */
    /* of stdin, master and file */
    void (*on_end)(void *arg, enum cli_kind kind, void *owner, bool failed);
    void (*on_reasons_end)(void *arg); /* the last connection that wanted reasons has ended */
    void *arg;
};

struct cli_server {
    struct cli_env env;
    struct list conns;
    unsigned n_tcp, n_unix, n_reasons; /* n_reasons: connections for which the log tells reasons */
};

void cli_server_init(struct cli_server *s, const struct cli_env *env);
void cli_server_release(struct cli_server *s); /* closes all connections */
/* Takes fd. If too many are open, closes a silent one, or fd if all wait for answers. on_end gets `owner`. */
void cli_accept(struct cli_server *s, int fd, enum cli_kind kind, void *owner);
void cli_stdio(struct cli_server *s);
/* Runs the commands of a file; `failed` of on_end is true if a command without a leading '-' failed.
 * ERR_SYS. */
int cli_run_file(struct cli_server *s, const char *path);

void cli_done(struct cli_request *req, int status); /* answers and frees req */
void cli_answer(struct cli_request *req, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void cli_json_begin(struct cli_request *req, int version); /* the envelope up to the payload */
void cli_json_end(struct cli_request *req);
void cli_want_reasons(struct cli_request *req); /* until its connection ends */
void cli_quit(struct cli_request *req);
int cli_try_auth(struct cli_request *req, const char *hex); /* 0: authenticated */

#endif
