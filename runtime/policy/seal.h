/* The seal at the end of an image file: its length and SHA-256. The loader maps segments where the headers
 * say, so a file that is cut short or damaged would kill the process inside of dlopen, or later inside of a
 * hook. The compiler's linker writes the seal (compiler/native/link.py). */
#ifndef VERNIS_POLICY_SEAL_H
#define VERNIS_POLICY_SEAL_H

#include <stddef.h>

/* Reads the whole file. Returns 0 if its seal fits. Otherwise ERR_SYS or ERR_SYNTAX, with the reason in
 * `error`. Any thread that may wait for a disk. */
int seal_check(const char *path, char *error, size_t cap);

#endif
