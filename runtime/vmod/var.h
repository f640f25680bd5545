/* Global variables of module var. Private to this room. */
#ifndef VERNIS_VMOD_VAR_H
#define VERNIS_VMOD_VAR_H

void var_forget(void); /* drops all global variables */

#endif
