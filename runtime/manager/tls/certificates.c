/* Certificates, staged and in use: see certificates.h. */
#include "manager/tls/certificates.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/vsc.h"

/* ---- the list ---- */

static bool
is_used(const struct certificate *one)
{
    return one->state == CERTIFICATE_COMMITTED || one->state == CERTIFICATE_LEAVING;
}

void
certificates_drop(struct certificates *c, struct certificate *one)
{
    unsigned at = 0;
    while (c->all[at] != one)
        at++;
    c->all[at] = c->all[--c->n];
    if (one->older != NULL)
        one->older->newer = NULL;
    if (one->newer != NULL)
        one->newer->older = NULL;
    vsc_free(&one->counters);
    if (one->key != NULL && is_used(one))
        key_process_retire(c->keys, one->key);
    else if (one->key != NULL)
        key_process_drop(c->keys, one->key);
    free(one->id);
    free(one->frontend);
    free(one->cert_file);
    free(one->key_file);
    free(one->staple_file);
    free(one->kind);
    free(one->names);
    free(one->chain);
    free(one);
}

struct certificate *
certificates_find(const struct certificates *c, const char *id, enum certificate_state state)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->all[i]->state == state && strcmp(c->all[i]->id, id) == 0)
            return c->all[i];
    return NULL;
}

static bool
is_taken(const struct certificates *c, const char *id)
{
    for (unsigned i = 0; i < c->n; i++)
        if (strcmp(c->all[i]->id, id) == 0)
            return true;
    return false;
}

char *
certificates_name(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash == NULL ? file : slash + 1,
               *dot = strrchr(base, '.');
    return mem_text(span_of(base, dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base)));
}

/* With a number if another certificate has the name. */
static char *
make_id(const struct certificates *c, const char *file)
{
    char *name = certificates_name(file);
    struct text id = { 0 };
    text_str(&id, name);
    for (unsigned i = 2; is_taken(c, text_cstr(&id)); i++) {
        text_clear(&id);
        text_printf(&id, "%s-%u", name, i);
    }
    char *made = mem_text(text_span(&id));
    text_release(&id);
    free(name);
    return made;
}

struct certificate *
certificates_add(struct certificates *c, const char *id, const char *frontend, const char *cert_file,
                 const char *key_file)
{
    struct certificate *one = mem_zalloc(sizeof *one);
    *one = (struct certificate){ .id = id != NULL ? mem_text(span_str(id)) : make_id(c, cert_file),
                                 .frontend = mem_text(span_str(frontend)),
                                 .cert_file = mem_text(span_str(cert_file)),
                                 .key_file = mem_text(span_str(key_file)),
                                 .place.at = PLACE_OF_COMMANDS + ++c->last_place };
    c->all = realloc(c->all, (c->n + 1) * sizeof(struct certificate *));
    CHECK(c->all != NULL);
    c->all[c->n++] = one;
    return one;
}

/* ---- what the key process tells ---- */

/* Takes "name value\n" from the front. NULL: the line is not there. */
static char *
take_line(struct span *text, const char *name)
{
    size_t n = strlen(name);
    const char *end = text->len == 0 ? NULL : memchr(text->ptr, '\n', text->len);
    if (end == NULL || (size_t)(end - text->ptr) < n || memcmp(text->ptr, name, n) != 0)
        return NULL;
    const char *value = text->ptr + n + (text->ptr[n] == ' ');
    char *made = mem_text(span_of(value, (size_t)(end - value)));
    *text = span_of(end + 1, text->len - (size_t)(end + 1 - text->ptr));
    return made;
}

static bool
take_number(struct span *text, const char *name, long long *out)
{
    char *digits = take_line(text, name);
    bool ok = digits != NULL;
    *out = ok ? strtoll(digits, NULL, 10) : 0;
    free(digits);
    return ok;
}

static bool
take_words(struct certificate *one, struct span text)
{
    one->kind = take_line(&text, "kind");
    one->names = take_line(&text, "names");
    bool ok = one->kind != NULL && one->names != NULL && take_number(&text, "not_before", &one->not_before) &&
              take_number(&text, "not_after", &one->not_after);
    char *empty = take_line(&text, "");
    one->chain = mem_text(text);
    ok = ok && empty != NULL && *empty == '\0' && *one->chain != '\0';
    free(empty);
    return ok;
}

