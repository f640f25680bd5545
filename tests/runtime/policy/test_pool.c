/* The pool of origin connections, against an origin in a thread. */
#include "base/params.h"
#include "image.h"
#include "origin.h"
#include "policy/endpoint.h"

static struct origin origin;
static struct loop *loop;
static struct policy_env env;
static struct image_backend declared[2];

static struct image_backend
declare(const char *name, const char *port)
{
    return (struct image_backend){
        .name = span_str(name), .host = SPAN_LIT("127.0.0.1"), .port = span_str(port), .connect_timeout_s = -1,
        .first_byte_timeout_s = 2, .between_bytes_timeout_s = -1, .probe = -1,
    };
}

static struct policy_image
image_of(unsigned n)
{
    struct policy_image im = image_empty();
    im.backends = declared;
    im.n_backends = n;
    im.default_backend = 0;
    return im;
}

static void
begin(void)
{
    origin_start(&origin, 200);
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    env = (struct policy_env){ .n_loops = 1, .loops = &loop };
    declared[0] = declare("b", origin.port_text);
}

static void
leave_loop(void *l)
{
    backend_loop_release(l);
}

static void
end(void)
{
    on_loop(loop, leave_loop, loop);
    loop_release(&loop);
    origin_stop(&origin);
}

/* ---- steps, run on a fiber of the loop ---- */

struct step {
    struct backend *backend;
    struct client_vars *client;
    bool fresh, done;
    int err;
    struct backend_conn *got;
};

static void
step_fiber(void *arg)
{
    struct step *s = arg;
    s->err = backend_get_for(s->backend, loop_current(), 2, s->fresh, s->client, &s->got);
    s->done = true;
}

static void
step_spawn(void *arg)
{
    EXPECT_EQ_INT(fiber_spawn(loop_current(), step_fiber, arg), 0);
}

static struct step
get_on(struct loop *l, struct backend *b, bool fresh, struct client_vars *client)
{
    struct step s = { .backend = b, .fresh = fresh, .client = client };
    on_loop(l, step_spawn, &s);
    while (!s.done)
        loop_run_once(l, NSEC_PER_SEC);
    return s;
}

static struct step
get(struct backend *b)
{
    return get_on(loop, b, false, NULL);
}

static void
keep_it(void *arg)
{
    backend_put(arg, true);
}

static void
drop_it(void *arg)
{
    backend_put(arg, false);
}

static struct backend *
first_backend(struct policy *p)
{
    return director_backend(policy_default_director(p));
}

static void
a_kept_connection_is_used_again(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct backend *b = first_backend(p);
    struct step one = get(b);
    EXPECT_EQ_INT(one.err, 0);
    EXPECT(!one.got->reused);
    EXPECT_EQ_INT(backend_counters(b)[VBE_CONN], 1);
    struct backend_conn *same = one.got;
    on_loop(loop, keep_it, &one.got);
    EXPECT(one.got == NULL);
    EXPECT_EQ_INT(backend_counters(b)[VBE_CONN], 0);
    EXPECT_EQ_INT(backend_idle(b), 1);
    struct step two = get(b);
    EXPECT(two.got == same && two.got->reused);
    EXPECT_EQ_INT(two.got->requests, 1);
    EXPECT_EQ_INT(backend_idle(b), 0);
    on_loop(loop, drop_it, &two.got);
    EXPECT_EQ_INT(backend_idle(b), 0);
    while (origin_count(&origin, &origin.connections) == 0)
        sched_yield();
    EXPECT_EQ_INT(origin_count(&origin, &origin.connections), 1);
    policy_unload(&p);
    end();
}

static void
a_fresh_one_is_made_when_asked_for(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct step one = get(first_backend(p));
    on_loop(loop, keep_it, &one.got);
    struct step two = get_on(loop, first_backend(p), true, NULL);
    EXPECT(!two.got->reused);
    EXPECT_EQ_INT(backend_idle(first_backend(p)), 1);
    on_loop(loop, keep_it, &two.got);
    policy_unload(&p);                  /* closes both: the last reference to the endpoint */
    end();
}

