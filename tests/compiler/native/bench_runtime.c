/* A small runtime for tests of native code: the functions a policy imports, over the runtime's own messages,
 * names and regexes, with everything that is called written to a log. Called from Python's ctypes
 * (native_bench.py). One at a time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi_digest.h"
#include "base/check.h"
#include "http/message.h"
#include "match/pcre.h"
#include "policy/lib.h"
#include "policy_abi.h"

#define VARS 16
#define LOG_BYTES (1 << 20)
#define FIELDS_MAX 200
#define FIRST_OWN_NAME 1000 /* ids that the real table does not use */

static struct {
    void *library;
    const struct policy_image *image;
    void *imports[256];
    uint16_t names[256];
    struct regex *regexes[256];
    struct http_message messages[MSG_COUNT];
    struct arena arena;
    struct policy_ctx ctx;
    struct span text[VARS];
    int64_t number[VARS];
    double real[VARS];
    char log[LOG_BYTES];
    size_t log_len;
} bench;

/* ---- log ---- */

static void
note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(bench.log + bench.log_len, LOG_BYTES - bench.log_len, fmt, ap);
    va_end(ap);
    CHECK(n >= 0 && bench.log_len + (size_t)n < LOG_BYTES);
    bench.log_len += (size_t)n;
}

static void
note_text(struct span s)
{
    if (s.ptr == NULL) {
        note("-");
        return;
    }
    note("\"");
    for (size_t i = 0; i < s.len; i++)
        note("%02x", (unsigned char)s.ptr[i]);
    note("\"");
}

static void
note_real(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    note("%016llx", (unsigned long long)bits);
}

static struct span
keep(const char *text, size_t n)
{
    return arena_copy(&bench.arena, span_of(text, n));
}

/* ---- what operations need ---- */

static struct span
concat(struct policy_ctx *ctx, const struct span *parts, int64_t n)
{
    size_t len = 0;
    for (int64_t i = 0; i < n; i++)
        len += parts[i].len;
    char *out = arena_alloc(ctx->arena, len + 1), *p = out;
    for (int64_t i = 0; i < n; i++) {
        CHECK(parts[i].ptr != NULL || parts[i].len == 0);
        for (size_t k = 0; k < parts[i].len; k++)
            *p++ = parts[i].ptr[k];
    }
    return span_of(out, len);
}

static void
fail_arith(struct policy_ctx *ctx)
{
    ctx->failed = 1;
}

static struct span
header_get(struct policy_ctx *ctx, int64_t msg, int64_t name)
{
    return message_get_named(ctx->msg[msg], bench.names[name], bench.image->names[name]);
}

static void
header_set(struct policy_ctx *ctx, int64_t msg, int64_t name, struct span value)
{
    if (message_set(ctx->msg[msg], bench.names[name], bench.image->names[name], value) != 0)
        ctx->failed = 1;
}

static void
header_unset(struct policy_ctx *ctx, int64_t msg, int64_t name)
{
    message_unset(ctx->msg[msg], bench.names[name], bench.image->names[name]);
}

static int32_t
match(struct policy_ctx *ctx, int64_t i, struct span subject)
{
    int result = regex_match(bench.regexes[i], subject);
    if (result < 0)
        ctx->failed = 1;
    return result == 1;
}

static bool
passes(int64_t pattern, struct span subject)
{
    const struct image_pattern *p = &bench.image->patterns[pattern];
    if (p->regex >= 0)
        return regex_match(bench.regexes[p->regex], subject) == 1;
    return subject.ptr != NULL && span_eq(subject, p->text);
}

static int32_t
pattern_test(struct policy_ctx *ctx, int64_t set, int64_t pattern, struct span subject)
{
    const struct image_pattern_set *s = &bench.image->pattern_sets[set];
    CHECK((uint64_t)pattern - s->first < s->n_patterns);
    return passes(pattern, subject);
}

