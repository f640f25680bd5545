/* The pool of origin connections, against an origin in a thread. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pool_fixture.h"

static int connect_error; /* of every connect; 0: the system's result */

/* Replaces the C library's function, because a test cannot use up all ports of the machine. */
int
connect(int fd, const struct sockaddr *to, socklen_t len)
{
    if (connect_error == 0)
        return (int)syscall(SYS_connect, fd, to, len);
    errno = connect_error;
    return -1;
}

static void
a_kept_connection_is_used_again(void)
{
    begin();
    struct backend *b = make();
    struct step one = get(b);
    EXPECT_EQ_INT(one.err, 0);
    EXPECT(!one.got->reused);
    EXPECT_EQ_INT(backend_counted(b, VBE_CONN), 1);
    struct backend_conn *same = one.got;
    on_loop(loop, keep_it, &one.got);
    EXPECT(one.got == NULL);
    EXPECT_EQ_INT(backend_counted(b, VBE_CONN), 0);
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
    backend_release(&b);
    end();
}

static void
a_fresh_one_is_made_when_asked_for(void)
{
    begin();
    struct backend *b = make();
    struct step one = get(b);
    on_loop(loop, keep_it, &one.got);
    struct step two = get_on(loop, b, true, NULL);
    EXPECT(!two.got->reused);
    EXPECT_EQ_INT(backend_idle(b), 1);
    on_loop(loop, keep_it, &two.got);
    backend_release(&b); /* closes both: the last reference to the endpoint */
    end();
}

static void
a_connection_the_origin_closed_is_not_used(void)
{
    begin();
    struct backend *b = make();
    struct step one = get(b);
    while (origin_count(&origin, &origin.open) == 0)
        sched_yield();
    on_loop(loop, keep_it, &one.got);
    origin_hang_up(&origin);
    struct step two = get(b);
    EXPECT_EQ_INT(two.err, 0);
    EXPECT(!two.got->reused);
    EXPECT_EQ_INT(backend_idle(b), 0);
    on_loop(loop, drop_it, &two.got);
    backend_release(&b);
    end();
}

static void
another_loop_and_another_backend_share_idle_connections(void)
{
    begin();
    struct loop *other = NULL;
    EXPECT_EQ_INT(loop_new(1, &other), 0);
    struct backend *b = make(), *c = make();
    struct step one = get(b);
    unsigned port = one.got->local.port;
    on_loop(loop, keep_it, &one.got);
    struct step two = get_on(other, c, false, NULL);
    EXPECT(two.got->reused);
    EXPECT_EQ_INT(two.got->local.port, port);
    EXPECT(two.got->conn.loop == other);
    on_loop(other, keep_it, &two.got);
    backend_release(&b);
    EXPECT_EQ_INT(backend_idle(c), 1); /* survives the backend that opened it */
    backend_release(&c);
    on_loop(other, leave_loop, other);
    loop_release(&other);
    end();
}

static void
idle_connections_do_not_keep_a_released_backend(void)
{
    begin();
    struct backend *b = make(), *c = make();
    struct step one = get(b), two = get(b);
    on_loop(loop, keep_it, &one.got);
    backend_release(&b); /* freed with the second connection, or leaked */
    EXPECT_EQ_INT(backend_idle(c), 1);
    on_loop(loop, keep_it, &two.got); /* its backend has no endpoint to keep it for */
    EXPECT_EQ_INT(backend_idle(c), 1);
    struct step three = get(c);
    EXPECT(three.got->reused);
    on_loop(loop, keep_it, &three.got);
    backend_release(&c);
    end();
}

/* Takes connections of `from` to `to` and drops them, `n` times. Returns how many were idle before. */
static unsigned
borrow(struct loop *from, struct loop *to, struct backend *b, unsigned n, unsigned idle)
{
    unsigned reused = 0;
    for (unsigned i = 0; i < n; i++) {
        struct step kept[4], taken;
        for (unsigned k = backend_idle(b); k < idle; k++)
            kept[k] = get_on(from, b, true, NULL);
        for (unsigned k = backend_idle(b); k < idle; k++)
            on_loop(from, keep_it, &kept[k].got);
        taken = get_on(to, b, false, NULL);
        reused += taken.got->reused;
        on_loop(to, drop_it, &taken.got);
    }
    return reused;
}

