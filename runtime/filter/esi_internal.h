/* Shared by the files of the ESI parser only. Belongs together with filter/esi_parse: esi_parse.c has the text, esi_tag.c the tags. */
#ifndef VERNIS_ESI_INTERNAL_H
#define VERNIS_ESI_INTERNAL_H

#include "filter/esi_parse.h"

/* A step reads some of [p, e), which is not empty, and returns how far it came. It may change the state instead. */
typedef const char *esi_step(struct esi_parser *x, const char *p, const char *e);

struct esi_word {
    struct span text;
    enum esi_state then;
};

/* All bytes up to `p` that no run has yet belong to a run of this kind. */
void esi_judge(struct esi_parser *x, bool kept, const char *p);
/* The state of the first word that stands at `p`, which is left behind; that of the last row, which has no text, if none does. */
const char *esi_match(struct esi_parser *x, const char *p, const char *e, const struct esi_word *words);
void esi_error(struct esi_parser *x, const char *text);
void esi_warning(struct esi_parser *x, const char *text);

/* esi_tag.c */
extern esi_step *const esi_tag_steps[ESI_STATES];       /* NULL: a state of esi_parse.c */

static inline bool
esi_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool
esi_is_space(char c)
{
    return esi_is_blank(c) || c == '\r' || c == '\n';
}

#endif
