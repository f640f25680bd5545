/* Explains requests: see explain.h. The request has a stream without a client and without a body, on the
 * first listener. */
#include "proxy/explain.h"

#include <stdlib.h>

#include "base/params.h"
#include "loop/fiber.h"
#include "proxy/request.h"
#include "proxy/request_prepare.h"
#include "proxy/request_steps.h"
#include "proxy/server.h"
#include "stream/protocols.h"
#include "stream/session.h"

struct explaining {
    struct explain_ask *ask;
    struct explainer explainer;
    struct explanation explanation;
    struct request request;
    struct stream stream;
    struct session session;
    struct explain_part **last_part;
    struct explain_withheld **last_withheld;
    struct variant variants[EXPLAIN_VARIANTS_MAX];
    char *head;
};

/* ---- the absent client ---- */

static int
no_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline)
{
    return 0;
}

static ssize_t
no_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    return 0;
}

static bool
nothing_unread(const struct stream *s)
{
    return false;
}

static struct conn *
no_conn(struct session *s)
{
    return NULL;
}

static const struct stream_ops no_client = { .send_interim = no_interim,
                                             .recv_body = no_body,
                                             .body_unread = nothing_unread };
static const struct session_ops no_session = { .conn = no_conn };
static const struct listen_socket no_listener = { .fd = -1, .name = { "a0", 2 }, .endpoint = { "", 0 } };

static void
set_up_client(struct explaining *x, struct server *s)
{
    const struct listen_socket *listen = s->env->n_listens > 0 ? &s->env->listens[0] : &no_listener;
    x->session = (struct session){
        .ops = &no_session,
        .service = &s->service,
        .listen = listen,
        .timeouts = { -1, -1, -1, -1 },
        .peer_uid = UINT32_MAX,
        .peer_gid = UINT32_MAX,
        .peer = x->ask->client,
        .local = listen->local,
    };
    list_init(&x->session.link);
    x->stream = (struct stream){
        .ops = &no_client,
        .session = &x->session,
        .user = &x->request.user,
        .proto = SPAN_LIT("HTTP/1.1"),
        .transport = SPAN_LIT("HTTP/1"),
        .urgency = URGENCY_DEFAULT,
    };
}

/* ---- callbacks ---- */

static struct span
place_of(struct policy_ctx *ctx)
{
    char place[1024];
    int n = policy_site(ctx, place, sizeof place);
    return n <= 0 ? SPAN_LIT("")
                  : arena_copy(ctx->arena,
                               span_of(place, (size_t)n < sizeof place ? (size_t)n : sizeof place - 1));
}

/* Without memory for the part, the key has failed, too: both use the same arena. */
static void
add_key_part(struct explainer *e, struct policy_ctx *ctx, struct span text, bool ends)
{
    struct explaining *x = container_of(e, struct explaining, explainer);
    struct explain_part *p = arena_zalloc(ctx->arena, sizeof *p);
    if (p == NULL)
        return;
    *p = (struct explain_part){ .text = arena_copy(ctx->arena, text), .place = place_of(ctx), .ends = ends };
    *x->last_part = p;
    x->last_part = &p->next;
}

static void
add_withheld(struct explainer *e, struct policy_ctx *ctx, const char *what, struct span of)
{
    struct explaining *x = container_of(e, struct explaining, explainer);
    struct explain_withheld *w = arena_zalloc(ctx->arena, sizeof *w);
    if (w == NULL)
        return;
    *w = (struct explain_withheld){ .what = what, .of = arena_copy(ctx->arena, of), .place = place_of(ctx) };
    *x->last_withheld = w;
    x->last_withheld = &w->next;
}

/* ---- the walk ---- */

static bool
parse(struct explaining *x)
{
    struct explanation *e = &x->explanation;
    struct request *r = &x->request;
    e->status = 503;
    e->refused = "no memory for a head";
    if (message_init(&r->req, &r->arena, message_room(params.http_max_hdr, 0)) != 0 ||
        request_of_text(x->head, x->ask->head.len, &x->stream, &r->req, &e->status, &e->refused) != 0)
        return false;
    e->refused = NULL;
    return true;
}

