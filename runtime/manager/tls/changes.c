/* Changes of the certificates, one after the other: see changes.h. */
#include "manager/tls/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/tls/expiry.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/similar.h"
#include "base/split.h"
#include "log/report.h"
#include "stream/listen.h"
#include "tls/staple.h"

#define CERTIFICATE_BYTES_MAX (1 << 20) /* of a file, as the key process reads it */

struct turn {
    struct list link;
    struct changes *changes;
    struct change what; /* texts are owned */
    change_done_fn *done;
    void *arg;
    int refusal;           /* status if `why` has something */
    bool full;             /* no further certificate is loaded */
    unsigned waits;        /* answers of the key process to come, and one of the turn itself */
    struct text why, said; /* faults; words for the answer if there are none */
};

static void next_turn(struct changes *ch);

static char *
copy_or_null(const char *text)
{
    return text == NULL ? NULL : mem_text(span_str(text));
}

static void
release_turn(struct turn *t)
{
    free((char *)t->what.id);
    free((char *)t->what.frontend);
    free((char *)t->what.cert_file);
    free((char *)t->what.key_file);
    text_release(&t->why);
    text_release(&t->said);
    free(t);
}

static void
end_turn(struct turn *t, int status, struct span text)
{
    struct changes *ch = t->changes;
    change_done_fn *done = t->done;
    void *arg = t->arg;
    struct text said = { 0 };
    text_add(&said, text); /* it may be the turn's own */
    list_remove(&t->link);
    release_turn(t);
    ch->running = false;
    done(arg, status, text_span(&said));
    text_release(&said);
    next_turn(ch);
}

/* ---- checks of a certificate ---- */

static bool
names_meet(const struct certificate *a, const struct certificate *b, struct span *which)
{
    struct span left = span_str(a->names), one;
    while (split_next(&left, SPAN_LIT(" "), &one)) {
        struct span right = span_str(b->names), other;
        while (split_next(&right, SPAN_LIT(" "), &other))
            if (span_eq_nocase(one, other)) {
                *which = one;
                return true;
            }
    }
    return false;
}

/* tls_err_dup_servername: two of one listener have the same name, and the same kind of key. */
static bool
is_duplicate(const struct certificates *c, const struct certificate *one, struct text *why)
{
    for (unsigned i = 0; params.tls_err_dup_servername && i < c->n; i++) {
        const struct certificate *other = c->all[i];
        struct span name;
        bool counts = other->state == CERTIFICATE_STAGED ||
                      (other->state == CERTIFICATE_COMMITTED && other->newer == NULL);
        if (other == one || !counts || strcmp(other->frontend, one->frontend) != 0 ||
            strcmp(other->kind, one->kind) != 0 || !names_meet(one, other, &name))
            continue;
        text_printf(why, "%s: '%.*s' already %s, in %s (tls_err_dup_servername is on)\n", one->cert_file,
                    (int)name.len, name.ptr, other->state == CERTIFICATE_STAGED ? "staged" : "loaded",
                    other->cert_file);
        return true;
    }
    return false;
}

static bool
is_listener(const struct certificates *c, const char *name, struct text *why)
{
    struct similar near = similar_to(span_str(name));
    if (*name == '\0' || c->listens == NULL)
        return true;
    for (unsigned i = 0; i < c->listens->n; i++) {
        const struct listen_socket *l = &c->listens->socket[i];
        if (listen_kinds[l->kind].tls && span_eq(l->name, span_str(name)))
            return true;
        if (listen_kinds[l->kind].tls)
            similar_try(&near, l->name.ptr);
    }
    text_printf(why, "Frontend '%s' not found: no listener with HTTPS has this name", name);
    if (near.name != NULL)
        text_printf(why, "; did you mean %s?", near.name);
    text_str(why, "\n");
    return false;
}

/* ---- loading ---- */

static int
open_file(const char *path, struct text *why)
{
    int fd = file_open(path, CERTIFICATE_BYTES_MAX);
    if (fd < 0)
        text_printf(why, "%s: %s\n", path, file_why(errno));
    return fd;
}

/* Puts the authority's answer about the certificate behind its chain. One that is too old must not keep a
 * site from its start, so a bad answer is a warning, and not sent. False: the file cannot be read. */
