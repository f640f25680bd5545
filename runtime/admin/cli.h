/* Connections of the command line: framing, authentication, one request at a time in order of arrival. A request may take its
 * time (a compile, a load): others go on meanwhile, and the client may go away without harm. What the commands do is in
 * commands.c and its neighbours. */
#ifndef VERNIS_ADMIN_CLI_H
#define VERNIS_ADMIN_CLI_H

#include "admin/events.h"
#include "admin/status.h"
#include "admin/text.h"
#include "admin/words.h"

#define CLI_CONNS_MAX 64u               /* TCP clients at once; as many again on the Unix socket */
#define CLI_LINE_UNAUTH_BYTES 80u
#define CLI_INPUT_UNAUTH_BYTES 4096u    /* kept before authentication; more is not read for now */
#define CLI_REQUEST_BYTES_MAX (4u << 20)    /* one line, or one here document */
#define CLI_FILE_BYTES_MAX (32u << 20)  /* of commands */
#define CLI_AUTH_TIMEOUT_S 60.0
#define CLI_SEND_TIMEOUT_S 60.0         /* a client that does not take its answer for this long is disconnected */
#define CLI_CHALLENGE_BYTES 32u
#define CLI_LOCAL_LIMIT_BYTES (16u << 20)   /* longest answer on the Unix socket, instead of cli_limit */

struct manager;
struct cli;

struct cli_request {
    struct manager *manager;
    struct cli *cli;                    /* NULL once the client is gone */
    struct words words;                 /* as typed */
    unsigned argc;
    char *argv[WORDS_MAX];              /* command and arguments without -j */
    bool json;
    int status;
    struct text out;
};

typedef void cli_command_fn(struct cli_request *req);   /* calls cli_done at once or later, exactly once */

#define COMMAND_JSON 1u                 /* has a -j form */
#define COMMAND_UNAUTH 2u               /* before authentication too */
#define COMMAND_WORKER 4u               /* needs a worker */
#define COMMAND_DEBUG 8u                /* not in plain help */

struct cli_command {
    const char *name, *syntax, *help;
    unsigned min_args, max_args, flags;
    cli_command_fn *fn;
};

extern const struct cli_command cli_commands[];     /* commands.c, by name */
extern const unsigned n_cli_commands;

enum cli_kind { CLI_TCP, CLI_UNIX, CLI_STDIO, CLI_MASTER, CLI_FILE };

struct cli_server {
    struct manager *manager;
    struct events *events;
    struct list conns;
    unsigned n_tcp, n_unix;
    void (*on_end)(struct manager *m, enum cli_kind kind, void *owner, bool failed);    /* of stdin, master and file */
};

void cli_server_init(struct cli_server *s, struct manager *m, struct events *ev);
void cli_server_release(struct cli_server *s);      /* closes all connections */
/* Takes fd. Too many: closed at once. `owner` comes back with on_end. */
void cli_accept(struct cli_server *s, int fd, enum cli_kind kind, void *owner);
void cli_stdio(struct cli_server *s);
/* Runs the commands of a file; on_end says whether one failed that may not. ERR_SYS. */
int cli_run_file(struct cli_server *s, const char *path);

void cli_done(struct cli_request *req, int status);             /* answers; req is gone */
void cli_answer(struct cli_request *req, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void cli_json_begin(struct cli_request *req, int version);      /* the envelope up to the payload */
void cli_json_end(struct cli_request *req);
void cli_quit(struct cli_request *req);
int cli_try_auth(struct cli_request *req, const char *hex);     /* 0 when right */
void cli_banner(struct manager *m, struct text *out);           /* commands.c */

#endif