static void
forget_parts(struct explaining *x)
{
    x->explanation.parts = NULL;
    x->last_part = &x->explanation.parts;
}

/* A restart in vcl_recv runs vcl_recv again, up to max_restarts. */
static enum vcl_action
decide(struct explaining *x)
{
    struct request *r = &x->request;
    for (;;) {
        forget_parts(x);
        enum vcl_action action = request_recv(r);
        x->explanation.place = place_of(&r->ctx);
        x->explanation.ret = r->ctx.ret;
        x->explanation.failed = r->ctx.failed_why;
        if (action == ACTION_FAIL || action == ACTION_VCL)
            return action;
        x->explanation.has_key = request_hash(r, action);
        x->explanation.failed = r->ctx.failed_why;
        if (action != ACTION_RESTART || !x->explanation.has_key || r->vars.restarts >= params.max_restarts)
            return action;
        r->vars.restarts++;
    }
}

static void
describe_variants(struct explaining *x)
{
    struct object *found[EXPLAIN_VARIANTS_MAX];
    struct explanation *e = &x->explanation;
    struct store *s = x->request.server->env->store;
    e->n_all = store_variants(s, &x->request.vars.key, found, EXPLAIN_VARIANTS_MAX);
    e->n_variants = e->n_all < EXPLAIN_VARIANTS_MAX ? e->n_all : EXPLAIN_VARIANTS_MAX;
    for (unsigned i = 0; i < e->n_variants; i++)
        variant_describe(s, found[i], &x->request.req, x->request.rfc9111, e->now, &x->variants[i]);
    e->variants = x->variants;
}

static void
explain(struct explaining *x)
{
    struct request *r = &x->request;
    request_enter_policy(r);
    if (r->policy == NULL) {
        x->explanation = (struct explanation){ .refused = "no policy is loaded", .status = 503 };
        return;
    }
    r->vars.explainer = &x->explainer;
    policy_uncounted(&r->ctx);
    x->last_withheld = &x->explanation.withheld;
    x->explanation.request = r;
    x->explanation.now = r->start;
    x->explanation.action = decide(x);
    x->explanation.policy = policy_name(r->policy);
    if (x->explanation.has_key)
        describe_variants(x);
}

static void
explain_fiber(void *arg)
{
    struct explaining *x = arg;
    struct request *r = &x->request;
    r->fiber = fiber_current();
    check_here = &r->place;
    if (parse(x))
        explain(x);
    x->ask->done(x->ask, &x->explanation);
    for (unsigned i = 0; i < x->explanation.n_variants; i++)
        object_release(&x->variants[i].object);
    request_release(r);
    check_here = NULL;
    arena_release(&r->arena);
    free(x->head);
    free(x);
}

int
proxy_explain(struct loop *loop, struct explain_ask *ask)
{
    struct server *s = server_of(loop);
    struct explaining *x = calloc(1, sizeof *x);
    char *head = malloc(ask->head.len + 1);
    if (x == NULL || head == NULL) {
        free(x);
        free(head);
        return ERR_NOMEM;
    }
    memcpy(head, ask->head.ptr, ask->head.len);
    x->head = head;
    x->ask = ask;
    x->explainer = (struct explainer){ .key_part = add_key_part, .withheld = add_withheld };
    struct request *r = &x->request;
    arena_init(&r->arena, params.workspace_client_bytes);
    r->place.tell = request_tell;
    r->server = s;
    r->loop = loop;
    r->stream = &x->stream;
    r->user = (struct stream_user){ .arena = &r->arena, .head = &r->req, .log = &r->log };
    set_up_client(x, s);
    int err = fiber_spawn(loop, explain_fiber, x);
    if (err == 0)
        return 0;
    arena_release(&r->arena);
    free(head);
    free(x);
    return err;
}
