/* A listener that cannot accept, the limit of open connections, and the loop that gets the next one. */
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proxy/accept.h"
#include "proxy/request_fixture.h"
#include "test.h"

#define CLIENTS 4
#define PAUSE_S 0.02
#define LOOPS 16

static struct listen_socket listen_socket;
static int clients[CLIENTS];
static struct rlimit before;

static void
listens(void *arg)
{
    free(w.server->acceptor);
    w.env.listens = &listen_socket;
    w.env.n_listens = 1;
    acceptor_new(w.server);
    proxy_accept(w.loop, true);
}

static void
stops(void *arg)
{
    proxy_accept(w.loop, false);
    list_each(l, &w.server->service.sessions)
    {
        struct session *s = container_of(l, struct session, link);
        if (l != &w.a.session.link)
            CHECK(s->ops->close(s, SC_REM_CLOSE));
    }
}

/* Connects clients before the first accept. */
static void
begin_with_clients(void)
{
    struct sockaddr_in sin = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof sin;
    begin();
    params.accept_pause_s = PAUSE_S;
    listen_socket = (struct listen_socket){ .fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0),
                                            .name = SPAN_LIT("a0"),
                                            .endpoint = SPAN_LIT("test") };
    CHECK(bind(listen_socket.fd, (struct sockaddr *)&sin, sizeof sin) == 0 &&
          listen(listen_socket.fd, CLIENTS) == 0);
    CHECK(getsockname(listen_socket.fd, (struct sockaddr *)&sin, &len) == 0);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(connect(clients[i], (struct sockaddr *)&sin, sizeof sin) == 0);
    }
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
}

static void
end_with_clients(void)
{
    on_loop(w.loop, stops, NULL);
    for (int i = 0; i < CLIENTS; i++)
        close(clients[i]);
    close(listen_socket.fd);
    end();
}

/* Leaves no descriptor for the next accept. */
static void
take_descriptors(void)
{
    int next = dup(0);
    CHECK(next > 0);
    close(next);
    CHECK(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)next, before.rlim_max }) == 0);
}

static void
until_accepted(intmax_t n)
{
    for (int i = 0; i < ROUNDS_MAX && COUNTED(sess_conn) < n; i++)
        loop_run_once(w.loop, ROUND_WAIT);
}

static void
out_of_descriptors_a_listener_pauses_and_goes_on(void)
{
    begin_with_clients();
    take_descriptors();
    on_loop(w.loop, listens, NULL);
    turns(50);
    EXPECT_EQ_INT(COUNTED(sess_fail_emfile), 1); /* one attempt, though 50 rounds had passed */
    EXPECT_EQ_INT(COUNTED(sess_fail_pauses), 1);
    EXPECT_EQ_INT(COUNTED(sess_fail), 1);
    for (int i = 0; i < ROUNDS_MAX && COUNTED(sess_fail_pauses) < 3; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(sess_fail_emfile), 3); /* after 20 and 40 ms */
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    until_accepted(CLIENTS + 1); /* and the one in memory */
    EXPECT_EQ_INT(COUNTED(sess_conn), CLIENTS + 1);
    EXPECT_EQ_INT(COUNTED(sess_fail), 3);
    end_with_clients();
}

