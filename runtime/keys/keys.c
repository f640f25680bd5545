/* The key process: see keys.h. One thread, which waits for packets. */
#include "keys/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/cpus.h"
#include "daemon/sandbox.h"
#include "keys/store.h"
#include "tls/key_wire.h"

#define LOOPS_HELD_MAX (2 * LOOPS_MAX) /* of the worker, and of one that ends */
#define FILE_BYTES_MAX (1u << 20)
#define PERIOD (NSEC_PER_SEC / 10)

static struct pollfd polled[1 + LOOPS_HELD_MAX];
static unsigned n_polled = 1;
static unsigned long per_period; /* signatures; 0: no bound */
static unsigned long in_period;
static nsec period_end;
static bool is_complete; /* KEY_COMPLETE has come */

/* ---- files ---- */

/* NULL: it cannot be read. */
static char *
read_file(int fd, size_t *n)
{
    char *text = malloc(FILE_BYTES_MAX);
    *n = 0;
    for (ssize_t got = 1; text != NULL && got > 0 && *n < FILE_BYTES_MAX; *n += got > 0 ? (size_t)got : 0)
        got = pread(fd, text + *n, FILE_BYTES_MAX - *n, (off_t)*n);
    return text;
}

static int
read_and_keep(const struct key_order *order, const int fds[], unsigned n_fds, struct text *said)
{
    size_t n[2] = { 0 };
    char *text[2] = { NULL, NULL };
    unsigned key_at = n_fds > 1 ? 1 : 0;
    for (unsigned i = 0; i < n_fds && i < 2; i++)
        text[i] = read_file(fds[i], &n[i]);
    struct span chain = span_of(text[0], n[0]), key = span_of(text[key_at], n[key_at]);
    int err = text[0] == NULL || text[key_at] == NULL ? ERR_NOMEM
            : order->op == KEY_LOAD_AGAIN             ? key_store_load_again(order->number, key, said)
                                                      : key_store_load(order->number, chain, key, said);
    for (unsigned i = 0; i < 2; i++)
        if (text[i] != NULL) {
            OPENSSL_cleanse(text[i], n[i]);
            free(text[i]);
        }
    return err;
}

static void
answer_order(uint32_t number, int err, struct span said)
{
    struct text reply = { 0 };
    struct key_loaded head = { .number = number, .err = err };
    text_add(&reply, span_of((const char *)&head, sizeof head));
    text_add(&reply, said);
    (void)send(KEY_PROCESS_FD, reply.ptr, reply.len, MSG_NOSIGNAL);
    text_release(&reply);
}

static void
load(const struct key_order *order, const int fds[], unsigned n_fds)
{
    struct text said = { 0 };
    int err = read_and_keep(order, fds, n_fds, &said);
    answer_order(order->number, err, text_span(&said));
    text_release(&said);
}

/* ---- packets ---- */

/* Tells each loop, for the requests that a predecessor took along. */
static void
add_loops(const int fds[], unsigned n)
{
    const struct key_answer begun = { .id = KEY_ID_OF_ALL, .bytes = ERR_AGAIN };
    for (unsigned i = 0; i < n; i++)
        if (n_polled < 1 + LOOPS_HELD_MAX) {
            polled[n_polled++] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
            (void)send(fds[i], &begun, sizeof begun, MSG_DONTWAIT | MSG_NOSIGNAL);
        } else
            close(fds[i]);
}

static unsigned
passed_fds(struct msghdr *msg, int fds[KEY_FDS_MAX])
{
    unsigned n = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int) && n < KEY_FDS_MAX; i++)
                memcpy(&fds[n++], CMSG_DATA(c) + i * sizeof(int), sizeof(int));
    return n;
}

