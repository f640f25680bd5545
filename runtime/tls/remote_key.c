/* The provider of remote keys: see remote_key.h. The public part of a key is a key of OpenSSL's own provider,
 * which answers all questions about it. */
#include "tls/remote_key.h"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "tls/key_client.h"
#include "tls/library.h"

#define THEIRS "provider=default"
#define OURS "provider=" REMOTE_KEY_PROVIDER
#define PARAM_NUMBER "vernis-number"

struct remote_key {
    const char *type; /* as OpenSSL names it */
    EVP_PKEY *public_key;
    uint32_t number;
    bool has_number; /* false: only a public key, for a comparison */
};

/* ---- keys ---- */

static struct remote_key *
key_new(const char *type)
{
    struct remote_key *key = calloc(1, sizeof *key);
    if (key != NULL)
        key->type = type;
    return key;
}

static void *
new_rsa(void *provider)
{
    return key_new("RSA");
}

static void *
new_ec(void *provider)
{
    return key_new("EC");
}

static void *
new_ed25519(void *provider)
{
    return key_new("ED25519");
}

static void
key_free(void *arg)
{
    struct remote_key *key = arg;
    if (key != NULL)
        EVP_PKEY_free(key->public_key);
    free(key);
}

static int
key_has(const void *arg, int selection)
{
    const struct remote_key *key = arg;
    if (key == NULL || key->public_key == NULL)
        return 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->has_number;
}

static int
key_match(const void *a, const void *b, int selection)
{
    const struct remote_key *one = a, *other = b;
    return EVP_PKEY_eq(one->public_key, other->public_key) == 1;
}

static int
key_import(void *arg, int selection, const OSSL_PARAM params[])
{
    struct remote_key *key = arg;
    const OSSL_PARAM *number = OSSL_PARAM_locate_const(params, PARAM_NUMBER);
    key->has_number = number != NULL && OSSL_PARAM_get_uint32(number, &key->number);
    EVP_PKEY_CTX *made = EVP_PKEY_CTX_new_from_name(tls_library(), key->type, THEIRS);
    int ok = made != NULL && EVP_PKEY_fromdata_init(made) == 1 &&
             EVP_PKEY_fromdata(made, &key->public_key, EVP_PKEY_PUBLIC_KEY, (OSSL_PARAM *)params) == 1;
    EVP_PKEY_CTX_free(made);
    return ok;
}

/* Nothing leaves: OpenSSL would use the copy without a private part elsewhere, and fail. */
static int
key_export(void *arg, int selection, OSSL_CALLBACK *take, void *take_arg)
{
    return 0;
}

static const OSSL_PARAM *
key_params(int selection)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_uint32(PARAM_NUMBER, NULL),
        OSSL_PARAM_END,
    };
    return list;
}

static int
key_get_params(void *arg, OSSL_PARAM params[])
{
    struct remote_key *key = arg;
    return EVP_PKEY_get_params(key->public_key, params);
}

static const OSSL_PARAM *
key_gettable(void *provider)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
        OSSL_PARAM_END,
    };
    return list;
}

static const char *
ec_signs_with(int operation)
{
    return operation == OSSL_OP_SIGNATURE ? "ECDSA" : "ECDH";
}

/* ---- signatures ---- */

struct signing {
    const struct remote_key *key;
    char digest[32];
    bool pss;
};

/* TLS's SignatureScheme (RFC 8446, 4.2.3). 0: none. */
static uint16_t
scheme_of(const struct signing *s)
{
    static const struct scheme_row {
        const char *type, *digest;
        bool pss;
        uint16_t scheme;
    } rows[] = {
        { "RSA", "SHA256", false, 0x0401 }, { "RSA", "SHA384", false, 0x0501 },
        { "RSA", "SHA512", false, 0x0601 }, { "RSA", "SHA256", true, 0x0804 },
        { "RSA", "SHA384", true, 0x0805 },  { "RSA", "SHA512", true, 0x0806 },
        { "EC", "SHA256", false, 0x0403 },  { "EC", "SHA384", false, 0x0503 },
        { "EC", "SHA512", false, 0x0603 },  { "ED25519", "", false, 0x0807 },
    };
    EVP_MD *digest = *s->digest == '\0' ? NULL : EVP_MD_fetch(tls_library(), s->digest, NULL);
    uint16_t scheme = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct scheme_row *row = &rows[i];
        bool same = digest == NULL ? *row->digest == '\0' : EVP_MD_is_a(digest, row->digest);
        if (same && strcmp(row->type, s->key->type) == 0 && row->pss == s->pss)
            scheme = row->scheme;
    }
    EVP_MD_free(digest);
    return scheme;
}

static void *
signing_new(void *provider, const char *properties)
{
    return calloc(1, sizeof(struct signing));
}

static void
signing_free(void *arg)
{
    free(arg);
}

static void *
signing_copy(void *arg)
{
    struct signing *copy = malloc(sizeof *copy);
    if (copy != NULL)
        *copy = *(struct signing *)arg;
    return copy;
}