static void
a_connection_the_origin_closed_is_not_used(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct step one = get(first_backend(p));
    while (origin_count(&origin, &origin.open) == 0)
        sched_yield();
    on_loop(loop, keep_it, &one.got);
    origin_hang_up(&origin);
    struct step two = get(first_backend(p));
    EXPECT_EQ_INT(two.err, 0);
    EXPECT(!two.got->reused);
    EXPECT_EQ_INT(backend_idle(first_backend(p)), 0);
    on_loop(loop, drop_it, &two.got);
    policy_unload(&p);
    end();
}

static void
another_loop_and_another_policy_share_idle_connections(void)
{
    begin();
    struct loop *other = NULL;
    EXPECT_EQ_INT(loop_new(1, &other), 0);
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im), *q = image_load(&env, &im);
    struct step one = get(first_backend(p));
    struct backend_conn *same = one.got;
    on_loop(loop, keep_it, &one.got);
    struct step two = get_on(other, first_backend(q), false, NULL);
    EXPECT(two.got == same);
    EXPECT(two.got->conn.loop == other);
    on_loop(other, keep_it, &two.got);
    policy_unload(&p);
    EXPECT_EQ_INT(backend_idle(first_backend(q)), 1);           /* survives the policy that opened it */
    policy_unload(&q);
    on_loop(other, leave_loop, other);
    loop_release(&other);
    end();
}

static void
max_connections_is_a_limit_on_those_in_use(void)
{
    begin();
    struct policy_image im = image_of(1);
    declared[0].max_connections = 1;
    struct policy *p = image_load(&env, &im);
    struct step one = get(first_backend(p)), two = get(first_backend(p));
    EXPECT_EQ_INT(one.err, 0);
    EXPECT_EQ_INT(two.err, ERR_BUSY);
    EXPECT_EQ_INT(backend_counters(first_backend(p))[VBE_BUSY], 1);
    on_loop(loop, keep_it, &one.got);
    struct step three = get(first_backend(p));
    EXPECT_EQ_INT(three.err, 0);
    on_loop(loop, drop_it, &three.got);
    policy_unload(&p);
    end();
}

static void
a_refused_connection_is_an_error_and_is_counted(void)
{
    begin();
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof sin;
    EXPECT(bind(fd, (struct sockaddr *)&sin, sizeof sin) == 0 && getsockname(fd, (struct sockaddr *)&sin, &len) == 0);
    char port[8];
    snprintf(port, sizeof port, "%u", ntohs(sin.sin_port));     /* bound and not listening: refused, and nobody else's */
    declared[0] = declare("b", port);
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct step s = get(first_backend(p));
    EXPECT_EQ_INT(s.err, ERR_RESET);
    EXPECT(s.got == NULL);
    EXPECT_EQ_INT(backend_counters(first_backend(p))[VBE_FAIL], 1);
    EXPECT_EQ_INT(backend_counters(first_backend(p))[VBE_CONN], 0);
    policy_unload(&p);
    close(fd);
    end();
}

static void
a_sick_backend_gives_no_connection(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct backend *b = first_backend(p);
    backend_set_admin(b, BACKEND_SICK);
    EXPECT_EQ_INT(get(b).err, ERR_SICK);
    EXPECT_EQ_INT(backend_counters(b)[VBE_UNHEALTHY], 1);
    EXPECT(!director_healthy(backend_director(b), NULL));
    EXPECT(director_resolve(backend_director(b), NULL) == b);
    backend_set_admin(b, BACKEND_AUTO);
    struct step s = get(b);
    EXPECT_EQ_INT(s.err, 0);
    on_loop(loop, drop_it, &s.got);
    EXPECT_EQ_INT(get(p->nothing).err, ERR_SICK);
    policy_unload(&p);
    end();
}

static void
old_idle_connections_are_closed(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct step one = get(first_backend(p));
    on_loop(loop, keep_it, &one.got);
    nsec timeout = nsec_of(params.backend_idle_timeout_s);
    endpoint_reap(clock_mono_ns() + timeout / 2);
    EXPECT_EQ_INT(backend_idle(first_backend(p)), 1);
    endpoint_reap(clock_mono_ns() + timeout + NSEC_PER_SEC);
    EXPECT_EQ_INT(backend_idle(first_backend(p)), 0);
    policy_unload(&p);
    end();
}

