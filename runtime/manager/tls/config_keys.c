/* The settings of a file of -A: which there are, where they may stand, and what they mean here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/tls/config_internal.h"
#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/similar.h"

enum scope { IN_ALL = 1, IN_FRONTEND = 2, IN_PEM = 4 };

enum action {
    SETS_TEXT, /* rows with `setting` */
    SETS_SWITCH,
    SETS_PROTOS,
    SETS_VERIFY,
    SETS_ALPN,
    SETS_CURVES,
    SETS_DEPTH,
    SETS_CA,
    SETS_CRL,
    OLD_SWITCH, /* ssl = on, tls = on */
    BEGINS_FRONTEND,
    BEGINS_PEM,
    SETS_NAME,
    SETS_HOST,
    SETS_PORT,
    SETS_CERT,
    SETS_KEY,
    SETS_STAPLE,
    SETS_FOLDER,
    SETS_GLOB,
    READS_PROXY,
    NO_EFFECT, /* rows with `says`: what does it instead */
    REFUSED    /* rows with `says` */
};

static const struct key {
    const char *name;
    enum action action;
    int scopes;
    enum config_setting setting;
    const char *says;
} keys[] = {
    { "frontend", BEGINS_FRONTEND, IN_ALL, 0, NULL },
    { "host", SETS_HOST, IN_FRONTEND, 0, NULL },
    { "port", SETS_PORT, IN_FRONTEND, 0, NULL },
    { "name", SETS_NAME, IN_FRONTEND | IN_PEM, 0, NULL },
    { "pem-file", BEGINS_PEM, IN_ALL | IN_FRONTEND, 0, NULL },
    { "cert", SETS_CERT, IN_PEM, 0, NULL },
    { "private-key", SETS_KEY, IN_PEM, 0, NULL },
    { "ocsp-resp-file", SETS_STAPLE, IN_PEM, 0, NULL },
    { "pem-dir", SETS_FOLDER, IN_ALL, 0, NULL },
    { "pem-dir-glob", SETS_GLOB, IN_ALL, 0, NULL },
    { "tls-protos", SETS_PROTOS, IN_ALL | IN_FRONTEND, CONFIG_PROTOS, NULL },
    { "ssl", OLD_SWITCH, IN_ALL | IN_FRONTEND, CONFIG_PROTOS, NULL },
    { "tls", OLD_SWITCH, IN_ALL | IN_FRONTEND, CONFIG_PROTOS, NULL },
    { "ciphers", SETS_TEXT, IN_ALL | IN_FRONTEND, CONFIG_CIPHERS, NULL },
    { "ciphersuites", SETS_TEXT, IN_ALL | IN_FRONTEND, CONFIG_CIPHERSUITES, NULL },
    { "prefer-server-ciphers", SETS_SWITCH, IN_ALL | IN_FRONTEND, CONFIG_PREFER, NULL },
    { "sni-nomatch-abort", SETS_SWITCH, IN_ALL | IN_FRONTEND, CONFIG_ABORT, NULL },
    { "match-global-certs", SETS_SWITCH, IN_FRONTEND, CONFIG_MATCH_GLOBAL, NULL },
    { "ecdh-curve", SETS_CURVES, IN_ALL, CONFIG_GROUPS, NULL },
    { "alpn-protos", SETS_ALPN, IN_ALL, CONFIG_ALPN, NULL },
    { "client-verify", SETS_VERIFY, IN_ALL | IN_FRONTEND, CONFIG_VERIFY, NULL },
    { "client-verify-ca", SETS_CA, IN_ALL | IN_FRONTEND, CONFIG_CLIENT_CA, NULL },
    { "client-verify-depth", SETS_DEPTH, IN_ALL | IN_FRONTEND, CONFIG_CLIENT_DEPTH, NULL },
    { "client-verify-crl", SETS_CRL, IN_ALL | IN_FRONTEND, CONFIG_CLIENT_CRL, NULL },
    { "proxy-proxy", READS_PROXY, IN_ALL, 0, NULL },
    { "ciphers", REFUSED, IN_PEM, 0, "ciphers are those of a listener: write it into its frontend block" },
    { "ciphersuites", REFUSED, IN_PEM, 0,
      "ciphers are those of a listener: write it into its frontend block" },
    { "client-verify", REFUSED, IN_PEM, 0,
      "clients are verified by a listener: write it into its frontend block" },
    { "client-verify-ca", REFUSED, IN_PEM, 0,
      "clients are verified by a listener: write it into its frontend block" },
    { "client-verify-depth", REFUSED, IN_PEM, 0,
      "clients are verified by a listener: write it into its frontend block" },
    { "client-verify-crl", REFUSED, IN_PEM, 0,
      "clients are verified by a listener: write it into its frontend block" },
    { "dhparam", NO_EFFECT, IN_PEM, 0, "keys are exchanged over curves (ecdh-curve)" },
    { "ocsp-dir", NO_EFFECT, IN_ALL, 0, "answers of OCSP are files beside the certificates" },
    { "ocsp-verify-staple", NO_EFFECT, IN_ALL | IN_PEM, 0, "answers of OCSP are always verified" },
    { "ocsp-resp-tmo", NO_EFFECT, IN_ALL, 0, "answers of OCSP are files beside the certificates" },
    { "ocsp-connect-tmo", NO_EFFECT, IN_ALL, 0, "answers of OCSP are files beside the certificates" },
    { "ocsp-refresh-interval", NO_EFFECT, IN_ALL, 0, "answers of OCSP are files beside the certificates" },
    { "backend", NO_EFFECT, IN_ALL, 0, "requests go to the policy" },
    { "backend-refresh", NO_EFFECT, IN_ALL, 0, "requests go to the policy" },
    { "backend-connect-timeout", NO_EFFECT, IN_ALL, 0, "requests go to the policy" },
    { "write-ip", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "write-proxy", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "write-proxy-v1", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "write-proxy-v2", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "proxy-tlv", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "proxy-authority", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "proxy-client-cert", NO_EFFECT, IN_ALL, 0, "the policy sees the client itself" },
    { "workers", NO_EFFECT, IN_ALL, 0, "the parameter loops sets the number of threads" },
    { "daemon", NO_EFFECT, IN_ALL, 0, "the daemon is in the background without -F" },
    { "user", NO_EFFECT, IN_ALL, 0, "-j names the users" },
    { "group", NO_EFFECT, IN_ALL, 0, "-j names the users" },
    { "chroot", NO_EFFECT, IN_ALL, 0, "-j confines the processes" },
    { "pidfile", NO_EFFECT, IN_ALL, 0, "-P names the file" },
    { "syslog", NO_EFFECT, IN_ALL, 0, "the daemon logs to syslog by itself" },
    { "syslog-facility", NO_EFFECT, IN_ALL, 0, "the daemon logs to syslog by itself" },
    { "quiet", NO_EFFECT, IN_ALL, 0, "-p log_level sets what is logged" },
    { "log-level", NO_EFFECT, IN_ALL, 0, "-p log_level sets what is logged" },
    { "log-filename", NO_EFFECT, IN_ALL, 0, "the daemon logs to syslog or to its terminal" },
    { "backlog", NO_EFFECT, IN_ALL, 0, "the parameter listen_depth sets it" },
    { "keepalive", NO_EFFECT, IN_ALL, 0, "the parameter tcp_keepalive_time sets it" },
    { "ssl-handshake-timeout", NO_EFFECT, IN_ALL, 0, "the parameter tls_handshake_timeout sets it" },
    { "recv-bufsize", NO_EFFECT, IN_ALL, 0, "the system chooses the size" },
    { "send-bufsize", NO_EFFECT, IN_ALL, 0, "the system chooses the size" },
    { "ring-slots", NO_EFFECT, IN_ALL, 0, "there is no such ring" },
    { "ring-data-len", NO_EFFECT, IN_ALL, 0, "there is no such ring" },
    { "session-cache", NO_EFFECT, IN_ALL, 0, "sessions are resumed by tickets" },
    { "shared-cache-listen", NO_EFFECT, IN_ALL, 0, "sessions are resumed by tickets" },
    { "shared-cache-peer", NO_EFFECT, IN_ALL, 0, "sessions are resumed by tickets" },
    { "shared-cache-if", NO_EFFECT, IN_ALL, 0, "sessions are resumed by tickets" },
    { "ssl-engine", NO_EFFECT, IN_ALL, 0, "the key process signs" },
    { "tcp-fastopen", NO_EFFECT, IN_ALL, 0, "it is not offered" },
};

