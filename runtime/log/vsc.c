/* Counters in shared memory: see vsc.h. A JSON text per type, published before the type's first instance,
 * tells readers the meaning of an instance's numbers. */
#include "log/vsc.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define TYPES_MAX 32u
#define ENCODED_BYTES 1536u /* three times the longest ident */

enum state { NOT_READY, SHOWN, HIDDEN };

/* The head of a StatDoc and of a Stat segment. */
struct head {
    int32_t state;
    int32_t pad;
    uint64_t body_at; /* offset of the body from this head */
    uint64_t doc;     /* number that links a StatDoc to the instances it describes */
};

_Static_assert(sizeof(struct head) == 24, "layout of Varnish 7.1");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vsm *set;                              /* lock */
static const struct vsc_type *documented[TYPES_MAX]; /* lock */
static unsigned n_documented;

static const char *const kinds[] = { "counter", "gauge", "bitmap" };
static const char *const levels[] = { "info", "diag", "debug" };
static const char *const formats[] = { "integer", "bytes", "bitmap", "duration" };

void
vsc_open(struct vsm *to)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    set = to;
    n_documented = 0;
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

char *
vsc_document(const struct vsc_type *t)
{
    json_t *elem = json_object();
    for (unsigned i = 0; i < t->n; i++) {
        const struct vsc_row *r = &t->rows[i];
        json_t *one = json_pack("{ss ss ss ss ss ss ss sI}", "name", r->name, "type", kinds[r->kind], "ctype",
                                "uint64_t", "level", levels[r->level], "oneliner", r->doc, "docs", r->doc,
                                "format", formats[r->format], "index",
                                (json_int_t)i * (json_int_t)sizeof(uint64_t));
        CHECK(one != NULL && json_object_set_new(elem, r->name, one) == 0);
    }
    json_t *doc = json_pack("{ss ss ss ss sI so}", "version", "1", "name", t->name, "oneliner", t->doc,
                            "docs", t->doc, "elements", (json_int_t)t->n, "elem", elem);
    char *text = doc == NULL ? NULL : json_dumps(doc, JSON_COMPACT);
    CHECK(text != NULL);
    json_decref(doc);
    return text;
}

static const char hex_digits[] = "0123456789abcdef";

void
vsc_ident_encode(const char *ident, char *out, size_t size)
{
    size_t at = 0;
    for (; *ident != '\0' && at + 4 <= size; ident++) {
        unsigned char c = (unsigned char)*ident;
        if (c > ' ' && c < 0x7f && strchr("'%\\<>&", c) == NULL) {
            out[at++] = c == '"' ? '\'' : (char)c;
            continue;
        }
        out[at++] = '%';
        out[at++] = hex_digits[c >> 4];
        out[at++] = hex_digits[c & 15];
    }
    out[at] = '\0';
}

char
vsc_ident_decode(const char **at)
{
    const char *p = *at;
    const char *high = *p == '%' && p[1] != '\0' ? strchr(hex_digits, p[1]) : NULL;
    const char *low = high != NULL && p[2] != '\0' ? strchr(hex_digits, p[2]) : NULL;
    *at = p + (low == NULL ? 1 : 3);
    if (low != NULL)
        return (char)((high - hex_digits) << 4 | (low - hex_digits));
    return *p == '\'' ? '"' : *p;
}

/* The document number of this process's type `i`. Manager and worker must not share a number. */
static uint64_t
doc_id(unsigned i)
{
    return (uint64_t)getpid() * TYPES_MAX + i;
}

static int
publish(struct head *h, uint64_t doc, const char *class, const char *ident)
{
    h->body_at = sizeof *h;
    h->doc = doc;
    __atomic_store_n(&h->state, SHOWN, __ATOMIC_RELEASE);
    return vsm_publish(set, h, class, ident);
}

/* Under the lock. */
static int
document(const struct vsc_type *t, uint64_t *id)
{
    for (unsigned i = 0; i < n_documented; i++) {
        *id = doc_id(i);
        if (documented[i] == t)
            return 0;
    }
    CHECK(n_documented < TYPES_MAX);
    char *text = vsc_document(t), name[32];
    size_t n = strlen(text) + 1;
    *id = doc_id(n_documented);
    snprintf(name, sizeof name, "%llx", (unsigned long long)*id);
    struct head *h = vsm_alloc(set, sizeof *h + n);
    int err = h == NULL ? ERR_SYS : 0;
    if (err == 0) {
        memcpy(h + 1, text, n);
        err = publish(h, *id, "StatDoc", name);
    }
    if (err == 0)
        documented[n_documented++] = t;
    else
        vsm_free(set, h);
    free(text);
    return err;
}

/* The caller holds the lock. NULL: shared memory is full, or vsc_open has not been called. */
static struct head *
shared_new(const struct vsc_type *t, const char *ident)
{
    uint64_t id;
    if (set == NULL || document(t, &id) != 0)
        return NULL;
    char encoded[ENCODED_BYTES];
    vsc_ident_encode(ident, encoded, sizeof encoded);
    struct head *h = vsm_alloc(set, sizeof *h + t->n * sizeof(uint64_t));
    if (h == NULL || publish(h, id, "Stat", encoded) == 0)
        return h;
    vsm_free(set, h);
    return NULL;
}

uint64_t *
vsc_new(const struct vsc_type *type, const char *ident)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    struct head *h = shared_new(type, ident);
    if (h == NULL && set != NULL)
        log_line(LOG_LEVEL_WARNING, "counters %s will not be seen: %s", ident, strerror(errno));
    CHECK(pthread_mutex_unlock(&lock) == 0);
    if (h == NULL)
        h = mem_zalloc(sizeof *h + type->n * sizeof(uint64_t));
    return (uint64_t *)(h + 1);
}

void
vsc_hide(uint64_t *values, bool hidden)
{
    struct head *h = (struct head *)values - 1;
    if (h->body_at != 0)
        __atomic_store_n(&h->state, hidden ? HIDDEN : SHOWN, __ATOMIC_RELEASE);
}

/* Only an instance in shared memory has body_at set. */
void
vsc_free(uint64_t **values)
{
    if (*values == NULL)
        return;
    struct head *h = (struct head *)*values - 1;
    *values = NULL;
    if (h->body_at == 0) {
        free(h);
        return;
    }
    CHECK(pthread_mutex_lock(&lock) == 0);
    vsm_free(set, h);
    CHECK(pthread_mutex_unlock(&lock) == 0);
}
