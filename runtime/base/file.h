/* Opens files that an operator names. Only regular files of bounded size are accepted: reading a pipe would
 * block until somebody writes to it, and a device may never end. */
#ifndef VERNIS_BASE_FILE_H
#define VERNIS_BASE_FILE_H

#include <sys/types.h>

/* Opens for reading. Returns -1 and sets errno: EINVAL for anything but a regular file, EFBIG for a file
 * longer than most_bytes, else the error of open(2). */
int file_open(const char *path, off_t most_bytes);
const char *file_why(int error); /* describes an errno of file_open */

#endif
