/* Settings that an upgrade carries: see carried.h. */
#include "manager/upgrade/carried.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manager/cli/words.h"
#include "manager/policies/policy_tables.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/split.h"
#include "log/report.h"

#define CALL(...) \
    (const char *const[]) \
    { \
        __VA_ARGS__ \
    }

/* ---- the old daemon ------------------------------------------------------------------------------------ */

static void
add_line(struct text *out, unsigned n, const char *const words[])
{
    for (unsigned i = 0; i < n; i++) {
        text_str(out, i > 0 ? " " : "");
        words_quote(out, span_str(words[i]));
    }
    text_str(out, "\n");
}

static void
add_params(struct text *out)
{
    for (unsigned i = 0; i < n_param_rows; i++) {
        struct text value = { 0 };
        if (!param_by_command(&param_rows[i]))
            continue;
        param_setting(&param_rows[i], &value);
        add_line(out, 3, CALL("param.set", param_rows[i].name, text_cstr(&value)));
        text_release(&value);
    }
}

/* The pattern behind "POLICY." if the rule is about this policy, else NULL. */
static const char *
pattern_of(const struct health_rule *rule, const struct vcl *policy)
{
    size_t n = policy == NULL ? 0 : strlen(policy->name);
    return n > 0 && strncmp(rule->pattern, policy->name, n) == 0 && rule->pattern[n] == '.'
             ? rule->pattern + n + 1
             : NULL;
}

static struct vcl *
active_policy(const struct policies *p)
{
    return p->active == NULL ? NULL : vcl_policy(p->active);
}

/* The active policy may have another name in the new daemon. */
static void
add_health(const struct policies *p, struct text *out)
{
    list_each(it, (struct list *)&p->health)
    {
        const struct health_rule *rule = container_of(it, struct health_rule, link);
        const char *own = pattern_of(rule, active_policy(p)), *dot = strchr(rule->pattern, '.');
        struct text policy = { 0 };
        if (own == NULL && dot != NULL)
            text_add(&policy, span_of(rule->pattern, (size_t)(dot - rule->pattern)));
        add_line(out, 4,
                 CALL("backend.set_health", text_cstr(&policy),
                      own != NULL   ? own
                      : dot != NULL ? dot + 1
                                    : rule->pattern,
                      rule->state));
        text_release(&policy);
    }
}

static void
add_tables(const struct policies *p, struct text *out)
{
    struct vcl *policy = active_policy(p);
    if (policy == NULL)
        return;
    list_each(it, &policy->tables)
    {
        const struct kept_table *k = container_of(it, struct kept_table, link);
        if (k->replaced)
            add_line(out, 3, CALL("table.replace", k->name, k->file));
    }
}

static void
add_certificates(const struct certificates *all, struct text *out)
{
    for (unsigned i = 0; i < all->n; i++) {
        const struct certificate *one = all->all[i];
        if ((one->state == CERTIFICATE_COMMITTED || one->state == CERTIFICATE_LEAVING) && !one->from_file)
            add_line(out, 6,
                     CALL("tls.cert.load", one->frontend, one->key_file, one->id, one->cert_file,
                          one->place.is_default ? "default" : ""));
    }
}

static void
add_tickets(const struct ticket_keys *tickets, struct text *out)
{
    struct ticket_words w;
    if (ticket_keys_words(tickets, &w))
        add_line(out, 5, CALL("tls.tickets", w.keys[0], w.keys[1], w.keys[2], w.age));
    ticket_words_wipe(&w);
}

int
carried_write(const struct policies *p, const struct certificates *certificates,
              const struct ticket_keys *tickets, int fd)
{
    struct text lines = { 0 };
    add_params(&lines);
    add_health(p, &lines);
    add_tables(p, &lines);
    add_certificates(certificates, &lines);
    add_tickets(tickets, &lines);
    bool ok = ftruncate(fd, 0) == 0 &&
              (lines.len == 0 || pwrite(fd, lines.ptr, lines.len, 0) == (ssize_t)lines.len);
    if (lines.cap > 0)
        explicit_bzero(lines.ptr, lines.cap);
    text_release(&lines);
    return ok ? 0 : ERR_SYS;
}

/* ---- what the operator reads --------------------------------------------------------------------------- */

/* Begins a group of names: "; parameters: " before the first, ", " before others. */
static void
name_one(struct text *out, unsigned *n, const char *group, const char *name)
{
    text_printf(out, "%s%s%s", *n > 0 ? ", " : out->len > 0 ? "; " : "", *n > 0 ? "" : group, name);
    ++*n;
}