static void
a_busy_loop_leaves_others_the_few_connections_that_they_have(void)
{
    begin();
    struct loop *other = NULL;
    EXPECT_EQ_INT(loop_new(1, &other), 0);
    struct backend *b = make();
    unsigned few, many;
    nsec began;
    do { /* within the second in which the loop counts */
        loop_run_once(other, 0);
        began = loop_now(other);
        few = borrow(loop, other, b, 20, 2);
        many = borrow(loop, other, b, 4, 3);
    } while (loop_now(other) >= began + NSEC_PER_SEC);
    EXPECT(few >= 1 && few < 20);
    EXPECT_EQ_INT(many, 4);
    backend_release(&b);
    on_loop(other, leave_loop, other);
    loop_release(&other);
    end();
}

static void
an_idle_connection_that_the_origin_closes_is_closed(void)
{
    begin();
    struct backend *b = make();
    struct step one = get(b);
    while (origin_count(&origin, &origin.open) == 0)
        sched_yield();
    on_loop(loop, keep_it, &one.got);
    EXPECT_EQ_INT(backend_idle(b), 1);
    origin_hang_up(&origin);
    for (int i = 0; i < 100 && backend_idle(b) == 1; i++)
        loop_run_once(loop, NSEC_PER_SEC / 10);
    EXPECT_EQ_INT(backend_idle(b), 0);
    backend_release(&b);
    end();
}

/* Two threads with a loop each take and return connections of one origin, and steal each other's, while
 * connections end. */
static struct loop_slot taker_slot;

struct taker {
    struct backend *backend;
    struct loop *loop;
    pthread_t thread;
    unsigned left; /* fibers still running */
};

enum { TAKER_FIBERS = 3, TAKER_TURNS = 300 };

static void
take_and_put(void *arg)
{
    struct taker *t = arg;
    for (unsigned i = 0; i < TAKER_TURNS; i++) {
        struct backend_conn *got = NULL;
        if (EXPECT_EQ_INT(backend_get_for(t->backend, t->loop, 10, false, NULL, &got), 0)) {
            fiber_yield();
            backend_put(&got, i % 16 != 0);
        }
        fiber_yield();
    }
    if (--t->left == 0) {
        backend_loop_release(t->loop);
        loop_stop(t->loop);
    }
}

static void
start_takers(struct post *p)
{
    struct taker *t = loop_get(loop_current(), &taker_slot);
    for (unsigned i = 0; i < TAKER_FIBERS; i++)
        EXPECT_EQ_INT(fiber_spawn(t->loop, take_and_put, t), 0);
}

static void *
run_taker(void *arg)
{
    struct taker *t = arg;
    loop_run(t->loop);
    return NULL;
}

static void
two_threads_share_idle_connections(void)
{
    begin();
    struct taker takers[2];
    struct post starts[2];
    struct backend *b = make();
    for (unsigned i = 0; i < 2; i++) {
        takers[i] = (struct taker){ .backend = b, .left = TAKER_FIBERS };
        starts[i] = (struct post){ .fn = start_takers };
        EXPECT_EQ_INT(loop_new(i + 1, &takers[i].loop), 0);
        loop_put(takers[i].loop, &taker_slot, &takers[i]);
        loop_post(takers[i].loop, &starts[i]);
        EXPECT_EQ_INT(pthread_create(&takers[i].thread, NULL, run_taker, &takers[i]), 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < TAKER_TURNS; k++) { /* of the same endpoint */
            struct backend *c = make();
            backend_release(&c);
        }
        pthread_join(takers[i].thread, NULL);
    }
    EXPECT_EQ_INT(backend_idle(b), 0); /* a loop that ends closes its watched connections */
    backend_release(&b);
    for (unsigned i = 0; i < 2; i++)
        loop_release(&takers[i].loop);
    end();
}

