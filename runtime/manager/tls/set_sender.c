/* A set on its way to the worker: see set_sender.h. */
#include "manager/tls/set_sender.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/status.h"
#include "base/check.h"

#define CALL(...) \
    (const char *const[]) \
    { \
        __VA_ARGS__ \
    }

static void pump(struct set_sender *s);

static void
answered(void *arg, int status, struct span text)
{
    struct set_sender *s = arg;
    CHECK(s->waiting > 0);
    s->waiting--;
    if (status != CLI_OK && s->status == CLI_OK) {
        s->status = status;
        text_add(&s->why, text);
    }
    pump(s);
}

/* tls.begin, a command for each listener, one for each certificate. */
static void
send_one(struct set_sender *s, unsigned at)
{
    struct child *child = s->from->child;
    char number[16];
    if (at == 0) {
        child_call(child, answered, s, 1, CALL("tls.begin"));
        return;
    }
    if (--at < s->settings->n) {
        child_call(child, answered, s, 3,
                   CALL("tls.frontend", s->settings->all[at].name, s->settings->all[at].lines));
        return;
    }
    const struct certificate *one = s->set[at - s->settings->n];
    snprintf(number, sizeof number, "%u", one->number);
    child_call(child, answered, s, 4,
               CALL("tls.certificate", number, one->frontend, one->sent == s->worker ? "" : one->chain));
}

static void
finish(struct set_sender *s)
{
    struct text why = s->why;
    int status = s->status;
    for (unsigned i = 0; i < s->n && status == CLI_OK; i++)
        s->set[i]->sent = s->worker;
    free(s->set);
    s->set = NULL;
    s->why = (struct text){ 0 };
    s->done(s->arg, status, text_span(&why));
    text_release(&why);
}

static void
pump(struct set_sender *s)
{
    unsigned steps = 1 + s->settings->n + s->n;
    if (s->sending) /* the answer came within child_call */
        return;
    s->sending = true;
    while (s->status == CLI_OK && s->at < steps && s->waiting < SET_CALLS_MAX) {
        s->waiting++;
        send_one(s, s->at++);
    }
    bool all = s->waiting == 0;
    if (all && s->status == CLI_OK && !s->committing) {
        s->committing = true;
        s->waiting++;
        child_call(s->from->child, answered, s, 1, CALL("tls.commit"));
        all = s->waiting == 0;
    }
    s->sending = false;
    if (all)
        finish(s);
}

bool
set_sender_busy(const struct set_sender *s)
{
    return s->set != NULL;
}

void
set_sender_start(struct set_sender *s, struct certificates *from, bool next, set_sent_fn *done, void *arg)
{
    CHECK(s->set == NULL);
    *s = (struct set_sender){ .from = from,
                              .settings = next && from->has_next_settings ? &from->next_settings
                                                                          : &from->settings,
                              .status = CLI_OK,
                              .worker = from->child->started,
                              .done = done,
                              .arg = arg };
    s->set = certificates_set(from, next, &s->n);
    pump(s);
}
