/* A growing text for answers, reports and frames. Owns its bytes; a zeroed struct is empty and may be
 * released. A text is truncated at TEXT_BYTES_MAX, so that no client or policy can make a daemon build an
 * endless answer. */
#ifndef VERNIS_BASE_TEXT_H
#define VERNIS_BASE_TEXT_H

#include <stdarg.h>

#include "base/span.h"

#define TEXT_BYTES_MAX (64u << 20)
#define TEXT_TABLE_COLUMNS 16u /* cells of a line */
#define TEXT_TABLE_WIDTH 80    /* longer lines get narrower gaps between columns */

struct text {
    char *ptr; /* always NUL-ended once anything was added */
    size_t len, cap;
};

void text_release(struct text *t);
void text_clear(struct text *t); /* keeps the memory */
void text_add(struct text *t, struct span s);
void text_str(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As text_printf; returns `status`, so that a caller sets reason and status in one statement. */
int text_say(struct text *t, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void text_vprintf(struct text *t, const char *fmt, va_list ap);
/* a JSON string with its quotes; invalid UTF-8 becomes U+FFFD */
void text_json(struct text *t, struct span s);
/* Prints lines of tab-separated cells as a table, with one to four spaces between columns. Lines that begin
 * with a space stay as they are. */
void text_columns(struct text *t, struct span table);
void text_drop(struct text *t, size_t n); /* removes n bytes at the front */
struct span text_span(const struct text *t);
const char *text_cstr(const struct text *t); /* "" when empty */

#endif