static void
max_connections_is_a_limit_on_those_in_use(void)
{
    begin();
    declared.max_connections = 1;
    struct backend *b = make();
    struct step one = get(b), two = get(b);
    EXPECT_EQ_INT(one.err, 0);
    EXPECT_EQ_INT(two.err, ERR_BUSY);
    EXPECT_EQ_INT(backend_counted(b, VBE_BUSY), 1);
    on_loop(loop, keep_it, &one.got);
    struct step three = get(b);
    EXPECT_EQ_INT(three.err, 0);
    on_loop(loop, drop_it, &three.got);
    backend_release(&b);
    end();
}

static void
a_refused_connection_is_an_error_and_is_counted(void)
{
    begin();
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof sin;
    EXPECT(bind(fd, (struct sockaddr *)&sin, sizeof sin) == 0 &&
           getsockname(fd, (struct sockaddr *)&sin, &len) == 0);
    char port[8];
    snprintf(port, sizeof port, "%u",
             ntohs(sin.sin_port)); /* bound, but not listening: refused, and reserved for this test */
    declared = declare("b", port);
    struct backend *b = make();
    struct step s = get(b);
    EXPECT_EQ_INT(s.err, ERR_RESET);
    EXPECT(s.got == NULL);
    EXPECT_EQ_INT(backend_counted(b, VBE_FAIL), 1);
    EXPECT_EQ_INT(backend_counted(b, VBE_CONN), 0);
    backend_release(&b);
    close(fd);
    end();
}

static int
get_for_a_client(struct backend *b)
{
    struct client_addresses client = { 0 };
    struct step s = get_on(loop, b, true, &client);
    if (s.got != NULL)
        on_loop(loop, drop_it, &s.got);
    return s.err;
}

static void
after_a_failure_of_our_own_an_origin_is_left_alone(void)
{
    begin();
    struct backend *b = make();
    double before = params.backend_local_error_holddown_s;
    params.backend_local_error_holddown_s = 0;
    connect_error = EADDRNOTAVAIL;
    EXPECT_EQ_INT(get_for_a_client(b), ERR_RESET);
    connect_error = 0;
    EXPECT_EQ_INT(get_for_a_client(b), 0);
    params.backend_local_error_holddown_s = 60;
    connect_error = EADDRNOTAVAIL;
    EXPECT_EQ_INT(get_for_a_client(b), ERR_RESET);
    connect_error = 0;
    EXPECT_EQ_INT(get_for_a_client(b), ERR_RESET);
    EXPECT_EQ_INT(backend_counted(b, VBE_HELDDOWN), 1);
    params.backend_local_error_holddown_s = before;
    backend_release(&b);
    end();
}

static void
a_sick_backend_gives_no_connection(void)
{
    begin();
    struct backend *b = make();
    backend_set_admin(b, BACKEND_SICK);
    EXPECT_EQ_INT(get(b).err, ERR_SICK);
    EXPECT_EQ_INT(backend_counted(b, VBE_UNHEALTHY), 1);
    EXPECT(!director_healthy(backend_director(b), NULL));
    EXPECT(director_resolve(backend_director(b), NULL) == b);
    backend_set_admin(b, BACKEND_AUTO);
    struct step s = get(b);
    EXPECT_EQ_INT(s.err, 0);
    on_loop(loop, drop_it, &s.got);
    declared.none = 1;
    struct backend *nothing = make();
    EXPECT_EQ_INT(get(nothing).err, ERR_SICK);
    backend_release(&nothing);
    backend_release(&b);
    end();
}

static void
reap(void *now)
{
    (void)endpoint_reap(loop_current(), *(nsec *)now);
}

static void
reap_at(nsec now)
{
    on_loop(loop, reap, &now);
}

static void
old_idle_connections_are_closed(void)
{
    begin();
    struct backend *b = make();
    struct step one = get(b);
    on_loop(loop, keep_it, &one.got);
    nsec timeout = nsec_of(params.backend_idle_timeout_s);
    reap_at(clock_mono_ns() + timeout / 2);
    EXPECT_EQ_INT(backend_idle(b), 1);
    reap_at(clock_mono_ns() + timeout + NSEC_PER_SEC);
    EXPECT_EQ_INT(backend_idle(b), 0);
    backend_release(&b);
    end();
}

