/* The manager process: see manager.h. Opening, the steps of the start, signals, shutdown. */
#include "admin/manager.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "admin/notify.h"
#include "admin/params.h"
#include "admin/policy_file.h"
#include "base/check.h"
#include "base/params.h"
#include "log/report.h"

#define CLI_LISTEN_DEFAULT "localhost:0"
#define MASTER_PAUSE_FIRST (NSEC_PER_SEC / 10)
#define MASTER_PAUSE_MAX (10 * NSEC_PER_SEC)

/* ---- opening ----------------------------------------------------------------------------------------------------------------- */

static void
on_cli_listen(struct event_fd *e, short seen)
{
    struct manager *m = container_of(e, struct cli_listen, event)->manager;
    bool local = e->fd == m->cli_unix.socket[0].fd;
    int fd = accept4(e->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0)
        cli_accept(&m->cli, fd, local ? CLI_UNIX : CLI_TCP, NULL);
}

static void
reap(struct manager *m)
{
    supervisor_reap(&m->supervisor);
    compiler_reap(&m->compiler);
}

static void
on_signal(struct event_fd *e, short seen)
{
    struct manager *m = container_of(e, struct manager, signals);
    struct signalfd_siginfo info;
    while (read(e->fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            reap(m);
            continue;
        }
        log_line(LOG_LEVEL_INFO, "manager got %s", strsignal((int)info.ssi_signo));
        if (m->shutting_down)
            child_kill(&m->child, SIGKILL);     /* asked twice: no more waiting */
        else
            manager_shut_down(m, params.shutdown_timeout_s);
    }
}

static int
open_signals(struct manager *m)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGCHLD);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);           /* a file that may not grow is an error like a full disk */
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return ERR_SYS;
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return ERR_SYS;
    m->signals = (struct event_fd){ .fd = fd, .fn = on_signal, .want = POLLIN };
    events_add(&m->events, &m->signals);
    return 0;
}

static int
open_cli(struct manager *m, struct text *why)
{
    const struct options *o = &m->options;
    char path[PATH_MAX];
    int err = 0;
    for (unsigned i = 0; err == 0 && i < o->cli_listens.n; i++) {
        struct listen_spec spec = { .name = "cli" };
        snprintf(spec.address, sizeof spec.address, "%s", o->cli_listens.text[i]);
        err = listen_open(&spec, &m->cli_tcp, why);
    }
    if (err == 0 && o->cli_listens.n == 0 && !o->no_cli_listen) {
        struct listen_spec spec = { .name = "cli", .address = CLI_LISTEN_DEFAULT };
        err = listen_open(&spec, &m->cli_tcp, why);
    }
    snprintf(path, sizeof path, "%.4000s/cli.sock", m->dir.path);
    if (err == 0)
        err = listen_open_unix(path, &m->cli_unix, why);
    for (unsigned i = 0; err == 0 && i < m->cli_tcp.n + m->cli_unix.n; i++) {
        int fd = i < m->cli_tcp.n ? m->cli_tcp.socket[i].fd : m->cli_unix.socket[0].fd;
        m->cli_listens[i] = (struct cli_listen){ .manager = m, .event = { .fd = fd, .fn = on_cli_listen, .want = POLLIN } };
    }
    return err;
}

static void on_cli_end(struct manager *m, enum cli_kind kind, void *owner, bool failed);

int
manager_open(struct manager *m, struct text *why)
{
    const struct options *o = &m->options;
    m->pid = getpid();
    notify_init();
    m->started = clock_mono_ns();
    m->signals.fd = -1;
    if (gethostname(m->hostname, sizeof m->hostname - 1) != 0)
        snprintf(m->hostname, sizeof m->hostname, "localhost");
    m->identity = o->identity != NULL ? o->identity : m->hostname;
    events_init(&m->events);
    policies_init(&m->policies, m);
    child_init(&m->child, m, &m->events);
    supervisor_init(&m->supervisor, m, &m->child);
    cli_server_init(&m->cli, m, &m->events);
    m->cli.on_end = on_cli_end;
    int err = jail_prepare(o, &m->jail, why);
    if (err == 0)
        err = workdir_open(&m->dir, o->workdir, m->jail.drops ? m->jail.compiler.uid : geteuid(), why);
    compiler_init(&m->compiler, &m->events, &m->jail, m->dir.path);
    for (unsigned i = 0; i < m->options.n_listens; i++)
        m->compiler.unix_listener |= m->options.listens[i].address[0] == '/';
    if (err == 0)
        err = jail_own(&m->jail, m->dir.path, m->dir.images, why);
    for (unsigned i = 0; err == 0 && !o->compile_only && i < o->n_listens; i++)
        err = listen_open(&o->listens[i], &m->clients, why);
    if (err == 0 && !o->compile_only)
        err = open_cli(m, why);
    if (err == 0)
        err = workdir_fill(&m->dir, o->secret_file, o->no_secret, o->pid_file, why);
    if (err == 0 && !o->compile_only)
        err = shared_open(m, why);
    if (err == 0 && !o->compile_only)
        err = metrics_open(m, why);
    if (err == 0 && geteuid() == 0 && !m->jail.drops && !o->compile_only)
        log_line(LOG_LEVEL_WARNING, "worker and compiler run as root: -j unix,user=... takes that away");
    if (err == 0 && open_signals(m) != 0) {
        text_printf(why, "Cannot set up signals: %s\n", strerror(errno));
        err = ERR_SYS;
    }
    return err;
}

