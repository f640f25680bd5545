/* Days until certificates expire: see expiry.h. */
#include "manager/tls/expiry.h"

#include "base/params.h"
#include "log/report.h"
#include "log/vsc.h"

#define SECONDS_A_DAY 86400
#define HOUR (3600 * NSEC_PER_SEC)
#define DAY (24 * HOUR)

enum { DAYS, NOT_AFTER };

static const struct vsc_row rows[] = {
    [DAYS] = { "days", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Days until the certificate expires" },
    [NOT_AFTER] = { "not_after", VSC_GAUGE, VSC_INFO, VSC_DURATION,
                    "When it expires, in seconds since 1970" },
};
static const struct vsc_type type = { "CERT", "A certificate in use", rows, sizeof rows / sizeof *rows };

static long long
seconds_left(const struct certificate *one)
{
    return one->not_after - clock_real_ns() / NSEC_PER_SEC;
}

long long
certificate_days(const struct certificate *one)
{
    long long left = seconds_left(one);
    return left >= 0 ? left / SECONDS_A_DAY : -((SECONDS_A_DAY - 1 - left) / SECONDS_A_DAY);
}

static void
count(struct certificate *one)
{
    long long days = certificate_days(one);
    vsc_set(&one->counters[DAYS], days > 0 ? (uint64_t)days : 0);
    vsc_set(&one->counters[NOT_AFTER], one->not_after > 0 ? (uint64_t)one->not_after : 0);
}

static void
warn(struct certificate *one)
{
    nsec now = clock_mono_ns();
    long long left = seconds_left(one), days = certificate_days(one);
    bool early = one->not_before > clock_real_ns() / NSEC_PER_SEC;
    bool soon = left < (long long)params.tls_expiry_warning * SECONDS_A_DAY;
    if ((!early && !soon && left >= 0) || (one->warned != 0 && now - one->warned < DAY))
        return;
    one->warned = now;
    if (left < 0)
        log_line(LOG_LEVEL_WARNING, "certificate %s (%s) has expired: renew %s, then tls.cert.reload",
                 one->id, one->names, one->cert_file);
    else if (early)
        log_line(LOG_LEVEL_WARNING, "certificate %s (%s) is not valid yet", one->id, one->names);
    else
        log_line(LOG_LEVEL_WARNING,
                 "certificate %s (%s) expires in %lld days: renew %s, then tls.cert.reload", one->id,
                 one->names, days, one->cert_file);
}

void
expiry_look(struct certificates *c)
{
    unsigned counted = 0;
    for (unsigned i = 0; i < c->n; i++) {
        struct certificate *one = c->all[i];
        if (one->state != CERTIFICATE_COMMITTED && one->state != CERTIFICATE_LEAVING)
            continue;
        if (one->counters == NULL && counted < EXPIRY_COUNTED_MAX) {
            struct text ident = { 0 };
            text_printf(&ident, "CERT.%s", one->id);
            one->counters = vsc_new(&type, text_cstr(&ident));
            text_release(&ident);
        }
        counted++;
        if (one->counters != NULL)
            count(one);
        warn(one);
    }
}

static void
look_again(struct event_timer *t)
{
    struct expiry *e = container_of(t, struct expiry, hourly);
    expiry_look(e->certificates);
    events_timer(e->events, t, clock_mono_ns() + HOUR);
}

void
expiry_start(struct expiry *e, struct events *events, struct certificates *certificates)
{
    *e = (struct expiry){ .events = events, .certificates = certificates, .hourly.fn = look_again };
    events_timer(events, &e->hourly, clock_mono_ns() + HOUR);
}

void
expiry_stop(struct expiry *e)
{
    if (e->events != NULL)
        events_timer_cancel(e->events, &e->hourly);
}
