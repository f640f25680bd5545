/* The manager's part of shared memory: see shared.h. */
#include "manager/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "daemon/params.h"
#include "base/check.h"
#include "log/vsc.h"

static const struct vsc_row mgt_rows[MGT_COUNT] = {
    [MGT_UPTIME] = { "uptime", VSC_COUNTER, VSC_INFO, VSC_DURATION, "Seconds the manager has run" },
    [MGT_CHILD_START] = { "child_start", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers started" },
    [MGT_CHILD_EXIT] = { "child_exit", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                         "Workers that ended by themselves, without an error" },
    [MGT_CHILD_STOP] = { "child_stop", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers stopped" },
    [MGT_CHILD_DIED] = { "child_died", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that died of a signal" },
    [MGT_CHILD_DUMP] = { "child_dump", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that left a core file" },
    [MGT_CHILD_PANIC] = { "child_panic", VSC_COUNTER, VSC_DIAG, VSC_INTEGER,
                          "Workers that died and left a report" },
    [MGT_SYSCALL_DEATHS] = { "syscall_deaths", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                             "Workers and compilers that ended because they made a forbidden system call" },
};
static const struct vsc_type mgt_type = { "mgt", "The manager", mgt_rows, MGT_COUNT };

#define SHARED_BESIDE ".beside" /* suffix during an upgrade, followed by the generation */

static void
set_suffix(struct shared *s, unsigned generation)
{
    snprintf(s->suffix, sizeof s->suffix, SHARED_BESIDE "%u", generation);
}

static void
folder_path(const struct shared *s, const char *name, char out[PATH_MAX])
{
    int n = snprintf(out, PATH_MAX, "%s/%s%s", s->env.dir, name, s->suffix);
    CHECK(n > 0 && n < PATH_MAX);
}

void
shared_manager_path(const struct shared *s, char out[PATH_MAX])
{
    folder_path(s, VSM_MANAGER, out);
}

void
shared_worker_path(const struct shared *s, char out[PATH_MAX])
{
    folder_path(s, VSM_WORKER, out);
}

/* Publishes a text as a segment. NULL with errno. */
static void *
add_text(struct shared *s, const char *class, const char *ident, struct span text)
{
    char *mem = vsm_alloc(s->set, text.len + 1);
    if (mem == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(mem, text.ptr, text.len);
    if (vsm_publish(s->set, mem, class, ident) == 0)
        return mem;
    vsm_free(s->set, mem);
    return NULL;
}

static int
add_arg(struct shared *s, const char *option, struct span value)
{
    return add_text(s, "Arg", option, value) == NULL ? ERR_SYS : 0;
}

/* Publishes the options that varnishadm reads. Readers ignore the worker without the first one, -i. */
static int
add_args(struct shared *s)
{
    const struct shared_env *env = &s->env;
    struct text listens = { 0 };
    int err = add_arg(s, "-i", span_str(env->identity));
    for (unsigned i = 0; i < env->cli->n; i++) {
        listen_describe(&env->cli->socket[i], &listens);
        text_str(&listens, "\n");
    }
    if (err == 0 && listens.len > 0)
        err = add_arg(s, "-T", text_span(&listens));
    if (err == 0 && *env->secret != '\0')
        err = add_arg(s, "-S", span_str(env->secret));
    text_release(&listens);
    return err;
}

static void
tick(struct event_timer *t)
{
    struct shared *s = container_of(t, struct shared, tick);
    nsec now = clock_mono_ns(), up = now - s->env.started;
    vsc_set(&s->mgt[MGT_UPTIME], (uint64_t)(up / NSEC_PER_SEC));
    events_timer(s->env.events, t, now + NSEC_PER_SEC - up % NSEC_PER_SEC);
}

static uid_t
user(const struct shared *s)
{
    return s->env.worker == NULL ? (uid_t)-1 : s->env.worker->uid;
}

static gid_t
group(const struct shared *s)
{
    return s->env.worker == NULL ? (gid_t)-1 : s->env.worker->gid;
}

int
shared_open(struct shared *s, const struct shared_env *env, struct text *why)
{
    CHECK(s->set == NULL);
    char path[PATH_MAX];
    s->env = *env;
    s->suffix[0] = '\0';
    if (env->generation > 0)
        set_suffix(s, env->generation);
    s->tick.fn = tick;
    shared_worker_path(s, path);
    vsm_folder_remove(path); /* left by a daemon that was killed */
    folder_path(s, VSM_MANAGER, path);
    int err = vsm_folder_new(path, (uid_t)-1, group(s));
    if (err == 0)
        err = vsm_open(path, &s->set);
    if (err == 0)
        err = add_args(s);
    if (err != 0) {
        text_printf(why, "Cannot make shared memory in %s: %s\n", path, strerror(errno));
        return err;
    }
    vsc_open(s->set);
    s->mgt = vsc_new(&mgt_type, "MGT");
    tick(&s->tick);
    return 0;
}

static bool
is_kept(void)
{
    return param_bit("debug", "vtc_mode") || param_bit("debug", "vsm_keep");
}

/* Readers of the old folder notice that its name leads to another folder, as after a restart. */
static int
take_folder(const struct shared *s, const char *name)
{
    char ours[PATH_MAX], theirs[PATH_MAX];
    CHECK(snprintf(ours, sizeof ours, "%s/%s%s", s->env.dir, name, s->suffix) < PATH_MAX);
    CHECK(snprintf(theirs, sizeof theirs, "%s/%s", s->env.dir, name) < PATH_MAX);
    if (renameat2(AT_FDCWD, ours, AT_FDCWD, theirs, RENAME_EXCHANGE) == 0)
        return 0;
    vsm_folder_remove(theirs); /* their folder is gone, or the file system cannot exchange names */
    return rename(ours, theirs) == 0 ? 0 : ERR_SYS;
}

int
shared_take(struct shared *s)
{
    char path[PATH_MAX];
    int err = take_folder(s, VSM_WORKER);
    if (err == 0)
        err = take_folder(s, VSM_MANAGER);
    s->suffix[0] = '\0';
    shared_manager_path(s, path);
    vsm_moved(s->set, path);
    return err;
}

void
shared_leave(struct shared *s, unsigned generation)
{
    char path[PATH_MAX];
    set_suffix(s, generation);
    shared_manager_path(s, path);
    vsm_moved(s->set, path);
}

void
shared_close(struct shared *s)
{
    if (s->set == NULL)
        return;
    events_timer_cancel(s->env.events, &s->tick);
    vsc_free(&s->mgt);
    vsc_open(NULL);
    vsm_close(&s->set);
    shared_worker_gone(s);
}

void
shared_count(struct shared *s, enum mgt_counter which)
{
    if (s->mgt != NULL)
        vsc_add(&s->mgt[which], 1);
}

static void
forget_worker(struct shared *s)
{
    vsm_free(s->set, s->params);
    vsm_free(s->set, s->panic);
    s->params = s->panic = NULL;
}

/* Publishes one line "name value" for each changed parameter, and the panic of the last worker. */
static void
describe_worker(struct shared *s, struct span panic)
{
    struct text changed = { 0 };
    forget_worker(s);
    for (unsigned i = 0; i < n_param_rows; i++) {
        if ((param_rows[i].flags & PARAM_UNAVAILABLE) || param_is_default(&param_rows[i]))
            continue;
        text_printf(&changed, "%s ", param_rows[i].name);
        param_value(&param_rows[i], &changed);
        text_str(&changed, "\n");
    }
    s->params = add_text(s, "Params", "", text_span(&changed));
    s->panic = add_text(s, "Panic", "", panic);
    text_release(&changed);
}

void
shared_worker_folder(const struct shared *s, char out[SHARED_NAME_BYTES])
{
    CHECK(snprintf(out, SHARED_NAME_BYTES, VSM_WORKER "%s", s->suffix) < (int)SHARED_NAME_BYTES);
}

int
shared_worker_new(struct shared *s, struct span panic)
{
    char path[PATH_MAX];
    shared_worker_path(s, path);
    if (s->set != NULL)
        describe_worker(s, panic);
    return vsm_folder_new(path, user(s), group(s));
}

void
shared_worker_gone(struct shared *s)
{
    char path[PATH_MAX];
    if (s->set != NULL)
        forget_worker(s);
    shared_worker_path(s, path);
    if (!is_kept())
        vsm_folder_remove(path);
}