static void
describe_kept(const struct policies *p, struct text *out)
{
    unsigned params_n = 0, backends = 0, tables = 0;
    for (unsigned i = 0; i < n_param_rows; i++)
        if (param_by_command(&param_rows[i]))
            name_one(out, &params_n, "parameters: ", param_rows[i].name);
    list_each(it, (struct list *)&p->health)
    {
        const struct health_rule *rule = container_of(it, struct health_rule, link);
        struct text name = { 0 };
        if (strcmp(rule->state, "auto") == 0)
            continue;
        const char *own = pattern_of(rule, active_policy(p));
        text_printf(&name, "%s %s", own == NULL ? rule->pattern : own, rule->state);
        name_one(out, &backends, "backends set by hand: ", text_cstr(&name));
        text_release(&name);
    }
    const struct vcl *policy = active_policy(p);
    if (policy == NULL)
        return;
    list_each(it, (struct list *)&policy->tables)
    {
        const struct kept_table *k = container_of(it, struct kept_table, link);
        if (k->replaced)
            name_one(out, &tables, "replaced tables: ", k->name);
    }
}

/* The new daemon loads those of its command line again, and the active one under such a name. */
static void
describe_policies(const struct policies *p, bool labels, struct text *out)
{
    unsigned n = 0;
    list_each(it, (struct list *)&p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if ((vcl->state == VCL_LABEL) == labels && !vcl->loading && !vcl->from_start &&
            vcl != active_policy(p))
            name_one(out, &n, labels ? "labels: " : "policies: ", vcl->name);
    }
}

/* Those that commands loaded and that are in use, or those that wait for a commit. */
static void
describe_certificates(const struct certificates *all, bool staged, struct text *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < all->n; i++) {
        const struct certificate *one = all->all[i];
        bool used = one->state == CERTIFICATE_COMMITTED || one->state == CERTIFICATE_LEAVING;
        if (staged ? one->state == CERTIFICATE_STAGED : used && !one->from_file)
            name_one(out, &n, staged ? "staged certificates: " : "certificates: ", one->id);
    }
}

void
carried_describe(const struct policies *p, const struct certificates *certificates,
                 const struct carried_counts *counts, unsigned connections, bool dashboard, struct text *out)
{
    struct text kept = { 0 }, lost = { 0 };
    const struct vcl *policy = active_policy(p);
    struct stat st;
    describe_kept(p, &kept);
    describe_certificates(certificates, false, &kept);
    text_printf(&lost, "stored responses: %llu; bans: %llu", counts->stored, counts->bans);
    describe_policies(p, false, &lost);
    describe_policies(p, true, &lost);
    describe_certificates(certificates, true, &lost);
    if (dashboard)
        text_str(&lost, "; the dashboard, which `vernis dashboard` starts again");
    if (connections > 0)
        text_printf(&lost, "; connections of the command line: %u", connections);
    if (policy != NULL && policy->source != NULL) {
        bool changed = stat(policy->source, &st) == 0 &&
                       st.st_mtim.tv_sec > (time_t)(policy->loaded / NSEC_PER_SEC);
        text_printf(out, "Policy: %s, read again%s\n", policy->source,
                    changed ? "; the file has changed since it was loaded" : "");
    }
    if (kept.len > 0)
        text_printf(out, "Kept: %s\n", text_cstr(&kept));
    text_printf(out, "Dropped: %s\n", text_cstr(&lost));
    text_str(out, "Counters start at zero. Readers of the log follow the new daemon.\n");
    text_release(&kept);
    text_release(&lost);
}

/* ---- the new daemon ------------------------------------------------------------------------------------ */

typedef void carried_line_fn(void *arg, const struct words *line);

static void
read_lines(int fd, carried_line_fn *fn, void *arg)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0 || st.st_size > CARRIED_BYTES_MAX)
        return;
    char *bytes = malloc((size_t)st.st_size);
    CHECK(bytes != NULL);
    ssize_t n = pread(fd, bytes, (size_t)st.st_size, 0);
    struct span rest = span_of(bytes, n > 0 ? (size_t)n : 0), line;
    const char *why;
    while (split_next(&rest, SPAN_LIT("\n"), &line)) {
        struct words words = { 0 };
        if (words_parse(line, &words, &why) == 0)
            fn(arg, &words);
        for (unsigned i = 0; i < words.n; i++)
            explicit_bzero(words.w[i], strlen(words.w[i])); /* there may be keys of tickets among them */
        words_release(&words);
    }
    explicit_bzero(bytes, (size_t)st.st_size);
    free(bytes);
}

static bool
is_line(const struct words *line, const char *command, unsigned n)
{
    return line->n == n && strcmp(line->w[0], command) == 0;
}

static bool
set_param(const char *name, const char *value, struct text *why)
{
    bool ok = param_set(name, value, why) == 0;
    if (ok)
        param_mark_command(param_find(name));
    return ok;
}

