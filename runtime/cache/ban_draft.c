/* Parses bans: from words to tests, and back to text for lists; counts the stored responses that a ban would
 * concern. The error texts are Varnish's, because people
 * and scripts know them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/split.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "vcl_literals.h"

static const struct {
    const char *name;
    enum ban_field field;
    unsigned flags;
} fields[] = {
    { "req.url", BAN_REQ_URL, BAN_ON_REQUESTS },
    { "req.http.", BAN_REQ_HTTP, BAN_ON_REQUESTS },
    { "obj.status", BAN_OBJ_STATUS, BAN_ON_OBJECTS },
    { "obj.http.", BAN_OBJ_HTTP, BAN_ON_OBJECTS },
    { "obj.ttl", BAN_OBJ_TTL, BAN_ON_OBJECTS | BAN_OF_ITS_TIME },
    { "obj.age", BAN_OBJ_AGE, BAN_ON_OBJECTS | BAN_OF_ITS_TIME },
    { "obj.grace", BAN_OBJ_GRACE, BAN_ON_OBJECTS },
    { "obj.keep", BAN_OBJ_KEEP, BAN_ON_OBJECTS },
};
#define N_FIELDS (sizeof fields / sizeof fields[0])

static const char *const operators[BAN_OPERATORS] = {
    [BAN_EQ] = "==", [BAN_NEQ] = "!=", [BAN_MATCH] = "~", [BAN_NOT_MATCH] = "!~",
    [BAN_GT] = ">",  [BAN_GE] = ">=",  [BAN_LT] = "<",    [BAN_LE] = "<=",
};

/* ---- drafts ---- */

struct ban_draft *
ban_draft_new(void)
{
    return mem_zalloc(sizeof(struct ban_draft));
}

void
ban_tests_free(struct ban_test *tests, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        regex_release(&tests[i].regex);
        free(tests[i].name);
        free(tests[i].value);
    }
    free(tests);
}

size_t
ban_tests_memory(const struct ban_test *tests, unsigned n)
{
    size_t bytes = mem_cost(n * sizeof *tests);
    for (unsigned i = 0; i < n; i++) {
        const struct ban_test *t = &tests[i];
        bytes += t->regex == NULL ? 0 : regex_memory(t->regex);
        bytes += (t->name == NULL ? 0 : mem_cost(t->name_bytes + 1)) +
                 (t->value == NULL ? 0 : mem_cost(t->value_bytes + 1));
    }
    return bytes;
}

void
ban_draft_release(struct ban_draft **dp)
{
    struct ban_draft *d = *dp;
    *dp = NULL;
    if (d == NULL)
        return;
    ban_tests_free(d->tests, d->n_tests);
    free(d);
}

__attribute__((format(printf, 3, 4))) static int
refuse(char error[BAN_ERROR_BYTES], int err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(error, BAN_ERROR_BYTES, fmt, ap);
    va_end(ap);
    return err;
}

static bool
is_prefix(const char *name)
{
    return name[strlen(name) - 1] == '.';
}

/* Returns the row of a field, or -1. `rest` is the name of the HTTP field. */
static int
find_field(struct span text, struct span *rest)
{
    for (unsigned i = 0; i < N_FIELDS; i++) {
        DEBUG_CHECK(fields[i].field == i);
        size_t n = strlen(fields[i].name);
        if (text.len < n || memcmp(text.ptr, fields[i].name, n) != 0)
            continue;
        *rest = span_of(text.ptr + n, text.len - n);
        if (is_prefix(fields[i].name) ? is_token(*rest) : rest->len == 0)
            return (int)i;
    }
    return -1;
}

static bool
has_duration(enum ban_field field)
{
    DEBUG_CHECK(field <= BAN_OBJ_KEEP);
    return field >= BAN_OBJ_TTL;
}

static int
find_operator(enum ban_field field, struct span text)
{
    for (int i = 0; i < BAN_OPERATORS; i++)
        if (span_eq(text, span_str(operators[i])))
            return i == BAN_EQ || i == BAN_NEQ || has_duration(field) == (i >= BAN_GT) ? i : -1;
    return -1;
}

