/* GET /metrics: see metrics.h. */
#include "manager/metrics.h"

#include <stdlib.h>

#include "manager/listen.h"
#include "manager/shared.h"
#include "manager/web.h"
#include "daemon/params.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define PARAM_NAME "metrics_listen"
#define KEPT (100 * NSEC_PER_MSEC) /* how old an answer may be */

struct metrics {
    const struct shared *shared;
    struct listens sockets;
    struct web *web;
    struct text text;
    nsec made; /* when `text` was made; 0: never */
};

static void
refresh(struct metrics *mt)
{
    char manager[PATH_MAX], worker[PATH_MAX];
    nsec now = clock_mono_ns();
    if (mt->made != 0 && now - mt->made < KEPT)
        return;
    mt->made = now;
    text_clear(&mt->text);
    shared_manager_path(mt->shared, manager);
    shared_worker_path(mt->shared, worker);
    metrics_text((const char *const[]){ manager, worker }, 2, &mt->text);
}

static void
answer(void *arg, const struct web_request *r, struct web_answer *out)
{
    struct metrics *mt = arg;
    out->body = SPAN_LIT("metrics are at /metrics\n");
    if (strcmp(web_path(r), "/metrics") != 0)
        return;
    refresh(mt);
    out->status = 200;
    out->type = "text/plain; version=0.0.4; charset=utf-8";
    out->body = span_of(text_cstr(&mt->text), mt->text.len);
}

int
metrics_open(struct events *ev, const struct shared *shared, struct metrics **out, struct text *why)
{
    const char *address = param_text(PARAM_NAME);
    CHECK(param_protect(PARAM_NAME) == 0);
    if (*address == '\0')
        return 0;
    struct metrics *mt = mem_zalloc(sizeof *mt);
    *out = mt;
    mt->shared = shared;
    const struct web_env env = { .events = ev,
                                 .name = "metrics",
                                 .sockets = &mt->sockets,
                                 .parameter = PARAM_NAME,
                                 .answer = answer,
                                 .arg = mt };
    int err = web_open(&env, address, &mt->web, why);
    for (unsigned i = 0; err == 0 && i < mt->sockets.n; i++)
        log_line(LOG_LEVEL_INFO, "metrics at http://%s/metrics", mt->sockets.socket[i].endpoint.ptr);
    return err;
}

const struct listens *
metrics_listens(const struct metrics *mt)
{
    return mt == NULL ? NULL : &mt->sockets;
}

void
metrics_close(struct metrics **at)
{
    struct metrics *mt = *at;
    if (mt == NULL)
        return;
    web_close(&mt->web);
    text_release(&mt->text);
    free(mt);
    *at = NULL;
}
