/* Settings of frontends: see set_settings.h. OpenSSL judges ciphers and groups when a context is made. */
#include "tls/set_settings.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/split.h"
#include "tls/library.h"

void
tls_settings_init(struct tls_settings *s)
{
    *s = (struct tls_settings){ .prefer_server_ciphers = -1, .client_depth = 9 };
}

static bool
copy_text(char **at, const char *from)
{
    *at = from == NULL ? NULL : strdup(from);
    return from == NULL || *at != NULL;
}

bool
tls_settings_copy(struct tls_settings *to, const struct tls_settings *from)
{
    *to = *from;
    bool ok = copy_text(&to->ciphers, from->ciphers);
    ok = copy_text(&to->ciphersuites, from->ciphersuites) && ok;
    ok = copy_text(&to->groups, from->groups) && ok;
    ok = copy_text(&to->client_ca, from->client_ca) && ok;
    ok = copy_text(&to->client_crl, from->client_crl) && ok;
    if (!ok)
        tls_settings_release(to);
    return ok;
}

void
tls_settings_release(struct tls_settings *s)
{
    free(s->ciphers);
    free(s->ciphersuites);
    free(s->groups);
    free(s->client_ca);
    free(s->client_crl);
}

static bool
set_text(char **at, struct span value)
{
    free(*at);
    *at = strndup(value.ptr, value.len);
    return *at != NULL;
}

static bool
has_word(struct span words, const char *word)
{
    struct span rest = words;
    while (rest.len > 0) {
        const char *blank = memchr(rest.ptr, ' ', rest.len);
        size_t n = blank == NULL ? rest.len : (size_t)(blank - rest.ptr);
        if (span_eq_nocase(span_of(rest.ptr, n), span_str(word)))
            return true;
        n += blank == NULL ? 0 : 1;
        rest = span_of(rest.ptr + n, rest.len - n);
    }
    return false;
}

static bool
set_protocols(struct tls_settings *s, struct span value)
{
    s->protocols = (has_word(value, "TLSv1.2") ? TLS_PROTOCOL_1_2 : 0) |
                   (has_word(value, "TLSv1.3") ? TLS_PROTOCOL_1_3 : 0);
    return s->protocols != 0;
}

static bool
set_verify(struct tls_settings *s, struct span value)
{
    static const char *const words[] = { "none", "optional", "required" };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (span_eq(value, span_str(words[i]))) {
            s->client_verify = (enum tls_client_verify)i;
            return true;
        }
    return false;
}

static bool
is_on(struct span value)
{
    return span_eq(value, SPAN_LIT("on"));
}

/* False: the value is refused. */
static bool
set_one(struct tls_settings *s, struct span name, struct span value, bool *known)
{
    struct text_setting {
        const char *name;
        char **at;
    } texts[] = { { "ciphers", &s->ciphers },
                  { "ciphersuites", &s->ciphersuites },
                  { "groups", &s->groups },
                  { "client_ca", &s->client_ca },
                  { "client_crl", &s->client_crl } };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        if (span_eq(name, span_str(texts[i].name)))
            return set_text(texts[i].at, value);
    if (span_eq(name, SPAN_LIT("protos")))
        return set_protocols(s, value);
    if (span_eq(name, SPAN_LIT("client_verify")))
        return set_verify(s, value);
    if (span_eq(name, SPAN_LIT("prefer_server_ciphers")))
        s->prefer_server_ciphers = is_on(value);
    else if (span_eq(name, SPAN_LIT("sni_nomatch_abort")))
        s->sni_nomatch_abort = is_on(value);
    else if (span_eq(name, SPAN_LIT("match_global")))
        s->own_only = !is_on(value);
    else if (span_eq(name, SPAN_LIT("alpn")))
        s->no_h2 = !has_word(value, "h2");
    else if (span_eq(name, SPAN_LIT("client_depth")))
        s->client_depth = (unsigned)strtoul(value.ptr, NULL, 10);
    else
        *known = false;
    return true;
}

/* The next line; PEM lines stay together with the line in which they begin. */
static struct span
next_setting(struct span *rest)
{
    static const char begin[] = "-----BEGIN", end[] = "-----END";
    const char *at = rest->ptr, *stop = rest->ptr + rest->len;
    bool within = false;
    while (at < stop) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at)), *past = newline == NULL ? stop : newline;
        size_t n = (size_t)(past - at);
        within = within || memmem(at, n, begin, sizeof begin - 1) != NULL;
        if (memmem(at, n, end, sizeof end - 1) != NULL)
            within = (size_t)(stop - past) > sizeof begin - 1 &&
                     memcmp(past + 1, begin, sizeof begin - 1) == 0;
        at = newline == NULL ? stop : newline + 1;
        if (!within)
            break;
    }
    struct span one = span_of(rest->ptr, (size_t)(at - rest->ptr));
    *rest = span_of(at, (size_t)(stop - at));
    while (one.len > 0 && one.ptr[one.len - 1] == '\n')
        one.len--;
    return one;
}

static bool
digest_demands(struct tls_settings *s)
{
    const char *texts[] = { s->client_ca, s->client_crl };
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_MD *sha = EVP_MD_fetch(tls_library(), "SHA256", NULL);
    bool ok = ctx != NULL && sha != NULL && EVP_DigestInit_ex2(ctx, sha, NULL) == 1 &&
              EVP_DigestUpdate(ctx, &s->client_verify, sizeof s->client_verify) == 1 &&
              EVP_DigestUpdate(ctx, &s->client_depth, sizeof s->client_depth) == 1;
    for (unsigned i = 0; ok && i < sizeof texts / sizeof *texts; i++)
        ok = texts[i] == NULL || EVP_DigestUpdate(ctx, texts[i], strlen(texts[i]) + 1) == 1;
    ok = ok && EVP_DigestFinal_ex(ctx, s->client_demands, NULL) == 1;
    EVP_MD_free(sha);
    EVP_MD_CTX_free(ctx);
    return ok;
}

int
tls_settings_read(struct tls_settings *s, struct span lines, struct text *why)
{
    while (lines.len > 0) {
        struct span line = next_setting(&lines);
        const char *blank = line.len == 0 ? NULL : memchr(line.ptr, ' ', line.len);
        size_t n = blank == NULL ? line.len : (size_t)(blank - line.ptr);
        struct span value = blank == NULL ? SPAN_LIT("") : span_of(blank + 1, line.len - n - 1);
        bool known = true;
        if (line.len == 0 || (set_one(s, span_of(line.ptr, n), value, &known) && known))
            continue;
        text_printf(why, known ? "invalid value of %.*s: %.*s" : "unknown setting %.*s: %.*s", (int)n,
                    line.ptr, (int)(value.len > 100 ? 100 : value.len), value.ptr);
        return ERR_SYNTAX;
    }
    if (s->client_verify == TLS_CLIENT_NONE || digest_demands(s))
        return 0;
    text_str(why, "no memory for settings");
    return ERR_NOMEM;
}
