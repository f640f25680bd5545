/* The manager process: see manager.h. Connecting the parts, opening, signals, shutdown. manager_upgrade.c has
 * its side of an upgrade. */
#include "manager/manager_internal.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manager/compile_only.h"
#include "manager/log_tools.h"
#include "manager/notify.h"
#include "manager/passed.h"
#include "daemon/log_params.h"
#include "daemon/param_idle.h"
#include "daemon/params.h"
#include "base/check.h"
#include "base/params.h"
#include "base/split.h"
#include "log/report.h"

#define CLI_LISTEN_DEFAULT "localhost:0"
#define CHECK_FOLDER_FDS 8 /* descriptors nftw may open to remove it */

static void manager_shut_down(struct manager *m, double drain_s);

void
manager_stopped(void *arg, int status, struct span text)
{
    struct manager *m = arg;
    m->events.stop = true;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Worker and compiler may have the manager's user and so pass the socket's mode. They connect only if an
 * attacker controls them. */
static bool
is_confined(const struct manager *m, int fd)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) != 0 || peer.pid <= 0)
        return false;
    return peer.pid == m->child.pid || (m->compiler.pid != 0 && getsid(peer.pid) == m->compiler.pid);
}

static void
on_cli_listen(struct event_fd *e, short seen)
{
    struct cli_listen *l = container_of(e, struct cli_listen, event);
    int fd = accept4(e->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        events_accept_failed(e, errno);
        return;
    }
    if (l->kind == CLI_UNIX && is_confined(l->manager, fd)) {
        log_line(LOG_LEVEL_ERROR, "refused a connection from the worker or the compiler to the command line");
        close(fd);
        return;
    }
    cli_accept(l->cli, fd, l->kind, NULL);
}

static void
reap(struct manager *m)
{
    supervisor_reap(&m->supervisor);
    upgrade_reap(&m->upgrade);
    compiler_reap(&m->compiler);
    key_process_reap(&m->keys);
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
        if (info.ssi_signo == SIGUSR2) {
            manager_upgrade(m);
            continue;
        }
        log_line(LOG_LEVEL_INFO, "manager got %s", strsignal((int)info.ssi_signo));
        if (m->shutting_down)
            child_kill(&m->child, SIGKILL); /* the second signal: end at once */
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
    sigaddset(&set, SIGUSR2);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write() returns an error instead, like a full disk */
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
        struct listen_spec spec = { .name = "cli", .option = "-T" };
        snprintf(spec.address, sizeof spec.address, "%s", o->cli_listens.text[i]);
        err = listen_open(&spec, &m->cli_tcp, why);
    }
    if (err == 0 && o->cli_listens.n == 0 && !o->no_cli_listen) {
        struct listen_spec spec = { .name = "cli", .address = CLI_LISTEN_DEFAULT, .option = "-T" };
        err = listen_open(&spec, &m->cli_tcp, why);
    }
    snprintf(path, sizeof path, "%.4000s/cli.sock", m->dir.path);
    if (err == 0)
        err = listen_open_unix(path, &m->cli_unix, why);
    for (unsigned i = 0; err == 0 && i < m->cli_tcp.n + m->cli_unix.n; i++) {
        bool local = i >= m->cli_tcp.n;
        int fd = local ? m->cli_unix.socket[0].fd : m->cli_tcp.socket[i].fd;
        m->cli_listens[i] = (struct cli_listen){ .cli = &m->cli,
                                                 .manager = m,
                                                 .kind = local ? CLI_UNIX : CLI_TCP,
                                                 .event = { .fd = fd, .fn = on_cli_listen, .want = POLLIN } };
    }
    return err;
}

/* Call after everything in it is open. Storage files would be opened here, because the worker may lack the
 * rights. */
