/* Parameter table_watch: replaces the rows of a table when its file has changed. Looks at each file once a
 * second, because that sees a file that was renamed into its place, and works on file systems of a network,
 * where inotify tells nothing. A file is read when it has stayed as it is from one look to the next. */
#include <stdio.h>
#include <sys/stat.h>

#include "manager/policies/policy_tables.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/params.h"
#include "log/report.h"

#define WATCH_EVERY NSEC_PER_SEC

void
file_stamp(const char *path, struct file_stamp *out)
{
    struct stat st;
    *out = (struct file_stamp){ 0 };
    if (stat(path, &st) == 0)
        *out = (struct file_stamp){ .inode = st.st_ino,
                                    .bytes = st.st_size,
                                    .changed = st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec };
}

static bool
is_same(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->inode == b->inode && a->bytes == b->bytes && a->changed == b->changed;
}

static void
replaced(void *arg, int status, struct span text)
{
    while (text.len > 0 && text.ptr[text.len - 1] == '\n')
        text.len--;
    log_line(status == CLI_OK ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR, "table_watch: %.*s", (int)text.len,
             text.ptr);
}

/* A file that is missing for a while is on its way to be replaced. A file that does not fit is tried again
 * only after its next change. */
static void
look_at(struct policies *p, const struct vcl *vcl, struct kept_table *k)
{
    struct file_stamp now;
    char name[POLICY_NAME_BYTES + TABLE_NAME_BYTES];
    file_stamp(k->file, &now);
    bool settled = is_same(&now, &k->seen);
    k->seen = now;
    if (now.inode == 0 || !settled || is_same(&now, &k->read))
        return;
    k->read = now;
    snprintf(name, sizeof name, "%s.%s", vcl->name, k->name);
    policies_table(p, TABLE_REPLACE, name, k->file, false, replaced, NULL);
}

static void
look(struct event_timer *t)
{
    struct policies *p = container_of(t, struct policies, watch);
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (!params.table_watch || vcl->loading || !child_running(p->env.child))
            continue;
        list_each(table, &vcl->tables) look_at(p, vcl, container_of(table, struct kept_table, link));
    }
    events_timer(p->env.events, t, clock_mono_ns() + WATCH_EVERY);
}

void
table_watch_start(struct policies *p)
{
    p->watch.fn = look;
    events_timer(p->env.events, &p->watch, clock_mono_ns() + WATCH_EVERY);
}
