/* Second forms of a stored response: its content in another coding (http/codings.h), packed by a delivery
 * and kept with the object as a further body. The object's storage is charged for a form. The form is freed
 * with the object, never changes while the object lives, and has no separate place in the eviction queues.
 * Any thread. */
#ifndef VERNIS_CACHE_SECOND_FORM_H
#define VERNIS_CACHE_SECOND_FORM_H

#include "cache/object.h"
#include "http/codings.h"

/* NULL: the object has no such form. Valid as long as the object. */
const struct body *object_second_form(const struct object *o, enum coding c);
/* Counts a delivery that had to pack this form. True once for each `after` deliveries, while the form does
 * not exist and no delivery makes it: the caller must then make the form of a complete object, and finish
 * with one of the next two functions. */
bool object_second_form_due(struct object *o, enum coding c, unsigned after);
/* ERR_NOMEM: the attempt is given up. */
int object_keep_second_form(struct object *o, enum coding c, struct span bytes);
/* `for_good`: the form is too long to be kept, and will never be due again. */
void object_give_up_second_form(struct object *o, enum coding c, bool for_good);

#endif
