/* The origin of the soak, one thread for each connection. Usage: origin PORT SEED OBJECTS PERMILLE. PERMILLE
 * of a thousand responses fail: an error status, no response, a stall, a cut body, corrupt gzip. GET /calm
 * ends the failures. GET /count reports the requests and failures so far. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include "model.h"

#define HEAD_BYTES_MAX 16384u
#define PIECE_BYTES 60000u
#define STALL_MS_MAX 4000u
#define STACK_BYTES (256u << 10)

enum failure { NONE, ERROR_STATUS, NO_ANSWER, STALL_HEAD, STALL_BODY, CUT_BODY, LIE, FAILURES };

static atomic_ullong requests, failures[FAILURES];
static atomic_uint permille;

struct reply {
    int fd;
    enum failure failure;
    uint64_t random;
    struct soak_object object;
    unsigned variant;
    uint32_t version;
    bool head_only;
    bool sent_all;
};

static bool
send_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        p += sent;
        n -= (size_t)sent;
    }
    return true;
}

static enum failure
failure_of(uint64_t random, enum kind kind)
{
    if (random % 1000 >= atomic_load(&permille))
        return NONE;
    enum failure f = 1 + (random >> 16) % (FAILURES - 1);
    bool packed = kind == GZIPPED || kind == TO_GUNZIP;
    return f == LIE && !packed ? CUT_BODY : f;
}

/* A body before any coding: framed text, or a page with its ESI instructions. */
static size_t
make_page(char *out, const struct reply *r)
{
    uint64_t key = key_of(r->object.number, 0, r->version);
    char frame[FRAME_BYTES + 1], url[64];
    frame_of(frame, r->object.number, 0, r->version, r->object.n_includes);
    size_t n = (size_t)sprintf(out, "<%s>", frame);
    for (unsigned i = 0; i < r->object.n_includes; i++) {
        bool hidden = (r->object.number + i) % 3 == 0;
        uint32_t run = run_bytes(r->object.number, i);
        fill(key, i * RUN_BYTES_MAX, out + n, run);
        n += run;
        url_of(url, sizeof url, included(&r->object, i));
        n += (size_t)sprintf(out + n, "%s<esi:include src=\"%s\"/>%s<%u>",
                             hidden ? "<esi:remove>gone</esi:remove><!--esi" : "", url,
                             hidden ? "<esi:comment text=\"gone\"/>-->" : "", i);
    }
    return n;
}

static size_t
make_plain(char *out, const struct reply *r)
{
    frame_of(out, r->object.number, r->variant, r->version, r->object.bytes);
    fill(key_of(r->object.number, r->variant, r->version), 0, out + FRAME_BYTES,
         r->object.bytes - FRAME_BYTES);
    return r->object.bytes;
}

static size_t
pack(char *out, size_t room, char *in, size_t n)
{
    z_stream z = {
        .next_in = (Bytef *)in, .avail_in = (uInt)n, .next_out = (Bytef *)out, .avail_out = (uInt)room
    };
    if (deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&z);
    return z.total_out;
}

/* Corrupts gzip: flips a bit anywhere, cuts the end, appends bytes, changes the length, or breaks the magic
 * number. Returns the new size. */
static size_t
corrupt_gzip(char *body, size_t n, uint64_t random)
{
    size_t at = (random >> 8) % n;
    switch (random % 5) {
    case 0:
        body[at] ^= (char)(1 << random % 7);
        return at >= 4 && at < 10 ? n - 1 : n; /* nothing checks date and system, so cut the end as well */
    case 1: return at > 0 ? at : 1;
    case 2: memcpy(body + n, "behind", 6); return n + 6;
    case 3: body[n - 1] ^= 1; return n;
    default: body[0] = 'x'; return n;
    }
}

static void
sleep_ms(uint64_t ms)
{
    usleep((useconds_t)(ms * 1000));
}

