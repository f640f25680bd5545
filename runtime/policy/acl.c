/* Lookup by longest prefix. The entries of a family are grouped by prefix length, longest first, and sorted
 * by address within a group. A lookup makes one binary search per prefix length in use: ACLs have few
 * lengths, and may have many entries. */
#include "policy/acl.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

struct acl_entry {
    uint8_t bits, negated;
    uint8_t addr[16]; /* masked */
    uint32_t order;   /* order in the source: of two equal entries the first wins */
    struct span text;
};

struct acl_family {
    struct acl_entry *entries; /* longest prefixes first, then by address, then as written */
    uint32_t n;
    unsigned bytes; /* of an address */
};

struct acl {
    struct span name;
    bool logs;
    struct acl_family ipv4, ipv6;
    struct arena texts;
};

static void
mask_address(uint8_t addr[16], unsigned bits)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned keep = bits >= 8 * (i + 1) ? 8 : bits > 8 * i ? bits - 8 * i : 0;
        addr[i] &= (uint8_t)(0xff00u >> keep);
    }
}

static int
entry_cmp(const void *a, const void *b)
{
    const struct acl_entry *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits > y->bits ? -1 : 1;
    int cmp = memcmp(x->addr, y->addr, sizeof x->addr);
    if (cmp != 0)
        return cmp;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int
add_entry(struct acl *acl, const struct image_acl_entry *im, uint32_t order)
{
    struct acl_family *f = im->family == 4 ? &acl->ipv4 : &acl->ipv6;
    if ((im->family != 4 && im->family != 6) || im->bits > 8 * f->bytes)
        return ERR_SYNTAX;
    struct acl_entry *e = &f->entries[f->n++];
    *e = (struct acl_entry){
        .bits = im->bits, .negated = im->negated, .order = order, .text = arena_copy(&acl->texts, im->text)
    };
    memcpy(e->addr, im->addr, f->bytes);
    mask_address(e->addr, im->bits);
    return 0;
}

int
acl_new(const struct image_acl *im, struct acl **out)
{
    struct acl *acl = mem_zalloc(sizeof *acl);
    arena_init(&acl->texts, 0);
    acl->name = arena_copy(&acl->texts, im->name);
    acl->logs = im->log != 0;
    acl->ipv4 = (struct acl_family){ .entries = mem_zalloc((im->n_entries + 1) * sizeof(struct acl_entry)),
                                     .bytes = 4 };
    acl->ipv6 = (struct acl_family){ .entries = mem_zalloc((im->n_entries + 1) * sizeof(struct acl_entry)),
                                     .bytes = 16 };
    int err = 0;
    for (uint32_t i = 0; i < im->n_entries && err == 0; i++)
        err = add_entry(acl, &im->entries[i], i);
    qsort(acl->ipv4.entries, acl->ipv4.n, sizeof(struct acl_entry), entry_cmp);
    qsort(acl->ipv6.entries, acl->ipv6.n, sizeof(struct acl_entry), entry_cmp);
    if (err == 0)
        *out = acl;
    else
        acl_release(&acl);
    return err;
}

void
acl_release(struct acl **acl)
{
    struct acl *a = *acl;
    if (a == NULL)
        return;
    *acl = NULL;
    free(a->ipv4.entries);
    free(a->ipv6.entries);
    arena_release(&a->texts);
    free(a);
}

/* First entry of [from, n) which is not before `key`. */
static uint32_t
lower_bound(const struct acl_family *f, uint32_t from, const struct acl_entry *key)
{
    uint32_t lo = from, hi = f->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (entry_cmp(&f->entries[mid], key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static const struct acl_entry *
find(const struct acl_family *f, const uint8_t *addr)
{
    uint32_t at = 0;
    while (at < f->n) {
        struct acl_entry key = { .bits = f->entries[at].bits };
        memcpy(key.addr, addr, f->bytes);
        mask_address(key.addr, key.bits);
        const struct acl_entry *e = &f->entries[lower_bound(f, at, &key)];
        if (e < f->entries + f->n && e->bits == key.bits && memcmp(e->addr, key.addr, sizeof key.addr) == 0)
            return e;
        if (key.bits == 0)
            return NULL;
        key.bits--; /* go to the next shorter prefix in use */
        memset(key.addr, 0, sizeof key.addr);
        key.order = 0;
        at = lower_bound(f, at, &key);
    }
    return NULL;
}

struct acl_verdict
acl_look_up(const struct acl *acl, const struct vcl_ip *ip)
{
    CHECK(acl != NULL);
    const struct acl_entry *e = NULL;
    if (ip != NULL && ip->family == 4)
        e = find(&acl->ipv4, ip->addr);
    else if (ip != NULL && ip->family == 6)
        e = find(&acl->ipv6, ip->addr);
    if (e == NULL)
        return (struct acl_verdict){ false, SPAN_NULL };
    return (struct acl_verdict){ !e->negated, e->text };
}

struct span
acl_name(const struct acl *acl)
{
    return acl->name;
}

void
acl_log(const struct acl *acl, const struct acl_verdict *v, const struct log_txn *log)
{
    if (!acl->logs)
        return;
    if (v->text.ptr == NULL)
        log_printf(log, TAG_VCL_ACL, "NO_MATCH %.*s", (int)acl->name.len, acl->name.ptr);
    else
        log_printf(log, TAG_VCL_ACL, "%s %.*s %.*s", v->match ? "MATCH" : "NEG_MATCH", (int)acl->name.len,
                   acl->name.ptr, (int)v->text.len, v->text.ptr);
}
