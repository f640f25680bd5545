/* -C: see compile_only.h. The same compile server as in service, in a folder of its own. */
#include "admin/compile_only.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"

#define REMOVE_FDS 8

struct check {
    struct manager *manager;
    int status;
};

static void
compiled(void *arg, const struct compile_result *result)
{
    struct check *check = arg;
    size_t n = strlen(result->text);
    const char *end = n > 0 && result->text[n - 1] != '\n' ? "\n" : "";
    if (result->ok) {
        fprintf(stderr, "%s%s", result->text, end);
        printf("OK\n");
        unlink(result->image);
    } else
        fprintf(stderr, "Message from Vernis compiler:\n%s%sVCL compilation failed\n", result->text, end);
    check->status = result->ok ? 0 : 2;
    check->manager->events.stop = true;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    return remove(path);
}

int
compile_only(struct manager *m, struct text *why)
{
    char folder[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    int n = snprintf(folder, sizeof folder, "%s/vernis-check-XXXXXX", tmp == NULL || *tmp != '/' ? "/tmp" : tmp);
    bool own = m->options.workdir == NULL;
    struct check check = { .manager = m, .status = 2 };
    if (own && (n >= (int)sizeof folder || (m->options.workdir = mkdtemp(folder)) == NULL)) {
        fprintf(stderr, "Error: cannot make a folder in TMPDIR or /tmp\n");
        return 2;
    }
    m->options.no_secret = true;
    int err = manager_open(m, why);
    if (err == 0 && m->options.backend != NULL) {
        struct text text = { 0 };
        manager_backend_policy(m->options.backend, &text);
        err = compiler_run(&m->compiler, "boot", NULL, text_span(&text), compiled, &check);
        text_release(&text);
    } else if (err == 0)
        err = compiler_run(&m->compiler, "boot", m->options.policies.text[0], SPAN_NULL, compiled, &check);
    while (err == 0 && !m->events.stop)
        err = events_round(&m->events);
    if (err != 0)
        fprintf(stderr, "Error: %s", text_cstr(why));
    manager_close(m);
    if (own)
        nftw(folder, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
    return check.status;
}