/* Parses a number with a unit, without a sign. Returns NaN for other text. */
static double
duration_of(struct span text)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { VCL_DURATION_UNITS };
    char number[32];
    size_t n = 0;
    while (n < text.len && n < sizeof number - 1 && strchr("0123456789.", text.ptr[n]) != NULL)
        n++;
    if (n == 0 || (n == 1 && text.ptr[0] == '.'))
        return NAN;
    memcpy(number, text.ptr, n);
    number[n] = '\0';
    char *end;
    double value = strtod(number, &end);
    struct span unit = span_trim(span_of(text.ptr + n, text.len - n));
    for (size_t i = 0; *end == '\0' && i < sizeof units / sizeof units[0]; i++)
        if (span_eq(unit, span_str(units[i].unit)))
            return value * units[i].seconds;
    return NAN;
}

static int
take_value(struct ban_test *t, struct span value, char error[BAN_ERROR_BYTES])
{
    struct regex_error why;
    if (has_duration(t->field)) {
        double seconds = duration_of(value);
        if (isnan(seconds))
            return refuse(error, ERR_SYNTAX, "expected duration <n.nn>[ms|s|m|h|d|w|y] got \"%.*s\"",
                          (int)value.len, value.ptr);
        t->duration = nsec_of(seconds);
        return 0;
    }
    t->value = mem_text(value);
    t->value_bytes = value.len;
    if (t->oper != BAN_MATCH && t->oper != BAN_NOT_MATCH)
        return 0;
    int err = regex_new(value, &t->regex, &why);
    return err == 0 ? 0 : refuse(error, err, "Regex compile error: %s", why.text);
}

int
ban_draft_add(struct ban_draft *d, struct span field, struct span oper, struct span value,
              char error[BAN_ERROR_BYTES])
{
    struct span rest;
    int row = find_field(field, &rest);
    if (row < 0)
        return refuse(error, ERR_SYNTAX, "Unknown or unsupported field \"%.*s\"", (int)field.len, field.ptr);
    int op = find_operator(fields[row].field, oper);
    if (op < 0)
        return refuse(error, ERR_SYNTAX, "expected conditional (%s) got \"%.*s\"",
                      has_duration(fields[row].field) ? "==, !=, >, >=, < or <=" : "==, !=, ~ or !~",
                      (int)oper.len, oper.ptr);
    if (d->n_tests >= BAN_TESTS_MAX)
        return refuse(error, ERR_LIMIT, "Too many conditions");
    d->tests = realloc(d->tests, (d->n_tests + 1) * sizeof *d->tests);
    CHECK(d->tests != NULL);
    struct ban_test *t = &d->tests[d->n_tests++];
    *t = (struct ban_test){ .field = fields[row].field, .oper = (enum ban_operator)op };
    d->flags |= fields[row].flags;
    if (is_prefix(fields[row].name)) {
        t->name = mem_text(rest);
        t->name_bytes = rest.len;
        t->id = name_lookup(rest);
    }
    return take_value(t, value, error);
}

/* ---- text to draft ---- */

static bool
next_word(struct span *rest, struct span *word)
{
    return split_next(rest, SPAN_LIT(" \t\n\v\f\r"), word);
}

static int
parse_one(struct ban_draft *d, struct span *rest, char error[BAN_ERROR_BYTES])
{
    struct span word[3];
    static const char *const missing[3] = {
        "No ban conditions found.",
        "Expected comparison operator.",
        "Expected second operand.",
    };
    for (int i = 0; i < 3; i++)
        if (!next_word(rest, &word[i]))
            return refuse(error, ERR_SYNTAX, "%s", missing[i]);
    return ban_draft_add(d, word[0], word[1], word[2], error);
}

int
ban_draft_parse(struct span text, struct ban_draft **out, char error[BAN_ERROR_BYTES])
{
    *out = NULL;
    if (text.ptr == NULL)
        return refuse(error, ERR_SYNTAX, "Null argument");
    struct ban_draft *d = ban_draft_new();
    struct span word;
    bool more;
    int err;
    do {
        err = parse_one(d, &text, error);
        more = err == 0 && next_word(&text, &word);
    } while (more && span_eq(word, SPAN_LIT("&&")));
    if (more)
        err = refuse(error, ERR_SYNTAX, "Expected && between conditions, found \"%.*s\"", (int)word.len,
                     word.ptr);
    if (err == 0)
        *out = d;
    else
        ban_draft_release(&d);
    return err;
}

/* ---- draft to text ---- */

