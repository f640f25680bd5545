/* The modules that come with the server. */
#ifndef VERNIS_VMOD_REGISTER_H
#define VERNIS_VMOD_REGISTER_H

/* Lets policies import the modules' functions. Call before the first load; harmless when repeated. */
void vmod_register(void);

/* Drops all that modules keep longer than a policy: global variables, buckets, files. For worlds of tests. No
 * policy is loaded, and no loop runs. */
void vmod_forget(void);

#endif