static void
fill_inherit(struct manager *m)
{
    const struct options *o = &m->options;
    m->inherit = (struct inherit){ .manager_pid = m->pid,
                                   .listens = m->clients.socket,
                                   .n_listens = m->clients.n,
                                   .purges_fd = m->dir.purges_fd,
                                   .dir = m->dir.path,
                                   .user = jail_worker(&m->jail),
                                   .sandbox = &m->jail.sandbox,
                                   .hostname = m->hostname,
                                   .identity = m->identity,
                                   .first = true };
    _Static_assert(OPTION_LIST_MAX <= INHERIT_STORAGES_MAX, "storages hold every -s");
    for (unsigned i = 0; i < o->n_storages; i++)
        m->inherit.storages[i] = (struct inherit_storage){ .name = o->storages[i].name,
                                                           .limit_bytes = o->storages[i].limit_bytes,
                                                           .less_space = o->storages[i].less_space,
                                                           .fd = INHERIT_NO_FILE };
    m->inherit.n_storages = o->n_storages;
    digest_seed_draw(m->inherit.store_seed);
}

static void
on_cli_end(void *arg, enum cli_kind kind, void *owner, bool failed)
{
    struct manager *m = arg;
    if (kind == CLI_STDIO)
        manager_shut_down(m, 0);
    else if (kind != CLI_MASTER)
        boot_file_done(&m->boot, failed);
    else if (!m->shutting_down)
        cli_master_gone(owner);
}

static void
reasons_answered(void *arg, int status, struct span text)
{
}

static void
on_reasons_end(void *arg)
{
    struct manager *m = arg;
    const char *words[] = { "reasons", "commands", "off" };
    log_params_reasons(REASONS_FOR_COMMANDS, false); /* for the next worker */
    if (child_alive(&m->child))
        child_call(&m->child, reasons_answered, NULL, 3, words);
}

static void
policy_chosen(void *arg)
{
    supervisor_forgive(arg);
}

/* Gives each part the parts it uses. Opens nothing. */
static void
connect_parts(struct manager *m)
{
    events_init(&m->events);
    child_init(&m->child, &m->events, m->worker_main);
    policies_init(&m->policies, &(struct policies_env){ .events = &m->events,
                                                        .child = &m->child,
                                                        .compiler = &m->compiler,
                                                        .dir = &m->dir,
                                                        .chosen = policy_chosen,
                                                        .arg = &m->supervisor });
    supervisor_init(&m->supervisor, &(struct supervisor_env){ .events = &m->events,
                                                              .child = &m->child,
                                                              .policies = &m->policies,
                                                              .shared = &m->shared,
                                                              .inherit = &m->inherit,
                                                              .certificates = &m->certificate_changes,
                                                              .tickets = &m->tickets });
    key_process_init(&m->keys, &m->events, NULL, &m->jail.sandbox);
    certificates_init(&m->certificates, &m->child, &m->keys, &m->clients);
    changes_init(&m->certificate_changes, &m->certificates, &m->options.tls);
    ticket_keys_init(&m->tickets, &m->child, &m->events);
    m->supervisor.closed = passed()->upgrade;
    m->daemon_commands = (struct daemon_commands){ .events = &m->events,
                                                   .child = &m->child,
                                                   .supervisor = &m->supervisor,
                                                   .policies = &m->policies,
                                                   .compiler = &m->compiler,
                                                   .clients = &m->clients,
                                                   .certificates = &m->certificates,
                                                   .options = &m->options,
                                                   .upgrade = &m->upgrade,
                                                   .banner = &m->banner,
                                                   .pid = m->pid,
                                                   .started = m->started };
    m->vcl_commands = (struct vcl_commands){ .policies = &m->policies, .child = &m->child };
    m->param_commands = (struct param_commands){ .child = &m->child };
    dashboard_init(&m->dashboard, &(struct dashboard_env){ .events = &m->events,
                                                           .child = &m->child,
                                                           .policies = &m->policies,
                                                           .shared = &m->shared,
                                                           .options = &m->options,
                                                           .dir = &m->dir,
                                                           .identity = &m->identity,
                                                           .started = m->started });
    m->carried = (struct carried){
        .policies = &m->policies,
        .child = &m->child,
        .certificates = &m->certificate_changes,
        .tickets = &m->tickets,
    };
    m->worker_commands = (struct worker_commands){ .policies = &m->policies, .child = &m->child };
    cli_server_init(&m->cli, &(struct cli_env){ .events = &m->events,
                                                .child = &m->child,
                                                .dir = &m->dir,
                                                .banner = &m->banner,
                                                .on_end = on_cli_end,
                                                .on_reasons_end = on_reasons_end,
                                                .arg = m,
                                                .contexts = { [CLI_OF_DAEMON] = &m->daemon_commands,
                                                              [CLI_OF_VCL] = &m->vcl_commands,
                                                              [CLI_OF_PARAM] = &m->param_commands,
                                                              [CLI_OF_DASHBOARD] = &m->dashboard,
                                                              [CLI_OF_TABLE] = &m->vcl_commands,
                                                              [CLI_OF_TLS] = &m->certificate_changes,
                                                              [CLI_OF_WORKER] = &m->worker_commands } });
}

