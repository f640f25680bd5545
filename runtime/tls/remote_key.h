/* Private keys that are elsewhere: a provider for OpenSSL whose keys have a public part here, and a number by
 * which the key process knows the private one. It signs by key_client.h, and can do nothing else: the private
 * part cannot be exported, because this process never has it. Belongs together with tls/library: that loads
 * this provider, which uses the context of that. */
#ifndef VERNIS_TLS_REMOTE_KEY_H
#define VERNIS_TLS_REMOTE_KEY_H

#include <openssl/core.h>
#include <openssl/types.h>
#include <stdint.h>

#define REMOTE_KEY_PROVIDER "vernis-keys"

OSSL_provider_init_fn remote_key_provider;
/* The private key that belongs to `public` (RSA, EC or Ed25519). NULL: no such kind of key, or no memory. */
EVP_PKEY *remote_key_new(EVP_PKEY *public_key, uint32_t number);

#endif
