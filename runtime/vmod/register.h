/* The modules that come with the server. */
#ifndef VERNIS_VMOD_REGISTER_H
#define VERNIS_VMOD_REGISTER_H

/* Lets policies import the modules' functions. Call before the first load; harmless when repeated. */
void vmod_register(void);

#endif
