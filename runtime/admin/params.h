/* Run-time parameters by name: parsing, limits, printing. The rows are in param_table.c; this is the only writer of the plain
 * values in base/params.h. The manager parses and keeps them, the worker inherits them by fork and applies later changes. */
#ifndef VERNIS_ADMIN_PARAMS_H
#define VERNIS_ADMIN_PARAMS_H

#include "admin/text.h"
#include "base/span.h"

enum param_kind {
    PARAM_BOOL, PARAM_UINT, PARAM_REAL, PARAM_BYTES, PARAM_DURATION, PARAM_TEXT, PARAM_POOL, PARAM_BITS
};

#define PARAM_NO_EFFECT 1u              /* accepted for compatibility; changes nothing here */
#define PARAM_MUST_RESTART 2u           /* acts from the next start of the worker */
#define PARAM_OBJ_STICKY 4u             /* acts on responses stored from now on */
#define PARAM_DELAYED 8u
#define PARAM_EXPERIMENTAL 16u
#define PARAM_MUST_RELOAD 32u           /* acts on policies loaded from now on */
#define PARAM_UNAVAILABLE 64u           /* known, but not on this platform */
#define PARAM_OURS 128u                 /* not a parameter of Varnish */

#define PARAM_NO_FIELD UINT32_MAX

struct param_row {
    const char *name;
    enum param_kind kind;
    uint32_t flags;
    const char *def;                    /* NULL: what base/params.c says */
    const char *min, *max, *unit;       /* NULL: none; "@name", "@95% name": of that parameter's value; unit of BYTES and DURATION
                                         * is implied */
    uint32_t field;                     /* offset in struct params, or PARAM_NO_FIELD */
    uint32_t field_bytes;
    const char *const *bits;            /* names of a BITS parameter, NULL-ended; all off, or as `def` says */
    const char *doc;
};

extern const struct param_row param_rows[];         /* by name */
extern const unsigned n_param_rows;

void params_init(void);                             /* before anything else here */
const struct param_row *param_find(const char *name);       /* by its name or an old one; NULL when unknown */
/* 0, or a CLI status as in admin/status.h with the reason in `why`. */
int param_set(const char *name, const char *value, struct text *why);
int param_reset(const char *name, struct text *why);
int param_protect(const char *name);                /* ERR_NOTFOUND */
bool param_is_default(const struct param_row *row);
void param_value(const struct param_row *row, struct text *out);        /* as printed, without the unit */
void param_default(const struct param_row *row, struct text *out);
enum param_side { PARAM_MIN, PARAM_MAX };
bool param_bound(const struct param_row *row, enum param_side side, struct text *out);     /* false: there is none */
bool param_bit(const char *name, const char *bit);  /* false when either is unknown */
double param_number(const char *name);              /* CHECKs that it exists and is a number */
const char *param_text(const char *name);           /* CHECKs that it is a TEXT */
const char *param_unit(const struct param_row *row);        /* "" when it has none */

#endif