static bool
send_piece(struct reply *r, const char *p, size_t n)
{
    char size[32];
    if (!r->object.chunked)
        return send_all(r->fd, p, n);
    int len = snprintf(size, sizeof size, "%zx\r\n", n);
    return send_all(r->fd, size, (size_t)len) && send_all(r->fd, p, n) && send_all(r->fd, "\r\n", 2);
}

static bool
send_body(struct reply *r, const char *body, size_t n)
{
    size_t fails_at = r->failure == CUT_BODY || r->failure == STALL_BODY ? (r->random >> 24) % n : n + 1;
    for (size_t at = 0; at < n;) {
        size_t take = n - at < PIECE_BYTES ? n - at : PIECE_BYTES;
        if (at < fails_at && at + take > fails_at)
            take = fails_at - at;
        if (take > 0 && !send_piece(r, body + at, take))
            return false;
        at += take;
        if (at == fails_at && r->failure == CUT_BODY)
            return false;
        if (at == fails_at) {
            sleep_ms((r->random >> 40) % STALL_MS_MAX);
            fails_at = n + 1;
        }
    }
    return !r->object.chunked || send_all(r->fd, "0\r\n\r\n", 5);
}

static bool
send_head(struct reply *r, int status, size_t n)
{
    static const char *const todo[] = { [TO_GZIP] = "gzip", [TO_GUNZIP] = "gunzip", [PAGE] = "esi" };
    const struct soak_object *t = &r->object;
    char head[1024];
    int at = snprintf(head, sizeof head,
                      "HTTP/1.1 %d Soak\r\nETag: \"%07u-%02u-%08x\"\r\nX-Number: %u\r\nX-Group: %u\r\n"
                      "Cache-Control: max-age=%u\r\n",
                      status, t->number, r->variant, r->version, t->number, t->number % GROUPS, t->ttl_s);
    if (t->kind == GZIPPED || t->kind == TO_GUNZIP)
        at += snprintf(head + at, sizeof head - (size_t)at, "Content-Encoding: gzip\r\n");
    if (t->kind == VARIES)
        at += snprintf(head + at, sizeof head - (size_t)at, "Vary: X-Var\r\n");
    if (t->kind == TO_GZIP || t->kind == TO_GUNZIP || t->kind == PAGE)
        at += snprintf(head + at, sizeof head - (size_t)at, "X-Do: %s\r\n", todo[t->kind]);
    if (t->whole)
        at += snprintf(head + at, sizeof head - (size_t)at, "X-Whole: 1\r\n");
    if (status == 304)
        at += snprintf(head + at, sizeof head - (size_t)at, "\r\n");
    else if (t->chunked)
        at += snprintf(head + at, sizeof head - (size_t)at, "Transfer-Encoding: chunked\r\n\r\n");
    else
        at += snprintf(head + at, sizeof head - (size_t)at, "Content-Length: %zu\r\n\r\n", n);
    return send_all(r->fd, head, (size_t)at);
}

static bool
send_object(struct reply *r)
{
    size_t room = (r->object.kind == PAGE ? PAGE_BYTES_MAX : r->object.bytes) + 1000;
    char *body = malloc(room), *packed = NULL;
    if (body == NULL)
        abort();
    size_t n = r->object.kind == PAGE ? make_page(body, r) : make_plain(body, r);
    if (r->object.kind == GZIPPED || r->object.kind == TO_GUNZIP) {
        packed = malloc(room);
        n = pack(packed, room - 10, body, n);
        if (r->failure == LIE)
            n = corrupt_gzip(packed, n, r->random >> 32);
    }
    bool ok = send_head(r, 200, n) && (r->head_only || send_body(r, packed != NULL ? packed : body, n));
    free(packed);
    free(body);
    return ok;
}

static const char *
field(const char *head, const char *name)
{
    const char *p = strcasestr(head, name);
    return p == NULL ? NULL : p + strlen(name);
}

