/* The field Vernis-Why: see why.h. A list of structured fields (RFC 9651): the decision, then each hook that
 * ran. */
#include "proxy/respond/why.h"

#include <stdarg.h>
#include <stdio.h>

#include "proxy/rfc9111/cache_status.h"
#include "proxy/server.h"

#define WHY_BYTES_MAX 2048u  /* of the hooks; later ones are left out */
#define PLACE_BYTES_MAX 256u /* of a place: the end of a longer path is cut */
#define HEAD_BYTES_MAX 192u  /* of the decision */

struct why {
    size_t n;
    char hooks[WHY_BYTES_MAX];
};

void
why_begin(struct request *r)
{
    if (message_get(&r->req, NAME_VERNIS_WHY).ptr == NULL || !policy_tells_why(&r->ctx))
        return;
    message_unset(&r->req, NAME_VERNIS_WHY, SPAN_NULL); /* a cache behind this one answers its own clients */
    r->why = arena_try(&r->arena, sizeof *r->why);
    if (r->why == NULL)
        return;
    r->why->n = 0;
    r->vars.shows_sites = true;
}

/* Characters that a string of a structured field may not have, or only escaped. */
static void
make_plain(char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text == 0x7f || *text == '"' || *text == '\\')
            *text = '?';
}

void
why_note(struct request *r, enum vcl_hook hook, enum vcl_action action)
{
    struct why *w = r->why;
    char place[PLACE_BYTES_MAX], text[PLACE_BYTES_MAX + 64];
    if (policy_site(&r->ctx, place, sizeof place) <= 0)
        place[0] = '\0';
    make_plain(place);
    int n = snprintf(text, sizeof text, ", %s; returns=%s; at=\"%s\"", hook_name(hook), action_name(action),
                     place);
    if (n < 0 || (size_t)n >= sizeof text || w->n + (size_t)n > sizeof w->hooks)
        return;
    memcpy(w->hooks + w->n, text, (size_t)n);
    w->n += (size_t)n;
}

static const char *
decision(const struct request *r)
{
    static const char *const names[] = {
        [FOUND_NOTHING] = "miss",
        [FOUND_HIT_FOR_MISS] = "hit-for-miss",
        [FOUND_HIT_FOR_PASS] = "hit-for-pass",
        [FOUND_FRESH] = "hit",
        [FOUND_STALE] = "stale-hit",
    };
    if (r->route == ROUTE_PIPE)
        return "pipe";
    if (r->object == NULL)
        return "synth";
    return r->route == ROUTE_PASS && r->vars.found != FOUND_HIT_FOR_PASS ? "pass" : names[r->vars.found];
}

/* The whole value. Without memory: SPAN_NULL. */
static struct span
value_of(struct request *r)
{
    const struct why *w = r->why;
    char facts[CACHE_STATUS_BYTES_MAX] = "";
    if (r->object != NULL)
        cache_status_facts(r, facts);
    char head[HEAD_BYTES_MAX + sizeof facts];
    int n = snprintf(head, sizeof head, "%s%s; vxid=%llu", decision(r), facts, (unsigned long long)r->xid);
    char *text = n < 0 || (size_t)n >= sizeof head ? NULL : arena_try(&r->arena, (size_t)n + w->n);
    if (text == NULL)
        return SPAN_NULL;
    memcpy(text, head, (size_t)n);
    memcpy(text + n, w->hooks, w->n);
    return span_of(text, (size_t)n + w->n);
}

static void
log_value(struct request *r, struct span value)
{
    if (value.ptr != NULL)
        log_printf(&r->log, TAG_VCL_LOG, "why: %.*s", (int)value.len, value.ptr);
}

void
why_log(struct request *r)
{
    if (r->why != NULL)
        log_value(r, value_of(r));
}

void
why_tell(struct request *r)
{
    struct http_message *m = &r->resp;
    if (r->why == NULL || m->failed)
        return;
    struct span value = value_of(r);
    log_value(r, value);
    if (value.ptr == NULL || m->n_fields >= m->cap_fields)
        return;
    message_unset(m, NAME_VERNIS_WHY, SPAN_NULL);
    (void)message_add(m, NAME_VERNIS_WHY, SPAN_NULL, value);
}
