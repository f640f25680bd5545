/* The commands of the command line, by file: vcl_commands.c, param_commands.c, commands.c (the rest, and the table). */
#ifndef VERNIS_ADMIN_COMMANDS_H
#define VERNIS_ADMIN_COMMANDS_H

#include "admin/cli.h"

void command_vcl_load(struct cli_request *req);
void command_vcl_inline(struct cli_request *req);
void command_vcl_use(struct cli_request *req);
void command_vcl_list(struct cli_request *req);
void command_vcl_deps(struct cli_request *req);
void command_vcl_label(struct cli_request *req);
void command_vcl_discard(struct cli_request *req);
void command_vcl_state(struct cli_request *req);
void command_load_image(struct cli_request *req);
void command_reload(struct cli_request *req);
void command_replace_image(struct cli_request *req);

void command_param_show(struct cli_request *req);
void command_param_set(struct cli_request *req);
void command_param_reset(struct cli_request *req);
void param_describe_all(struct text *out);          /* -x parameter */

/* An answer of the worker becomes the answer to the client. */
void command_answered(void *arg, int status, struct span text);
void command_forward(struct cli_request *req);      /* to the worker, as typed */
void commands_describe_all(struct text *out);       /* -x cli */

#endif