/* False: the manager is gone. */
static bool
take_order(void)
{
    struct key_order order;
    int fds[KEY_FDS_MAX];
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof fds)];
    } control;
    struct iovec iov = { .iov_base = &order, .iov_len = sizeof order };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    ssize_t got = recvmsg(KEY_PROCESS_FD, &msg, 0);
    if (got < 0 && errno == EINTR)
        return true;
    if (got != (ssize_t)sizeof order)
        return false;
    unsigned n = passed_fds(&msg, fds);
    switch ((enum key_op)order.op) {
    case KEY_LOOPS: add_loops(fds, n); return true;
    case KEY_LOAD:
    case KEY_LOAD_AGAIN: load(&order, fds, n); break;
    case KEY_DROP: key_store_drop(order.number); break;
    case KEY_COMPLETE: is_complete = true; break;
    case KEY_PING: answer_order(0, 0, SPAN_LIT("")); break;
    }
    for (unsigned i = 0; i < n; i++)
        close(fds[i]);
    return true;
}

/* False: the other end is closed. */
static bool
answer(int fd)
{
    struct {
        struct key_request head;
        char what[KEY_SIGNED_BYTES_MAX];
    } request;
    struct {
        struct key_answer head;
        unsigned char signature[KEY_SIGNATURE_BYTES_MAX];
    } reply;
    ssize_t got = recv(fd, &request, sizeof request, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    if (got < (ssize_t)sizeof request.head || (size_t)got != sizeof request.head + request.head.bytes)
        return false;
    ssize_t n = key_store_sign(request.head.key, request.head.scheme,
                               span_of(request.what, request.head.bytes), reply.signature,
                               sizeof reply.signature);
    if (n == ERR_NOTFOUND && !is_complete)
        n = ERR_AGAIN;
    reply.head = (struct key_answer){ .id = request.head.id, .bytes = (int32_t)n };
    (void)send(fd, &reply, sizeof reply.head + (n > 0 ? (size_t)n : 0), MSG_DONTWAIT | MSG_NOSIGNAL);
    in_period++;
    return true;
}

/* The time until signatures may be made again; 0: now. */
static nsec
pause_of_bound(void)
{
    nsec now = clock_mono_ns();
    if (now >= period_end) {
        period_end = now + PERIOD;
        in_period = 0;
    }
    return per_period == 0 || in_period < per_period ? 0 : period_end - now;
}

static void
serve(void)
{
    for (;;) {
        nsec rest = pause_of_bound();
        struct timespec wait = { .tv_nsec = rest };
        if (ppoll(polled, rest > 0 ? 1 : n_polled, rest > 0 ? &wait : NULL, NULL) < 0 && errno != EINTR)
            return;
        if (polled[0].revents != 0 && !take_order())
            return;
        for (unsigned i = 1; rest == 0 && i < n_polled; i++)
            if (polled[i].revents != 0 && !answer(polled[i].fd)) {
                close(polled[i].fd);
                polled[i--] = polled[--n_polled];
            }
        polled[0].revents = 0;
    }
}

/* ---- start ---- */

/* Everything that OpenSSL reads or asks for once, before neither can be done any more. */
static bool
warm_up(void)
{
    unsigned char byte;
    /* First, because whatever else comes first reads the configuration file, which may load other code. */
    bool ok = OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) == 1 && RAND_priv_bytes(&byte, 1) == 1;
    EVP_MD *digests[] = { EVP_MD_fetch(NULL, "SHA256", NULL), EVP_MD_fetch(NULL, "SHA384", NULL),
                          EVP_MD_fetch(NULL, "SHA512", NULL) };
    for (unsigned i = 0; i < sizeof digests / sizeof *digests; i++) {
        ok = ok && digests[i] != NULL;
        EVP_MD_free(digests[i]);
    }
    tzset();
    return ok;
}

int
keys_main(int argc, char *const argv[])
{
    struct sandbox confined = { .readable = "" };
    unsigned long rate = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    for (int i = 2; i < argc; i++) {
        confined.calls |= strcmp(argv[i], "calls") == 0;
        confined.files |= strcmp(argv[i], "files") == 0;
    }
    per_period = rate == 0 ? 0 : rate < 10 ? 1 : rate / 10;
    prctl(PR_SET_NAME, "vernisd-keys");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    polled[0] = (struct pollfd){ .fd = KEY_PROCESS_FD, .events = POLLIN };
    if (!warm_up() || sandbox_cores(&confined) != 0 || sandbox_keys(&confined) != 0) {
        fprintf(stderr, "key process: cannot start: %s\n", strerror(errno));
        return 1;
    }
    serve();
    key_store_release();
    return 0;
}
