/* Module dynamic: drops unused names, and backends that no answer contains any more. A dropped name stays in
 * memory, because a transaction may hold it; its next use looks it up again. */
#include <stdarg.h>
#include <stdio.h>

#include "policy/policy.h"
#include "vmod/dynamic_names.h"

#define LOG_BYTES_MAX 1024u

void
dynamic_log(const struct log_txn *log, enum log_tag tag, const struct name *m, const char *fmt, ...)
{
    char text[LOG_BYTES_MAX];
    const struct dynamic *d = m->of;
    struct span policy = policy_name(d->policy);
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    log_printf(log, tag, "vmod-dynamic: %.*s %.*s %s%s%s %s", (int)policy.len, policy.ptr,
               (int)d->director.name.len, d->director.name.ptr, m->host, m->port[0] != '\0' ? ":" : "",
               m->port, text);
}

void
dynamic_count_answer(const struct name *m, int by, const struct log_txn *log)
{
    struct dynamic *d = m->of;
    for (unsigned k = 0; k < m->n; k++)
        for (unsigned i = 0; i < d->n_known; i++) {
            struct known *known = &d->known[i];
            if (known->backend != m->answer[k])
                continue;
            known->answers += (unsigned)by;
            if (!atomic_load(&d->debug))
                continue;
            struct span name = backend_director(known->backend)->name;
            dynamic_log(log, TAG_DEBUG, m, "%s-backend %.*s (%u %s)", by > 0 ? "ref" : "unref", (int)name.len,
                        name.ptr, known->answers, by > 0 ? "in total" : "remaining");
        }
}

void
dynamic_retire(struct dynamic *d, nsec now)
{
    for (unsigned i = 0; i < d->n_known; i++) {
        struct known *k = &d->known[i];
        if (k->retired || k->answers > 0 || now - k->seen < d->keep)
            continue;
        backend_stop_probe(k->backend);
        k->retired = true;
    }
}

/* Counts the targets as used now, because a request may be about to resolve one. */
void
dynamic_release_targets(struct name *m, nsec now)
{
    for (unsigned i = 0; i < m->n_targets; i++) {
        m->targets[i].name->held--;
        m->targets[i].name->used = now;
    }
    m->n_targets = 0;
}

static void
drop(struct name *m, const struct log_txn *log, nsec now)
{
    dynamic_log(log, TAG_VCL_LOG, m, "deleted");
    dynamic_count_answer(m, -1, log);
    dynamic_release_targets(m, now);
    m->n = 0;
    m->answered = m->next_lookup = 0;
    m->failed = false;
    m->state = DROPPED;
}

/* Works in two steps, as in Varnish: an expired name is first marked unused; the next transaction drops it
 * unless it was used in between. */
void
dynamic_drop_unused(struct dynamic *d, const struct log_txn *log, nsec now)
{
    if (now < d->next_sweep)
        return;
    bool dropped = false;
    d->next_sweep = nsec_add(now, d->usage_timeout);
    for (unsigned i = 0; i < d->n_names; i++) {
        struct name *m = d->names[i];
        if (m->lasting || m->held > 0 || m->looking || !list_empty(&m->waiters) || m->state == DROPPED)
            continue;
        if (now - m->used <= d->usage_timeout) {
            nsec at = nsec_add(m->used, d->usage_timeout);
            d->next_sweep = at < d->next_sweep ? at : d->next_sweep;
        } else if (m->state == UNUSED) {
            drop(m, log, now);
            dropped = true;
        } else {
            dynamic_log(log, TAG_VCL_LOG, m, "timeout");
            m->state = UNUSED;
            d->next_sweep = now;
        }
    }
    if (dropped)
        dynamic_retire(d, now);
}