struct writer {
    char *text;
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void
write_text(struct writer *w, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    CHECK(n >= 0);
    w->text = realloc(w->text, w->len + (size_t)n + 1);
    CHECK(w->text != NULL);
    vsnprintf(w->text + w->len, (size_t)n + 1, fmt, again);
    w->len += (size_t)n;
    va_end(again);
    va_end(ap);
}

/* Writes a duration in the largest unit that gives a whole number. */
static void
write_duration(struct writer *w, nsec t)
{
    DEBUG_CHECK(t >= 0);
    static const struct {
        const char *name;
        double seconds;
    } units[] = { VCL_DURATION_UNITS };
    uint64_t ms = ((uint64_t)t + (uint64_t)NSEC_PER_MSEC / 2) / (uint64_t)NSEC_PER_MSEC, s = ms / 1000;
    ms %= 1000;
    if (s == 0 && ms > 0) {
        write_text(w, "%llums", (unsigned long long)ms);
        return;
    }
    if (ms > 0) {
        write_text(w, "%llu.%03llus", (unsigned long long)s, (unsigned long long)ms);
        return;
    }
    for (size_t i = sizeof units / sizeof units[0]; s > 0 && units[i - 1].seconds > 1; i--) {
        uint64_t unit = (uint64_t)units[i - 1].seconds;
        if (s % unit == 0) {
            write_text(w, "%llu%s", (unsigned long long)(s / unit), units[i - 1].name);
            return;
        }
    }
    write_text(w, "%llus", (unsigned long long)s);
}

void
ban_draft_by(struct ban_draft *d, uint64_t xid, uint64_t born)
{
    DEBUG_CHECK(d->by == 0);
    d->by = (uint32_t)xid;
    d->born = born;
}

char *
ban_draft_text(const struct ban_draft *d)
{
    struct writer w = { mem_text(SPAN_LIT("")), 0 };
    for (unsigned i = 0; i < d->n_tests; i++) {
        const struct ban_test *t = &d->tests[i];
        DEBUG_CHECK(t->oper < BAN_OPERATORS && (t->value == NULL) == has_duration(t->field));
        write_text(&w, "%s%s%s %s ", i > 0 ? " && " : "", fields[t->field].name,
                   t->name == NULL ? "" : t->name, operators[t->oper]);
        if (t->value != NULL)
            write_text(&w, "%s", t->value);
        else
            write_duration(&w, t->duration);
    }
    return w.text;
}

/* ---- counting the responses that a draft concerns ---- */

#define COUNT_AT_ONCE 64u /* responses taken under one hold of a shard's lock */

struct counting {
    const struct store *store;
    struct object **found; /* references */
    size_t n, cap;
};

bool
ban_draft_on_requests(const struct ban_draft *d)
{
    return (d->flags & BAN_ON_REQUESTS) != 0;
}

static bool
take(struct object *o, void *arg)
{
    struct counting *c = arg;
    if (!object_findable(o) || o->head == NULL || purged_all_removed(c->store, o))
        return false;
    if (c->n == c->cap) {
        c->cap = c->cap == 0 ? 2 * COUNT_AT_ONCE : 2 * c->cap;
        c->found = realloc(c->found, c->cap * sizeof(struct object *));
        CHECK(c->found != NULL);
    }
    object_ref(o);
    c->found[c->n++] = o;
    return true;
}

void
store_ban_count(struct store *s, const struct ban_draft *d, nsec now, nsec patience, struct ban_count *out)
{
    const struct ban b = { .time = now, .tests = d->tests, .n_tests = d->n_tests };
    struct counting c = { .store = s };
    struct index_walk at = { 0 };
    struct shard *sh;
    uint64_t tests = 0;
    nsec until = nsec_add(clock_mono_ns(), patience);
    *out = (struct ban_count){ .stored = store_counted(s, COUNT_STORED) };
    while ((sh = index_walk_shard(s, &at)) != NULL && clock_mono_ns() < until) {
        pthread_mutex_lock(&sh->lock);
        index_walk_some(sh, &at, COUNT_AT_ONCE, take, &c);
        pthread_mutex_unlock(&sh->lock);
        for (size_t i = 0; i < c.n; i++) {
            out->matching += ban_meets(&b, c.found[i], NULL, &tests);
            object_release(&c.found[i]);
        }
        out->tested += c.n;
        c.n = 0;
    }
    DEBUG_CHECK(out->matching <= out->tested);
    out->whole = sh == NULL;
    free(c.found);
}

/* ---- names of fields ---- */

void
ban_fields_each(void (*fn)(const char *name, void *arg), void *arg)
{
    for (unsigned i = 0; i < N_FIELDS; i++)
        fn(fields[i].name, arg);
}