static uint32_t
first_of(const struct image_chain_subject *s)
{
    return bench.image->pattern_sets[s->set].first + s->place;
}

static bool
test_passes(const struct image_chain *c, uint32_t test, const struct span *subjects)
{
    for (uint32_t s = 0; s < c->n_subjects; s++)
        for (uint32_t i = 0; i < c->subjects[s].n_tests; i++)
            if (c->subjects[s].tests[i] == test)
                return passes(first_of(&c->subjects[s]) + i, subjects[s]);
    return false;
}

static uint32_t
run_row(struct policy_ctx *ctx, const struct image_row *row)
{
    const char *at = (const char *)(row + 1);
    if (row->rule != IMAGE_NO_RULE)
        ctx->rule_hits[row->rule]++;
    for (unsigned i = 0; i < row->n_changes && !ctx->failed; i++) {
        const struct image_change *change = (const struct image_change *)(const void *)at;
        ctx->site = change->site;
        if (change->kind == IMAGE_CHANGE_REMOVE)
            header_unset(ctx, change->msg, change->name);
        else
            header_set(ctx, change->msg, change->name,
                       change->kind == IMAGE_CHANGE_SET ? span_of((const char *)(change + 1), change->len)
                                                        : SPAN_NULL);
        at += image_change_bytes(change);
    }
    if (!ctx->failed)
        ctx->site = row->site;
    return row->next;
}

/* One test after the other, each looked for in all subjects. */
static int64_t
pattern_next(struct policy_ctx *ctx, int64_t chain, int64_t start, const struct span *subjects, int64_t n)
{
    const struct image_chain *c = &bench.image->chains[chain];
    CHECK(n == c->n_subjects);
    for (uint32_t test = (uint32_t)start; test < c->n_tests;) {
        ctx->site = c->tests[test].site;
        if (!test_passes(c, test, subjects)) {
            test++;
            continue;
        }
        uint32_t to = c->tests[test].body;
        if ((to & IMAGE_EXIT) == 0)
            to = run_row(ctx, (const struct image_row *)(const void *)(c->rows + to));
        if ((to & IMAGE_EXIT) != 0 || ctx->failed)
            return to & ~IMAGE_EXIT;
        test = to;
    }
    return c->n_exits;
}

static const struct regex *
ref_regex(struct policy_ctx *ctx, int64_t i)
{
    return bench.regexes[i];
}

static struct span
to_string_int(struct policy_ctx *ctx, int64_t v)
{
    if (v < -VCL_INT_MAX || v > VCL_INT_MAX) {
        ctx->failed = 1;
        return SPAN_NULL;
    }
    return arena_printf(ctx->arena, "%lld", (long long)v);
}

static struct span
to_string_real(struct policy_ctx *ctx, double v)
{
    if (!(v >= -VCL_REAL_MAX && v <= VCL_REAL_MAX)) {
        ctx->failed = 1;
        return SPAN_NULL;
    }
    return arena_printf(ctx->arena, "%.3f", v);
}

static struct span
regsub(struct policy_ctx *ctx, struct span text, const struct regex *re, struct span replacement)
{
    struct span result = regex_substitute(re, ctx->arena, text, replacement, false);
    if (result.ptr == NULL)
        ctx->failed = 1;
    return result;
}

/* ---- functions of all shapes; test_native_code.py knows what they give ---- */

static struct span
var_text(struct policy_ctx *ctx, int64_t i)
{
    return bench.text[(uint64_t)i % VARS];
}

static int64_t
var_int(struct policy_ctx *ctx, int64_t i)
{
    return bench.number[(uint64_t)i % VARS];
}

static double
var_real(struct policy_ctx *ctx, int64_t i)
{
    return bench.real[(uint64_t)i % VARS];
}

static int32_t
var_bool(struct policy_ctx *ctx, int64_t i)
{
    return bench.number[(uint64_t)i % VARS] & 1;
}

