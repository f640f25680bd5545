/* Makes the second form of an object, in the background. */
#ifndef VERNIS_PROXY_CODING_KEEP_H
#define VERNIS_PROXY_CODING_KEEP_H

#include "cache/second_form.h"

struct server;

/* Call when a delivery makes this form itself. After coding_keep_after such calls, a fiber makes the form
 * once more, to keep it. */
void coding_keep_if_due(struct loop *loop, struct server *server, struct object *o, enum coding c);

#endif
