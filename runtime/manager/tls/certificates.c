/* Certificates, staged and in use: see certificates.h. */
#include "manager/tls/certificates.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define CALL(...) \
    (const char *const[]) \
    { \
        __VA_ARGS__ \
    }

/* One certificate on its way from the key process, and who waits for it. */
struct coming {
    struct certificates *all;
    struct certificate *one;
    certificates_done_fn *done;
    void *arg;
};

/* Many of them: answers once. */
struct reload {
    struct certificates *all;
    unsigned left;
    struct text why;
    certificates_done_fn *done;
    void *arg;
};

static char *
copy(const char *text)
{
    char *made = strdup(text);
    CHECK(made != NULL);
    return made;
}

static void
drop(struct certificates *c, struct certificate *one)
{
    unsigned at = 0;
    while (c->all[at] != one)
        at++;
    c->all[at] = c->all[--c->n];
    key_process_drop(c->keys, one->number);
    free(one->id);
    free(one->frontend);
    free(one->cert_file);
    free(one->key_file);
    free(one->kind);
    free(one->names);
    free(one->chain);
    free(one);
}

static struct certificate *
find(struct certificates *c, const char *id, enum certificate_state state)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->all[i]->state == state && strcmp(c->all[i]->id, id) == 0)
            return c->all[i];
    return NULL;
}

/* ---- loading ---- */

/* Takes "name value\n" from the front. */
static char *
take_line(struct span *text, const char *name)
{
    size_t n = strlen(name);
    const char *end = text->len == 0 ? NULL : memchr(text->ptr, '\n', text->len);
    CHECK(end != NULL && memcmp(text->ptr, name, n) == 0);
    const char *value = text->ptr + n + (text->ptr[n] == ' ');
    char *made = strndup(value, (size_t)(end - value));
    CHECK(made != NULL);
    *text = span_of(end + 1, text->len - (size_t)(end + 1 - text->ptr));
    return made;
}

static long long
take_number(struct span *text, const char *name)
{
    char *digits = take_line(text, name);
    long long n = strtoll(digits, NULL, 10);
    free(digits);
    return n;
}

static void
fill(struct certificate *one, struct span text)
{
    one->kind = take_line(&text, "kind");
    one->names = take_line(&text, "names");
    one->not_before = take_number(&text, "not_before");
    one->not_after = take_number(&text, "not_after");
    free(take_line(&text, ""));
    one->chain = strndup(text.ptr, text.len);
    CHECK(one->chain != NULL);
}

static void
warn_of_dates(const struct certificate *one)
{
    long long now = clock_real_ns() / NSEC_PER_SEC;
    if (now > one->not_after)
        log_line(LOG_LEVEL_WARNING, "certificate %s has expired", one->id);
    else if (now < one->not_before)
        log_line(LOG_LEVEL_WARNING, "certificate %s is not valid yet", one->id);
}

static void
loaded(void *arg, int err, struct span text)
{
    struct coming *w = arg;
    struct certificate *one = w->one, *before;
    struct text said = { 0 };
    if (err != 0) {
        text_printf(&said, "%s: %.*s\n", one->cert_file, (int)text.len, text.ptr);
        drop(w->all, one);
    } else {
        before = find(w->all, one->id, CERTIFICATE_STAGED);
        if (before != NULL)
            drop(w->all, before);
        fill(one, text);
        one->state = CERTIFICATE_STAGED;
        warn_of_dates(one);
        text_printf(&said, "%s\n", one->id);
    }
    w->done(w->arg, err == 0 ? CLI_OK : CLI_PARAM, text_span(&said));
    text_release(&said);
    free(w);
}

static int
open_file(const char *path, struct text *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        text_printf(why, "%s: %s\n", path, strerror(errno));
    return fd;
}

static void
fail(certificates_done_fn *done, void *arg, struct text *why)
{
    done(arg, CLI_PARAM, text_span(why));
    text_release(why);
}

