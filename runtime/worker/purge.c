/* The commands that purge without a request of a client: by URL, with the key that the policy computes for
 * such a request, by surrogate key, and everything. */
#include <inttypes.h>

#include "worker/ask.h"
#include "daemon/status.h"
#include "base/check.h"
#include "cache/invalidation.h"
#include "cache/position.h"
#include "proxy/server.h"

struct purge {
    bool json, soft;
    unsigned skip; /* words before the request or the keys */
    struct invalidated done;
};

/* [-j] [-s] after the name of the command */
static struct purge
options_of(unsigned argc, char *const argv[])
{
    struct purge p = { .skip = 1 };
    if (p.skip < argc && strcmp(argv[p.skip], "-j") == 0) {
        p.json = true;
        p.skip++;
    }
    if (p.skip < argc && strcmp(argv[p.skip], "-s") == 0) {
        p.soft = true;
        p.skip++;
    }
    return p;
}

void
text_position(struct text *out, uint64_t position)
{
    text_printf(out, ",\n    \"position\": {\"epoch\": %" PRIu32 ", \"sequence\": %" PRIu64 "}",
                position_epoch(position), position_sequence(position));
}

static void
write_count(const struct purge *p, struct text *out)
{
    unsigned n = p->done.objects;
    if (p->json)
        text_printf(out, "  {\n    \"purged\": %u,\n    \"soft\": %s", n, p->soft ? "true" : "false");
    else
        text_printf(out, "%u stored response%s %s", n, n == 1 ? "" : "s", p->soft ? "made stale" : "removed");
    if (p->json)
        text_position(out, p->done.position);
}

/* ---- by URL ---- */

/* A policy that does not look such a request up may still have stored responses for others of the same key.
 */
static void
write_action(const struct purge *p, const struct explanation *e, struct text *out)
{
    if (p->json) {
        text_str(out, ",\n    \"policy\": ");
        text_json(out, e->policy);
        text_printf(out, ",\n    \"action\": \"%s\",\n    \"at\": ", action_name(e->action));
        text_json(out, e->place);
        text_str(out, "\n  }");
    } else if (e->action != ACTION_HASH) {
        text_printf(out, "; vcl_recv returns %s for this request (%.*s)", action_name(e->action),
                    (int)e->place.len, e->place.ptr);
    }
}

static int
purge_key(const struct explanation *e, const void *arg, struct text *out)
{
    struct purge p = *(const struct purge *)arg;
    struct server *s = e->request->server;
    const struct cache_key *key = &e->request->vars.key;
    if (!e->has_key)
        return text_say(out, CLI_CANT,
                        "Nothing is purged: vcl_recv returns %s (%.*s), and there is no key%s%s",
                        action_name(e->action), (int)e->place.len, e->place.ptr,
                        e->failed == NULL ? "" : ": ", e->failed == NULL ? "" : e->failed);
    if (store_is_retired(s->env->store))
        return text_say(out, CLI_CANT, "Nothing is purged: " STORE_RETIRED_TEXT);
    if (p.soft)
        store_soft_purge_key(s->env->store, key, e->now, 0, -1, -1, &p.done);
    else
        store_purge(s->env->store, key, 0, &p.done);
    s->counters->n_purges++;
    s->counters->n_obj_purged += p.done.objects;
    write_count(&p, out);
    write_action(&p, e, out);
    return CLI_OK;
}

/* purge [-j] [-s] CLIENT METHOD URL [FIELD ...] */
int
worker_purge(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct purge p = options_of(argc, argv);
    return worker_ask(w, argc - p.skip, argv + p.skip, purge_key, &p, out);
}

/* ---- by surrogate key ---- */

/* purge_key [-j] [-s] KEY ... */
int
worker_purge_key(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct purge p = options_of(argc, argv);
    if (p.skip == argc)
        return text_say(out, CLI_TOO_FEW, "purge_key needs a surrogate key");
    if (store_is_retired(w->store))
        return text_say(out, CLI_CANT, "Nothing is purged: " STORE_RETIRED_TEXT);
    struct text keys = { 0 };
    for (unsigned i = p.skip; i < argc; i++)
        text_printf(&keys, "%s ", argv[i]);
    store_purge_surrogates(w->store, text_span(&keys), p.soft, clock_real_ns(), 0, &p.done);
    text_release(&keys);
    write_count(&p, out);
    text_str(out, p.json ? "\n  }" : "");
    return CLI_OK;
}

/* ---- everything ---- */

/* purge_all [-j] [-s] */
int
worker_purge_all(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct purge p = options_of(argc, argv);
    if (p.skip < argc)
        return text_say(out, CLI_TOO_MANY, "purge_all takes no request and no key");
    if (store_is_retired(w->store))
        return text_say(out, CLI_CANT, "Nothing is purged: " STORE_RETIRED_TEXT);
    store_purge_all(w->store, p.soft, clock_real_ns(), &p.done);
    write_count(&p, out);
    text_str(out, p.json ? "\n  }" : "");
    return CLI_OK;
}