static void
a_connection_outlives_its_policy(void)
{
    begin();
    struct backend *b = make();
    struct step s = get(b);
    backend_release(&b);
    EXPECT_EQ_STR(backend_name(s.got->backend), "b");
    on_loop(loop, keep_it, &s.got); /* without another reference, the connection cannot be kept */
    end();
}

static void
preamble_and_proxy_header_come_first(void)
{
    begin();
    declared.preamble = SPAN_LIT("HELLO\n");
    declared.proxy_header = 1;
    struct backend *b = make();
    struct client_addresses client;
    memset(&client, 0, sizeof client);
    client.client = (struct address){ .family = 4, .port = 1234, .addr = { 10, 1, 2, 3 } };
    client.server = (struct address){ .family = 4, .port = 80, .addr = { 10, 0, 0, 1 } };
    struct step s = get_on(loop, b, false, &client);
    EXPECT_EQ_INT(s.err, 0);
    while (!origin_saw(&origin, "\r\n"))
        sched_yield();
    EXPECT(origin_saw(&origin, "HELLO\nPROXY TCP4 10.1.2.3 10.0.0.1 1234 80\r\n"));
    on_loop(loop, keep_it, &s.got);
    EXPECT_EQ_INT(backend_idle(b), 0); /* it is bound to one client, so it is never shared */
    backend_release(&b);
    end();
}

static void
proxy_headers_have_the_form_of_their_version(void)
{
    struct client_addresses client;
    char out[PROXY_HEADER_BYTES_MAX];
    memset(&client, 0, sizeof client);
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, NULL, out)), SPAN_LIT("PROXY UNKNOWN\r\n"));
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(2, NULL, out)),
                   SPAN_LIT("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"));
    client.client = (struct address){ .family = 6, .port = 258, .addr = { [15] = 1 } };
    client.server = (struct address){ .family = 6, .port = 80, .addr = { [15] = 2 } };
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, &client, out)),
                   SPAN_LIT("PROXY TCP6 ::1 ::2 258 80\r\n"));
    size_t n = proxy_header_write(2, &client, out);
    EXPECT_EQ_INT(n, 16 + 36);
    EXPECT_EQ_SPAN(span_of(out + 12, 4), SPAN_LIT("\x21\x21\0\x24"));
    EXPECT_EQ_SPAN(span_of(out + n - 4, 4), SPAN_LIT("\x01\x02\0\x50"));
    client.server.family = 4; /* different families, so the header says unknown */
    EXPECT_EQ_SPAN(span_of(out, proxy_header_write(1, &client, out)), SPAN_LIT("PROXY UNKNOWN\r\n"));
}

static void
timeouts_fall_back_to_parameters(void)
{
    begin();
    struct backend *b = make();
    EXPECT(backend_connect_timeout(b) == params.connect_timeout_s);
    EXPECT(backend_first_byte_timeout(b) == 2);
    EXPECT_EQ_STR(backend_host_header(b), "127.0.0.1");
    backend_release(&b);
    end();
}

static const struct test tests[] = {
    { "a_kept_connection_is_used_again", a_kept_connection_is_used_again },
    { "a_fresh_one_is_made_when_asked_for", a_fresh_one_is_made_when_asked_for },
    { "a_connection_the_origin_closed_is_not_used", a_connection_the_origin_closed_is_not_used },
    { "another_loop_and_another_backend_share_idle_connections",
      another_loop_and_another_backend_share_idle_connections },
    { "idle_connections_do_not_keep_a_released_backend", idle_connections_do_not_keep_a_released_backend },
    { "a_busy_loop_leaves_others_the_few_connections_that_they_have",
      a_busy_loop_leaves_others_the_few_connections_that_they_have },
    { "an_idle_connection_that_the_origin_closes_is_closed",
      an_idle_connection_that_the_origin_closes_is_closed },
    { "two_threads_share_idle_connections", two_threads_share_idle_connections },
    { "max_connections_is_a_limit_on_those_in_use", max_connections_is_a_limit_on_those_in_use },
    { "a_refused_connection_is_an_error_and_is_counted", a_refused_connection_is_an_error_and_is_counted },
    { "after_a_failure_of_our_own_an_origin_is_left_alone",
      after_a_failure_of_our_own_an_origin_is_left_alone },
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
