/* The secret of the command line. A client proves that it knows the secret without sending it. */
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <sys/random.h>

#include "manager/cli/cli_internal.h"
#include "manager/workdir/workdir.h"
#include "base/check.h"

void
cli_new_challenge(char out[CLI_CHALLENGE_BYTES + 1])
{
    unsigned char random[CLI_CHALLENGE_BYTES];
    CHECK(getrandom(random, sizeof random, 0) == (ssize_t)sizeof random);
    for (unsigned i = 0; i < CLI_CHALLENGE_BYTES; i++)
        out[i] = (char)('a' + random[i] % 26);
    out[CLI_CHALLENGE_BYTES] = '\0';
}

/* Compares all digits in constant time, so that a client cannot guess them one by one. */
bool
cli_digest_is_right(const struct workdir *dir, const char *challenge, const char *hex)
{
    struct text input = { 0 };
    text_printf(&input, "%s\n", challenge);
    int err = workdir_secret(dir, &input);
    text_printf(&input, "%s\n", challenge);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)text_cstr(&input), input.len, digest);
    OPENSSL_cleanse(input.ptr, input.len);
    text_release(&input);
    bool differs = err != 0 || strlen(hex) != 2 * sizeof digest;
    unsigned wrong = differs;
    for (unsigned i = 0; !differs && i < sizeof digest; i++) {
        char want[3];
        snprintf(want, sizeof want, "%02x", digest[i]);
        wrong |= (unsigned)(ascii_lower(hex[2 * i]) != want[0]) |
                 (unsigned)(ascii_lower(hex[2 * i + 1]) != want[1]);
    }
    return wrong == 0;
}