static bool
staple(struct certificate *one, struct text *why)
{
    char bytes[TLS_STAPLE_BYTES_MAX];
    struct text path = { 0 }, chain = { 0 }, fault = { 0 };
    text_str(&path, one->staple_file != NULL ? one->staple_file : one->cert_file);
    text_str(&path, one->staple_file != NULL ? "" : ".ocsp");
    text_str(&chain, one->chain);
    int fd = file_open(text_cstr(&path), TLS_STAPLE_BYTES_MAX);
    ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    bool readable = n >= 0 || (one->staple_file == NULL && errno == ENOENT);
    if (!readable)
        text_printf(why, "%s: %s\n", text_cstr(&path), file_why(errno));
    else if (n >= 0 && tls_staple_add(&chain, span_of(bytes, (size_t)n), &fault) != 0)
        log_line(LOG_LEVEL_WARNING, "certificate %s: %s is not sent to clients: %s", one->id,
                 text_cstr(&path), text_cstr(&fault));
    else if (n >= 0) {
        free(one->chain);
        one->chain = mem_text(text_span(&chain));
    }
    if (fd >= 0)
        close(fd);
    text_release(&path);
    text_release(&chain);
    text_release(&fault);
    return readable;
}

static void loads_done(struct turn *t);

static void
loaded(void *arg, int err, struct span text)
{
    struct certificate *one = arg;
    struct turn *t = one->turn;
    struct certificates *c = t->changes->certificates;
    one->turn = NULL;
    if (err != 0) {
        text_printf(&t->why, "%s: %.*s\n", one->cert_file, (int)text.len, text.ptr);
        one->key = NULL;
        certificates_drop(c, one);
    } else if (certificates_fill(c, one, text) != 0) {
        text_printf(&t->why, "%s: the key process does not describe it\n", one->cert_file);
        certificates_drop(c, one);
    } else if (is_duplicate(c, one, &t->why)) {
        t->refusal = CLI_CANT;
        certificates_drop(c, one);
    } else if (!staple(one, &t->why))
        certificates_drop(c, one);
    else if (t->what.kind == CHANGE_LOAD)
        t->what.id = mem_text(span_str(one->id)); /* for the answer */
    if (--t->waits == 0)
        loads_done(t);
}

/* Whether one more may be loaded. Says once why not. */
static bool
has_room(struct turn *t, const char *file)
{
    const struct certificates *c = t->changes->certificates;
    bool many = c->n > params.tls_certificates_max, open = c->keys->n_fds + 2 <= c->keys->fds_max;
    if (many && !t->full)
        text_printf(&t->why,
                    "%s: more than %u certificates (tls_certificates_max; a reload holds each twice)\n", file,
                    params.tls_certificates_max);
    else if (!open && !t->full)
        text_printf(
            &t->why,
            "%s: all descriptors for certificates are open (%u): raise the daemon's limit (LimitNOFILE= "
            "of systemd, ulimit -n)\n",
            file, c->keys->fds_max);
    t->full |= many || !open;
    return !t->full;
}

/* The manager opens the files with its rights, and passes the descriptors. */
static void
load(struct turn *t, struct certificate *one)
{
    struct certificates *c = t->changes->certificates;
    bool room = has_room(t, one->cert_file);
    int cert = room ? open_file(one->cert_file, &t->why) : -1, key = -1;
    bool two = *one->key_file != '\0';
    if (cert >= 0 && two)
        key = open_file(one->key_file, &t->why);
    if (cert < 0 || (two && key < 0)) {
        if (cert >= 0)
            close(cert);
        certificates_drop(c, one);
        return;
    }
    one->turn = t;
    t->waits++;
    one->key = key_process_load(c->keys, one->id, cert, key, loaded, one);
    one->number = key_file_number(one->key);
}

static void
run_load(struct turn *t)
{
    struct certificates *c = t->changes->certificates;
    struct text why = { 0 };
    if (!key_process_is_on(c->keys))
        text_str(&why, "No listener has HTTPS: start the daemon with -a ADDRESS,HTTPS\n");
    if (why.len > 0 || !is_listener(c, t->what.frontend, &why)) {
        end_turn(t, CLI_PARAM, text_span(&why));
        text_release(&why);
        return;
    }
    struct certificate *one = certificates_add(c, t->what.id, t->what.frontend, t->what.cert_file,
                                               t->what.key_file);
    one->place.is_default = t->what.is_default;
    free((char *)t->what.id);
    t->what.id = NULL;
    t->waits = 1;
    load(t, one);
    if (--t->waits == 0)
        loads_done(t);
}

