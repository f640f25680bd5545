/* -C: see compile_only.h. The same compile server as in service, in a folder of its own. */
#include "admin/compile_only.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/policy_file.h"
#include "base/check.h"

#define REMOVE_FDS 8

struct check {
    struct manager *manager;
    unsigned next;
    bool failed;
};

static int check_next(struct check *check, struct text *why);

static void
compiled(void *arg, const struct compile_result *result)
{
    struct check *check = arg;
    struct text why = { 0 };
    char image[PATH_MAX];
    size_t n = strlen(result->text);
    const char *end = n > 0 && result->text[n - 1] != '\n' ? "\n" : "";
    if (result->ok) {
        fprintf(stderr, "%s%s", result->text, end);
        printf("OK\n");
        workdir_outside(&check->manager->dir, result->image, image);
        unlink(image);
    } else
        fprintf(stderr, "Message from Vernis compiler:\n%s%sVCL compilation failed\n", result->text, end);
    check->failed |= !result->ok || check_next(check, &why) != 0;
    fputs(text_cstr(&why), stderr);
    text_release(&why);
    check->manager->events.stop |= check->failed;
}

/* The next policy of the command line; the end when there is none. */
static int
check_next(struct check *check, struct text *why)
{
    struct manager *m = check->manager;
    const struct options *o = &m->options;
    struct text text = { 0 };
    char path[PATH_MAX] = "";
    unsigned i = check->next++;
    int err = 0;
    if (i >= (o->backend != NULL ? 1 : o->policies.n)) {
        m->events.stop = true;
        return 0;
    }
    if (o->backend != NULL)
        manager_backend_policy(o->backend, &text);
    else
        err = policy_file_read(o->policies.text[i], path, &text, why);
    if (err == 0)
        err = compiler_run(&m->compiler, "boot", *path == '\0' ? NULL : path, text_span(&text), SPAN_LIT("[]"), compiled, check);
    text_release(&text);
    return err;
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
    struct check check = { .manager = m };
    /* Never that of -n: a daemon may be at work there. */
    if (n >= (int)sizeof folder || (m->options.workdir = mkdtemp(folder)) == NULL || chmod(folder, 0755) != 0) {
        fprintf(stderr, "Error: cannot make a folder in TMPDIR or /tmp\n");
        return 2;
    }
    m->options.no_secret = true;
    m->options.pid_file = NULL;
    int err = manager_open(m, why);
    if (err == 0)
        err = check_next(&check, why);
    while (err == 0 && !m->events.stop)
        err = events_round(&m->events);
    if (err != 0)
        fprintf(stderr, "Error: %s", text_cstr(why));
    manager_close(m);
    nftw(folder, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
    return err != 0 || check.failed ? 2 : 0;
}
