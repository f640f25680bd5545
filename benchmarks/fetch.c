/* A client for benchmarks/founding.py that does what http_load -parallel P -fetches N does (Debian has no
 * package of it): P fetches are always in progress, N in all, one thread.
 *
 * Usage: fetch PORT P N close|keep FILE. Each line of FILE is a target and the bytes of its body; the lines
 * are fetched in their order, over and over. "close": HTTP/1.0, a connection for each fetch, until the server
 * closes. "keep": HTTP/1.1 over P connections. Prints one line of JSON; its times are microseconds from the
 * begin of the fetch, which in "close" is the call of connect(). A fetch failed unless its status is 200 and
 * its body has the bytes of FILE. Connections come from SOURCES addresses, so that the local ports suffice.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PARALLEL_MAX 4096
#define FETCHES_MAX 10000000
#define LINES_MAX 200000
#define TARGET_BYTES_MAX 512
#define HEAD_BYTES_MAX 4096
#define EVENTS 256
#define SOURCES 16
#define IDLE_MS 20000 /* without any event: the fetches in progress have failed */

struct line {
    char *request;
    size_t request_bytes, body_bytes;
};

struct fetch {
    int fd;
    const struct line *line;
    uint64_t begin_us;
    bool writable, answered, failed;
    char head[HEAD_BYTES_MAX + 1];
    size_t head_bytes;
    bool head_complete;
    size_t body_bytes;
};

static struct line lines[LINES_MAX];
static size_t lines_n;
static struct fetch slots[PARALLEL_MAX];
static uint32_t *totals_us;
static uint64_t connect_us, first_us, body_bytes;
static long begun, ended, failed, connections, fetches;
static int poll_fd, port;
static bool keep;
static char buffer[1 << 18];

static uint64_t
now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void
read_lines(const char *path)
{
    char text[TARGET_BYTES_MAX], target[TARGET_BYTES_MAX];
    FILE *file = fopen(path, "r");
    while (file != NULL && lines_n < LINES_MAX && fgets(text, sizeof text, file) != NULL) {
        struct line *line = &lines[lines_n];
        if (sscanf(text, "%511s %zu", target, &line->body_bytes) != 2)
            break;
        int n = asprintf(&line->request, "GET %s HTTP/1.%d\r\nHost: bench\r\nAccept: */*\r\n\r\n", target,
                         keep);
        if (n < 0)
            abort();
        line->request_bytes = (size_t)n;
        lines_n++;
    }
    if (file == NULL || lines_n == 0) {
        fprintf(stderr, "fetch: %s has no lines \"target bytes\"\n", path);
        exit(2);
    }
    fclose(file);
}

/* A kernel without IP_BIND_ADDRESS_NO_PORT only chooses ports more slowly. */
static int
connection_open(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    uint32_t source = INADDR_LOOPBACK + (uint32_t)(connections++ % SOURCES);
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(source) };
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    if (fd < 0 || bind(fd, (struct sockaddr *)&from, sizeof from) != 0 ||
        (connect(fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)) {
        perror("fetch: connect");
        exit(1);
    }
    return fd;
}

static void
fetch_send(struct fetch *f)
{
    f->writable = true;
    ssize_t sent = send(f->fd, f->line->request, f->line->request_bytes, MSG_NOSIGNAL);
    f->failed = sent != (ssize_t)f->line->request_bytes;
}

static void
watch(struct fetch *f, int how, uint32_t events)
{
    struct epoll_event ev = { .events = events, .data.ptr = f };
    if (epoll_ctl(poll_fd, how, f->fd, &ev) != 0)
        abort();
}

static void
fetch_begin(struct fetch *f)
{
    int fd = f->fd;
    if (begun == fetches) {
        if (fd >= 0)
            close(fd);
        f->fd = -1;
        return;
    }
    *f = (struct fetch){ .fd = fd, .line = &lines[(size_t)begun++ % lines_n], .begin_us = now_us() };
    if (fd >= 0) {
        fetch_send(f);
        return;
    }
    f->fd = connection_open();
    watch(f, EPOLL_CTL_ADD, EPOLLOUT);
}

