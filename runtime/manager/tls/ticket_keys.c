/* Keys of session tickets: see ticket_keys.h. */
#include "manager/tls/ticket_keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "log/report.h"

#define LOOK_AGAIN (10 * NSEC_PER_SEC) /* a shorter tls_ticket_lifetime has an effect after this */

enum { NEXT, CURRENT, PREVIOUS };

/* ---- hexadecimal ---- */

static void
to_hex(const unsigned char *bytes, char out[TICKET_KEYS_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < TICKET_KEYS_BYTES; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * TICKET_KEYS_BYTES] = '\0';
}

static int
digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
from_hex(const char *hex, unsigned char out[TICKET_KEYS_BYTES])
{
    if (strlen(hex) != 2 * TICKET_KEYS_BYTES)
        return false;
    for (unsigned i = 0; i < TICKET_KEYS_BYTES; i++) {
        int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* ---- keys ---- */

/* Before any key is made. getrandom waits until the system has collected enough noise. */
static void
draw(unsigned char out[TICKET_KEYS_BYTES])
{
    size_t n = 0;
    while (n < TICKET_KEYS_BYTES) {
        ssize_t got = getrandom(out + n, TICKET_KEYS_BYTES - n, 0);
        CHECK(got > 0 || errno == EINTR);
        n += got > 0 ? (size_t)got : 0;
    }
}

static void
answered(void *arg, int status, struct span text)
{
    if (status != CLI_OK && status != CLI_COMMS)
        log_line(LOG_LEVEL_ERROR, "keys of tickets: %.*s", (int)text.len, text.ptr);
}

void
ticket_keys_send(struct ticket_keys *t)
{
    struct ticket_words w;
    if (!child_alive(t->child) || !ticket_keys_words(t, &w))
        return;
    const char *const words[] = { "tls.tickets", w.keys[NEXT], w.keys[CURRENT], w.keys[PREVIOUS] };
    child_call(t->child, answered, NULL, sizeof words / sizeof *words, words);
    ticket_words_wipe(&w);
}

/* A loop may get the keys later than another: it knows the next one before it is used. */
static void
rotate(struct ticket_keys *t)
{
    explicit_bzero(t->keys[PREVIOUS], TICKET_KEYS_BYTES);
    memmove(t->keys[CURRENT], t->keys[NEXT], 2 * (size_t)TICKET_KEYS_BYTES);
    draw(t->keys[NEXT]);
    t->n = TICKET_KEYS_KEPT;
    t->made = clock_mono_ns();
    ticket_keys_send(t);
}

static void
set_timer(struct ticket_keys *t)
{
    nsec now = clock_mono_ns(), due = t->made + nsec_of(params.tls_ticket_lifetime_s);
    events_timer(t->events, &t->rotate, due < now + LOOK_AGAIN ? due : now + LOOK_AGAIN);
}

static void
look(struct event_timer *timer)
{
    struct ticket_keys *t = container_of(timer, struct ticket_keys, rotate);
    if (clock_mono_ns() >= t->made + nsec_of(params.tls_ticket_lifetime_s))
        rotate(t);
    set_timer(t);
}

/* ---- life ---- */

void
ticket_keys_init(struct ticket_keys *t, struct child *child, struct events *events)
{
    *t = (struct ticket_keys){ .child = child, .events = events, .rotate.fn = look };
}

void
ticket_keys_start(struct ticket_keys *t)
{
    draw(t->keys[NEXT]);
    draw(t->keys[CURRENT]);
    t->n = PREVIOUS;
    t->made = clock_mono_ns();
    set_timer(t);
}

void
ticket_keys_stop(struct ticket_keys *t)
{
    if (t->events != NULL)
        events_timer_cancel(t->events, &t->rotate);
    explicit_bzero(t->keys, sizeof t->keys);
    t->n = 0;
}

/* ---- upgrade ---- */

bool
ticket_keys_words(const struct ticket_keys *t, struct ticket_words *out)
{
    *out = (struct ticket_words){ 0 };
    for (unsigned i = 0; i < t->n; i++)
        to_hex(t->keys[i], out->keys[i]);
    snprintf(out->age, sizeof out->age, "%lld", (long long)((clock_mono_ns() - t->made) / NSEC_PER_SEC));
    return t->n > 0;
}

void
ticket_words_wipe(struct ticket_words *w)
{
    explicit_bzero(w, sizeof *w);
}

int
ticket_keys_take(struct ticket_keys *t, const char *const keys[TICKET_KEYS_KEPT], const char *age)
{
    unsigned char taken[TICKET_KEYS_KEPT][TICKET_KEYS_BYTES];
    unsigned n = *keys[PREVIOUS] == '\0' ? PREVIOUS : TICKET_KEYS_KEPT;
    char *end;
    long long seconds = strtoll(age, &end, 10);
    bool ok = t->n > 0 && *age != '\0' && *end == '\0' && seconds >= 0 && seconds < INT32_MAX;
    for (unsigned i = 0; ok && i < n; i++)
        ok = from_hex(keys[i], taken[i]);
    if (ok) {
        ticket_keys_stop(t);
        memcpy(t->keys, taken, n * sizeof *taken);
        t->n = n;
        t->made = clock_mono_ns() - seconds * NSEC_PER_SEC;
        set_timer(t);
        ticket_keys_send(t);
    }
    explicit_bzero(taken, sizeof taken);
    return ok ? 0 : ERR_SYNTAX;
}