static void
a_connection_outlives_its_policy(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct step s = get(first_backend(p));
    policy_unload(&p);
    EXPECT_EQ_STR(backend_name(s.got->backend), "b");
    on_loop(loop, keep_it, &s.got);     /* the last reference: nothing is left to keep it for */
    end();
}

static void
preamble_and_proxy_header_come_first(void)
{
    begin();
    declared[0].preamble = SPAN_LIT("HELLO\n");
    declared[0].proxy_header = 1;
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    struct client_vars client;
    client_vars_init(&client);
    client.client = (struct address){ .family = 4, .port = 1234, .addr = { 10, 1, 2, 3 } };
    client.server = (struct address){ .family = 4, .port = 80, .addr = { 10, 0, 0, 1 } };
    struct step s = get_on(loop, first_backend(p), false, &client);
    EXPECT_EQ_INT(s.err, 0);
    while (!origin_saw(&origin, "\r\n"))
        sched_yield();
    EXPECT(origin_saw(&origin, "HELLO\nPROXY TCP4 10.1.2.3 10.0.0.1 1234 80\r\n"));
    on_loop(loop, keep_it, &s.got);
    EXPECT_EQ_INT(backend_idle(first_backend(p)), 0);           /* it speaks for one client: never shared */
    policy_unload(&p);
    end();
}

static void
proxy_headers_have_the_form_of_their_version(void)
{
    struct client_vars client;
    char out[PROXY_HEADER_BYTES_MAX];
    client_vars_init(&client);
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, NULL, out)), SPAN_LIT("PROXY UNKNOWN\r\n"));
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(2, NULL, out)), SPAN_LIT("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"));
    client.client = (struct address){ .family = 6, .port = 258, .addr = { [15] = 1 } };
    client.server = (struct address){ .family = 6, .port = 80, .addr = { [15] = 2 } };
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, &client, out)), SPAN_LIT("PROXY TCP6 ::1 ::2 258 80\r\n"));
    size_t n = proxy_header_write(2, &client, out);
    EXPECT_EQ_INT(n, 16 + 36);
    EXPECT_EQ_SPAN(span_of(out + 12, 4), SPAN_LIT("\x21\x21\0\x24"));
    EXPECT_EQ_SPAN(span_of(out + n - 4, 4), SPAN_LIT("\x01\x02\0\x50"));
    client.server.family = 4;           /* families differ: said to be unknown */
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, &client, out)), SPAN_LIT("PROXY UNKNOWN\r\n"));
}

static void
timeouts_fall_back_to_parameters(void)
{
    begin();
    struct policy_image im = image_of(1);
    struct policy *p = image_load(&env, &im);
    EXPECT(backend_connect_timeout(first_backend(p)) == params.connect_timeout_s);
    EXPECT(backend_first_byte_timeout(first_backend(p)) == 2);
    EXPECT_EQ_STR(backend_host_header(first_backend(p)), "127.0.0.1");
    policy_unload(&p);
    end();
}

static const struct test tests[] = {
    { "a_kept_connection_is_used_again", a_kept_connection_is_used_again },
    { "a_fresh_one_is_made_when_asked_for", a_fresh_one_is_made_when_asked_for },
    { "a_connection_the_origin_closed_is_not_used", a_connection_the_origin_closed_is_not_used },
    { "another_loop_and_another_policy_share_idle_connections", another_loop_and_another_policy_share_idle_connections },
    { "max_connections_is_a_limit_on_those_in_use", max_connections_is_a_limit_on_those_in_use },
    { "a_refused_connection_is_an_error_and_is_counted", a_refused_connection_is_an_error_and_is_counted },
    { "a_sick_backend_gives_no_connection", a_sick_backend_gives_no_connection },
    { "old_idle_connections_are_closed", old_idle_connections_are_closed },
    { "a_connection_outlives_its_policy", a_connection_outlives_its_policy },
    { "preamble_and_proxy_header_come_first", preamble_and_proxy_header_come_first },
    { "proxy_headers_have_the_form_of_their_version", proxy_headers_have_the_form_of_their_version },
    { "timeouts_fall_back_to_parameters", timeouts_fall_back_to_parameters },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
