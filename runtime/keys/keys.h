/* The key process: the only one that holds private keys. The manager starts it before any key is read, passes
 * it the files as descriptors, and connects the loops of workers with it (tls/key_wire.h). It opens nothing
 * and connects to nobody, and signs only what a server signs in TLS, so whoever takes over a worker cannot
 * take a key away, nor sign anything else. */
#ifndef VERNIS_KEYS_KEYS_H
#define VERNIS_KEYS_KEYS_H

/* All that the process does. Returns its exit status when the manager has gone. */
int keys_main(int argc, char *const argv[]);

#endif