/* The name of the file without its folder and ending, and a number if another certificate has it. */
static char *
make_id(struct certificates *c, const char *file)
{
    char path[PATH_MAX], id[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s", file);
    char *base = basename(path), *dot = strrchr(base, '.');
    if (dot != NULL && dot != base)
        *dot = '\0';
    snprintf(id, sizeof id, "%s", base);
    while (find(c, id, CERTIFICATE_COMMITTED) != NULL || find(c, id, CERTIFICATE_STAGED) != NULL ||
           find(c, id, CERTIFICATE_COMING) != NULL)
        snprintf(id, sizeof id, "%s-%u", base, ++c->last_id);
    return copy(id);
}

void
certificates_load(struct certificates *c, const char *id, const char *frontend, const char *cert_file,
                  const char *key_file, certificates_done_fn *done, void *arg)
{
    struct text why = { 0 };
    if (!key_process_is_on(c->keys)) {
        text_str(&why, "No listener has HTTPS: start the daemon with -a ADDRESS,HTTPS\n");
        fail(done, arg, &why);
        return;
    }
    int cert = open_file(cert_file, &why), key = -1;
    if (cert >= 0 && *key_file != '\0')
        key = open_file(key_file, &why);
    if (cert < 0 || (*key_file != '\0' && key < 0)) {
        if (cert >= 0)
            close(cert);
        fail(done, arg, &why);
        return;
    }
    struct certificate *one = mem_zalloc(sizeof *one);
    struct coming *w = mem_zalloc(sizeof *w);
    *one = (struct certificate){ .id = id != NULL ? copy(id) : make_id(c, cert_file),
                                 .frontend = copy(frontend),
                                 .cert_file = copy(cert_file),
                                 .key_file = copy(key_file) };
    c->all = realloc(c->all, (c->n + 1) * sizeof(struct certificate *));
    CHECK(c->all != NULL);
    c->all[c->n++] = one;
    *w = (struct coming){ .all = c, .one = one, .done = done, .arg = arg };
    one->number = key_process_load(c->keys, cert, key, loaded, w);
}

static void
reloaded_one(void *arg, int status, struct span text)
{
    struct reload *r = arg;
    if (status != CLI_OK)
        text_add(&r->why, text);
    if (--r->left > 0)
        return;
    if (r->why.len > 0)
        certificates_rollback(r->all);
    r->done(r->arg, r->why.len > 0 ? CLI_PARAM : CLI_OK, text_span(&r->why));
    text_release(&r->why);
    free(r);
}

void
certificates_reload(struct certificates *c, certificates_done_fn *done, void *arg)
{
    struct reload *r = mem_zalloc(sizeof *r);
    *r = (struct reload){ .all = c, .left = 1, .done = done, .arg = arg };
    for (unsigned i = 0, n = c->n; i < n; i++) {
        const struct certificate *one = c->all[i];
        if (one->state != CERTIFICATE_COMMITTED)
            continue;
        r->left++;
        certificates_load(c, one->id, one->frontend, one->cert_file, one->key_file, reloaded_one, r);
    }
    reloaded_one(r, CLI_OK, SPAN_LIT(""));
}

/* ---- staging ---- */

int
certificates_discard(struct certificates *c, const char *id, struct text *why)
{
    struct certificate *staged = find(c, id, CERTIFICATE_STAGED), *used = find(c, id, CERTIFICATE_COMMITTED);
    if (staged != NULL)
        drop(c, staged);
    else if (used != NULL)
        used->state = CERTIFICATE_LEAVING;
    else
        text_printf(why, "No certificate %s: tls.cert.list names them\n", id);
    return staged == NULL && used == NULL ? ERR_NOTFOUND : 0;
}

void
certificates_rollback(struct certificates *c)
{
    for (unsigned i = c->n; i-- > 0;)
        if (c->all[i]->state == CERTIFICATE_LEAVING)
            c->all[i]->state = CERTIFICATE_COMMITTED;
        else if (c->all[i]->state == CERTIFICATE_STAGED)
            drop(c, c->all[i]);
}

/* ---- committing ---- */

/* One that a staged one replaces. */
static bool
is_replaced(struct certificates *c, const struct certificate *one)
{
    return one->state == CERTIFICATE_COMMITTED && find(c, one->id, CERTIFICATE_STAGED) != NULL;
}

static void
answered(void *arg, int status, struct span text)
{
    if (status != CLI_OK)
        log_line(LOG_LEVEL_ERROR, "certificates: %.*s", (int)text.len, text.ptr);
}

/* Sends those that are in use, or that will be after the commit. */
static void
send_set(struct certificates *c, bool next, child_done_fn *done, void *arg)
{
    child_call(c->child, answered, NULL, 1, CALL("tls.begin"));
    for (unsigned i = 0; i < c->n; i++) {
        const struct certificate *one = c->all[i];
        bool wanted = next ? one->state == CERTIFICATE_STAGED ||
                                 (one->state == CERTIFICATE_COMMITTED && !is_replaced(c, one))
                           : one->state == CERTIFICATE_COMMITTED || one->state == CERTIFICATE_LEAVING;
        char number[16];
        if (!wanted)
            continue;
        snprintf(number, sizeof number, "%u", one->number);
        child_call(c->child, answered, NULL, 4, CALL("tls.certificate", number, one->frontend, one->chain));
    }
    child_call(c->child, done, arg, 1, CALL("tls.commit"));
}

static void
settle(struct certificates *c)
{
    for (unsigned i = c->n; i-- > 0;)
        if (c->all[i]->state == CERTIFICATE_LEAVING || is_replaced(c, c->all[i]))
            drop(c, c->all[i]);
    for (unsigned i = 0; i < c->n; i++)
        if (c->all[i]->state == CERTIFICATE_STAGED)
            c->all[i]->state = CERTIFICATE_COMMITTED;
}

static void
committed(void *arg, int status, struct span text)
{
    struct certificates *c = arg;
    certificates_done_fn *done = c->done;
    c->committing = false;
    if (status == CLI_OK || status == CLI_COMMS) /* without a worker, the next one gets the set */
        settle(c);
    if (status == CLI_COMMS)
        done(c->done_arg, CLI_OK, SPAN_LIT(""));
    else
        done(c->done_arg, status, text);
}

void
certificates_commit(struct certificates *c, certificates_done_fn *done, void *arg)
{
    if (c->committing) {
        done(arg, CLI_CANT, SPAN_LIT("Another commit is under way\n"));
        return;
    }
    c->committing = true;
    c->done = done;
    c->done_arg = arg;
    if (child_alive(c->child))
        send_set(c, true, committed, c);
    else
        committed(c, CLI_COMMS, SPAN_LIT(""));
}

void
certificates_send(struct certificates *c)
{
    if (key_process_is_on(c->keys))
        send_set(c, false, answered, NULL);
}

/* ---- life ---- */

void
certificates_init(struct certificates *c, struct child *child, struct key_process *keys)
{
    *c = (struct certificates){ .child = child, .keys = keys };
}

void
certificates_release(struct certificates *c)
{
    while (c->n > 0)
        drop(c, c->all[0]);
    free(c->all);
}
