/* Files that people name: opened so that nothing but a file of bounded size is read. A pipe would hold its reader until somebody
 * writes, a device may never end. */
#ifndef VERNIS_FILE_H
#define VERNIS_FILE_H

#include <sys/types.h>

/* For reading. -1 with errno: EINVAL not a regular file, EFBIG longer than most_bytes, or what open(2) says. */
int file_open(const char *path, off_t most_bytes);
const char *file_why(int error);        /* that errno in words */

#endif
