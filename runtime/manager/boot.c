/* The start: see boot.h. */
#include "manager/boot.h"

#include <errno.h>
#include <stdio.h>

#include "manager/compile_request.h"
#include "manager/listen.h"
#include "manager/policies/policy_file.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/file.h"
#include "log/report.h"

static void load_next(struct boot *b);

static void
boot_over(struct boot *b, bool ok, struct span why)
{
    if (b->over)
        return;
    b->over = true;
    b->env.over(b->env.arg, ok, why);
}

static void
boot_started(void *arg, int status, struct span text)
{
    boot_over(arg, status == CLI_OK, text);
}

static void
boot_worker(struct boot *b)
{
    if (b->env.supervisor->ending)
        return;
    if (b->env.options->debug || b->env.policies->active == NULL)
        boot_over(b, true, SPAN_LIT(""));
    else
        supervisor_start(b->env.supervisor, boot_started, b);
}

static void
boot_commands(struct boot *b)
{
    const struct options *o = b->env.options;
    if (b->env.supervisor->ending)
        return;
    b->env.take_commands(b->env.arg);
    if (o->init_file == NULL)
        boot_worker(b);
    else if (cli_run_file(b->env.cli, o->init_file) != 0) {
        struct text why = { 0 };
        text_printf(&why, "Can't open %s: %s\n", o->init_file, file_why(errno));
        boot_over(b, false, text_span(&why));
        text_release(&why);
    }
}

void
boot_file_done(struct boot *b, bool failed)
{
    fprintf(stderr, "END of -I file processing\n");
    if (failed)
        boot_over(b, false, SPAN_LIT("A command in the -I file failed\n"));
    else
        boot_worker(b);
}

static void
boot_failed(struct boot *b, const struct policy_result *r)
{
    struct text why = { 0 };
    policy_answer(r, &why);
    boot_over(b, false, text_span(&why));
    text_release(&why);
}

static void
boot_used(void *arg, const struct policy_result *r)
{
    struct boot *b = arg;
    if (r->outcome != POLICY_DONE) {
        boot_failed(b, r);
        return;
    }
    b->env.policies->active_by = "start";
    load_next(b);
}

static void
boot_loaded(void *arg, const struct policy_result *r)
{
    struct boot *b = arg;
    if (r->outcome != POLICY_DONE) {
        boot_failed(b, r);
        return;
    }
    policy_log_warnings(r);
    policies_use(b->env.policies, b->name, boot_used, b);
}

void
boot_backend_policy(const char *backend, struct text *out)
{
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    text_str(out, "vcl 4.1;\n\nbackend default ");
    if (strcasecmp(backend, "none") == 0)
        text_str(out, "none;\n");
    else if (*backend == '/')
        text_printf(out, "{\n    .path = \"%s\";\n}\n", backend);
    else if (listen_split(backend, host, port) == 0)
        text_printf(out, "{\n    .host = \"%s\";\n    .port = \"%s\";\n}\n", host,
                    *port == '\0' ? "80" : port);
}

static bool
is_image(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

/* Loads and activates the policies of the command line in order, so that the last one is active. */
static void
load_next(struct boot *b)
{
    const struct options *o = b->env.options;
    unsigned n = o->backend != NULL ? 1 : o->policies.n;
    if (b->next == n) {
        boot_commands(b);
        return;
    }
    unsigned i = b->next++;
    if (n == 1)
        snprintf(b->name, sizeof b->name, "boot");
    else
        snprintf(b->name, sizeof b->name, "boot%u", i);
    struct text text = { 0 }, why = { 0 }, values = { 0 };
    struct policy_source src = { 0 };
    char path[PATH_MAX];
    int err = compile_values(o->values.n, o->values.text, &values, &why);
    if (err == 0 && o->backend != NULL) {
        boot_backend_policy(o->backend, &text);
        src.text = text_span(&text);
    } else if (err == 0 && is_image(o->policies.text[i])) {
        src.image = o->policies.text[i];
        if (o->values.n > 0) {
            text_printf(&why, "(-D %s) %s is an image: give -D to vernis build\n", o->values.text[0],
                        src.image);
            err = ERR_SYNTAX;
        }
    } else if (err == 0) {
        err = policy_file_read(o->policies.text[i], path, &text, &why);
        src = (struct policy_source){ .path = path, .text = text_span(&text) };
    }
    src.values = text_span(&values);
    if (err == 0)
        policies_load(b->env.policies, b->name, &src, VCL_AUTO, boot_loaded, b);
    else
        boot_over(b, false, text_span(&why));
    text_release(&text);
    text_release(&why);
    text_release(&values);
}

static void
boot_certified(void *arg, int status, struct span text)
{
    struct boot *b = arg;
    if (status == CLI_OK)
        load_next(b);
    else
        boot_over(b, false, text);
}

void
boot_start(struct boot *b, const struct boot_env *env)
{
    *b = (struct boot){ .env = *env };
    if (env->options->tls.path == NULL)
        load_next(b);
    else
        changes_make(env->certificates, &(struct change){ .kind = CHANGE_RELOAD }, boot_certified, b);
}