static void
fetch_end(struct fetch *f)
{
    bool good = !f->failed && f->head_complete && f->body_bytes == f->line->body_bytes &&
                strncmp(f->head, "HTTP/1.", 7) == 0 && strncmp(f->head + 8, " 200 ", 5) == 0;
    if (!good && failed++ == 0)
        fprintf(stderr, "fetch: first failure: %zu bytes of %zu, errno %d, head: %.200s\n", f->body_bytes,
                f->line->body_bytes, errno, f->head);
    body_bytes += f->body_bytes;
    totals_us[ended++] = (uint32_t)(now_us() - f->begin_us);
    if (!keep || !good) {
        close(f->fd);
        f->fd = -1;
    }
    fetch_begin(f);
}

/* Takes received bytes: first the head's, then the body's. */
static void
take(struct fetch *f, const char *data, size_t n)
{
    if (!f->answered) {
        f->answered = true;
        first_us += now_us() - f->begin_us;
    }
    if (f->head_complete) {
        f->body_bytes += n;
        return;
    }
    size_t room = HEAD_BYTES_MAX - f->head_bytes, piece = n < room ? n : room;
    memcpy(f->head + f->head_bytes, data, piece);
    f->head[f->head_bytes + piece] = '\0';
    char *end = strstr(f->head, "\r\n\r\n");
    if (end != NULL) {
        f->head_complete = true;
        f->body_bytes = n - ((size_t)(end + 4 - f->head) - f->head_bytes);
    }
    f->failed |= end == NULL && piece < n;
    f->head_bytes += piece;
}

static void
fetch_receive(struct fetch *f)
{
    ssize_t got = f->failed ? 0 : recv(f->fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EAGAIN)
        return;
    if (got > 0)
        take(f, buffer, (size_t)got);
    f->failed |= got < 0;
    if (got <= 0 || f->failed || (keep && f->head_complete && f->body_bytes >= f->line->body_bytes))
        fetch_end(f);
}

static void
on_event(struct fetch *f, uint32_t events)
{
    if (f->writable) {
        fetch_receive(f);
        return;
    }
    f->failed = (events & EPOLLERR) != 0;
    connect_us += now_us() - f->begin_us;
    if (!f->failed)
        fetch_send(f);
    if (f->failed)
        fetch_end(f);
    else
        watch(f, EPOLL_CTL_MOD, EPOLLIN);
}

static int
by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void
report(double seconds)
{
    double sum = 0, n = ended > 0 ? (double)ended : 1;
    for (long i = 0; i < ended; i++)
        sum += totals_us[i];
    qsort(totals_us, (size_t)ended, sizeof *totals_us, by_value);
    printf("{\"requests\": %ld, \"failed\": %ld, \"seconds\": %.6f, \"bytes\": %llu, \"connections\": %ld, "
           "\"connect_us\": %.1f, \"first_byte_us\": %.1f, \"mean_us\": %.1f, \"p99_us\": %u}\n",
           ended, failed + fetches - ended, seconds, (unsigned long long)body_bytes, connections,
           (double)connect_us / n, (double)first_us / n, sum / n,
           ended > 0 ? totals_us[ended * 99 / 100] : 0);
}

int
main(int argc, char **argv)
{
    int parallel = argc == 6 ? atoi(argv[2]) : 0;
    if (parallel < 1 || parallel > PARALLEL_MAX || (fetches = atol(argv[3])) < 1 || fetches > FETCHES_MAX) {
        fprintf(stderr, "usage: fetch PORT PARALLEL FETCHES close|keep FILE\n");
        return 2;
    }
    port = atoi(argv[1]);
    keep = strcmp(argv[4], "keep") == 0;
    read_lines(argv[5]);
    totals_us = malloc((size_t)fetches * sizeof *totals_us);
    poll_fd = epoll_create1(0);
    uint64_t start_us = now_us();
    for (int i = 0; i < parallel; i++) {
        slots[i].fd = -1;
        fetch_begin(&slots[i]);
    }
    struct epoll_event ev[EVENTS];
    while (ended < fetches) {
        int n = epoll_wait(poll_fd, ev, EVENTS, IDLE_MS);
        if (n <= 0)
            break;
        for (int i = 0; i < n; i++)
            on_event(ev[i].data.ptr, ev[i].events);
    }
    report((double)(now_us() - start_us) / 1e6);
    return 0;
}