static int
open_shared(struct manager *m, struct text *why)
{
    const struct shared_env env = { .events = &m->events,
                                    .dir = m->dir.path,
                                    .worker = jail_worker(&m->jail),
                                    .identity = m->identity,
                                    .cli = &m->cli_tcp,
                                    .secret = m->dir.secret,
                                    .started = m->started,
                                    .generation = m->dir.generation };
    return shared_open(&m->shared, &env, why);
}

static int
start_keys(struct manager *m, struct text *why)
{
    m->keys.user = jail_keys(&m->jail);
    if (!m->jail.sandbox.tls)
        return 0;
    ticket_keys_start(&m->tickets);
    expiry_start(&m->expiry, &m->events, &m->certificates);
    return key_process_start(&m->keys, why);
}

/* ---- life ---------------------------------------------------------------------------------------------- */

int
manager_open(struct manager *m, char **argv, struct text *why)
{
    const struct options *o = &m->options;
    carried_params(passed()->settings_fd);
    m->pid = getpid();
    notify_init();
    m->started = clock_mono_ns();
    m->signals.fd = -1;
    if (gethostname(m->hostname, sizeof m->hostname - 1) != 0)
        snprintf(m->hostname, sizeof m->hostname, "localhost");
    m->identity = o->identity != NULL ? o->identity : m->hostname;
    connect_parts(m);
    int err = jail_prepare(o, &m->jail, why);
    if (err == 0)
        err = jail_confine(o, &m->jail, why);
    if (err == 0 && sandbox_cores(&m->jail.sandbox) != 0)
        log_line(LOG_LEVEL_WARNING, "cannot turn core files off: %s", strerror(errno));
    m->banner = (struct banner){ .jail = m->jail.name, .n_storages = o->n_storages, .child = &m->child };
    if (err == 0)
        err = workdir_open(&m->dir, o->workdir, m->jail.drops ? m->jail.compiler.uid : geteuid(), why);
    compiler_init(&m->compiler, &(struct compiler_env){ .events = &m->events,
                                                        .user = jail_compiler(&m->jail),
                                                        .sandbox = &m->jail.sandbox,
                                                        .shared = &m->shared,
                                                        .work_dir = m->dir.path });
    for (unsigned i = 0; i < m->options.n_listens; i++)
        m->compiler.unix_listener |= m->options.listens[i].address[0] == '/';
    if (err == 0)
        err = jail_own(&m->jail, m->dir.path, m->dir.images, why);
    for (unsigned i = 0; err == 0 && !o->compile_only && i < o->n_listens; i++)
        err = listen_open(&o->listens[i], &m->clients, why);
    if (err == 0 && !o->compile_only)
        err = open_cli(m, why);
    if (err == 0 && !o->compile_only)
        workdir_open_purges(&m->dir, m->jail.drops ? m->jail.worker.uid : geteuid());
    if (err == 0)
        err = workdir_fill(&m->dir, o->secret_file, o->no_secret, o->pid_file, why);
    if (err == 0 && !o->compile_only)
        err = start_keys(m, why);
    if (err == 0 && !o->compile_only)
        err = open_shared(m, why);
    if (err == 0 && !o->compile_only)
        err = metrics_open(&m->events, &m->shared, &m->metrics, why);
    if (err == 0 && !o->compile_only)
        err = dashboard_open(&m->dashboard, why);
    if (err == 0 && geteuid() == 0 && !m->jail.drops && !o->compile_only)
        log_line(LOG_LEVEL_WARNING,
                 "worker and compiler run as root: use -j unix,user=... to drop their rights");
    if (err == 0 && !o->compile_only && !o->log_form_given)
        log_tools_choose_form();
    fill_inherit(m);
    manager_connect_upgrade(m, argv);
    if (err == 0)
        passed_close_rest();
    if (err == 0 && open_signals(m) != 0) {
        text_printf(why, "Cannot set up signals: %s\n", strerror(errno));
        err = ERR_SYS;
    }
    return err;
}

