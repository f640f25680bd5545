/* Words of a file in hitch's grammar: see config_words.h. Commas and semicolons separate, as for hitch, which
 * skips characters that it does not know. */
#include "manager/tls/config_words.h"

static bool
is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';';
}

static bool
ends_word(char c)
{
    return is_gap(c) || c == '{' || c == '}' || c == '=' || c == '"' || c == '#';
}

static void
skip(struct config_words *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->line += w->rest.ptr[i] == '\n';
    w->rest = span_of(w->rest.ptr + n, w->rest.len - n);
}

static void
skip_gaps(struct config_words *w)
{
    while (w->rest.len > 0 && (is_gap(*w->rest.ptr) || *w->rest.ptr == '#')) {
        const char *end = *w->rest.ptr != '#' ? w->rest.ptr + 1 : memchr(w->rest.ptr, '\n', w->rest.len);
        skip(w, end == NULL ? w->rest.len : (size_t)(end - w->rest.ptr));
    }
}

static void
take_quoted(struct config_words *w)
{
    size_t n = 1;
    while (n < w->rest.len && w->rest.ptr[n] != '"' && w->rest.ptr[n] != '\n')
        n++;
    bool closed = n < w->rest.len && w->rest.ptr[n] == '"';
    w->kind = closed ? CONFIG_QUOTED : CONFIG_BAD;
    w->text = span_of(w->rest.ptr + 1, n - 1);
    skip(w, closed ? n + 1 : n);
}

void
config_words_init(struct config_words *w, struct span text)
{
    *w = (struct config_words){ .rest = text, .line = 1 };
}

void
config_words_next(struct config_words *w)
{
    static const struct {
        char c;
        enum config_word kind;
    } signs[] = { { '{', CONFIG_OPEN }, { '}', CONFIG_CLOSE }, { '=', CONFIG_EQUALS } };
    skip_gaps(w);
    w->kind = CONFIG_END;
    w->text = SPAN_LIT("");
    if (w->rest.len == 0)
        return;
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++)
        if (*w->rest.ptr == signs[i].c) {
            w->kind = signs[i].kind;
            w->text = span_of(w->rest.ptr, 1);
            skip(w, 1);
            return;
        }
    if (*w->rest.ptr == '"') {
        take_quoted(w);
        return;
    }
    size_t n = 1;
    while (n < w->rest.len && !ends_word(w->rest.ptr[n]))
        n++;
    w->kind = CONFIG_WORD;
    w->text = span_of(w->rest.ptr, n);
    skip(w, n);
}
