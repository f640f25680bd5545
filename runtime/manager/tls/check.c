/* A check of certificates and settings without a daemon: see check.h. */
#include "manager/tls/check.h"

#include <stdlib.h>
#include <time.h>

#include "manager/tls/changes.h"
#include "manager/tls/expiry.h"
#include "daemon/status.h"
#include "daemon/tls_defaults.h"
#include "base/check.h"
#include "base/mem.h"
#include "tls/describe.h"
#include "tls/library.h"

struct check {
    struct events events;
    struct event_timer overdue;
    struct sandbox sandbox;
    struct child child; /* none runs */
    struct key_process keys;
    struct certificates certificates;
    struct changes changes;
    int status;
    struct text *why;
};

static void
loaded(void *arg, int status, struct span text)
{
    struct check *c = arg;
    c->status = status;
    text_add(c->why, text);
    c->events.stop = true;
}

static void
overdue(struct event_timer *t)
{
    loaded(container_of(t, struct check, overdue), CLI_CANT, SPAN_LIT("The key process does not answer\n"));
}

/* ---- words ---- */

static void
add_date(long long seconds, struct text *out)
{
    char date[32];
    time_t at = (time_t)seconds;
    struct tm tm;
    gmtime_r(&at, &tm);
    strftime(date, sizeof date, "%Y-%m-%d", &tm);
    text_str(out, date);
}

static void
add_certificate(const struct certificate *one, const struct tls_certificate *c, struct text *out)
{
    text_printf(out, "certificate %s: %s\n    file   %s%s%s\n    names  %s\n    valid  ", one->id, one->kind,
                one->cert_file, *one->key_file == '\0' ? "" : ", key in ", one->key_file, one->names);
    add_date(one->not_before, out);
    text_str(out, " to ");
    add_date(one->not_after, out);
    text_printf(out, ", %lld days left\n    chain  ", certificate_days(one));
    tls_describe_chain(c, out);
    text_str(out, "\n");
    if (c->staple.bytes != NULL) {
        text_str(out, "    OCSP   good, until ");
        add_date(c->staple.until_s, out);
        text_str(out, "\n");
    }
}

static void
add_offer(struct span lines, struct text *out)
{
    while (lines.len > 0) {
        const char *end = memchr(lines.ptr, '\n', lines.len);
        size_t n = end == NULL ? lines.len : (size_t)(end - lines.ptr);
        text_printf(out, "    %.*s\n", (int)n, lines.ptr);
        n += end == NULL ? 0 : 1;
        lines = span_of(lines.ptr + n, lines.len - n);
    }
}

/* ---- the set, as the worker makes it ---- */

static int
make_set(const struct check *c, struct tls_set *set, struct certificate **all, unsigned n, struct text *out)
{
    struct text defaults = { 0 };
    tls_default_settings(&defaults);
    int err = tls_set_frontend(set, "", text_span(&defaults), c->why);
    text_release(&defaults);
    for (unsigned i = 0; err == 0 && i < c->certificates.settings.n; i++) {
        const struct frontend_settings *f = &c->certificates.settings.all[i];
        err = tls_set_frontend(set, f->name, span_str(f->lines), c->why);
    }
    for (unsigned i = 0; err == 0 && i < n; i++) {
        err = tls_set_certificate(set, all[i]->number, all[i]->frontend, span_str(all[i]->chain), c->why);
        if (err == 0)
            add_certificate(all[i], set->certificates[i], out);
    }
    return err;
}

/* Of a listener: what it offers with each kind of key that it has. */
static int
add_listener(const struct tls_set *set, const struct tls_frontend_config *f, struct text *out,
             struct text *why)
{
    unsigned at = tls_set_find_frontend(set, span_str(f->name));
    const struct tls_name *first = tls_set_first(set, at);
    static const char *const kinds[] = { [TLS_KEY_EC] = "EC",
                                         [TLS_KEY_ED25519] = "ED25519",
                                         [TLS_KEY_RSA] = "RSA" };
    struct text none = { 0 };
    int err = tls_describe_offer(set, at, TLS_KEY_EC, &none, why); /* are its settings right? */
    text_release(&none);
    text_printf(out, "listener %s: %s%s\n", f->name, f->address,
                first == NULL ? ", without a certificate" : "");
    for (enum tls_key_kind k = 0; err == 0 && first != NULL && k < TLS_KEY_KINDS; k++) {
        struct text lines = { 0 };
        if (first->by_kind[k] == NULL)
            continue;
        err = tls_describe_offer(set, at, k, &lines, why);
        text_printf(out, "  with keys of kind %s\n", kinds[k]);
        add_offer(text_span(&lines), out);
        text_release(&lines);
    }
    return err;
}

static int
describe(const struct check *c, const struct tls_config *config, struct text *out)
{
    unsigned n;
    struct certificate **all = certificates_set(&c->certificates, false, &n);
    struct tls_set *set = tls_set_new();
    CHECK(set != NULL);
    int err = make_set(c, set, all, n, out);
    for (unsigned i = 1; err == 0 && i < config->n_frontends; i++)
        err = add_listener(set, &config->frontends[i], out, c->why);
    if (err != 0)
        text_str(c->why, "\n");
    tls_set_release(&set);
    free(all);
    return err;
}

int
tls_check(const struct tls_config *config, struct text *out, struct text *why)
{
    struct check *c = mem_zalloc(sizeof *c);
    c->why = why;
    c->status = CLI_OK;
    c->sandbox = (struct sandbox){ .calls = sandbox_has_calls(),
                                   .files = sandbox_files_version() > 0,
                                   .readable = "" };
    c->overdue.fn = overdue;
    events_init(&c->events);
    child_init(&c->child, &c->events, NULL);
    key_process_init(&c->keys, &c->events, NULL, &c->sandbox);
    certificates_init(&c->certificates, &c->child, &c->keys, NULL);
    changes_init(&c->changes, &c->certificates, config);
    if (tls_library_start() != 0 || key_process_start(&c->keys, why) != 0)
        c->status = CLI_CANT;
    else {
        changes_make(&c->changes, &(struct change){ .kind = CHANGE_RELOAD }, loaded, c);
        events_timer(&c->events, &c->overdue, clock_mono_ns() + nsec_of(TLS_CHECK_S));
        while (!c->events.stop && events_round(&c->events) == 0)
            ;
    }
    bool good = c->status == CLI_OK && describe(c, config, out) == 0;
    changes_release(&c->changes);
    certificates_release(&c->certificates);
    key_process_stop(&c->keys);
    events_release(&c->events);
    free(c);
    return good ? 0 : 2;
}
