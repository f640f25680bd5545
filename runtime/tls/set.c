/* Sets of certificates: see set.h. */
#include "tls/set.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/check.h"
#include "tls/set_settings.h"

static struct {
    pthread_mutex_t lock;
    struct tls_set *set;
    atomic_uint generation;
} newest = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- names ---- */

static struct tls_name *
place(const struct tls_set *s, unsigned frontend, struct span name)
{
    size_t mask = s->names_cap - 1, at = (size_t)XXH3_64bits_withSeed(name.ptr, name.len, frontend) & mask;
    while (s->names[at].name.ptr != NULL &&
           (s->names[at].frontend != frontend || !span_eq(s->names[at].name, name)))
        at = (at + 1) & mask;
    return &s->names[at];
}

static bool
grow(struct tls_set *s)
{
    struct tls_set bigger = { .names_cap = s->names_cap == 0 ? 16 : 2 * s->names_cap };
    if (2 * s->n_names < s->names_cap)
        return true;
    bigger.names = calloc(bigger.names_cap, sizeof *bigger.names);
    if (bigger.names == NULL)
        return false;
    for (unsigned i = 0; i < s->names_cap; i++)
        if (s->names[i].name.ptr != NULL)
            *place(&bigger, s->names[i].frontend, s->names[i].name) = s->names[i];
    free(s->names);
    s->names = bigger.names;
    s->names_cap = bigger.names_cap;
    return true;
}

/* The first certificate of a kind wins. */
static bool
add_names(struct tls_set *s, unsigned frontend, struct tls_certificate *c)
{
    struct tls_name *first = &s->frontends[frontend].first;
    if (first->by_kind[c->kind] == NULL)
        first->by_kind[c->kind] = c;
    for (unsigned i = 0; i < c->n_names; i++) {
        if (!grow(s))
            return false;
        struct span name = span_str(c->names[i]);
        struct tls_name *n = place(s, frontend, name);
        if (n->name.ptr == NULL) {
            *n = (struct tls_name){ .name = name, .frontend = frontend };
            s->n_names++;
        }
        if (n->by_kind[c->kind] == NULL)
            n->by_kind[c->kind] = c;
    }
    return true;
}

static const struct tls_name *
find_exact(const struct tls_set *s, unsigned frontend, struct span name)
{
    if (s->names_cap == 0)
        return NULL;
    const struct tls_name *n = place(s, frontend, name);
    return n->name.ptr == NULL ? NULL : n;
}

static const struct tls_name *
find_in(const struct tls_set *s, unsigned frontend, struct span host)
{
    char wild[TLS_NAME_BYTES_MAX + 1];
    const struct tls_name *n = find_exact(s, frontend, host);
    const char *dot = n == NULL && host.len > 0 ? memchr(host.ptr, '.', host.len) : NULL;
    if (n != NULL || dot == NULL || dot == host.ptr)
        return n;
    size_t rest = host.len - (size_t)(dot - host.ptr);
    wild[0] = '*';
    memcpy(wild + 1, dot, rest);
    return find_exact(s, frontend, span_of(wild, rest + 1));
}

const struct tls_name *
tls_set_find_name(const struct tls_set *s, unsigned frontend, struct span host)
{
    if (host.len > TLS_NAME_BYTES_MAX)
        return NULL;
    const struct tls_name *n = find_in(s, frontend, host);
    bool others = frontend != TLS_FOR_ALL && !s->frontends[frontend].settings.own_only;
    return n == NULL && others ? find_in(s, TLS_FOR_ALL, host) : n;
}

static bool
has_any(const struct tls_name *n)
{
    for (enum tls_key_kind k = 0; k < TLS_KEY_KINDS; k++)
        if (n->by_kind[k] != NULL)
            return true;
    return false;
}

const struct tls_name *
tls_set_first(const struct tls_set *s, unsigned frontend)
{
    if (has_any(&s->frontends[frontend].first))
        return &s->frontends[frontend].first;
    bool all = !s->frontends[frontend].settings.own_only && has_any(&s->frontends[TLS_FOR_ALL].first);
    return all ? &s->frontends[TLS_FOR_ALL].first : NULL;
}

/* ---- making one ---- */

static int
no_memory(struct text *why)
{
    text_str(why, "no memory for certificates");
    return ERR_NOMEM;
}

/* With the settings for all, so that a listener of -a demands certificates of clients as the file of -A says.
 * UINT_MAX: no memory */
