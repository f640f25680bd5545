/* From the settings of a file of -A to listeners and certificates: see config.h. */
#include "manager/tls/config.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manager/tls/config_internal.h"
#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"

const char *const config_setting_names[CONFIG_SETTINGS] = {
    [CONFIG_PROTOS] = "protos",
    [CONFIG_CIPHERS] = "ciphers",
    [CONFIG_CIPHERSUITES] = "ciphersuites",
    [CONFIG_GROUPS] = "groups",
    [CONFIG_PREFER] = "prefer_server_ciphers",
    [CONFIG_ABORT] = "sni_nomatch_abort",
    [CONFIG_ALPN] = "alpn",
    [CONFIG_VERIFY] = "client_verify",
    [CONFIG_MATCH_GLOBAL] = "match_global",
    [CONFIG_CLIENT_DEPTH] = "client_depth",
    [CONFIG_CLIENT_CA] = "client_ca",
    [CONFIG_CLIENT_CRL] = "client_crl",
};

/* ---- the folder of certificates ---- */

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct tls_file *)a)->cert, ((const struct tls_file *)b)->cert);
}

static bool
wanted(const char *path, const char *name, const char *glob)
{
    struct stat st;
    return *name != '.' && (glob == NULL || fnmatch(glob, name, 0) == 0) && stat(path, &st) == 0 &&
           S_ISREG(st.st_mode);
}

/* Files in the order of their names. */
static int
list_folder(struct config_reader *r, struct config_draft *out)
{
    DIR *dir = opendir(r->folder);
    int err = 0;
    if (dir == NULL)
        return config_fail(r, r->folder_line, "pem-dir %s: %s", r->folder, strerror(errno));
    for (const struct dirent *e; err == 0 && (e = readdir(dir)) != NULL;) {
        struct text path = { 0 };
        size_t n = strlen(r->folder);
        text_printf(&path, "%s%s%s", r->folder, r->folder[n - 1] == '/' ? "" : "/", e->d_name);
        if (wanted(text_cstr(&path), e->d_name, r->glob))
            (void)config_file_add(out, text_cstr(&path));
        text_release(&path);
        if (out->n_files > TLS_CONFIG_FILES_MAX)
            err = config_fail(r, r->folder_line, "pem-dir %s has more than %u files", r->folder,
                              TLS_CONFIG_FILES_MAX);
    }
    closedir(dir);
    if (out->n_files > 0)
        qsort(out->files, out->n_files, sizeof *out->files, by_name);
    return err;
}

/* ---- order ---- */

static void
reverse(struct tls_file *files, unsigned n)
{
    for (unsigned i = 0; i < n / 2; i++) {
        struct tls_file one = files[i];
        files[i] = files[n - 1 - i];
        files[n - 1 - i] = one;
    }
}

/* hitch serves the certificate listed last to clients without a name, and, of two certificates with one name,
 * the last. Without a pem-file, the first of the folder is the default. */
static int
order_files(struct config_reader *r)
{
    struct config_draft folder = { 0 }, *all = &r->drafts[0];
    for (unsigned i = 0; i < r->n_drafts; i++)
        reverse(r->drafts[i].files, r->drafts[i].n_files);
    int err = r->folder == NULL ? 0 : list_folder(r, &folder);
    unsigned n = all->n_files + folder.n_files, first = all->n_files == 0 && folder.n_files > 0 ? 1 : 0;
    if (folder.n_files > first)
        reverse(folder.files + first, folder.n_files - first);
    if (folder.n_files > 0) {
        all->files = realloc(all->files, n * sizeof *all->files);
        CHECK(all->files != NULL);
        memcpy(all->files + all->n_files, folder.files, folder.n_files * sizeof *folder.files);
        all->n_files = n;
    }
    free(folder.files);
    return err;
}

/* ---- addresses ---- */

static char *
make_address(const struct config_draft *d)
{
    struct text out = { 0 };
    const char *host = d->host == NULL || strcmp(d->host, "*") == 0 ? "" : d->host;
    if (d->address != NULL)
        return mem_text(span_str(d->address));
    if (*host == '/')
        text_str(&out, host);
    else
        text_printf(&out, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, d->port);
    char *made = mem_text(text_span(&out));
    text_release(&out);
    return made;
}

