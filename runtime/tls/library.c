/* OpenSSL's context of this room: see library.h. */
#include "tls/library.h"

#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include "base/check.h"
#include "tls/remote_key.h"

static OSSL_LIB_CTX *library;

int
tls_library_start(void)
{
    if (library != NULL)
        return 0;
    OSSL_LIB_CTX *made = OSSL_LIB_CTX_new();
    if (made == NULL || !OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) ||
        !OSSL_PROVIDER_add_builtin(made, REMOTE_KEY_PROVIDER, remote_key_provider) ||
        OSSL_PROVIDER_load(made, "default") == NULL ||
        OSSL_PROVIDER_load(made, REMOTE_KEY_PROVIDER) == NULL ||
        !EVP_set_default_properties(made, "?provider=default") /* ours only by name */) {
        OSSL_LIB_CTX_free(made);
        return ERR_SYS;
    }
    library = made;
    return 0;
}

OSSL_LIB_CTX *
tls_library(void)
{
    return library;
}

void
tls_library_error(struct text *out)
{
    unsigned long code = ERR_get_error();
    const char *reason = ERR_reason_error_string(code);
    text_str(out, reason == NULL ? "unknown error" : reason);
    ERR_clear_error();
}