int
certificates_fill(struct certificates *c, struct certificate *one, struct span text)
{
    CHECK(one->state == CERTIFICATE_COMING);
    if (!take_words(one, text))
        return ERR_SYNTAX;
    struct certificate *before = certificates_find(c, one->id, CERTIFICATE_STAGED);
    struct certificate *used = certificates_find(c, one->id, CERTIFICATE_COMMITTED);
    if (used != NULL && !one->place.is_default && !one->from_file)
        one->place = used->place; /* a renewed certificate keeps its place */
    if (used != NULL && used->not_after == one->not_after)
        one->warned = used->warned;
    if (before != NULL)
        certificates_drop(c, before);
    one->older = used;
    if (used != NULL)
        used->newer = one;
    one->state = CERTIFICATE_STAGED;
    return 0;
}

/* ---- settings ---- */

static void
release_settings(struct settings_set *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        free(s->all[i].name);
        free(s->all[i].lines);
    }
    free(s->all);
    *s = (struct settings_set){ 0 };
}

void
certificates_stage_settings(struct certificates *c, const struct tls_config *from)
{
    release_settings(&c->next_settings);
    c->next_settings.all = mem_zalloc((from->n_frontends + 1) * sizeof *c->next_settings.all);
    for (unsigned i = 0; i < from->n_frontends; i++)
        c->next_settings.all[c->next_settings.n++] = (struct frontend_settings){
            .name = mem_text(span_str(from->frontends[i].name)),
            .lines = mem_text(span_str(from->frontends[i].settings))
        };
    c->has_next_settings = true;
}

/* ---- staging ---- */

bool
certificates_staged(const struct certificates *c)
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->all[i]->state == CERTIFICATE_STAGED || c->all[i]->state == CERTIFICATE_LEAVING)
            return true;
    return c->has_next_settings;
}

int
certificates_discard(struct certificates *c, const char *id, struct text *why)
{
    struct certificate *staged = certificates_find(c, id, CERTIFICATE_STAGED);
    struct certificate *used = certificates_find(c, id, CERTIFICATE_COMMITTED);
    if (staged != NULL)
        certificates_drop(c, staged);
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
            certificates_drop(c, c->all[i]);
    release_settings(&c->next_settings);
    c->has_next_settings = false;
}

/* Its name is the same, so its counters go on: each lives in a file of shared memory. */
static void
pass_counters(struct certificate *from, struct certificate *to)
{
    to->counters = from->counters;
    from->counters = NULL;
}

void
certificates_settle(struct certificates *c)
{
    for (unsigned i = c->n; i-- > 0;) {
        if (c->all[i]->newer != NULL)
            pass_counters(c->all[i], c->all[i]->newer);
        if (c->all[i]->state == CERTIFICATE_LEAVING || c->all[i]->newer != NULL)
            certificates_drop(c, c->all[i]);
    }
    for (unsigned i = 0; i < c->n; i++)
        if (c->all[i]->state == CERTIFICATE_STAGED)
            c->all[i]->state = CERTIFICATE_COMMITTED;
    if (c->has_next_settings) {
        release_settings(&c->settings);
        c->settings = c->next_settings;
        c->next_settings = (struct settings_set){ 0 };
        c->has_next_settings = false;
    }
}

/* ---- the set ---- */

static int
compare(unsigned a, unsigned b)
{
    return a < b ? -1 : a > b;
}

static int
by_place(const void *left, const void *right)
{
    const struct certificate_place *a = &(*(struct certificate *const *)left)->place,
                                   *b = &(*(struct certificate *const *)right)->place;
    if (a->is_default != b->is_default)
        return a->is_default ? -1 : 1;
    return a->is_default ? compare(b->at, a->at) : compare(a->at, b->at);
}

struct certificate **
certificates_set(const struct certificates *c, bool next, unsigned *n)
{
    struct certificate **set = mem_zalloc((c->n + 1) * sizeof(struct certificate *));
    *n = 0;
    for (unsigned i = 0; i < c->n; i++) {
        struct certificate *one = c->all[i];
        bool now = is_used(one);
        bool then = one->state == CERTIFICATE_STAGED ||
                    (one->state == CERTIFICATE_COMMITTED && one->newer == NULL);
        if (next ? then : now)
            set[(*n)++] = one;
    }
    qsort(set, *n, sizeof(struct certificate *), by_place);
    return set;
}

/* ---- life ---- */

void
certificates_init(struct certificates *c, struct child *child, struct key_process *keys,
                  const struct listens *listens)
{
    *c = (struct certificates){ .child = child, .keys = keys, .listens = listens };
}

void
certificates_release(struct certificates *c)
{
    while (c->n > 0)
        certificates_drop(c, c->all[0]);
    free(c->all);
    release_settings(&c->settings);
    release_settings(&c->next_settings);
}
