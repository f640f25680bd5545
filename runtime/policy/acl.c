/* Lookup by longest prefix. Prefixes are nested or disjoint, so each family's addresses fall into ranges with
 * one deciding entry each, at most 2n + 1 for n entries. acl_new makes a flat table of the ranges, and a
 * lookup is one binary search in it, however many prefix lengths the ACL has. */
#include "policy/acl.h"

#include <endian.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

struct acl_entry {
    uint8_t bits, negated;
    uint8_t addr[16]; /* masked */
    uint32_t order;   /* order in the source: of two equal entries the first wins */
    struct span text;
};

__extension__ typedef unsigned __int128 address_number; /* the bytes of an address as one number */

struct acl_family {
    struct acl_entry *entries; /* longest prefixes first, then by address, then as written */
    uint32_t n;
    unsigned bytes; /* of an address */
    uint32_t n_ranges;
    address_number *from;             /* first address of each range, ascending; the first is 0 */
    const struct acl_entry **decider; /* of each range; NULL: no entry covers it */
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

/* The longest prefix that covers the address, by one binary search for each prefix length in use. */
static const struct acl_entry *
longest_prefix(const struct acl_family *f, const uint8_t *addr)
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

static address_number
number_of(const uint8_t *addr, unsigned bytes)
{
    uint32_t ipv4;
    uint64_t halves[2];
    if (bytes == sizeof ipv4) {
        memcpy(&ipv4, addr, sizeof ipv4);
        return be32toh(ipv4);
    }
    memcpy(halves, addr, sizeof halves);
    return (address_number)be64toh(halves[0]) << 64 | be64toh(halves[1]);
}

static const struct acl_entry *
decider_of(const struct acl_family *f, address_number address)
{
    uint8_t addr[16] = { 0 };
    for (unsigned i = f->bytes; i > 0; i--, address >>= 8)
        addr[i - 1] = (uint8_t)address;
    return longest_prefix(f, addr);
}

static int
number_cmp(const void *a, const void *b)
{
    const address_number *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The decider can change only where a prefix begins and behind its end. Returns the number of such addresses;
 * the end of the last one may be no address. */
static uint32_t
find_borders(const struct acl_family *f, address_number *out)
{
    uint32_t n = 0;
    out[n++] = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        address_number first = number_of(f->entries[i].addr, f->bytes);
        unsigned free_bits = 8 * f->bytes - f->entries[i].bits;
        out[n++] = first;
        if (free_bits < 8 * f->bytes)
            out[n++] = first + ((address_number)1 << free_bits);
    }
    qsort(out, n, sizeof *out, number_cmp);
    return n;
}

static void
make_ranges(struct acl_family *f)
{
    uint32_t room = 2 * f->n + 1;
    f->from = mem_zalloc(room * sizeof *f->from);
    f->decider = mem_zalloc(room * sizeof *f->decider);
    uint32_t borders = find_borders(f, f->from);
    for (uint32_t i = 0; i < borders; i++) {
        if (f->bytes < sizeof(address_number) && f->from[i] >> 8 * f->bytes != 0)
            break; /* behind the last address */
        const struct acl_entry *decider = decider_of(f, f->from[i]);
        if (f->n_ranges > 0 && f->decider[f->n_ranges - 1] == decider)
            continue;
        f->from[f->n_ranges] = f->from[i];
        f->decider[f->n_ranges++] = decider;
    }
}

static void
family_release(struct acl_family *f)
{
    free(f->entries);
    free(f->from);
    free(f->decider);
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
    make_ranges(&acl->ipv4);
    make_ranges(&acl->ipv6);
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
    family_release(&a->ipv4);
    family_release(&a->ipv6);
    arena_release(&a->texts);
    free(a);
}

static struct acl_verdict
look_up(const struct acl_family *f, const uint8_t *addr)
{
    address_number number = number_of(addr, f->bytes);
    struct acl_verdict v = { false, SPAN_NULL, 0 };
    uint32_t at = 0;
    for (uint32_t n = f->n_ranges; n > 1; n -= n / 2, v.steps++)
        at += f->from[at + n / 2] <= number ? n / 2 : 0;
    const struct acl_entry *e = f->decider[at];
    if (e != NULL) {
        v.match = !e->negated;
        v.text = e->text;
    }
    return v;
}

struct acl_verdict
acl_look_up(const struct acl *acl, const struct vcl_ip *ip)
{
    CHECK(acl != NULL);
    if (ip != NULL && ip->family == 4)
        return look_up(&acl->ipv4, ip->addr);
    if (ip != NULL && ip->family == 6)
        return look_up(&acl->ipv6, ip->addr);
    return (struct acl_verdict){ false, SPAN_NULL, 0 };
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