#define N_KEYS (sizeof keys / sizeof *keys)

int
config_fail(struct config_reader *r, unsigned line, const char *fmt, ...)
{
    va_list ap;
    text_printf(r->why, "%s:%u: ", r->path, line);
    va_start(ap, fmt);
    text_vprintf(r->why, fmt, ap);
    va_end(ap);
    text_str(r->why, "\n");
    return ERR_SYNTAX;
}

static void
set_text(char **at, struct span value)
{
    if (value.len == 0) /* hitch leaves a setting as it is then */
        return;
    free(*at);
    *at = mem_text(value);
}

struct tls_file *
config_file_add(struct config_draft *d, const char *cert)
{
    d->files = realloc(d->files, (d->n_files + 1) * sizeof *d->files);
    CHECK(d->files != NULL);
    d->files[d->n_files] = (struct tls_file){ .cert = mem_text(span_str(cert)),
                                              .key = mem_text(SPAN_LIT("")) };
    return &d->files[d->n_files++];
}

/* The blocks of one kind of a PEM text. A file of authorities often has comments between them. */
static void
add_blocks(const char *text, const char *kind, struct text *out)
{
    char begin[64], end[64];
    snprintf(begin, sizeof begin, "-----BEGIN %s-----", kind);
    snprintf(end, sizeof end, "-----END %s-----", kind);
    for (const char *at = strstr(text, begin), *stop; at != NULL && (stop = strstr(at, end)) != NULL;
         at = strstr(stop, begin)) {
        stop += strlen(end);
        text_add(out, span_of(at, (size_t)(stop - at)));
        text_str(out, "\n");
    }
}

