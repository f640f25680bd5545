/* Module accept: reduces an Accept-like header field to one of a few configured values, so that variants stay
 * few. The value with the greatest weight wins, and the first of equals. A field that cannot be parsed gives
 * the fallback. */
#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/chars.h"
#include "http/fields.h"
#include "policy/exports.h"

#define CHOICES_MAX 256u

struct rule {
    pthread_rwlock_t lock; /* guards choices and n: a policy may add and remove choices at run time */
    struct span fallback;  /* owned, like the choices */
    struct span choices[CHOICES_MAX];
    unsigned n;
};

static struct span
owned(struct span text)
{
    return span_of(mem_text(text), text.len);
}

static void
disown(struct span text)
{
    free((char *)(uintptr_t)text.ptr);
}

void *
vcl_accept_rule_new(struct policy_ctx *ctx, struct span fallback)
{
    struct rule *r = mem_zalloc(sizeof *r);
    CHECK(pthread_rwlock_init(&r->lock, NULL) == 0);
    r->fallback = owned(fallback);
    return r;
}

void
vcl_accept_rule_fini(struct policy_ctx *ctx, void *instance)
{
    struct rule *r = instance;
    if (r == NULL)
        return;
    for (unsigned i = 0; i < r->n; i++)
        disown(r->choices[i]);
    disown(r->fallback);
    CHECK(pthread_rwlock_destroy(&r->lock) == 0);
    free(r);
}

static int
place_of(const struct rule *r, struct span choice)
{
    for (unsigned i = 0; i < r->n; i++)
        if (span_eq_nocase(r->choices[i], choice))
            return (int)i;
    return -1;
}

void
vcl_accept_rule_add(struct policy_ctx *ctx, void *instance, struct span choice)
{
    struct rule *r = instance; /* NULL: called before its `new` */
    bool full = false;
    if (r == NULL || choice.len == 0)
        return;
    CHECK(pthread_rwlock_wrlock(&r->lock) == 0);
    if (place_of(r, choice) < 0) {
        full = r->n == CHOICES_MAX;
        if (!full)
            r->choices[r->n++] = owned(choice);
    }
    CHECK(pthread_rwlock_unlock(&r->lock) == 0);
    if (full)
        vcl_fail(ctx, "accept: too many choices");
}

void
vcl_accept_rule_remove(struct policy_ctx *ctx, void *instance, struct span choice)
{
    struct rule *r = instance; /* NULL: called before its `new` */
    if (r == NULL)
        return;
    CHECK(pthread_rwlock_wrlock(&r->lock) == 0);
    int at = place_of(r, choice);
    if (at >= 0) {
        disown(r->choices[at]);
        r->n--;
        for (unsigned i = (unsigned)at; i < r->n; i++)
            r->choices[i] = r->choices[i + 1];
    }
    CHECK(pthread_rwlock_unlock(&r->lock) == 0);
}

static void
skip_blanks(struct span *rest)
{
    while (rest->len > 0 && char_is_blank(*rest->ptr))
        *rest = span_of(rest->ptr + 1, rest->len - 1);
}

static bool
take_char(struct span *rest, char c)
{
    bool there = rest->len > 0 && *rest->ptr == c;
    if (there)
        *rest = span_of(rest->ptr + 1, rest->len - 1);
    return there;
}

/* Takes the characters up to a separator. False: none. */
static bool
take_word(struct span *rest, struct span *out)
{
    size_t n = 0;
    while (n < rest->len && strchr(",;= \t", rest->ptr[n]) == NULL)
        n++;
    *out = span_of(rest->ptr, n);
    *rest = span_of(rest->ptr + n, rest->len - n);
    return n > 0;
}

/* Parses a weight from 0 to 1 (RFC 9110, 12.4.2) with any number of decimals. */
static bool
weight_of(struct span word, double *out)
{
    double weight = 0, place = 1;
    for (size_t i = 0; i < word.len; i++) {
        bool digit = word.ptr[i] >= '0' && word.ptr[i] <= '9';
        if (i == 1 ? word.ptr[i] != '.' : !digit)
            return false;
        if (digit)
            weight += place * (word.ptr[i] - '0');
        place = digit ? place / 10 : place;
    }
    *out = weight;
    return weight <= 1;
}

/* Takes the next value of a list. Its weight must be the first parameter. */
static bool
take_value(struct span *rest, struct span *value, double *weight)
{
    struct span name, text;
    *weight = 1;
    skip_blanks(rest);
    if (!take_word(rest, value))
        return false;
    for (bool first = true;; first = false) {
        skip_blanks(rest);
        if (rest->len == 0 || take_char(rest, ','))
            return true;
        bool whole = take_char(rest, ';');
        skip_blanks(rest);
        if (!whole || !take_word(rest, &name) || !take_char(rest, '=') || !take_word(rest, &text))
            return false;
        if (first && span_eq(name, SPAN_LIT("q")) && !weight_of(text, weight))
            return false;
    }
}

static bool
is_over(struct span *rest)
{
    skip_blanks(rest);
    return rest->len == 0;
}

static struct span
chosen(const struct rule *r, struct span field)
{
    struct span found = r->fallback, value;
    double best = 0, weight;
    while (!is_over(&field)) {
        if (!take_value(&field, &value, &weight))
            return r->fallback;
        int at = weight > best ? place_of(r, value) : -1;
        if (at >= 0) {
            best = weight;
            found = r->choices[at];
        }
    }
    return found;
}

struct span
vcl_accept_rule_filter(struct policy_ctx *ctx, void *instance, struct span field)
{
    struct rule *r = instance;
    if (r == NULL)
        return SPAN_NULL;
    CHECK(pthread_rwlock_rdlock(&r->lock) == 0);
    struct span kept = vcl_keep(ctx, ctx->arena, chosen(r, field));
    CHECK(pthread_rwlock_unlock(&r->lock) == 0);
    return kept;
}