static void
say(struct policy_ctx *ctx, struct span s, int64_t i, double d, int32_t b)
{
    note("say(");
    note_text(s);
    note(",%lld,", (long long)i);
    note_real(d);
    note(",%d)\n", b);
}

/* Five texts do not fit into registers: the third and later ones, or parts of them, come by memory. */
static struct span
mix(struct policy_ctx *ctx, struct span a, int64_t i, struct span b, double d, struct span c, int32_t t,
    struct span e, struct span f)
{
    note("mix(");
    note_text(a);
    note(",%lld,", (long long)i);
    note_text(b);
    note(",");
    note_real(d);
    note(",");
    note_text(c);
    note(",%d,", t);
    note_text(e);
    note(",");
    note_text(f);
    note(")\n");
    return t ? c : f;
}

static int32_t
optional(struct policy_ctx *ctx, uint32_t given, struct span a, int64_t b, double c)
{
    note("optional(%u,", given);
    note_text(a);
    note(",%lld,", (long long)b);
    note_real(c);
    note(")\n");
    return given == 5;
}

static void
fails_if(struct policy_ctx *ctx, int32_t condition)
{
    note("fails_if(%d)\n", condition);
    if (condition)
        ctx->failed = 1;
}

static void
return_synth(struct policy_ctx *ctx, int64_t status, struct span text)
{
    if (status < 100 || status > 65535) {
        ctx->failed = 1;
        return;
    }
    ctx->ret.status = status;
    ctx->ret.text = text.ptr == NULL ? text : keep(text.ptr, text.len);
}

static const struct {
    const char *signature;
    void (*fn)(void);
} functions[] = {
#define ROW(signature, fn) { signature, (void (*)(void))fn }
    ROW("concat:STRING(SPANS,INT)", concat),
    ROW("fail_arith:VOID()", fail_arith),
    ROW("fail_stack:VOID()", fail_arith),
    ROW("header_get:STRING(INT,INT)", header_get),
    ROW("header_set:VOID(INT,INT,STRING)", header_set),
    ROW("header_unset:VOID(INT,INT)", header_unset),
    ROW("regex_match:BOOL(INT,STRING)", match),
    ROW("pattern_test:BOOL(INT,INT,STRING)", pattern_test),
    ROW("pattern_next:INT(INT,INT,SPANS,INT)", pattern_next),
    ROW("ref_regex:REGEX(INT)", ref_regex),
    ROW("to_string_int:STRING(INT)", to_string_int),
    ROW("to_string_bytes:STRING(BYTES)", to_string_int),
    ROW("to_string_real:STRING(REAL)", to_string_real),
    ROW("to_string_duration:STRING(DURATION)", to_string_real),
    ROW("regsub:STRING(STRING,REGEX,STRING)", regsub),
    ROW("var_text:STRING(INT)", var_text),
    ROW("var_int:INT(INT)", var_int),
    ROW("var_real:REAL(INT)", var_real),
    ROW("var_bool:BOOL(INT)", var_bool),
    ROW("say:VOID(STRING,INT,REAL,BOOL)", say),
    ROW("mix:STRING(STRING,INT,STRING,REAL,STRING,BOOL,STRING,STRING)", mix),
    ROW("optional:BOOL(STRING?,INT?,REAL?)", optional),
    ROW("fails_if:VOID(BOOL)", fails_if),
    ROW("return_synth:VOID(INT,STRING)", return_synth),
#undef ROW
};

static uint64_t
fnv1a(const char *text)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3ull;
    return h;
}

/* ---- for Python ---- */

static name_id
own_name(struct span text)
{
    for (unsigned i = 0; i < bench.image->n_names; i++)
        if (span_eq_nocase(bench.image->names[i], text)) {
            name_id known = name_lookup(text);
            return known != NAME_NONE ? known : (name_id)(FIRST_OWN_NAME + i);
        }
    return NAME_NONE;
}

