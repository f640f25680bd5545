/* The modules that come with the server. */
#ifndef VERNIS_VMOD_REGISTER_H
#define VERNIS_VMOD_REGISTER_H

void vmod_register(void);               /* policies may import their functions from now on; again is harmless. Before the first load */

#endif
