/* Address lists: the longest prefix that covers an address decides, and may be negated. Immutable once built. */
#ifndef VERNIS_ACL_H
#define VERNIS_ACL_H

#include "log/txn.h"
#include "policy_abi.h"

struct acl;

struct acl_verdict {
    bool match;
    struct span text;                   /* the entry that decided, as written; SPAN_NULL when none covers the address */
};

int acl_new(const struct image_acl *image, struct acl **out);  /* copies all it needs; ERR_SYNTAX on a prefix that is too long */
void acl_release(struct acl **acl);
struct acl_verdict acl_look_up(const struct acl *acl, const struct vcl_ip *ip);
struct span acl_name(const struct acl *acl);
/* VCL_acl, when the policy asks for it with +log. */
void acl_log(const struct acl *acl, const struct acl_verdict *v, const struct log_txn *log);

#endif