static int
check_frontend(struct config_reader *r, struct config_draft *d)
{
    const char *global = d->settings[CONFIG_MATCH_GLOBAL];
    bool own = d->n_files > 0;
    if (d->address == NULL && d->port == NULL && (d->host == NULL || *d->host != '/'))
        return config_fail(r, d->line, "the frontend needs a port");
    if (global != NULL && strcmp(global, "off") == 0 && !own)
        return config_fail(r, d->line, "the frontend has no certificate: match-global-certs is off");
    if (global == NULL)
        d->settings[CONFIG_MATCH_GLOBAL] = mem_text(own ? SPAN_LIT("off") : SPAN_LIT("on"));
    return 0;
}

/* ---- settings ---- */

static const char *
setting_of(const struct config_reader *r, const struct config_draft *d, enum config_setting at)
{
    return d->settings[at] != NULL ? d->settings[at] : r->drafts[0].settings[at];
}

static int
check_verify(struct config_reader *r, const struct config_draft *d)
{
    const char *verify = setting_of(r, d, CONFIG_VERIFY);
    if (verify == NULL || strcmp(verify, "none") == 0 || setting_of(r, d, CONFIG_CLIENT_CA) != NULL)
        return 0;
    return config_fail(r, d->line, "client-verify = %s needs client-verify-ca = \"FILE\"", verify);
}

static char *
make_settings(const struct config_reader *r, const struct config_draft *d)
{
    struct text out = { 0 };
    for (unsigned i = 0; i < CONFIG_SETTINGS; i++) {
        const char *value = setting_of(r, d, (enum config_setting)i);
        if (value != NULL)
            text_printf(&out, "%s %s\n", config_setting_names[i], value);
    }
    char *made = mem_text(text_span(&out));
    text_release(&out);
    return made;
}

/* ---- the whole ---- */

/* Takes the texts of the draft. */
static int
finish(struct config_reader *r, unsigned at, unsigned *unnamed, struct tls_frontend_config *out)
{
    struct config_draft *d = &r->drafts[at];
    char name[32] = "";
    int err = at == 0 ? 0 : check_frontend(r, d);
    if (err == 0)
        err = check_verify(r, d);
    if (err != 0)
        return err;
    if (at > 0 && d->name == NULL)
        snprintf(name, sizeof name, "tls%u", (*unnamed)++);
    *out = (struct tls_frontend_config){ .name = d->name != NULL ? d->name : mem_text(span_str(name)),
                                         .address = at == 0 ? mem_text(SPAN_LIT("")) : make_address(d),
                                         .settings = make_settings(r, d),
                                         .files = d->files,
                                         .n_files = d->n_files };
    d->name = NULL;
    d->files = NULL;
    d->n_files = 0;
    return 0;
}

/* Port 0: the system chooses one. */
static bool
any_port(const char *address)
{
    const char *colon = strrchr(address, ':');
    return colon != NULL && strcmp(colon, ":0") == 0;
}

static int
check_unique(struct config_reader *r, const struct tls_config *c)
{
    for (unsigned i = 1; i < c->n_frontends; i++)
        for (unsigned k = 1; k < i; k++)
            if (!any_port(c->frontends[i].address) &&
                strcmp(c->frontends[i].address, c->frontends[k].address) == 0)
                return config_fail(r, r->drafts[i].line, "two frontends listen on %s",
                                   c->frontends[i].address);
            else if (strcmp(c->frontends[i].name, c->frontends[k].name) == 0)
                return config_fail(r, r->drafts[i].line, "two frontends have the name %s",
                                   c->frontends[i].name);
    return 0;
}

static void
release_files(struct tls_file *files, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(files[i].id);
        free(files[i].cert);
        free(files[i].key);
        free(files[i].staple);
    }
    free(files);
}

