/* Opens files that an operator names: see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
file_open(const char *path, off_t most_bytes)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return -1;
    int error = fstat(fd, &st) != 0  ? errno
              : S_ISDIR(st.st_mode)  ? EISDIR
              : !S_ISREG(st.st_mode) ? EINVAL
                                     : 0;
    if (error == 0 && st.st_size > most_bytes)
        error = EFBIG;
    if (error == 0)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

const char *
file_why(int error)
{
    return error == EINVAL ? "a pipe, a socket or a device, not a file" : strerror(error);
}
