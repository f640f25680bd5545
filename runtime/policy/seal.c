/* Seals of images: see seal.h. */
#include "policy/seal.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"

#define SEAL_MAGIC "VERNIS\r\n" /* as in PNG, a copy in text mode damages it */
#define SEAL_DIGEST_BYTES 32u
#define SEAL_IMAGE_BYTES_MAX ((off_t)256 << 20)
#define SEAL_READ_BYTES 65536u

struct seal {       /* in the byte order of the machine, as the rest of the image */
    uint64_t bytes; /* of the image without its seal */
    uint8_t digest[SEAL_DIGEST_BYTES];
    char magic[8];
};

_Static_assert(sizeof(struct seal) == 48, "link.py writes 48 bytes");

static int
refuse(char *error, size_t cap, const char *why)
{
    snprintf(error, cap, "the compiled policy %s: build it again, or copy it again", why);
    return ERR_SYNTAX;
}

/* Reads `left` bytes into the digest, at most. False: the file ended earlier, or an error. */
static bool
digest_bytes(int fd, EVP_MD_CTX *ctx, uint64_t left)
{
    char buf[SEAL_READ_BYTES];
    while (left > 0) {
        ssize_t n = read(fd, buf, left < sizeof buf ? (size_t)left : sizeof buf);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || EVP_DigestUpdate(ctx, buf, (size_t)n) != 1)
            return false;
        left -= (uint64_t)n;
    }
    return true;
}

static bool
has_digest(int fd, const struct seal *seal)
{
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool fits = ctx != NULL && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) == 1 &&
                digest_bytes(fd, ctx, seal->bytes) &&
                EVP_DigestUpdate(ctx, &seal->bytes, sizeof seal->bytes) == 1 &&
                EVP_DigestFinal_ex(ctx, digest, &n) == 1 && n == sizeof seal->digest &&
                memcmp(digest, seal->digest, sizeof seal->digest) == 0;
    EVP_MD_CTX_free(ctx);
    return fits;
}

static int
check_open(int fd, char *error, size_t cap)
{
    struct stat st;
    struct seal seal;
    if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof seal ||
        pread(fd, &seal, sizeof seal, st.st_size - (off_t)sizeof seal) != (ssize_t)sizeof seal ||
        memcmp(seal.magic, SEAL_MAGIC, sizeof seal.magic) != 0)
        return refuse(error, cap, "is cut short, or is not an image of this version (it has no seal)");
    if (seal.bytes != (uint64_t)st.st_size - sizeof seal)
        return refuse(error, cap, "has another length than its seal says");
    return has_digest(fd, &seal) ? 0 : refuse(error, cap, "is damaged: its content differs from its seal");
}

int
seal_check(const char *path, char *error, size_t cap)
{
    int fd = file_open(path, SEAL_IMAGE_BYTES_MAX);
    if (fd < 0) {
        snprintf(error, cap, "cannot open the compiled policy %s: %s", path, file_why(errno));
        return ERR_SYS;
    }
    int err = check_open(fd, error, cap);
    close(fd);
    return err;
}