/* Keeps the paths of Unix sockets that another daemon uses, or that the service manager keeps for the next
 * start. */
static void
close_listens(struct manager *m)
{
    if (notify_keeps())
        listen_forget(&m->clients);
    struct listens *const all[] = { &m->clients, &m->cli_tcp, &m->cli_unix };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        if (m->dir.ours)
            listen_close(all[i]);
        else
            listen_forget(all[i]);
    }
}

void
manager_close(struct manager *m)
{
    dashboard_stop(&m->dashboard);
    metrics_close(&m->metrics);
    cli_server_release(&m->cli);
    compiler_release(&m->compiler);
    ticket_keys_stop(&m->tickets);
    expiry_stop(&m->expiry);
    changes_release(&m->certificate_changes);
    certificates_release(&m->certificates); /* their counters are in shared memory */
    shared_close(&m->shared);
    key_process_stop(&m->keys);
    close_listens(m);
    upgrade_release(&m->upgrade);
    text_release(&m->start_policy);
    text_release(&m->carried.lost);
    policies_release(&m->policies);
    supervisor_release(&m->supervisor);
    text_release(&m->child.tail);
    if (m->signals.fd >= 0)
        close(m->signals.fd);
    workdir_close(&m->dir);
    events_release(&m->events);
}

/* ---- run ----------------------------------------------------------------------------------------------- */

void
manager_take_commands(struct manager *m)
{
    for (unsigned i = 0; i < m->cli_tcp.n + m->cli_unix.n; i++)
        events_add(&m->events, &m->cli_listens[i].event);
    if (m->options.debug)
        cli_stdio(&m->cli);
    cli_masters_start(&m->masters, &m->events, &m->cli, &m->options.cli_masters);
}

/* During an upgrade the command line is the old daemon's until take_place(). */
static void
take_commands(void *arg)
{
    if (!passed()->upgrade)
        manager_take_commands(arg);
}

static void
manager_shut_down(struct manager *m, double drain_s)
{
    if (m->shutting_down)
        return;
    m->shutting_down = m->supervisor.ending = true;
    upgrade_cancel(&m->upgrade);
    notify_send("STOPPING=1");
    if (m->child.state == CHILD_STOPPED)
        m->events.stop = true;
    else if (m->child.state == CHILD_STOPPING) {
        m->supervisor.stopped = manager_stopped; /* a stop is in progress: end after it */
        m->supervisor.stopped_arg = m;
    } else
        supervisor_stop(&m->supervisor, drain_s, manager_stopped, m);
}

void
manager_serving(struct manager *m)
{
    m->ready(true, SPAN_LIT(""));
    for (unsigned i = 0; i < m->clients.n; i++)
        notify_store(m->clients.socket[i].name.ptr, m->clients.socket[i].fd);
    notify_send("READY=1\nSTATUS=serving");
}

