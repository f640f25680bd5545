/* Second forms of a stored body: the same content in another coding (http/codings.h), made by those who deliver it and kept with the
 * object. A form is charged to the object's storage, goes with the object, and never changes while the object lives. It has no place of its
 * own in the queues of the storage. Any thread. */
#ifndef VERNIS_CACHE_SECOND_FORM_H
#define VERNIS_CACHE_SECOND_FORM_H

#include "cache/object.h"
#include "http/codings.h"

/* ptr NULL: there is none. Valid as long as the object. */
struct span object_second_form(const struct object *o, enum coding c);
/* One more delivery had to make this form. True once for each `after` of them, while there is none and nobody makes it: the caller is to make
 * it, of a complete object, and to end with one of the next two. */
bool object_second_form_due(struct object *o, enum coding c, unsigned after);
int object_keep_second_form(struct object *o, enum coding c, struct span bytes);       /* ERR_NOMEM: given up */
/* `for_good`: it is longer than any that is kept, and so never due again. */
void object_give_up_second_form(struct object *o, enum coding c, bool for_good);

#endif