void
bench_unload(void)
{
    for (unsigned i = 0; bench.image != NULL && i < bench.image->n_regexes; i++)
        regex_release(&bench.regexes[i]);
    if (bench.library != NULL)
        dlclose(bench.library);
    bench.library = NULL;
    bench.image = NULL;
    arena_release(&bench.arena);
}

/* 0, or text that says what is wrong. */
const char *
bench_load(const char *path)
{
    static char error[256];
    static const uint8_t digest[] = VERNIS_ABI_DIGEST;
    bench_unload();
    names_init();
    bench.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (bench.library == NULL)
        return dlerror();
    const struct policy_image *im = bench.image = dlsym(bench.library, VERNIS_POLICY_SYMBOL);
    if (im == NULL || im->magic != VERNIS_POLICY_MAGIC || im->abi_version != VERNIS_ABI_VERSION)
        return "not a policy";
    if (memcmp(im->abi_digest, digest, sizeof digest) != 0)
        return "another contract";
    for (unsigned i = 0; i < im->n_imports; i++) {
        bench.imports[i] = NULL;
        for (unsigned k = 0; k < sizeof functions / sizeof functions[0]; k++)
            if (fnv1a(functions[k].signature) == im->imports[i].signature)
                bench.imports[i] = (void *)functions[k].fn;
        if (bench.imports[i] == NULL) {
            snprintf(error, sizeof error, "no %.*s", (int)im->imports[i].name.len, im->imports[i].name.ptr);
            return error;
        }
    }
    for (unsigned i = 0; i < im->n_names; i++)
        bench.names[i] = own_name(im->names[i]);
    for (unsigned i = 0; i < im->n_regexes; i++) {
        struct regex_error why;
        if (regex_new(im->regexes[i], &bench.regexes[i], &why) != 0)
            return "a bad pattern";
    }
    return NULL;
}

void
bench_reset(void)
{
    arena_release(&bench.arena);
    arena_init(&bench.arena, 0);
    bench.log_len = 0;
    bench.ctx = (struct policy_ctx){ .imports = bench.imports, .names = bench.names, .arena = &bench.arena };
    bench.ctx.ret.seconds = -1;
    for (unsigned i = 0; i < MSG_COUNT; i++) {
        CHECK(message_init(&bench.messages[i], &bench.arena, FIELDS_MAX) == 0);
        bench.ctx.msg[i] = &bench.messages[i];
    }
}

/* With `interned` 0 the field has no id although the policy gave its name one, as in a message older than the
 * policy. A name that is in the table from the start always has its id. */
int
bench_add_header(int msg, const char *name, size_t name_len, const char *value, size_t value_len,
                 int interned)
{
    struct span text = keep(name, name_len);
    int err = message_add(&bench.messages[msg], interned ? own_name(text) : name_lookup(text), text,
                          keep(value, value_len));
    return err;
}

void
bench_set(int i, const char *text, size_t text_len, int64_t number, double real)
{
    bench.text[i] = text == NULL ? SPAN_NULL : keep(text, text_len);
    bench.number[i] = number;
    bench.real[i] = real;
}

int
bench_run(int hook)
{
    return bench.image->hooks[hook](&bench.ctx);
}

/* The results of a run as text: log, messages, arguments of return, site, failed. */
const char *
bench_result(size_t *len)
{
    for (int m = 0; m < MSG_COUNT; m++)
        for (unsigned i = 0; i < bench.messages[m].n_fields; i++) {
            note("%d ", m);
            note_text(bench.messages[m].fields[i].name);
            note(" ");
            note_text(bench.messages[m].fields[i].value);
            note("\n");
        }
    note("ret %lld ", (long long)bench.ctx.ret.status);
    note_text(bench.ctx.ret.text);
    note("\nsite %u\n", bench.ctx.site);
    *len = bench.log_len;
    return bench.log;
}

const struct policy_image *
bench_image(void)
{
    return bench.image;
}
