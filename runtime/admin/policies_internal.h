/* What the files about policies share: entries of the list, and operations. */
#ifndef VERNIS_ADMIN_POLICIES_INTERNAL_H
#define VERNIS_ADMIN_POLICIES_INTERNAL_H

#include <limits.h>

#include "admin/policies.h"
#include "base/clock.h"

#define CALL(...) (const char *const[]){ __VA_ARGS__ }

/* ---- policy_list.c ----------------------------------------------------------------------------------------------------------- */

bool policy_name_is_right(const char *name, struct text *why);
struct vcl *policies_add(struct policies *p, const char *name, enum vcl_state state);
void policies_forget(struct policies *p, struct vcl *vcl);      /* nothing may need it; its image goes too */
void policies_need(struct vcl *from, struct vcl *to);
void policies_need_nothing(struct vcl *from);
void policies_forget_use(struct policies *p, const char *name); /* it is no way back any more */

/* ---- policies.c: operations -------------------------------------------------------------------------------------------------- */

struct operation {
    struct policies *policies;
    char name[POLICY_NAME_BYTES];
    char image[PATH_MAX];
    struct text said;                   /* warnings, report */
    policies_done_fn *done;
    void *arg;
    struct vcl *vcl;                    /* load, label: the entry, which nobody else removes */
    struct vcl *held;                   /* use, replace, label: counted in its `pending` */
    char old[POLICY_NAME_BYTES];        /* reload: active before; "" none */
    nsec began;
};

struct operation *operation_new(struct policies *p, const char *name, policies_done_fn *done, void *arg);
void operation_hold(struct operation *op, struct vcl *vcl);     /* nobody discards it until the operation ends */
void operation_end(struct operation *op, int status, struct span text);        /* answers, and frees it */
void operation_say(struct operation *op, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
