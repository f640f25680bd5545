/* Declarations shared by the files of the command line: connections (cli.c), input (cli_input.c), dispatch
 * (cli_dispatch.c), authentication (cli_auth.c). */
#ifndef VERNIS_MANAGER_CLI_CLI_INTERNAL_H
#define VERNIS_MANAGER_CLI_CLI_INTERNAL_H

#include "manager/cli/cli.h"

struct cli {
    struct list link;
    struct cli_server *server;
    enum cli_kind kind;
    void *owner;
    struct event_fd event; /* fd < 0 with CLI_FILE */
    int fd_out;
    bool authenticated, closing, eof, pumping, in_document, tolerant, failed;
    bool wants_reasons; /* counts in n_reasons */
    char challenge[CLI_CHALLENGE_BYTES + 1];
    struct text input, output;
    size_t taken;       /* bytes of input already handled; dropped at the end of a turn */
    size_t scanned;     /* bytes after `taken` already searched for the end of the line or
                         * document */
    struct words words; /* while in_document */
    struct cli_request *current;
    nsec heard;                  /* when it connected, or sent its last byte */
    struct event_timer deadline; /* for authentication, or for sending the answer */
    struct event_timer turn;     /* continues with input left over from the last turn */
};

/* ---- cli.c --------------------------------------------------------------------------------------------- */
void cli_send_frame(struct cli *c, int status, struct span body);
void cli_answer_file(struct cli *c, int status, struct span body); /* answer to a command of -I */
/* ---- cli_input.c --------------------------------------------------------------------------------------- */
struct span cli_unread(const struct cli *c); /* received input not yet handled */
bool cli_take_line(struct cli *c);           /* handles the next line; false: incomplete */
bool cli_take_document(struct cli *c);       /* handles the rest of a here document; false: incomplete */
void cli_refuse(struct cli *c, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* ---- cli_dispatch.c ------------------------------------------------------------------------------------ */
/* Runs the command of a request, or answers with an error. */
void cli_dispatch(struct cli_request *req, const struct cli_env *env, bool authenticated);
/* ---- cli_auth.c ---------------------------------------------------------------------------------------- */
void cli_new_challenge(char out[CLI_CHALLENGE_BYTES + 1]);
/* Compares `hex` with the digest of challenge and secret. */
bool cli_digest_is_right(const struct workdir *dir, const char *challenge, const char *hex);

#endif