static void
release_reader(struct config_reader *r)
{
    for (unsigned i = 0; i < r->n_drafts; i++) {
        struct config_draft *d = &r->drafts[i];
        for (unsigned k = 0; k < CONFIG_SETTINGS; k++)
            free(d->settings[k]);
        free(d->name);
        free(d->host);
        free(d->port);
        free(d->address);
        release_files(d->files, d->n_files);
    }
    free(r->drafts);
    free(r->folder);
    free(r->glob);
    text_release(&r->notes);
}

int
tls_config_parse(const char *path, struct span text, struct tls_config *out, struct text *why)
{
    struct config_reader r = { .path = path, .why = why };
    unsigned unnamed = 0;
    *out = (struct tls_config){ .path = mem_text(span_str(path)) };
    config_words_init(&r.words, text);
    int err = text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL
                ? config_fail(&r, 1, "it is not a text: it has a byte 0")
                : config_keys_read(&r);
    if (err == 0)
        err = order_files(&r);
    if (err == 0 && r.n_drafts < 2)
        err = config_fail(&r, r.words.line,
                          "it has no frontend: add frontend = { host = \"*\" port = \"443\" }");
    for (unsigned i = 0; err == 0 && i < r.n_drafts; i++) {
        out->frontends = realloc(out->frontends, (i + 1) * sizeof *out->frontends);
        CHECK(out->frontends != NULL);
        err = finish(&r, i, &unnamed, &out->frontends[i]);
        out->n_frontends += err == 0;
    }
    if (err == 0)
        err = check_unique(&r, out);
    out->proxy = r.proxy;
    out->notes = r.notes;
    r.notes = (struct text){ 0 };
    release_reader(&r);
    if (err != 0)
        tls_config_release(out);
    return err;
}

int
tls_config_read(const char *path, struct tls_config *out, struct text *why)
{
    int fd = file_open(path, TLS_CONFIG_BYTES_MAX);
    char *bytes = mem_alloc(TLS_CONFIG_BYTES_MAX);
    ssize_t n = fd < 0 ? -1 : read(fd, bytes, TLS_CONFIG_BYTES_MAX);
    int err = n < 0 ? ERR_SYS : 0;
    *out = (struct tls_config){ 0 };
    if (err != 0)
        text_printf(why, "Cannot read %s: %s\n", path, file_why(errno));
    else
        err = tls_config_parse(path, span_of(bytes, (size_t)n), out, why);
    if (fd >= 0)
        close(fd);
    free(bytes);
    return err;
}

static void
release_frontend(struct tls_frontend_config *f)
{
    free(f->name);
    free(f->address);
    free(f->settings);
    release_files(f->files, f->n_files);
}

static const struct tls_frontend_config *
open_one(const struct tls_config *open, const char *address, const bool taken[])
{
    for (unsigned i = 1; i < open->n_frontends; i++)
        if (!taken[i] && strcmp(open->frontends[i].address, address) == 0)
            return &open->frontends[i];
    return NULL;
}

void
tls_config_match(struct tls_config *c, const struct tls_config *open, struct text *said)
{
    bool *taken = mem_zalloc((open->n_frontends + 1) * sizeof *taken);
    unsigned kept = c->n_frontends > 0 ? 1 : 0;
    for (unsigned i = kept; i < c->n_frontends; i++) {
        struct tls_frontend_config *f = &c->frontends[i];
        const struct tls_frontend_config *listener = open_one(open, f->address, taken);
        if (listener == NULL) {
            text_printf(said, "%s is new: a restart or vernis upgrade opens it\n", f->address);
            release_frontend(f);
            continue;
        }
        taken[listener - open->frontends] = true;
        free(f->name);
        f->name = mem_text(span_str(listener->name));
        c->frontends[kept++] = *f;
    }
    c->n_frontends = kept;
    free(taken);
}

void
tls_config_release(struct tls_config *c)
{
    for (unsigned i = 0; i < c->n_frontends; i++)
        release_frontend(&c->frontends[i]);
    free(c->frontends);
    free(c->path);
    text_release(&c->notes);
    *c = (struct tls_config){ 0 };
}
