/* The history of the dashboard: see history.h. The manager keeps a copy in memory and writes one record at a
 * time. */
#include "manager/dashboard/history.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

#define MAGIC "VERNISH1"

struct record {
    int64_t step; /* number of the step since the epoch; 0: empty */
    float values[HISTORY_VALUES];
    uint64_t sum;
};

struct head {
    char magic[8];
    uint32_t record_bytes, records;
    uint64_t sum;
};

struct history {
    int fd; /* -1: the file cannot be used */
    char path[PATH_MAX];
    struct record records[HISTORY_RECORDS];
};

_Static_assert(offsetof(struct record, sum) == sizeof(struct record) - sizeof(uint64_t),
               "the sum covers all bytes before it");

const char *const history_names[HISTORY_VALUES] = {
    [HISTORY_REQUESTS] = "requests",
    [HISTORY_HITS] = "hits",
    [HISTORY_MISSES] = "misses",
    [HISTORY_PASSES] = "passes",
    [HISTORY_2XX] = "s2xx",
    [HISTORY_3XX] = "s3xx",
    [HISTORY_4XX] = "s4xx",
    [HISTORY_5XX] = "s5xx",
    [HISTORY_FETCHES] = "fetches",
    [HISTORY_BYTES] = "bytes",
    [HISTORY_ORIGIN_P50] = "origin_p50",
    [HISTORY_ORIGIN_P95] = "origin_p95",
    [HISTORY_USED_BYTES] = "used_bytes",
    [HISTORY_OBJECTS] = "objects",
};

static uint64_t
record_sum(const struct record *r)
{
    return XXH64(r, offsetof(struct record, sum), 0);
}

static struct head
head_now(void)
{
    struct head h = { .magic = MAGIC, .record_bytes = sizeof(struct record), .records = HISTORY_RECORDS };
    h.sum = XXH64(&h, offsetof(struct head, sum), 0);
    return h;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static bool
read_all(int fd, void *to, size_t n)
{
    size_t done = 0;
    ssize_t got;
    while (done < n && (got = read(fd, (char *)to + done, n - done)) > 0)
        done += (size_t)got;
    return done == n;
}

/* Bytes, because a record has padding. */
static bool
is_zero(const void *bytes, size_t n)
{
    const char *p = bytes;
    return p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

static bool
is_sound(const struct history *h)
{
    for (unsigned i = 0; i < HISTORY_RECORDS; i++) {
        const struct record *r = &h->records[i];
        if (r->step == 0 ? !is_zero(r, sizeof *r)
                         : r->step < 0 || r->step % HISTORY_RECORDS != i || r->sum != record_sum(r))
            return false;
    }
    return true;
}

static bool
read_records(struct history *h)
{
    struct head expected = head_now(), found;
    return read_all(h->fd, &found, sizeof found) && memcmp(&found, &expected, sizeof found) == 0 &&
           read_all(h->fd, h->records, sizeof h->records) && is_sound(h);
}

static bool
begin_anew(struct history *h)
{
    struct head head = head_now();
    memset(h->records, 0, sizeof h->records);
    return ftruncate(h->fd, 0) == 0 && pwrite(h->fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
           ftruncate(h->fd, (off_t)(sizeof head + sizeof h->records)) == 0;
}

static void
give_up(struct history *h)
{
    log_line(LOG_LEVEL_WARNING, "dashboard: cannot keep the history in %s: %s", h->path, strerror(errno));
    if (h->fd >= 0)
        close(h->fd);
    h->fd = -1;
}

struct history *
history_open(const char *folder)
{
    struct history *h = mem_zalloc(sizeof *h);
    struct stat st;
    int n = snprintf(h->path, sizeof h->path, "%s/%s", folder, HISTORY_FILE);
    CHECK(n > 0 && n < PATH_MAX);
    h->fd = open(h->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (h->fd < 0 || fstat(h->fd, &st) != 0) {
        give_up(h);
        return h;
    }
    bool used = st.st_size > 0;
    if (used && read_records(h))
        return h;
    if (used)
        log_line(LOG_LEVEL_WARNING, "dashboard: the history in %s is damaged: it begins anew", h->path);
    if (!begin_anew(h))
        give_up(h);
    return h;
}

void
history_close(struct history **at)
{
    struct history *h = *at;
    if (h == NULL)
        return;
    if (h->fd >= 0)
        close(h->fd);
    free(h);
    *at = NULL;
}

void
history_add(struct history *h, nsec real, const float values[HISTORY_VALUES])
{
    int64_t step = real / NSEC_PER_SEC / HISTORY_STEP_S;
    if (step <= 0)
        return;
    struct record *r = &h->records[step % HISTORY_RECORDS];
    *r = (struct record){ .step = step };
    memcpy(r->values, values, sizeof r->values);
    r->sum = record_sum(r);
    off_t at = (off_t)(sizeof(struct head) + sizeof *r * (size_t)(step % HISTORY_RECORDS));
    if (h->fd >= 0 && pwrite(h->fd, r, sizeof *r, at) != (ssize_t)sizeof *r)
        give_up(h);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

/* The mean of the known values of these steps; NAN: none is known. */
static double
mean_of(const struct history *h, enum history_value which, int64_t from, int64_t n)
{
    double sum = 0;
    unsigned known = 0;
    for (int64_t step = from; step < from + n; step++) {
        const struct record *r = &h->records[step % HISTORY_RECORDS];
        if (r->step != step || isnan(r->values[which]))
            continue;
        sum += (double)r->values[which];
        known++;
    }
    return known > 0 ? sum / known : (double)NAN;
}

static void
add_value(struct text *out, double value)
{
    if (isfinite(value))
        text_printf(out, "%.6g", value);
    else
        text_str(out, "null");
}

void
history_json(const struct history *h, nsec real, unsigned seconds, struct text *out)
{
    int64_t steps = seconds / HISTORY_STEP_S;
    steps = steps < 1 ? 1 : steps > HISTORY_RECORDS ? HISTORY_RECORDS : steps;
    int64_t width = (steps + HISTORY_POINTS_MAX - 1) / HISTORY_POINTS_MAX, points = steps / width;
    int64_t now = real / NSEC_PER_SEC / HISTORY_STEP_S;
    int64_t end = now / width * width + width, from = end - points * width;
    text_printf(out, "{\"from\":%lld,\"step\":%lld", (long long)from * HISTORY_STEP_S,
                (long long)width * HISTORY_STEP_S);
    for (unsigned v = 0; v < HISTORY_VALUES; v++) {
        text_printf(out, ",\"%s\":[", history_names[v]);
        for (int64_t i = 0; i < points; i++) {
            text_str(out, i > 0 ? "," : "");
            add_value(out, mean_of(h, (enum history_value)v, from + i * width, width));
        }
        text_str(out, "]");
    }
    text_str(out, "}");
}
