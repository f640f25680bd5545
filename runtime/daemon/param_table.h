/* The table of run-time parameters. The rows come from the rooms' params.toml. */
#ifndef VERNIS_DAEMON_PARAM_TABLE_H
#define VERNIS_DAEMON_PARAM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum param_kind {
    PARAM_BOOL,
    PARAM_UINT,
    PARAM_REAL,
    PARAM_BYTES,
    PARAM_DURATION,
    PARAM_TEXT,
    PARAM_POOL,
    PARAM_BITS
};

#define PARAM_MUST_RESTART 1u /* acts from the next start of the worker */
#define PARAM_OBJ_STICKY 4u   /* acts on responses stored from now on */
#define PARAM_DELAYED 8u
#define PARAM_EXPERIMENTAL 16u
#define PARAM_MUST_RELOAD 32u /* acts on policies loaded from now on */
#define PARAM_UNAVAILABLE 64u /* known, but not on this platform */
#define PARAM_OURS 128u       /* not a parameter of Varnish 7.1 */
#define PARAM_OR_ZERO 256u    /* 0 is legal, too, below `min` */

#define PARAM_NO_FIELD UINT32_MAX
#define PARAM_NEVER_S 1e10 /* the value `never` of a duration: nsec_of() makes NSEC_NEVER of it */

/* A bit without effect. param.set accepts it so that command lines written for Varnish keep working. */
struct param_idle_bit {
    const char *bit;  /* NULL ends */
    bool on;          /* the state that the bit always has */
    const char *note; /* what to do instead, and the page that explains it */
};

struct param_row {
    const char *name;
    enum param_kind kind;
    uint32_t flags;
    const char *def;              /* NULL: base/params.c computes it at the start */
    const char *min, *max, *unit; /* NULL: none; "@name", "@95% name": relative to another parameter;
                                   * BYTES and DURATION imply their unit */
    uint32_t field;               /* offset in struct params, or PARAM_NO_FIELD */
    uint32_t field_bytes;
    const char *const *bits; /* names of a BITS parameter, NULL-ended; `def` says which are on */
    const char *doc;
    const char *no_effect;                  /* NULL: the parameter has an effect; else a text like `note` */
    const struct param_idle_bit *idle_bits; /* NULL: all bits have an effect */
    const char *(*check)(const char *text); /* of a TEXT: why it is refused, or NULL; NULL: takes any */
};

/* Command-line options without effect; letter 0 ends. */
struct option_idle {
    char letter;
    const char *note;
};

extern const struct param_row param_rows[]; /* by name */
extern const unsigned n_param_rows;
extern const struct option_idle idle_options[];

#endif
