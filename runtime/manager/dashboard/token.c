/* The token of the dashboard: see token.h. */
#include "manager/dashboard/token.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"

#define SCHEME "Bearer "

static bool
read_token(const char *path, char out[TOKEN_DIGITS + 1])
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                (st.st_mode & 077) == 0;
    ssize_t n = ours ? read(fd, out, TOKEN_DIGITS) : -1;
    close(fd);
    out[TOKEN_DIGITS] = '\0';
    return n == (ssize_t)TOKEN_DIGITS && strspn(out, "0123456789abcdef") == TOKEN_DIGITS;
}

static int
write_token(const char *path, const char token[TOKEN_DIGITS + 1])
{
    (void)unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return ERR_SYS;
    ssize_t n = write(fd, token, TOKEN_DIGITS);
    if (n >= 0 && n < (ssize_t)TOKEN_DIGITS)
        errno = ENOSPC;
    close(fd);
    return n == (ssize_t)TOKEN_DIGITS ? 0 : ERR_SYS;
}

int
token_open(const char *folder, char out[TOKEN_DIGITS + 1], struct text *why)
{
    char path[PATH_MAX];
    unsigned char bytes[TOKEN_BYTES];
    int n = snprintf(path, sizeof path, "%s/%s", folder, TOKEN_FILE);
    CHECK(n > 0 && n < PATH_MAX);
    if (read_token(path, out))
        return 0;
    CHECK(getrandom(bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes);
    for (unsigned i = 0; i < TOKEN_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    if (write_token(path, out) == 0)
        return 0;
    text_printf(why, "Cannot write the token of the dashboard to %s: %s\n", path, strerror(errno));
    return ERR_SYS;
}

bool
token_allows(const char token[TOKEN_DIGITS + 1], const char *authorization)
{
    size_t scheme = sizeof SCHEME - 1;
    return authorization != NULL && strlen(authorization) == scheme + TOKEN_DIGITS &&
           strncmp(authorization, SCHEME, scheme) == 0 &&
           CRYPTO_memcmp(authorization + scheme, token, TOKEN_DIGITS) == 0;
}
