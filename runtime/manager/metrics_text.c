/* The text of the metrics: see metrics.h. The format wants all samples of one name together, so they are
 * sorted. */
#include <stdio.h>
#include <stdlib.h>

#include "manager/metrics.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/vsc_read.h"
#include "metric_names.h"

#define SAMPLES_MAX 200000u
#define TEXTS_BYTES_MAX (64u << 20)

struct sample {
    struct span name, labels, doc;
    enum vsc_kind kind;
    uint64_t value;
    unsigned number; /* keeps the order within a name */
};

struct samples {
    struct arena texts;
    struct sample *all;
    unsigned n, cap;
};

static const struct metric_group *
group_of(struct span first)
{
    for (unsigned i = 0; i < sizeof metric_groups / sizeof *metric_groups; i++)
        if (span_eq(span_str(metric_groups[i].ident), first))
            return &metric_groups[i];
    return &metric_group_other;
}

/* NULL: the metric has the name of the counter. `first` is the first part of its ident. */
static const struct metric_renamed *
renamed_of(struct span first, const struct vsc_sample *s)
{
    for (unsigned i = 0; i < sizeof metrics_renamed / sizeof *metrics_renamed; i++)
        if (span_eq(first, span_str(metrics_renamed[i].ident)) &&
            strcmp(metrics_renamed[i].counter, s->name) == 0)
            return &metrics_renamed[i];
    return NULL;
}

static void
add_word(struct text *out, struct span word)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = ascii_lower(word.ptr[i]);
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        text_add(out, plain ? span_of(&c, 1) : SPAN_LIT("_"));
    }
}

static void
add_name(struct text *out, struct span group, const char *name, const struct vsc_sample *s)
{
    const struct metric_suffix *suffix = &metric_suffixes[s->format];
    text_str(out, METRIC_PREFIX);
    add_word(out, group);
    text_str(out, "_");
    add_word(out, span_str(name));
    if (suffix->add != NULL && (suffix->unless == NULL || strstr(s->name, suffix->unless) == NULL))
        text_str(out, suffix->add);
    if (s->kind == VSC_COUNTER)
        text_str(out, METRIC_COUNTER_SUFFIX);
}

/* Escapes label values and help texts. Only label values escape quotes. */
static void
add_escaped(struct text *out, struct span value, bool label)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c == '\\' || (c == '"' && label))
            text_str(out, "\\");
        if (c == '\n')
            text_str(out, "\\n");
        else
            text_add(out, (unsigned char)c >= 0x80 ? SPAN_LIT("?") : span_of(&c, 1));
    }
}

static void
add_labels(struct text *out, const struct metric_group *g, struct span rest)
{
    const char *open = "{";
    for (unsigned i = 0; i < METRIC_LABELS_MAX && g->labels[i] != NULL; i++) {
        const char *dot = i + 1 < METRIC_LABELS_MAX && g->labels[i + 1] != NULL
                            ? memchr(rest.ptr, '.', rest.len)
                            : NULL;
        struct span value = span_of(rest.ptr, dot == NULL ? rest.len : (size_t)(dot - rest.ptr));
        text_printf(out, "%s%s=\"", open, g->labels[i]);
        add_escaped(out, value, true);
        text_str(out, "\"");
        open = ",";
        size_t skip = value.len + (dot != NULL);
        rest = span_of(rest.ptr + skip, rest.len - skip);
    }
    if (*open == ',')
        text_str(out, "}");
}

static struct span
kept(struct samples *s, struct text *t)
{
    struct span copy = arena_copy(&s->texts, span_of(text_cstr(t), t->len));
    text_clear(t);
    return copy;
}

/* Name and labels of a counter that a policy declares: `rest` is its name and then its labels, as the format
 * wants them. The worker wrote them, so they are checked: only printable ASCII, and braces at their ends. */
static bool
add_declared(struct samples *all, struct sample *s, struct text *t, struct span rest)
{
    const char *open = memchr(rest.ptr, '{', rest.len);
    size_t n = open == NULL ? rest.len : (size_t)(open - rest.ptr);
    struct span labels = span_of(rest.ptr + n, rest.len - n);
    if (n == 0 || (labels.len > 0 && labels.ptr[labels.len - 1] != '}'))
        return false;
    for (size_t i = 0; i < labels.len; i++)
        if (labels.ptr[i] < ' ' || labels.ptr[i] >= 0x7f)
            return false;
    text_str(t, METRIC_PREFIX METRIC_DECLARED_NAME "_");
    add_word(t, span_of(rest.ptr, n));
    text_str(t, METRIC_COUNTER_SUFFIX);
    s->name = kept(all, t);
    text_add(t, labels);
    s->labels = kept(all, t);
    return true;
}

static void
take(void *arg, const struct vsc_sample *v)
{
    struct samples *all = arg;
    struct text t = { 0 };
    struct span ident = span_str(v->ident);
    const char *dot = memchr(ident.ptr, '.', ident.len);
    struct span first = span_of(ident.ptr, dot == NULL ? ident.len : (size_t)(dot - ident.ptr));
    struct span rest = dot == NULL ? SPAN_LIT("") : span_of(dot + 1, ident.len - first.len - 1);
    const struct metric_group *g = group_of(first);
    const struct metric_renamed *renamed = renamed_of(first, v);
    if (all->n == all->cap && all->cap < SAMPLES_MAX) {
        all->cap = all->cap == 0 ? 512 : all->cap * 2;
        all->all = realloc(all->all, all->cap * sizeof *all->all);
        CHECK(all->all != NULL);
    }
    if (all->n == all->cap)
        return;
    struct sample *s = &all->all[all->n];
    *s = (struct sample){ .kind = v->kind, .number = all->n };
    s->value = v->kind == VSC_BITMAP ? v->value & 1 : v->value;
    if (!span_eq(first, SPAN_LIT(METRIC_DECLARED))) {
        add_name(&t, g->name == NULL ? first : span_str(g->name), renamed == NULL ? v->name : renamed->name,
                 v);
        s->name = kept(all, &t);
        if (g != &metric_group_other || rest.len > 0)
            add_labels(&t, g, rest);
        s->labels = kept(all, &t);
    } else if (!add_declared(all, s, &t, rest))
        return;
    add_escaped(&t, span_str(renamed == NULL ? v->doc : renamed->doc), false);
    s->doc = kept(all, &t);
    text_release(&t);
    if (s->name.ptr != NULL && s->labels.ptr != NULL && s->doc.ptr != NULL)
        all->n++;
}

static int
compare(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;
    int order = strcmp(a->name.ptr, b->name.ptr);
    return order != 0 ? order : a->number < b->number ? -1 : 1;
}

void
metrics_text(const char *const *folders, unsigned n, struct text *out)
{
    struct samples all = { .n = 0 };
    arena_init(&all.texts, TEXTS_BYTES_MAX);
    for (unsigned i = 0; i < n; i++)
        (void)vsc_read(folders[i], take, &all);
    if (all.n > 0)
        qsort(all.all, all.n, sizeof *all.all, compare);
    for (unsigned i = 0; i < all.n; i++) {
        const struct sample *s = &all.all[i];
        if (i == 0 || !span_eq(all.all[i - 1].name, s->name))
            text_printf(out, "# HELP %s %s\n# TYPE %s %s\n", s->name.ptr, s->doc.ptr, s->name.ptr,
                        s->kind == VSC_COUNTER ? "counter" : "gauge");
        text_printf(out, "%s%s %llu\n", s->name.ptr, s->labels.ptr, (unsigned long long)s->value);
    }
    free(all.all);
    arena_release(&all.texts);
}