/* ---- reading everything again ---- */

/* A certificate of -A that is in use already; its id stays. */
static struct certificate *
find_used(const struct certificates *c, const char *frontend, const struct tls_file *file)
{
    for (unsigned i = 0; i < c->n; i++) {
        struct certificate *one = c->all[i];
        if (one->state == CERTIFICATE_COMMITTED && one->from_file &&
            strcmp(one->cert_file, file->cert) == 0 && strcmp(one->key_file, file->key) == 0 &&
            strcmp(one->frontend, frontend) == 0)
            return one;
    }
    return NULL;
}

/* A command has loaded another file in its place. */
static bool
is_superseded(const struct certificates *c, const struct tls_file *file)
{
    char *id = file->id != NULL ? mem_text(span_str(file->id)) : certificates_name(file->cert);
    const struct certificate *used = certificates_find(c, id, CERTIFICATE_COMMITTED);
    free(id);
    return used != NULL && !used->from_file;
}

/* Loads one of the file. */
static void
load_configured(struct turn *t, const char *frontend, const struct tls_file *file, unsigned at)
{
    struct certificates *c = t->changes->certificates;
    struct certificate *used = find_used(c, frontend, file);
    if (used != NULL)
        used->seen = true;
    else if (is_superseded(c, file))
        return;
    struct certificate *one = certificates_add(c, used != NULL ? used->id : file->id, frontend, file->cert,
                                               file->key);
    one->from_file = true;
    one->staple_file = copy_or_null(file->staple);
    one->place = (struct certificate_place){ .at = at };
    load(t, one);
}

/* Loads again what commands have loaded. What is no longer in the file of -A leaves. */
static void
load_others(struct turn *t, unsigned n)
{
    struct certificates *c = t->changes->certificates;
    for (unsigned i = 0; i < n; i++) {
        struct certificate *used = c->all[i];
        if (used->state == CERTIFICATE_COMMITTED && used->from_file && !used->seen)
            used->state = CERTIFICATE_LEAVING;
        used->seen = false;
        if (used->state != CERTIFICATE_COMMITTED || used->from_file)
            continue;
        struct certificate *one = certificates_add(c, used->id, used->frontend, used->cert_file,
                                                   used->key_file);
        one->place = used->place;
        load(t, one);
    }
}

static void
note(const struct tls_config *config)
{
    struct span notes = text_span(&config->notes), line;
    while (split_next(&notes, SPAN_LIT("\n"), &line))
        log_line(LOG_LEVEL_INFO, "%.*s", (int)line.len, line.ptr);
}

static void
run_reload(struct turn *t)
{
    struct certificates *c = t->changes->certificates;
    struct tls_config config = { 0 };
    if (certificates_staged(c)) {
        end_turn(t, CLI_CANT,
                 SPAN_LIT("There are staged changes: tls.cert.commit or tls.cert.rollback first\n"));
        return;
    }
    const struct tls_config *open = t->changes->config;
    if (open->path != NULL && tls_config_read(open->path, &config, &t->why) != 0) {
        end_turn(t, CLI_PARAM, text_span(&t->why));
        return;
    }
    tls_config_match(&config, open, &t->said);
    t->waits = 1;
    note(&config);
    unsigned n = c->n, at = 0;
    if (config.path != NULL)
        certificates_stage_settings(c, &config);
    for (unsigned i = 0; i < config.n_frontends; i++)
        for (unsigned k = 0; k < config.frontends[i].n_files; k++)
            load_configured(t, config.frontends[i].name, &config.frontends[i].files[k], at++);
    load_others(t, n);
    tls_config_release(&config);
    if (--t->waits == 0)
        loads_done(t);
}

/* ---- commit ---- */

static void run_commit(struct turn *t);

/* A new worker has the set in use. */
static void
in_force(void *arg, int status, struct span text)
{
    struct changes *ch = arg;
    set_sent_fn *done = ch->send_done;
    struct turn *held = ch->held;
    ch->send_done = NULL;
    ch->held = NULL;
    if (status != CLI_OK && status != CLI_COMMS)
        log_line(LOG_LEVEL_ERROR, "certificates: %.*s", (int)text.len, text.ptr);
    done(ch->send_arg, status, text);
    if (held != NULL)
        run_commit(held);
    else
        next_turn(ch);
}

