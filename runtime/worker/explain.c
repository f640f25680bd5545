/* explain_key: prints as JSON the parts of a request's cache key and the objects stored under the key. */
#include "worker/ask.h"
#include "daemon/status.h"
#include "cache/purge/surrogate.h"
#include "proxy/reason/reason.h"

#define HASH_BYTES 32

/* ---- JSON ---- */

struct writer {
    struct text *out;
    const struct http_message *request;
    unsigned n; /* members written to the open list */
};

static const char *
truth(bool b)
{
    return b ? "true" : "false";
}

static void
key_text(struct text *out, const char *between, const char *name, struct span value)
{
    text_printf(out, "%s\"%s\": ", between, name);
    if (value.ptr == NULL)
        text_str(out, "null");
    else
        text_json(out, value);
}

static void
add_parts(struct text *out, const struct explain_part *p)
{
    text_str(out, ",\n  \"key\": [");
    while (p != NULL) {
        struct text whole = { 0 };
        while (!p->ends && p->next != NULL) {
            text_add(&whole, p->text);
            p = p->next;
        }
        text_add(&whole, p->text);
        key_text(out, "\n    {", "text", text_span(&whole));
        key_text(out, ", ", "at", p->place);
        text_release(&whole);
        p = p->next;
        text_str(out, p == NULL ? "}\n  " : "},");
    }
    text_str(out, "]");
}

static void
add_hash(struct text *out, const struct cache_key *key)
{
    uint8_t hash[HASH_BYTES];
    key_digest(key, hash);
    text_str(out, ",\n  \"hash\": \"");
    for (unsigned i = 0; i < HASH_BYTES; i++)
        text_printf(out, "%02x", hash[i]);
    text_str(out, "\"");
}

static void
add_withheld(struct text *out, const struct explain_withheld *w)
{
    text_str(out, ",\n  \"withheld\": [");
    for (; w != NULL; w = w->next) {
        key_text(out, "\n    {", "what", span_str(w->what));
        key_text(out, ", ", "of", w->of);
        key_text(out, ", ", "at", w->place);
        text_str(out, w->next == NULL ? "}\n  " : "},");
    }
    text_str(out, "]");
}

static void
add_vary(struct span name, struct span stored, bool same, void *arg)
{
    struct writer *w = arg;
    key_text(w->out, w->n++ > 0 ? ", {" : "{", "field", name);
    key_text(w->out, ", ", "stored", stored);
    key_text(w->out, ", ", "request", message_get_named(w->request, name_lookup(name), name));
    text_printf(w->out, ", \"same\": %s}", truth(same));
}

/* Surrogate keys come in two fields (cache/purge/surrogate.c). */
static void
add_surrogates(struct writer *w, const struct object *o)
{
    static const char *const fields[] = { "xkey", "X-HashTwo" };
    unsigned n = 0;
    text_str(w->out, ",\n     \"surrogate_keys\": [");
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct span words = object_head_get(o, NAME_NONE, span_str(fields[i])), word;
        while (surrogate_next(&words, &word)) {
            text_str(w->out, n++ > 0 ? ", " : "");
            text_json(w->out, word);
        }
    }
    text_str(w->out, "]");
}

static void
add_lifetimes(struct text *out, const struct object *o, nsec now)
{
    struct object *readable = (struct object *)(uintptr_t)o;
    text_printf(out,
                ",\n     \"age\": %.3f, \"ttl\": %.3f, \"ttl_left\": %.3f, \"grace\": %.3f, \"keep\": %.3f",
                nsec_seconds(object_age(o, now)), nsec_seconds(atomic_load(&readable->ttl)),
                nsec_seconds(object_ttl_left(o, now)), nsec_seconds(atomic_load(&readable->grace)),
                nsec_seconds(atomic_load(&readable->keep)));
}

