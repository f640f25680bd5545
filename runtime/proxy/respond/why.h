/* The field Vernis-Why: tells a client that may ask how its request was decided, with the place of each
 * decision in the policy. Parameter why_acl names the ACL of those who may ask. docs/why.md has the format.
 */
#ifndef VERNIS_PROXY_RESPOND_WHY_H
#define VERNIS_PROXY_RESPOND_WHY_H

#include "proxy/request_state.h"

struct why;

/* If the client asks and may: removes its field Vernis-Why, and prepares r->why. Needs the policy. */
void why_begin(struct request *r);
/* A hook has returned. r->why is set. */
void why_note(struct request *r, enum vcl_hook hook, enum vcl_action action);
void why_log(struct request *r); /* writes VCL_Log; harmless if the client did not ask */
/* The same, and adds the field to r->resp. Without room for it, the response stays as it is. */
void why_tell(struct request *r);

#endif