static unsigned
add_frontend(struct tls_set *s, const char *listener)
{
    struct tls_frontend *more = realloc(s->frontends, (s->n_frontends + 1) * sizeof *more);
    char *name = strdup(listener);
    if (more != NULL)
        s->frontends = more;
    struct tls_frontend f = { .listener = name, .first.frontend = s->n_frontends };
    bool ok = more != NULL && name != NULL;
    if (ok && s->n_frontends > 0)
        ok = tls_settings_copy(&f.settings, &s->frontends[TLS_FOR_ALL].settings);
    else
        tls_settings_init(&f.settings);
    if (!ok) {
        free(name);
        return UINT_MAX;
    }
    s->frontends[s->n_frontends] = f;
    return s->n_frontends++;
}

struct tls_set *
tls_set_new(void)
{
    struct tls_set *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    atomic_init(&s->refs, 1);
    if (add_frontend(s, "") == UINT_MAX)
        tls_set_release(&s);
    return s;
}

unsigned
tls_set_find_frontend(const struct tls_set *s, struct span listener)
{
    for (unsigned i = 1; i < s->n_frontends; i++)
        if (span_eq(listener, span_str(s->frontends[i].listener)))
            return i;
    return TLS_FOR_ALL;
}

/* The one of this name, made if there is none. UINT_MAX: no memory */
static unsigned
frontend_of(struct tls_set *s, const char *listener)
{
    unsigned at = tls_set_find_frontend(s, span_str(listener));
    return at == TLS_FOR_ALL && *listener != '\0' ? add_frontend(s, listener) : at;
}

int
tls_set_frontend(struct tls_set *s, const char *listener, struct span settings, struct text *why)
{
    unsigned at = frontend_of(s, listener);
    return at == UINT_MAX ? no_memory(why) : tls_settings_read(&s->frontends[at].settings, settings, why);
}

/* A reference to what is published already. */
static struct tls_certificate *
again(uint32_t number, struct text *why)
{
    struct tls_set *s = tls_set_newest();
    struct tls_certificate *found = NULL;
    for (unsigned i = 0; s != NULL && i < s->n_certificates; i++)
        if (s->certificates[i]->number == number)
            found = s->certificates[i];
    if (found != NULL)
        atomic_fetch_add(&found->refs, 1);
    else
        text_printf(why, "certificate %u has no chain, and is not known from before", number);
    tls_set_release(&s);
    return found;
}

int
tls_set_certificate(struct tls_set *s, uint32_t number, const char *listener, struct span chain,
                    struct text *why)
{
    struct tls_certificate *c = chain.len == 0 ? again(number, why) : tls_certificate_new(number, chain, why);
    if (c == NULL)
        return chain.len == 0 ? ERR_NOTFOUND : ERR_SYNTAX;
    struct tls_certificate **more = realloc(s->certificates, (s->n_certificates + 1) * sizeof *more);
    if (more == NULL) {
        tls_certificate_release(&c);
        return no_memory(why);
    }
    s->certificates = more;
    s->certificates[s->n_certificates++] = c;
    unsigned at = frontend_of(s, listener);
    return at == UINT_MAX || !add_names(s, at, c) ? no_memory(why) : 0;
}

void
tls_set_release(struct tls_set **at)
{
    struct tls_set *s = *at;
    *at = NULL;
    if (s == NULL || atomic_fetch_sub(&s->refs, 1) > 1)
        return;
    for (unsigned i = 0; i < s->n_certificates; i++)
        tls_certificate_release(&s->certificates[i]);
    for (unsigned i = 0; i < s->n_frontends; i++) {
        free(s->frontends[i].listener);
        tls_settings_release(&s->frontends[i].settings);
    }
    free(s->certificates);
    free(s->frontends);
    free(s->names);
    free(s);
}

/* ---- the newest ---- */

void
tls_set_publish(struct tls_set *s)
{
    pthread_mutex_lock(&newest.lock);
    struct tls_set *before = newest.set;
    newest.set = s;
    s->generation = atomic_load(&newest.generation) + 1;
    atomic_store(&newest.generation, s->generation);
    pthread_mutex_unlock(&newest.lock);
    tls_set_release(&before);
}

void
tls_set_forget(void)
{
    pthread_mutex_lock(&newest.lock);
    struct tls_set *before = newest.set;
    newest.set = NULL;
    pthread_mutex_unlock(&newest.lock);
    tls_set_release(&before);
}

struct tls_set *
tls_set_newest(void)
{
    pthread_mutex_lock(&newest.lock);
    struct tls_set *s = newest.set;
    if (s != NULL)
        atomic_fetch_add(&s->refs, 1);
    pthread_mutex_unlock(&newest.lock);
    return s;
}

unsigned
tls_set_generation(void)
{
    return atomic_load_explicit(&newest.generation, memory_order_acquire);
}