static void
the_first_pause_is_as_long_as_was_asked_for(void)
{
    begin_with_clients();
    params.accept_pause_s = 0.25; /* longer than the pause without waiting clients */
    take_descriptors();
    nsec began = clock_mono_ns();
    on_loop(w.loop, listens, NULL);
    for (int i = 0; i < ROUNDS_MAX && COUNTED(sess_fail_pauses) < 2; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(clock_mono_ns() - began >= nsec_of(params.accept_pause_s));
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    end_with_clients();
}

static void
a_paused_listener_stays_away_once_accepting_is_switched_off(void)
{
    begin_with_clients();
    take_descriptors();
    on_loop(w.loop, listens, NULL);
    turns(2);
    on_loop(w.loop, stops, NULL);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    for (int i = 0; i < 20; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(sess_conn), 1); /* the pause is over, and no client was left */
    end_with_clients();
}

static void
no_more_connections_than_descriptors_allow(void)
{
    begin_with_clients();
    w.env.sessions_room = 2;
    EXPECT_EQ_INT(accept_sessions_max(&w.env), 2);
    on_loop(w.loop, listens, NULL);
    turns(5);
    EXPECT_EQ_INT(COUNTED(sess_conn) - 1 + COUNTED(sess_dropped), CLIENTS);
    EXPECT(COUNTED(sess_dropped) >= 1);
    char byte;
    EXPECT_EQ_INT(recv(clients[CLIENTS - 1], &byte, 1, MSG_DONTWAIT), 0); /* closed, not left waiting */
    params.sessions_max = 1;
    EXPECT_EQ_INT(accept_sessions_max(&w.env), 1);
    w.env.sessions_room = 0;
    params.sessions_max = 7;
    EXPECT_EQ_INT(accept_sessions_max(&w.env), 7);
    end_with_clients();
}

static struct loop *loops[LOOPS];

/* The other loops do not run: only their loads count. */
static void
begin_with_loops(void)
{
    begin();
    loops[0] = w.loop;
    for (unsigned i = 1; i < LOOPS; i++)
        CHECK(loop_new(i, &loops[i]) == 0);
    w.env.loops = loops;
    w.env.n_loops = LOOPS;
    params.sessions_max = 1000000;
    atomic_store(&loop_load(w.loop)->busy, 0);
}

static void
end_with_loops(unsigned own_sessions)
{
    w.env.loops = w.loops;
    w.env.n_loops = 1;
    for (unsigned i = 1; i < LOOPS; i++)
        loop_release(&loops[i]);
    atomic_store(&loop_load(w.loop)->sessions, own_sessions);
    end();
}

static void
place(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        atomic_fetch_add(&loop_load(accept_place(w.server))->sessions, 1);
}

static unsigned
sessions(unsigned loop)
{
    return atomic_load(&loop_load(loops[loop])->sessions);
}

static void
idle_connections_are_spread_over_all_loops(void)
{
    begin_with_loops();
    unsigned own = sessions(0);
    place(100 * LOOPS);
    for (unsigned i = 0; i < LOOPS; i++)
        EXPECT(sessions(i) >= 95 && sessions(i) <= 105);
    end_with_loops(own);
}

static void
a_busy_loop_gets_no_new_connection_while_others_have_fewer_than_its_work_weighs(void)
{
    begin_with_loops();
    unsigned own = sessions(0);
    atomic_store(&loop_load(loops[3])->sessions, 2); /* heavy ones: fewer than any other loop will have */
    atomic_store(&loop_load(loops[3])->busy, LOOP_BUSY / 2);
    place(100 * LOOPS);
    EXPECT_EQ_INT(sessions(3), 2);
    place(1000 * LOOPS); /* sessions are not without weight */
    EXPECT(sessions(3) > 2 && sessions(3) < sessions(2));
    end_with_loops(own);
}

static void
a_busy_loop_keeps_none_of_those_that_it_accepts(void)
{
    begin_with_loops();
    unsigned own = sessions(0);
    atomic_store(&loop_load(w.loop)->busy, LOOP_BUSY);
    place(60 * LOOPS);
    EXPECT_EQ_INT(sessions(0), own);
    end_with_loops(own);
}

static void
a_little_work_is_no_reason_to_hand_a_connection_over(void)
{
    begin_with_loops();
    unsigned own = sessions(0);
    for (unsigned i = 1; i < LOOPS; i++)
        atomic_store(&loop_load(loops[i])->sessions, own);
    atomic_store(&loop_load(w.loop)->busy, LOOP_BUSY / 17);
    place(1);
    EXPECT_EQ_INT(sessions(0), own + 1);
    end_with_loops(own);
}

static void
a_connection_is_refused_only_when_no_loop_has_room(void)
{
    begin_with_loops();
    unsigned own = sessions(0);
    params.sessions_max = 9 * LOOPS;
    for (unsigned i = 0; i < LOOPS; i++)
        atomic_store(&loop_load(loops[i])->sessions, i == 11 ? 8 : 10);
    atomic_store(&loop_load(loops[11])->busy, LOOP_BUSY); /* slow is better than closed */
    EXPECT(accept_place(w.server) == loops[11]);
    place(2);
    EXPECT_EQ_INT(sessions(11), 10);
    EXPECT(accept_place(w.server) == NULL);
    end_with_loops(own);
}

static const struct test tests[] = {
    TEST(out_of_descriptors_a_listener_pauses_and_goes_on),
    TEST(the_first_pause_is_as_long_as_was_asked_for),
    TEST(a_paused_listener_stays_away_once_accepting_is_switched_off),
    TEST(no_more_connections_than_descriptors_allow),
    TEST(idle_connections_are_spread_over_all_loops),
    TEST(a_busy_loop_gets_no_new_connection_while_others_have_fewer_than_its_work_weighs),
    TEST(a_busy_loop_keeps_none_of_those_that_it_accepts),
    TEST(a_little_work_is_no_reason_to_hand_a_connection_over),
    TEST(a_connection_is_refused_only_when_no_loop_has_room),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
