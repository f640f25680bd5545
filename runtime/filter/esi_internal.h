/* Shared only by the files of the ESI parser. Belongs together with filter/esi_parse: esi_parse.c parses the
 * text of a page, esi_tag.c its tags. */
#ifndef VERNIS_FILTER_ESI_INTERNAL_H
#define VERNIS_FILTER_ESI_INTERNAL_H

#include "filter/esi_parse.h"

/* A step reads bytes of [p, e), which is not empty, and returns where it stopped. It may change the state
 * without reading. */
typedef const char *esi_step(struct esi_parser *x, const char *p, const char *e);

struct esi_word {
    struct span text;
    enum esi_state then;
};

/* Assigns all bytes before `p` that belong to no run yet to a run of this kind. */
void esi_judge(struct esi_parser *x, bool kept, const char *p);
/* Sets the state to that of the first word found at `p` and returns the position after the word. Without a
 * match, the last row, which has no text, gives the state. */
const char *esi_match(struct esi_parser *x, const char *p, const char *e, const struct esi_word *words);
void esi_error(struct esi_parser *x, const char *text);
void esi_warning(struct esi_parser *x, const char *text);

/* esi_tag.c */
extern esi_step *const esi_tag_steps[ESI_STATES]; /* NULL: esi_parse.c handles the state */

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
