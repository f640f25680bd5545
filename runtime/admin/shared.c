/* The manager's part of shared memory: see shared.h. */
#include "admin/shared.h"

#include <errno.h>
#include <stdio.h>

#include "admin/manager.h"
#include "admin/params.h"
#include "base/check.h"
#include "log/vsc.h"

static const struct vsc_row mgt_rows[MGT_COUNT] = {
    [MGT_UPTIME] = { "uptime", VSC_COUNTER, VSC_INFO, VSC_DURATION, "Seconds the manager has run" },
    [MGT_CHILD_START] = { "child_start", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers started" },
    [MGT_CHILD_EXIT] = { "child_exit", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that ended by themselves, without an error" },
    [MGT_CHILD_STOP] = { "child_stop", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers stopped" },
    [MGT_CHILD_DIED] = { "child_died", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that died of a signal" },
    [MGT_CHILD_DUMP] = { "child_dump", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that left a core file" },
    [MGT_CHILD_PANIC] = { "child_panic", VSC_COUNTER, VSC_DIAG, VSC_INTEGER, "Workers that died and left a report" },
};
static const struct vsc_type mgt_type = { "mgt", "The manager", mgt_rows, MGT_COUNT };

static void
folder_path(const struct manager *m, const char *name, char out[PATH_MAX])
{
    int n = snprintf(out, PATH_MAX, "%s/%s", m->dir.path, name);
    CHECK(n > 0 && n < PATH_MAX);
}

void
shared_manager_path(const struct manager *m, char out[])
{
    folder_path(m, VSM_MANAGER, out);
}

void
shared_worker_path(const struct manager *m, char out[])
{
    folder_path(m, VSM_WORKER, out);
}

/* A segment with a text. NULL with errno. */
static void *
add_text(struct manager *m, const char *class, const char *ident, struct span text)
{
    char *mem = vsm_alloc(m->shared.set, text.len + 1);
    if (mem == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(mem, text.ptr, text.len);
    if (vsm_publish(m->shared.set, mem, class, ident) == 0)
        return mem;
    vsm_free(m->shared.set, mem);
    return NULL;
}

static int
add_arg(struct manager *m, const char *option, struct span value)
{
    return add_text(m, "Arg", option, value) == NULL ? ERR_SYS : 0;
}

/* What varnishadm needs; the first of them also has to be there for readers to look at the worker at all. */
static int
add_args(struct manager *m)
{
    struct text listens = { 0 };
    int err = add_arg(m, "-i", span_str(m->identity));
    for (unsigned i = 0; i < m->cli_tcp.n; i++) {
        listen_describe(&m->cli_tcp.socket[i], &listens);
        text_str(&listens, "\n");
    }
    if (err == 0 && listens.len > 0)
        err = add_arg(m, "-T", text_span(&listens));
    if (err == 0 && *m->dir.secret != '\0')
        err = add_arg(m, "-S", span_str(m->dir.secret));
    text_release(&listens);
    return err;
}

static void
tick(struct event_timer *t)
{
    struct manager *m = container_of(t, struct manager, shared.tick);
    nsec now = clock_mono_ns(), up = now - m->started;
    vsc_set(&m->shared.mgt[MGT_UPTIME], (uint64_t)(up / NSEC_PER_SEC));
    events_timer(&m->events, t, now + NSEC_PER_SEC - up % NSEC_PER_SEC);
}

int
shared_open(struct manager *m, struct text *why)
{
    struct shared *s = &m->shared;
    char path[PATH_MAX];
    s->manager = m;
    s->tick.fn = tick;
    shared_worker_path(m, path);
    vsm_folder_remove(path);            /* of a daemon that could not clean up */
    folder_path(m, VSM_MANAGER, path);
    int err = vsm_folder_new(path, (uid_t)-1, m->jail.drops ? m->jail.worker.gid : (gid_t)-1);
    if (err == 0)
        err = vsm_open(path, &s->set);
    if (err == 0)
        err = add_args(m);
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

void
shared_close(struct manager *m)
{
    if (m->shared.set == NULL)
        return;
    events_timer_cancel(&m->events, &m->shared.tick);
    vsc_free(&m->shared.mgt);
    vsc_open(NULL);
    vsm_close(&m->shared.set);
    shared_worker_gone(m);
}

void
shared_count(struct manager *m, enum mgt_counter which)
{
    if (m->shared.mgt != NULL)
        vsc_add(&m->shared.mgt[which], 1);
}

static void
forget_worker(struct shared *s)
{
    vsm_free(s->set, s->params);
    vsm_free(s->set, s->panic);
    s->params = s->panic = NULL;
}

/* What the worker begins with: one line "name value" for each parameter that is not the default, and how the last one died. */
static void
describe_worker(struct manager *m)
{
    struct shared *s = &m->shared;
    struct text changed = { 0 };
    forget_worker(s);
    for (unsigned i = 0; i < n_param_rows; i++) {
        if ((param_rows[i].flags & PARAM_UNAVAILABLE) || param_is_default(&param_rows[i]))
            continue;
        text_printf(&changed, "%s ", param_rows[i].name);
        param_value(&param_rows[i], &changed);
        text_str(&changed, "\n");
    }
    s->params = add_text(m, "Params", "", text_span(&changed));
    s->panic = add_text(m, "Panic", "", text_span(&m->supervisor.panic));
    text_release(&changed);
}

int
shared_worker_new(struct manager *m)
{
    char path[PATH_MAX];
    shared_worker_path(m, path);
    if (m->shared.set != NULL)
        describe_worker(m);
    return vsm_folder_new(path, m->jail.drops ? m->jail.worker.uid : (uid_t)-1, m->jail.drops ? m->jail.worker.gid : (gid_t)-1);
}

void
shared_worker_gone(struct manager *m)
{
    char path[PATH_MAX];
    if (m->shared.set != NULL)
        forget_worker(&m->shared);
    shared_worker_path(m, path);
    if (!is_kept())
        vsm_folder_remove(path);
}
