/* Counters that readers (varnishstat, varnishtest, `vernis stat`) see. A type is a table of rows. An instance
 * is an array of 64-bit numbers in shared memory, one per row, under a name such as VBE.vcl1.s1. Code that
 * counts stores into the array, or adds with vsc_add from any thread, and readers see the change at once.
 * Counts of each request are sums over blocks of the threads instead: log/tally.h.
 *
 *     static const struct vsc_row rows[] = { { "conn", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Connections open
 * now" }, ... }; static const struct vsc_type type = { "VBE", "An origin", rows, sizeof rows / sizeof *rows
 * }; uint64_t *n = vsc_new(&type, "VBE.vcl1.s1");        conn of it is n[0] vsc_hide(n, true);      when the
 * policy goes cold: readers no longer see it, the values stay vsc_free(&n);           when it is discarded
 *
 * Before vsc_open, and when shared memory is full, an instance is plain memory: counting works, but readers
 * do not see it. */
#ifndef VERNIS_LOG_VSC_H
#define VERNIS_LOG_VSC_H

#include <stdbool.h>
#include <stdint.h>

#include "log/vsm.h"

enum vsc_kind { VSC_COUNTER, VSC_GAUGE, VSC_BITMAP };
enum vsc_level { VSC_INFO, VSC_DIAG, VSC_DEBUG };
enum vsc_format { VSC_INTEGER, VSC_BYTES, VSC_BITS, VSC_DURATION };

struct vsc_row {
    const char *name;
    enum vsc_kind kind;
    enum vsc_level level;
    enum vsc_format format;
    const char *doc;
};

struct vsc_type {
    const char *name, *doc;
    const struct vsc_row *rows;
    unsigned n;
};

/* Sets the place of new instances; NULL: plain memory. Existing instances stay where they are. */
void vsc_open(struct vsm *set);

/* Zeroed; never NULL. The type stays for the process's life. Any thread. */
uint64_t *vsc_new(const struct vsc_type *type, const char *ident);
void vsc_hide(uint64_t *values, bool hidden);
void vsc_free(uint64_t **values); /* harmless on NULL; leaves NULL */

char *vsc_document(const struct vsc_type *type); /* the JSON text readers get; the caller frees it */

/* Idents as shared memory has them. Stock varnishstat writes them into JSON and XML as they are, and other
 * programs split its text at blanks, but a client may choose the label of a policy's counter. So `"` is `'`,
 * and %XX stands for `'`, `%`, `\`, `<`, `>`, `&` and all that is not printable ASCII. */
void vsc_ident_encode(const char *ident, char *out, size_t size); /* cuts behind a whole character */
char vsc_ident_decode(const char **at); /* one character, not at the end; moves `at` behind it */

static inline void
vsc_set(uint64_t *value, uint64_t n)
{
    __atomic_store_n(value, n, __ATOMIC_RELAXED);
}

static inline void
vsc_add(uint64_t *value, uint64_t n) /* (uint64_t)-1 subtracts one from a gauge */
{
    __atomic_fetch_add(value, n, __ATOMIC_RELAXED);
}

#endif