/* Their text, owned; NULL with a line in r->why. */
static char *
read_blocks(struct config_reader *r, const char *file, const char *kind)
{
    unsigned line = r->words.line;
    struct text blocks = { 0 };
    int fd = file_open(file, TLS_CONFIG_CA_BYTES_MAX);
    char *text = mem_zalloc(TLS_CONFIG_CA_BYTES_MAX + 1), *made = NULL;
    ssize_t n = fd < 0 ? -1 : read(fd, text, TLS_CONFIG_CA_BYTES_MAX);
    add_blocks(text, kind, &blocks);
    if (n < 0)
        (void)config_fail(r, line, "%s: %s", file, file_why(errno));
    else if (strstr(text, "PRIVATE KEY-----") != NULL)
        (void)config_fail(r, line, "%s holds a private key: name a file without one", file);
    else if (blocks.len == 0)
        (void)config_fail(r, line, "%s has no PEM block %s", file, kind);
    else
        made = mem_text(text_span(&blocks));
    if (fd >= 0)
        close(fd);
    explicit_bzero(text, TLS_CONFIG_CA_BYTES_MAX);
    free(text);
    text_release(&blocks);
    return made;
}

/* ---- values ---- */

static bool
to_switch(struct span value, bool *on)
{
    static const char *const words[][2] = {
        { "on", "off" }, { "yes", "no" }, { "y", "n" }, { "true", "false" }, { "t", "f" }
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        for (unsigned k = 0; k < 2; k++)
            if (span_eq_nocase(value, span_str(words[i][k]))) {
                *on = k == 0;
                return true;
            }
    return false;
}

static int
expect_switch(struct config_reader *r, const char *name, bool *on)
{
    struct span value = r->words.text;
    if (to_switch(value, on))
        return 0;
    return config_fail(r, r->words.line, "%s must be on or off, not %.*s", name, (int)value.len, value.ptr);
}

/* Words until one is no protocol; the reader stands on the last of them then. */
static int
take_protos(struct config_reader *r, char **at)
{
    static const struct {
        const char *name;
        bool offered;
    } known[] = { { "SSLv3", false },
                  { "TLSv1.0", false },
                  { "TLSv1.1", false },
                  { "TLSv1.2", true },
                  { "TLSv1.3", true } };
    struct text protos = { 0 };
    unsigned line = r->words.line, n = 0, old = 0;
    for (struct config_words before = r->words;; before = r->words, config_words_next(&r->words)) {
        unsigned i = 0;
        while (i < sizeof known / sizeof *known && !span_eq_nocase(r->words.text, span_str(known[i].name)))
            i++;
        if (i == sizeof known / sizeof *known || r->words.kind != CONFIG_WORD) {
            r->words = before;
            break;
        }
        n++;
        old += !known[i].offered;
        if (known[i].offered)
            text_printf(&protos, "%s%s", protos.len > 0 ? " " : "", known[i].name);
    }
    int err = 0;
    if (n == 0)
        err = config_fail(r, line, "tls-protos needs TLSv1.2, TLSv1.3 or both, without quotes");
    else if (protos.len == 0)
        err = config_fail(r, line, "only TLSv1.2 and TLSv1.3 are offered");
    else if (old > 0)
        text_printf(&r->notes, "%s:%u: SSLv3, TLSv1.0 and TLSv1.1 are not offered\n", r->path, line);
    set_text(at, text_span(&protos));
    text_release(&protos);
    return err;
}

static int
take_alpn(struct config_reader *r, char **at)
{
    struct text protos = { 0 };
    struct config_words list;
    config_words_init(&list, r->words.text);
    for (config_words_next(&list); list.kind != CONFIG_END; config_words_next(&list))
        if (span_eq(list.text, SPAN_LIT("h2")) || span_eq(list.text, SPAN_LIT("http/1.1")))
            text_printf(&protos, "%s%.*s", protos.len > 0 ? " " : "", (int)list.text.len, list.text.ptr);
        else
            text_printf(&r->notes, "%s:%u: %.*s of alpn-protos is not offered\n", r->path, r->words.line,
                        (int)list.text.len, list.text.ptr);
    set_text(at, text_span(&protos));
    text_release(&protos);
    return 0;
}

static int
take_verify(struct config_reader *r, char **at)
{
    struct span value = r->words.text;
    if (!span_eq(value, SPAN_LIT("none")) && !span_eq(value, SPAN_LIT("optional")) &&
        !span_eq(value, SPAN_LIT("required")))
        return config_fail(r, r->words.line, "client-verify must be none, optional or required, not %.*s",
                           (int)value.len, value.ptr);
    set_text(at, value);
    return 0;
}

static int
take_depth(struct config_reader *r, char **at)
{
    struct span value = r->words.text;
    unsigned depth = 0;
    bool ok = value.len > 0 && value.len <= 3;
    for (size_t i = 0; ok && i < value.len; i++) {
        ok = value.ptr[i] >= '0' && value.ptr[i] <= '9';
        depth = 10 * depth + (unsigned)(value.ptr[i] - '0');
    }
    if (!ok || depth > TLS_CONFIG_DEPTH_MAX)
        return config_fail(r, r->words.line, "client-verify-depth must be a number up to %u, not %.*s",
                           TLS_CONFIG_DEPTH_MAX, (int)value.len, value.ptr);
    set_text(at, value);
    return 0;
}

static int
take_blocks(struct config_reader *r, const char *kind, char **at)
{
    if (r->words.text.len == 0)
        return 0;
    char *file = mem_text(r->words.text), *pem = read_blocks(r, file, kind);
    free(file);
    if (pem == NULL)
        return ERR_SYS;
    free(*at);
    *at = pem;
    return 0;
}

/* ---- blocks ---- */

static int read_settings(struct config_reader *r, enum scope scope, unsigned began);

static struct config_draft *
draft(struct config_reader *r)
{
    return &r->drafts[r->at];
}

static void
begin_draft(struct config_reader *r, unsigned line)
{
    r->drafts = realloc(r->drafts, (r->n_drafts + 1) * sizeof *r->drafts);
    CHECK(r->drafts != NULL);
    r->drafts[r->n_drafts] = (struct config_draft){ .line = line };
    r->at = r->n_drafts++;
}

/* "[HOST]:PORT", and a certificate behind a +, as hitch writes it; or HOST:PORT. */
static void
take_address(struct config_reader *r, struct span value)
{
    const char *plus = *value.ptr == '[' ? memchr(value.ptr, '+', value.len) : NULL;
    if (plus != NULL) {
        char *cert = mem_text(span_of(plus + 1, (size_t)(value.ptr + value.len - plus - 1)));
        if (*cert != '\0')
            (void)config_file_add(draft(r), cert);
        free(cert);
        value.len = (size_t)(plus - value.ptr);
    }
    const char *end = *value.ptr == '[' ? memchr(value.ptr, ']', value.len) : NULL;
    if (end != NULL && end + 1 < value.ptr + value.len && end[1] == ':') {
        set_text(&draft(r)->host, span_of(value.ptr + 1, (size_t)(end - value.ptr - 1)));
        set_text(&draft(r)->port, span_of(end + 2, (size_t)(value.ptr + value.len - end - 2)));
    } else if (value.len > 1 && value.ptr[0] == '*' && value.ptr[1] == ':')
        set_text(&draft(r)->address, span_of(value.ptr + 1, value.len - 1));
    else
        set_text(&draft(r)->address, value);
}

static int
take_frontend(struct config_reader *r)
{
    unsigned line = r->words.line;
    int err = 0;
    if (r->words.kind != CONFIG_OPEN && r->words.text.len == 0)
        return 0;
    begin_draft(r, line);
    if (r->words.kind == CONFIG_OPEN)
        err = read_settings(r, IN_FRONTEND, line);
    else
        take_address(r, r->words.text);
    r->at = 0;
    return err;
}

static int
take_pem(struct config_reader *r)
{
    unsigned line = r->words.line;
    if (r->words.kind != CONFIG_OPEN) {
        char *cert = mem_text(r->words.text);
        if (*cert != '\0')
            (void)config_file_add(draft(r), cert);
        free(cert);
        return 0;
    }
    r->pem = config_file_add(draft(r), "");
    int err = read_settings(r, IN_PEM, line);
    if (err == 0 && *r->pem->cert == '\0')
        err = config_fail(r, line, "pem-file needs cert = \"FILE\"");
    r->pem = NULL;
    return err;
}

/* ---- settings ---- */

static const char *
scope_name(int scopes)
{
    return scopes & IN_ALL      ? "outside of blocks"
         : scopes & IN_FRONTEND ? "in a frontend block"
                                : "in a pem-file block";
}

static const struct key *
find_key(struct span word, enum scope scope)
{
    const struct key *elsewhere = NULL;
    for (unsigned i = 0; i < N_KEYS; i++)
        if (span_eq(word, span_str(keys[i].name))) {
            if (keys[i].scopes & scope)
                return &keys[i];
            elsewhere = &keys[i];
        }
    return elsewhere;
}

static int
unknown(struct config_reader *r)
{
    struct span word = r->words.text;
    struct similar near = similar_to(word);
    for (unsigned i = 0; i < N_KEYS; i++)
        similar_try(&near, keys[i].name);
    return config_fail(r, r->words.line, "unknown setting '%.*s'%s%s%s",
                       (int)(word.len > 100 ? 100 : word.len), word.ptr,
                       near.name == NULL ? "" : ": did you mean ", near.name == NULL ? "" : near.name,
                       near.name == NULL ? "" : "?");
}

static int
take_switch(struct config_reader *r, const struct key *k)
{
    bool on = false;
    int err = expect_switch(r, k->name, &on);
    if (err != 0)
        return err;
    if (k->action == READS_PROXY)
        r->proxy = on;
    else if (k->action == SETS_SWITCH)
        set_text(&draft(r)->settings[k->setting], on ? SPAN_LIT("on") : SPAN_LIT("off"));
    else if (on) {
        set_text(&draft(r)->settings[k->setting], SPAN_LIT("TLSv1.2 TLSv1.3"));
        text_printf(&r->notes, "%s:%u: %s = on offers TLSv1.2 and TLSv1.3\n", r->path, r->words.line,
                    k->name);
    }
    return 0;
}

/* The reader stands on the value, and then on its last word. */
static int
take_value(struct config_reader *r, const struct key *k, enum scope scope)
{
    struct span value = r->words.text;
    char **setting = &draft(r)->settings[k->setting];
    switch (k->action) {
    case SETS_TEXT: set_text(setting, value); return 0;
    case SETS_SWITCH:
    case OLD_SWITCH:
    case READS_PROXY: return take_switch(r, k);
    case SETS_PROTOS: return take_protos(r, setting);
    case SETS_VERIFY: return take_verify(r, setting);
    case SETS_ALPN: return take_alpn(r, setting);
    case SETS_CURVES:
        if (!span_eq(value, SPAN_LIT("auto")))
            set_text(setting, value);
        return 0;
    case SETS_DEPTH: return take_depth(r, setting);
    case SETS_CA: return take_blocks(r, "CERTIFICATE", setting);
    case SETS_CRL: return take_blocks(r, "X509 CRL", setting);
    case BEGINS_FRONTEND: return take_frontend(r);
    case BEGINS_PEM: return take_pem(r);
    case SETS_NAME: set_text(scope == IN_PEM ? &r->pem->id : &draft(r)->name, value); return 0;
    case SETS_HOST: set_text(&draft(r)->host, value); return 0;
    case SETS_PORT: set_text(&draft(r)->port, value); return 0;
    case SETS_CERT: set_text(&r->pem->cert, value); return 0;
    case SETS_KEY: set_text(&r->pem->key, value); return 0;
    case SETS_STAPLE: set_text(&r->pem->staple, value); return 0;
    case SETS_FOLDER:
        r->folder_line = r->words.line;
        set_text(&r->folder, value);
        return 0;
    case SETS_GLOB: set_text(&r->glob, value); return 0;
    case NO_EFFECT:
        text_printf(&r->notes, "%s:%u: %s has no effect: %s\n", r->path, r->words.line, k->name, k->says);
        return 0;
    case REFUSED: return config_fail(r, r->words.line, "%s in a pem-file block: %s", k->name, k->says);
    }
    WRONG("action of a setting");
}

/* "name = value", or "name { ... }" */
static int
read_setting(struct config_reader *r, enum scope scope)
{
    const struct key *k = find_key(r->words.text, scope);
    unsigned line = r->words.line;
    if (k == NULL)
        return unknown(r);
    if (!(k->scopes & scope))
        return config_fail(r, line, "%s belongs %s", k->name, scope_name(k->scopes));
    config_words_next(&r->words);
    bool block = k->action == BEGINS_FRONTEND || k->action == BEGINS_PEM;
    if (r->words.kind != CONFIG_EQUALS && !(block && r->words.kind == CONFIG_OPEN))
        return config_fail(r, line, "%s needs = and a value", k->name);
    if (r->words.kind == CONFIG_EQUALS)
        config_words_next(&r->words);
    bool is_text = r->words.kind == CONFIG_WORD || r->words.kind == CONFIG_QUOTED;
    if (r->words.kind == CONFIG_BAD)
        return config_fail(r, r->words.line, "the quote is not closed");
    if (!is_text && !(block && r->words.kind == CONFIG_OPEN))
        return config_fail(r, line, "%s needs a value", k->name);
    return take_value(r, k, scope);
}

/* Up to the end of the block, or of the text. */
static int
read_settings(struct config_reader *r, enum scope scope, unsigned began)
{
    int err = 0;
    for (config_words_next(&r->words); err == 0; config_words_next(&r->words)) {
        if (r->words.kind == CONFIG_CLOSE && scope != IN_ALL)
            return 0;
        if (r->words.kind == CONFIG_END)
            return scope == IN_ALL ? 0 : config_fail(r, began, "the block is not closed with }");
        if (r->words.kind == CONFIG_BAD)
            return config_fail(r, r->words.line, "the quote is not closed");
        if (r->words.kind != CONFIG_WORD)
            return config_fail(r, r->words.line, "%.*s: a setting was expected", (int)r->words.text.len,
                               r->words.text.ptr);
        err = read_setting(r, scope);
    }
    return err;
}

int
config_keys_read(struct config_reader *r)
{
    begin_draft(r, 0);
    return read_settings(r, IN_ALL, 0);
}