/* Whether the validator is of the current period, so that the response is 304. */
static bool
is_current(const struct reply *r, const char *validator)
{
    unsigned number, variant, version;
    const char *quote = validator == NULL ? NULL : strchr(validator, '"');
    return quote != NULL && sscanf(quote, "\"%u-%u-%x\"", &number, &variant, &version) == 3 &&
           number == r->object.number && variant == r->variant &&
           version / r->object.period_ms == r->version / r->object.period_ms;
}

static bool
control(int fd, const char *head)
{
    char text[200], answer[400];
    if (strncmp(head, "GET /calm ", 10) == 0)
        atomic_store(&permille, 0);
    snprintf(
        text, sizeof text,
        "{\"requests\": %llu, \"error\": %llu, \"silent\": %llu, \"stall\": %llu, \"cut\": %llu, \"lie\": %llu}\n",
        requests, failures[ERROR_STATUS], failures[NO_ANSWER], failures[STALL_HEAD] + failures[STALL_BODY],
        failures[CUT_BODY], failures[LIE]);
    snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(text), text);
    return send_all(fd, answer, strlen(answer));
}

static bool
answer(int fd, const char *head)
{
    static const char wrong[] = "HTTP/1.1 503 Soak\r\nContent-Length: 5\r\n\r\nerror";
    const char *slash = strstr(head, "/o/g"), *asked;
    if (slash == NULL || (slash = strchr(slash + 4, '/')) == NULL)
        return control(fd, head);
    struct reply r = { .fd = fd,
                       .object = object_of((uint32_t)strtoul(slash + 1, NULL, 10) % n_objects),
                       .version = now_ms() };
    r.random = chance(6, atomic_fetch_add(&requests, 1));
    r.failure = failure_of(r.random, r.object.kind);
    r.head_only = strncmp(head, "HEAD", 4) == 0;
    atomic_fetch_add(&failures[r.failure], 1);
    if (r.object.kind == VARIES && (asked = field(head, "\r\nX-Var: ")) != NULL)
        r.variant = (unsigned)strtoul(asked, NULL, 10) % VARIANTS;
    if (r.failure == NO_ANSWER)
        return false;
    if (r.failure == ERROR_STATUS)
        return send_all(fd, wrong, sizeof wrong - 1);
    if (r.failure == STALL_HEAD)
        sleep_ms((r.random >> 40) % STALL_MS_MAX);
    if (is_current(&r, field(head, "\r\nIf-None-Match: "))) {
        sscanf(strchr(field(head, "\r\nIf-None-Match: "), '"'), "\"%*u-%*u-%x", &r.version);
        return send_head(&r, 304, 0);
    }
    return send_object(&r);
}

static void *
serve(void *arg)
{
    int fd = (int)(intptr_t)arg;
    char head[HEAD_BYTES_MAX];
    size_t n = 0;
    for (;;) {
        ssize_t got = recv(fd, head + n, sizeof head - 1 - n, 0);
        if (got <= 0)
            break;
        n += (size_t)got;
        head[n] = '\0';
        if (strstr(head, "\r\n\r\n") == NULL)
            continue;
        if (!answer(fd, head))
            break;
        n = 0;
    }
    close(fd);
    return NULL;
}

int
main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)atoi(argv[1])),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int one = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
    seed = strtoull(argv[2], NULL, 10);
    n_objects = (uint32_t)strtoul(argv[3], NULL, 10);
    atomic_store(&permille, (unsigned)atoi(argv[4]));
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listening, (struct sockaddr *)&at, sizeof at) != 0 || listen(listening, 4096) != 0)
        return 1;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (;;) {
        pthread_t thread;
        int fd = accept(listening, NULL, NULL);
        if (fd < 0)
            continue;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (pthread_create(&thread, &attr, serve, (void *)(intptr_t)fd) != 0)
            close(fd);
    }
}