static void
add_variant(struct writer *w, const struct variant *v, nsec now)
{
    static const char *const kinds[] = { "response", "hit-for-miss", "hit-for-pass", "busy" };
    static const char *const states[] = { "fresh", "grace", "keep", "expired" };
    const struct object *o = v->object;
    text_printf(w->out, "\n    {\"kind\": \"%s\", \"xid\": %u", kinds[v->kind], (unsigned)o->xid);
    if (v->kind != VARIANT_BUSY) {
        text_printf(w->out,
                    ", \"status\": %u, \"state\": \"%s\", \"selected\": %s, \"banned\": %s, \"purged\": %s",
                    (unsigned)o->status, states[v->state], truth(v->selected), truth(v->banned),
                    truth(v->purged));
        add_lifetimes(w->out, o, now);
        text_printf(w->out, ",\n     \"hits\": %u, \"bytes\": %llu, \"complete\": %s", object_hits(o),
                    (unsigned long long)v->bytes, truth(object_state(o) == OBJECT_COMPLETE));
        key_text(w->out, ", ", "storage", v->storage);
        if (v->segments[0] != '\0')
            key_text(w->out, ", ", "segments", span_str(v->segments));
        text_str(w->out, ",\n     \"vary\": [");
        w->n = 0;
        variant_fields(o, w->request, add_vary, w);
        text_str(w->out, "]");
        add_surrogates(w, o);
        if (v->kind != VARIANT_RESPONSE) {
            text_str(w->out, ",\n     ");
            reason_json(o, w->out);
        }
    }
    text_str(w->out, "}");
}

static void
add_variants(struct text *out, const struct explanation *e)
{
    struct writer w = { .out = out, .request = &e->request->req };
    text_printf(out, ",\n  \"stored\": %u,\n  \"variants\": [", e->n_all);
    for (unsigned i = 0; i < e->n_variants; i++) {
        text_str(out, i > 0 ? "," : "");
        add_variant(&w, &e->variants[i], e->now);
    }
    text_str(out, e->n_variants > 0 ? "\n  ]" : "]");
}

static void
add_request(struct text *out, const struct http_message *m)
{
    key_text(out, ",\n  \"request\": {", "method", m->method);
    key_text(out, ", ", "url", m->url);
    text_str(out, ", \"fields\": [");
    for (unsigned i = 0; i < m->n_fields; i++) {
        key_text(out, i > 0 ? ", {" : "{", "name", m->fields[i].name);
        key_text(out, ", ", "value", m->fields[i].value);
        text_str(out, "}");
    }
    text_str(out, "]}");
}

static void
add_hints(struct text *out, const struct client_vars *v)
{
    text_printf(out, ",\n  \"hash_always_miss\": %s, \"hash_ignore_busy\": %s, \"hash_ignore_vary\": %s",
                truth(v->hash_always_miss), truth(v->hash_ignore_busy), truth(v->hash_ignore_vary));
    if (v->ttl_limit >= 0)
        text_printf(out, ", \"ttl_limit\": %.3f", v->ttl_limit);
    if (v->grace_limit >= 0)
        text_printf(out, ", \"grace_limit\": %.3f", v->grace_limit);
}

static void
write_explanation(struct text *out, const struct explanation *e)
{
    const struct client_vars *v = &e->request->vars;
    key_text(out, "  {\n  ", "policy", e->policy);
    key_text(out, ",\n  ", "action", span_str(action_name(e->action)));
    key_text(out, ", ", "at", e->place);
    if (e->action == ACTION_SYNTH)
        text_printf(out, ", \"status\": %d", (int)e->ret.status);
    if (e->action == ACTION_SYNTH || e->action == ACTION_FAIL)
        key_text(out, ", ", "reason", e->ret.text);
    if (e->action == ACTION_VCL)
        key_text(out, ", ", "label", e->ret.text);
    text_printf(out, ", \"restarts\": %d", (int)v->restarts);
    if (e->failed != NULL)
        key_text(out, ", ", "failed", span_str(e->failed));
    add_request(out, &e->request->req);
    add_hints(out, v);
    add_withheld(out, e->withheld);
    if (e->has_key) {
        add_parts(out, e->parts);
        add_hash(out, &v->key);
        add_variants(out, e);
    }
    text_str(out, "\n  }");
}

/* ---- the command ---- */

static int
write_answer(const struct explanation *e, const void *arg, struct text *out)
{
    write_explanation(out, e);
    return CLI_OK;
}

/* explain_key CLIENT METHOD URL [FIELD ...]: a FIELD is "name: value". */
int
worker_explain_key(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    return worker_ask(w, argc - 1, argv + 1, write_answer, NULL, out);
}
