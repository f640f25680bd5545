/* Address lists. The longest prefix that covers an address decides; an entry may be negated. Immutable after
 * acl_new. */
#ifndef VERNIS_POLICY_ACL_H
#define VERNIS_POLICY_ACL_H

#include "log/txn.h"
#include "policy_abi.h"

struct acl;

struct acl_verdict {
    bool match;
    struct span text; /* the deciding entry, as written; SPAN_NULL when no entry covers the address */
    unsigned steps;   /* comparisons of this lookup, for tests */
};

/* copies the image's texts; ERR_SYNTAX: a prefix is too long */
int acl_new(const struct image_acl *image, struct acl **out);
void acl_release(struct acl **acl);
struct acl_verdict acl_look_up(const struct acl *acl, const struct vcl_ip *ip);
struct span acl_name(const struct acl *acl);
/* Writes VCL_acl if the policy declares the ACL with +log. */
void acl_log(const struct acl *acl, const struct acl_verdict *v, const struct log_txn *log);

#endif