static void
boot_over(void *arg, bool ok, struct span why)
{
    struct manager *m = arg;
    if (ok)
        manager_note_start(m);
    if (ok && passed()->upgrade && !child_running(&m->child)) {
        ok = false;
        why = SPAN_LIT(
            "No policy on the command line (-f or -b): an upgrade does not take over policies loaded by commands\n");
    }
    if (ok && passed()->upgrade) {
        upgrade_ready(&m->upgrade);
        return;
    }
    if (ok) {
        manager_serving(m);
        return;
    }
    m->ready(false, why);
    if (m->shutting_down)
        return; /* ended by request during the start: not a failure */
    m->exit_status = 2;
    manager_shut_down(m, 0);
}

/* Logs options and parameters of the command line that have no effect. */
static void
log_idle(const struct options *o)
{
    for (const struct option_idle *idle = idle_options; idle->letter != 0; idle++)
        if (strchr(o->idle, idle->letter) != NULL)
            log_line(LOG_LEVEL_WARNING, "-%c has no effect here: %s", idle->letter, idle->note);
    param_idle_log();
}

/* A TLS proxy that offers HTTP/2 and passes it on, as hitch does for Varnish, would break the site. */
static void
log_proxy_listeners(const struct options *o)
{
    if ((params.features & FEATURE_HTTP2) != 0)
        return;
    for (unsigned i = 0; i < o->n_listens; i++)
        if (o->listens[i].kind == LISTEN_PROXY)
            log_line(LOG_LEVEL_WARNING,
                     "-a %s=%s: HTTP/2 is off (feature http2): the TLS proxy must not pass it on (hitch: "
                     "alpn-protos = \"http/1.1\"; HAProxy in mode http translates it)",
                     o->listens[i].name, o->listens[i].address);
}

int
manager_run(struct manager *m, manager_ready_fn *ready)
{
    m->ready = ready;
    log_idle(&m->options);
    log_proxy_listeners(&m->options);
    compiler_warm(&m->compiler);
    boot_start(&m->boot, &(struct boot_env){ .options = &m->options,
                                             .policies = &m->policies,
                                             .supervisor = &m->supervisor,
                                             .certificates = &m->certificate_changes,
                                             .cli = &m->cli,
                                             .take_commands = take_commands,
                                             .over = boot_over,
                                             .arg = m });
    while (!m->events.stop)
        if (events_round(&m->events) != 0) {
            log_line(LOG_LEVEL_ERROR, "manager cannot wait for events: %s", strerror(errno));
            return 1;
        }
    log_line(LOG_LEVEL_INFO, "manager dies");
    /* A failed start is 2, even if a worker ended, too. */
    return m->exit_status != 0 ? m->exit_status : m->supervisor.exit_bits;
}

/* ---- -C ------------------------------------------------------------------------------------------------ */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    return remove(path);
}

int
manager_check(struct manager *m, struct text *why)
{
    char folder[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    int n = snprintf(folder, sizeof folder, "%s/vernis-check-XXXXXX",
                     tmp == NULL || *tmp != '/' ? "/tmp" : tmp);
    /* Never use the directory of -n: a daemon may run there. */
    if (n >= (int)sizeof folder || (m->options.workdir = mkdtemp(folder)) == NULL ||
        chmod(folder, 0755) != 0) {
        fprintf(stderr, "Error: cannot make a folder in TMPDIR or /tmp\n");
        return 2;
    }
    m->options.no_secret = true;
    m->options.pid_file = NULL;
    int err = manager_open(m, NULL, why);
    struct compile_check check = {
        .events = &m->events, .compiler = &m->compiler, .dir = &m->dir, .options = &m->options
    };
    if (err == 0)
        err = compile_only(&check, why);
    if (err != 0)
        fprintf(stderr, "Error: %s", text_cstr(why));
    manager_close(m);
    nftw(folder, remove_one, CHECK_FOLDER_FDS, FTW_DEPTH | FTW_PHYS);
    return err != 0 || check.failed ? 2 : 0;
}
