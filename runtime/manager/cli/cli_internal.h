/* Declarations that the files of the command line share: connections (cli.c), what they send (cli_input.c), finding the command
 * (cli_dispatch.c), authentication (cli_auth.c). */
#ifndef VERNIS_MANAGER_CLI_INTERNAL_H
#define VERNIS_MANAGER_CLI_INTERNAL_H

#include "manager/cli/cli.h"

struct cli {
    struct list link;
    struct cli_server *server;
    enum cli_kind kind;
    void *owner;
    struct event_fd event;              /* fd < 0 with CLI_FILE */
    int fd_out;
    bool authenticated, closing, eof, pumping, in_document, tolerant, failed;
    char challenge[CLI_CHALLENGE_BYTES + 1];
    struct text input, output;
    size_t taken;                       /* bytes of input that are worked off; dropped when a turn is over */
    size_t scanned;                     /* bytes behind them known to hold no end of the line or of the here document */
    struct words words;                 /* while in_document */
    struct cli_request *current;
    struct event_timer deadline;        /* to authenticate, or to take the answer */
    struct event_timer turn;            /* more has arrived than one turn works off */
};

/* ---- cli.c ------------------------------------------------------------------------------------------------------------------------- */
void cli_send_frame(struct cli *c, int status, struct span body);
void cli_answer_file(struct cli *c, int status, struct span body);      /* of a command of -I */
/* ---- cli_input.c ------------------------------------------------------------------------------------------------------------------- */
struct span cli_unread(const struct cli *c);        /* of what has arrived */
bool cli_take_line(struct cli *c);                  /* the next one; false: more has to arrive */
bool cli_take_document(struct cli *c);              /* the rest of a here document; the same */
void cli_refuse(struct cli *c, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* ---- cli_dispatch.c ---------------------------------------------------------------------------------------------------------------- */
/* Runs the command of a request, or answers why not. */
void cli_dispatch(struct cli_request *req, const struct cli_env *env, bool authenticated);
/* ---- cli_auth.c -------------------------------------------------------------------------------------------------------------------- */
void cli_new_challenge(char out[CLI_CHALLENGE_BYTES + 1]);
/* Of challenge and secret, in hexadecimal digits. */
bool cli_digest_is_right(const struct workdir *dir, const char *challenge, const char *hex);

#endif