static void
set_early(void *arg, const struct words *line)
{
    struct text why = { 0 }; /* carried_apply() reports it */
    if (is_line(line, "param.set", 3))
        (void)set_param(line->w[1], line->w[2], &why);
    text_release(&why);
}

void
carried_params(int fd)
{
    read_lines(fd, set_early, NULL);
    read_lines(fd, set_early, NULL); /* the bounds of some parameters depend on others */
}

static void committed(void *arg, int status, struct span text);

/* The last answer: certificates are used together, when all are read. */
static void
answered(struct carried *c)
{
    CHECK(c->asked > 0);
    if (--c->asked > 0)
        return;
    if (c->commits)
        changes_make(c->certificates, &(struct change){ .kind = CHANGE_COMMIT }, committed, c);
    else
        c->done(c->arg);
}

static void
committed(void *arg, int status, struct span text)
{
    struct carried *c = arg;
    if (status != CLI_OK)
        text_printf(&c->lost, "tls.cert.commit: %.*s\n", (int)text.len, text.ptr);
    c->done(c->arg);
}

struct carried_call { /* a command to the worker that waits for its answer */
    struct carried *c;
    char *pattern, *state; /* owned; NULL: a parameter or a table */
    char *what;            /* owned */
};

static struct carried_call *
call_new(struct carried *c, const char *what, const char *name)
{
    struct carried_call *call = calloc(1, sizeof *call);
    struct text text = { 0 };
    CHECK(call != NULL);
    text_printf(&text, "%s %s", what, name);
    call->c = c;
    call->what = strdup(text_cstr(&text));
    CHECK(call->what != NULL);
    text_release(&text);
    c->asked++;
    return call;
}

static void
call_answered(void *arg, int status, struct span text)
{
    struct carried_call *call = arg;
    struct carried *c = call->c;
    if (status == CLI_OK && call->pattern != NULL)
        policies_health(c->policies, call->pattern, call->state);
    else if (status != CLI_OK)
        text_printf(&c->lost, "%s: %.*s%s", call->what, (int)text.len, text.ptr,
                    text.len > 0 && text.ptr[text.len - 1] == '\n' ? "" : "\n");
    free(call->pattern);
    free(call->state);
    free(call->what);
    free(call);
    answered(c);
}

static void
set_health(struct carried *c, const char *policy, const char *pattern, const char *state)
{
    struct text full = { 0 };
    const struct vcl *active = active_policy(c->policies);
    text_printf(&full, "%s.%s", *policy != '\0' || active == NULL ? policy : active->name, pattern);
    struct carried_call *call = call_new(c, "backend.set_health", text_cstr(&full));
    call->pattern = strdup(text_cstr(&full));
    call->state = strdup(state);
    CHECK(call->pattern != NULL && call->state != NULL);
    text_release(&full);
    child_call(c->child, call_answered, call, 3, CALL("backend.set_health", call->pattern, call->state));
}

static void
apply_param(struct carried *c, const char *name, const char *value)
{
    struct text why = { 0 };
    struct carried_call *call = call_new(c, "param.set", name);
    if (set_param(name, value, &why))
        child_call(c->child, call_answered, call, 4, CALL("param", "set", name, value));
    else
        call_answered(call, CLI_PARAM, text_span(&why));
    text_release(&why);
}

static void
load_certificate(struct carried *c, const struct words *line)
{
    const struct change what = { .kind = CHANGE_LOAD,
                                 .frontend = line->w[1],
                                 .key_file = line->w[2],
                                 .id = line->w[3],
                                 .cert_file = line->w[4],
                                 .is_default = *line->w[5] != '\0' };
    c->commits = true;
    changes_make(c->certificates, &what, call_answered, call_new(c, "tls.cert.load", line->w[4]));
}

static void
apply_line(void *arg, const struct words *line)
{
    struct carried *c = arg;
    if (is_line(line, "param.set", 3))
        apply_param(c, line->w[1], line->w[2]);
    else if (is_line(line, "backend.set_health", 4))
        set_health(c, line->w[1], line->w[2], line->w[3]);
    else if (is_line(line, "tls.cert.load", 6))
        load_certificate(c, line);
    else if (is_line(line, "tls.tickets", 5)) {
        if (ticket_keys_take(c->tickets, CALL(line->w[1], line->w[2], line->w[3]), line->w[4]) != 0)
            text_str(&c->lost, "keys of tickets: clients begin new sessions\n");
    } else if (is_line(line, "table.replace", 3))
        policies_table(c->policies, TABLE_REPLACE, line->w[1], line->w[2], false, call_answered,
                       call_new(c, "table.replace", line->w[1]));
}

void
carried_apply(struct carried *c, int fd, carried_done_fn *done, void *arg)
{
    c->done = done;
    c->arg = arg;
    c->asked = 1; /* this call, so that `done` waits for the last line */
    read_lines(fd, apply_line, c);
    answered(c);
}
