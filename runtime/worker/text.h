/* A growing text for answers, reports and frames. Owns its bytes; a zeroed struct is empty and may be released. Growth beyond
 * TEXT_BYTES_MAX is cut off, so that no client or policy can make a daemon build an answer without end. */
#ifndef VERNIS_WORKER_TEXT_H
#define VERNIS_WORKER_TEXT_H

#include <stdarg.h>

#include "base/span.h"

#define TEXT_BYTES_MAX (64u << 20)
#define TEXT_TABLE_COLUMNS 16u          /* cells of a line */
#define TEXT_TABLE_WIDTH 80             /* columns are closer together in longer lines */

struct text {
    char *ptr;                          /* always NUL-ended once anything was added */
    size_t len, cap;
};

void text_release(struct text *t);
void text_clear(struct text *t);        /* keeps the memory */
void text_add(struct text *t, struct span s);
void text_str(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As text_printf; returns `status`, so that a reason and its number are one statement. */
int text_say(struct text *t, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void text_vprintf(struct text *t, const char *fmt, va_list ap);
void text_json(struct text *t, struct span s);          /* "s" as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD */
/* Lines of cells with a tab between them, as a table with one to four blanks between columns. Lines that begin with a blank
 * stay as they are. */
void text_columns(struct text *t, struct span table);
void text_drop(struct text *t, size_t n);               /* removes n bytes at the front */
struct span text_span(const struct text *t);
const char *text_cstr(const struct text *t);            /* "" when empty */

#endif
