/* Makes the second form of an object, in the background. */
#ifndef VERNIS_PROXY_KEEP_H
#define VERNIS_PROXY_KEEP_H

#include "cache/coding/second_form.h"

struct server;

/* A delivery makes this form itself. If that has happened coding_keep_after times, the form is made once more, to be kept. */
void coding_keep_if_due(struct loop *loop, struct server *server, struct object *o, enum coding c);

#endif