static void
sent(void *arg, int status, struct span text)
{
    struct turn *t = arg;
    struct changes *ch = t->changes;
    if (status == CLI_OK) {
        certificates_settle(ch->certificates);
        expiry_look(ch->certificates);
    } else if (t->what.kind == CHANGE_RELOAD)
        certificates_rollback(ch->certificates);
    if (ch->send_done != NULL)
        set_sender_start(&ch->sender, ch->certificates, false, in_force, ch);
    end_turn(t, status, status == CLI_OK ? text_span(&t->said) : text);
}

/* Without a worker, the next one gets the set. */
static void
run_commit(struct turn *t)
{
    struct changes *ch = t->changes;
    if (set_sender_busy(&ch->sender))
        ch->held = t; /* a worker has started while files were read */
    else if (child_alive(ch->certificates->child))
        set_sender_start(&ch->sender, ch->certificates, true, sent, t);
    else
        sent(t, CLI_OK, SPAN_LIT(""));
}

void
changes_send(struct changes *ch, set_sent_fn *done, void *arg)
{
    CHECK(ch->send_done == NULL);
    ch->send_done = done;
    ch->send_arg = arg;
    if (!set_sender_busy(&ch->sender)) /* else sent() goes on */
        set_sender_start(&ch->sender, ch->certificates, false, in_force, ch);
}

static void
loads_done(struct turn *t)
{
    struct certificates *c = t->changes->certificates;
    struct text said = { 0 };
    bool good = t->why.len == 0;
    if (t->what.kind == CHANGE_RELOAD && good) {
        run_commit(t);
        return;
    }
    if (t->what.kind == CHANGE_RELOAD)
        certificates_rollback(c);
    if (good)
        text_printf(&said, "%s\n", t->what.id);
    end_turn(t, good ? CLI_OK : t->refusal, good ? text_span(&said) : text_span(&t->why));
    text_release(&said);
}

/* ---- turns ---- */

static void
run_discard(struct turn *t)
{
    int err = certificates_discard(t->changes->certificates, t->what.id, &t->why);
    end_turn(t, err == 0 ? CLI_OK : CLI_PARAM, text_span(&t->why));
}

static void
run(struct turn *t)
{
    switch (t->what.kind) {
    case CHANGE_LOAD: run_load(t); return;
    case CHANGE_COMMIT: run_commit(t); return;
    case CHANGE_ROLLBACK:
        certificates_rollback(t->changes->certificates);
        end_turn(t, CLI_OK, SPAN_LIT(""));
        return;
    case CHANGE_DISCARD: run_discard(t); return;
    case CHANGE_RELOAD: run_reload(t); return;
    }
    WRONG("kind of change");
}

static void
next_turn(struct changes *ch)
{
    struct turn *t = list_first(&ch->queue, struct turn, link);
    if (t == NULL || ch->running || set_sender_busy(&ch->sender))
        return;
    ch->running = true;
    run(t);
}

void
changes_make(struct changes *ch, const struct change *what, change_done_fn *done, void *arg)
{
    struct turn *t = mem_zalloc(sizeof *t);
    *t = (struct turn){ .changes = ch, .what = *what, .refusal = CLI_PARAM, .done = done, .arg = arg };
    t->what.id = copy_or_null(what->id);
    t->what.frontend = copy_or_null(what->frontend);
    t->what.cert_file = copy_or_null(what->cert_file);
    t->what.key_file = copy_or_null(what->key_file);
    list_push_back(&ch->queue, &t->link);
    next_turn(ch);
}

void
changes_init(struct changes *ch, struct certificates *certificates, const struct tls_config *config)
{
    *ch = (struct changes){ .certificates = certificates, .config = config };
    list_init(&ch->queue);
}

/* Answers nobody: the daemon ends. */
void
changes_release(struct changes *ch)
{
    for (struct list *it; ch->queue.next != NULL && (it = list_pop_front(&ch->queue)) != NULL;) {
        struct turn *t = container_of(it, struct turn, link);
        release_turn(t);
    }
}