/* The length of the salt is that of the digest, as TLS wants it. */
static int
signing_set(void *arg, const OSSL_PARAM params[])
{
    struct signing *s = arg;
    const OSSL_PARAM *padding = params == NULL
                                  ? NULL
                                  : OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_PAD_MODE);
    int mode = 0;
    if (padding == NULL)
        return 1;
    if (padding->data_type == OSSL_PARAM_UTF8_STRING)
        s->pss = strcasecmp(padding->data, OSSL_PKEY_RSA_PAD_MODE_PSS) == 0;
    else if (OSSL_PARAM_get_int(padding, &mode))
        s->pss = mode == RSA_PKCS1_PSS_PADDING;
    return 1;
}

static const OSSL_PARAM *
signing_settable(void *arg, void *provider)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_END,
    };
    return list;
}

static int
signing_begin(void *arg, const char *digest, void *key, const OSSL_PARAM params[])
{
    struct signing *s = arg;
    size_t n = digest == NULL ? 0 : strlen(digest);
    if (key != NULL)
        s->key = key;
    if (s->key == NULL || !s->key->has_number || n >= sizeof s->digest)
        return 0;
    memcpy(s->digest, digest == NULL ? "" : digest, n + 1);
    return signing_set(s, params);
}

static int
signing_sign(void *arg, unsigned char *out, size_t *n, size_t cap, const unsigned char *what, size_t what_n)
{
    struct signing *s = arg;
    if (out == NULL) {
        *n = (size_t)EVP_PKEY_get_size(s->key->public_key);
        return 1;
    }
    uint16_t scheme = scheme_of(s);
    if (scheme == 0)
        return 0;
    ssize_t made = key_client_sign(s->key->number, scheme, span_of((const char *)what, what_n), (char *)out,
                                   cap);
    ERR_clear_error(); /* of other connections of this loop, while this one waited */
    if (made <= 0)
        return 0;
    *n = (size_t)made;
    return 1;
}

/* ---- the provider ---- */

#define KEY_FUNCTIONS(make) \
    { OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))(make) }, { OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))key_free }, \
        { OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))key_has }, \
        { OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))key_match }, \
        { OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))key_import }, \
        { OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (void (*)(void))key_params }, \
        { OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void))key_export }, \
        { OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (void (*)(void))key_params }, \
        { OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))key_get_params }, \
    { \
        OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))key_gettable \
    }

static const OSSL_DISPATCH rsa_keys[] = { KEY_FUNCTIONS(new_rsa), { 0, NULL } };
static const OSSL_DISPATCH ed25519_keys[] = { KEY_FUNCTIONS(new_ed25519), { 0, NULL } };
static const OSSL_DISPATCH ec_keys[] = {
    KEY_FUNCTIONS(new_ec),
    { OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, (void (*)(void))ec_signs_with },
    { 0, NULL },
};

static const OSSL_DISPATCH signatures[] = {
    { OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))signing_new },
    { OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))signing_free },
    { OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))signing_copy },
    { OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))signing_begin },
    { OSSL_FUNC_SIGNATURE_DIGEST_SIGN, (void (*)(void))signing_sign },
    { OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (void (*)(void))signing_set },
    { OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, (void (*)(void))signing_settable },
    { 0, NULL },
};

static const OSSL_ALGORITHM *
algorithms(void *provider, int operation, int *no_store)
{
    static const OSSL_ALGORITHM keys[] = {
        { "RSA:rsaEncryption", OURS, rsa_keys, NULL },
        { "EC:id-ecPublicKey", OURS, ec_keys, NULL },
        { "ED25519", OURS, ed25519_keys, NULL },
        { NULL, NULL, NULL, NULL },
    };
    static const OSSL_ALGORITHM signs[] = {
        { "RSA:rsaEncryption", OURS, signatures, NULL },
        { "ECDSA", OURS, signatures, NULL },
        { "ED25519", OURS, signatures, NULL },
        { NULL, NULL, NULL, NULL },
    };
    *no_store = 0;
    return operation == OSSL_OP_KEYMGMT ? keys : operation == OSSL_OP_SIGNATURE ? signs : NULL;
}

int
remote_key_provider(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                    void **provider)
{
    static const OSSL_DISPATCH functions[] = {
        { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))algorithms },
        { 0, NULL },
    };
    *out = functions;
    *provider = (void *)handle;
    return 1;
}

/* ---- making one ---- */

EVP_PKEY *
remote_key_new(EVP_PKEY *public_key, uint32_t number)
{
    OSSL_PARAM *parts = NULL, *all = NULL,
               ours[] = { OSSL_PARAM_construct_uint32(PARAM_NUMBER, &number), OSSL_PARAM_construct_end() };
    const char *type = EVP_PKEY_get0_type_name(public_key);
    EVP_PKEY *made = NULL;
    EVP_PKEY_CTX *making = type == NULL ? NULL : EVP_PKEY_CTX_new_from_name(tls_library(), type, OURS);
    if (making != NULL && EVP_PKEY_todata(public_key, EVP_PKEY_PUBLIC_KEY, &parts) == 1 &&
        (all = OSSL_PARAM_merge(parts, ours)) != NULL && EVP_PKEY_fromdata_init(making) == 1)
        (void)EVP_PKEY_fromdata(making, &made, EVP_PKEY_KEYPAIR, all);
    OSSL_PARAM_free(parts);
    OPENSSL_free(all);
    EVP_PKEY_CTX_free(making);
    return made;
}
