/* Requests to the compile server, as lines of JSON. */
#ifndef VERNIS_MANAGER_COMPILE_REQUEST_H
#define VERNIS_MANAGER_COMPILE_REQUEST_H

#include "manager/workdir/workdir.h"
#include "base/text.h"

#define COMPILE_OUT WORKDIR_INSIDE "/images"

struct compile_order {
    const char *name;
    const char *path;          /* the file to compile; with `text` only a name for messages; NULL: no
                                * file */
    struct span text;          /* SPAN_NULL: read the file */
    const char *const *labels; /* all labels, NULL-ended */
    struct span values;        /* of compile_values(); empty: none */
};

/* Writes values of a policy's parameters ("name=value", as given with -D) as a JSON object; nothing for no
 * words. A later value of the same name replaces an earlier one. ERR_SYNTAX with a line in `why`. */
int compile_values(unsigned n, const char *const words[], struct text *out, struct text *why);

/* Writes the request to compile a policy as one line. Takes the options from parameters. */
void compile_request(uint64_t id, const struct compile_order *order, bool unix_listener, struct text *out);

#endif