void
manager_close(struct manager *m)
{
    metrics_close(m);
    shared_close(m);
    cli_server_release(&m->cli);
    compiler_release(&m->compiler);
    listen_close(&m->clients);
    listen_close(&m->cli_tcp);
    listen_close(&m->cli_unix);
    policies_release(&m->policies);
    supervisor_release(&m->supervisor);
    text_release(&m->child.tail);
    if (m->signals.fd >= 0)
        close(m->signals.fd);
    workdir_close(&m->dir);
    events_release(&m->events);
}

/* ---- calling home ------------------------------------------------------------------------------------------------------------ */

static void
call_later(struct cli_master *h)
{
    if (h->fd >= 0)
        close(h->fd);
    h->fd = -1;
    events_timer(&h->manager->events, &h->retry, nsec_add(clock_mono_ns(), h->pause));
    h->pause = 2 * h->pause < MASTER_PAUSE_MAX ? 2 * h->pause : MASTER_PAUSE_MAX;
}

static void
on_master_connected(struct event_fd *e, short seen)
{
    struct cli_master *h = container_of(e, struct cli_master, event);
    int error = 0;
    socklen_t len = sizeof error;
    events_remove(&h->manager->events, &h->event);
    if (getsockopt(h->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        call_later(h);
        return;
    }
    int fd = h->fd;
    h->fd = -1;
    h->pause = MASTER_PAUSE_FIRST;
    cli_accept(&h->manager->cli, fd, CLI_MASTER, h);
}

static void
call_home(struct event_timer *t)
{
    struct cli_master *h = container_of(t, struct cli_master, retry);
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all = NULL;
    if (listen_split(h->address, host, port) != 0 || getaddrinfo(host, port, &hints, &all) != 0) {
        log_line(LOG_LEVEL_WARNING, "cannot resolve -M %s", h->address);
        call_later(h);
        return;
    }
    h->fd = socket(all->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool failed = h->fd < 0 || (connect(h->fd, all->ai_addr, all->ai_addrlen) != 0 && errno != EINPROGRESS);
    freeaddrinfo(all);
    if (failed) {
        call_later(h);
        return;
    }
    h->event = (struct event_fd){ .fd = h->fd, .fn = on_master_connected, .want = POLLOUT };
    events_add(&h->manager->events, &h->event);
}

static void
start_masters(struct manager *m)
{
    const struct option_list *list = &m->options.cli_masters;
    for (unsigned i = 0; i < list->n && i < MANAGER_MASTERS_MAX; i++) {
        struct cli_master *h = &m->masters[m->n_masters++];
        *h = (struct cli_master){ .manager = m, .address = list->text[i], .retry.fn = call_home, .pause = MASTER_PAUSE_FIRST, .fd = -1 };
        call_home(&h->retry);
    }
}

/* Clients that came before have waited in the sockets' queues. */
static void
take_commands(struct manager *m)
{
    m->cli_open = true;
    for (unsigned i = 0; i < m->cli_tcp.n + m->cli_unix.n; i++)
        events_add(&m->events, &m->cli_listens[i].event);
    if (m->options.debug)
        cli_stdio(&m->cli);
    start_masters(m);
}


/* ---- the start --------------------------------------------------------------------------------------------------------------- */

struct boot {
    struct manager *manager;
    unsigned next;                      /* policy of the command line to load */
    char name[POLICY_NAME_BYTES];
    void (*ready)(bool ok, struct span why);
    bool over;
};

static struct boot boot;

static void load_next(struct boot *b);

static void
boot_over(struct boot *b, bool ok, struct span why)
{
    if (b->over)
        return;
    b->over = true;
    b->ready(ok, why);
    if (ok) {
        notify_send("READY=1\nSTATUS=serving");
        return;
    }
    if (b->manager->shutting_down)
        return;                         /* told to end while it started: that is no failure */
    b->manager->exit_status = 2;
    manager_shut_down(b->manager, 0);
}

static void
boot_started(void *arg, int status, struct span text)
{
    boot_over(arg, status == CLI_OK, text);
}

static void
boot_worker(struct boot *b)
{
    struct manager *m = b->manager;
    if (m->shutting_down)
        return;
    if (m->options.debug || m->policies.active == NULL)
        boot_over(b, true, SPAN_LIT(""));
    else
        supervisor_start(&m->supervisor, boot_started, b);
}

static void
boot_commands(struct boot *b)
{
    struct manager *m = b->manager;
    if (m->shutting_down)
        return;
    take_commands(m);
    if (m->options.init_file == NULL)
        boot_worker(b);
    else if (cli_run_file(&m->cli, m->options.init_file) != 0) {
        struct text why = { 0 };
        text_printf(&why, "Can't open %s: %s\n", m->options.init_file, strerror(errno));
        boot_over(b, false, text_span(&why));
        text_release(&why);
    }
}

static void
on_cli_end(struct manager *m, enum cli_kind kind, void *owner, bool failed)
{
    if (kind == CLI_STDIO) {
        manager_shut_down(m, 0);
    } else if (kind == CLI_MASTER) {
        if (!m->shutting_down)
            call_later(owner);
    } else {
        fprintf(stderr, "END of -I file processing\n");
        if (failed)
            boot_over(&boot, false, SPAN_LIT("A command of the file of -I failed\n"));
        else
            boot_worker(&boot);
    }
}

static void
boot_used(void *arg, int status, struct span text)
{
    struct boot *b = arg;
    if (status == CLI_OK)
        load_next(b);
    else
        boot_over(b, false, text);
}

/* What the compiler shows is several lines with a place marked in one of them, clean of control characters: as it is. */
static void
tell_warnings(const char *name, struct span text)
{
    log_line(LOG_LEVEL_WARNING, "policy %s has warnings", name);
    fprintf(stderr, "%.*s", (int)text.len, text.ptr);
}

static void
boot_loaded(void *arg, int status, struct span text)
{
    struct boot *b = arg;
    struct span quiet = SPAN_LIT("VCL compiled.\n");
    if (status != CLI_OK) {
        boot_over(b, false, text);
        return;
    }
    if (text.len > quiet.len)
        tell_warnings(b->name, span_of(text.ptr, text.len - quiet.len));
    policies_use(&b->manager->policies, b->name, boot_used, b);
}

void
manager_backend_policy(const char *backend, struct text *out)
{
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    text_str(out, "vcl 4.1;\n\nbackend default ");
    if (strcasecmp(backend, "none") == 0)
        text_str(out, "none;\n");
    else if (*backend == '/')
        text_printf(out, "{\n    .path = \"%s\";\n}\n", backend);
    else if (listen_split(backend, host, port) == 0)
        text_printf(out, "{\n    .host = \"%s\";\n    .port = \"%s\";\n}\n", host, *port == '\0' ? "80" : port);
}

static bool
is_image(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

/* Policies of the command line in their order; each becomes active in its turn, so that the last one stays so. */
static void
load_next(struct boot *b)
{
    struct manager *m = b->manager;
    const struct options *o = &m->options;
    unsigned n = o->backend != NULL ? 1 : o->policies.n;
    if (b->next == n) {
        boot_commands(b);
        return;
    }
    unsigned i = b->next++;
    if (n == 1)
        snprintf(b->name, sizeof b->name, "boot");
    else
        snprintf(b->name, sizeof b->name, "boot%u", i);
    struct text text = { 0 }, why = { 0 };
    struct policy_source src = { 0 };
    char path[PATH_MAX];
    int err = 0;
    if (o->backend != NULL) {
        manager_backend_policy(o->backend, &text);
        src.text = text_span(&text);
    } else if (is_image(o->policies.text[i])) {
        src.image = o->policies.text[i];
    } else {
        err = policy_file_read(o->policies.text[i], path, &text, &why);
        src = (struct policy_source){ .path = path, .text = text_span(&text) };
    }
    if (err == 0)
        policies_load(&m->policies, b->name, &src, VCL_AUTO, boot_loaded, b);
    else
        boot_over(b, false, text_span(&why));
    text_release(&text);
    text_release(&why);
}

/* ---- run --------------------------------------------------------------------------------------------------------------------- */

static void
stopped(void *arg, int status, struct span text)
{
    struct manager *m = arg;
    m->events.stop = true;
}

void
manager_shut_down(struct manager *m, double drain_s)
{
    if (m->shutting_down)
        return;
    m->shutting_down = true;
    notify_send("STOPPING=1");
    if (m->child.state == CHILD_STOPPED)
        m->events.stop = true;
    else if (m->child.state == CHILD_STOPPING) {
        m->supervisor.stopped = stopped;        /* a stop is under way: end with it */
        m->supervisor.stopped_arg = m;
    } else
        supervisor_stop(&m->supervisor, drain_s, stopped, m);
}

int
manager_run(struct manager *m, void (*ready)(bool ok, struct span why))
{
    compiler_warm(&m->compiler);
    boot = (struct boot){ .manager = m, .ready = ready };
    load_next(&boot);
    while (!m->events.stop)
        if (events_round(&m->events) != 0) {
            log_line(LOG_LEVEL_ERROR, "manager cannot wait for events: %s", strerror(errno));
            return 1;
        }
    log_line(LOG_LEVEL_INFO, "manager dies");
    /* A start that failed is that and nothing else, also when a worker ended of it. */
    return m->exit_status != 0 ? m->exit_status : m->supervisor.exit_bits;
}
