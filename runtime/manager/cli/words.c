/* Quoting rules of the command line: see words.h. Escapes (inside and outside quotes): \n \r \t \" \\ \ooo
 * \xHH. */
#include "manager/cli/words.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "http/chars.h"

/* Decodes the escape after a backslash at p into *c. Returns the bytes read; 0: invalid. */
static size_t
read_escape(const char *p, const char *end, char *c)
{
    if (p == end)
        return 0;
    switch (*p) {
    case 'n': *c = '\n'; return 1;
    case 'r': *c = '\r'; return 1;
    case 't': *c = '\t'; return 1;
    case '"': *c = '"'; return 1;
    case '\\': *c = '\\'; return 1;
    case 'x':
        if (end - p < 3 || char_hex_value(p[1]) < 0 || char_hex_value(p[2]) < 0)
            return 0;
        *c = (char)(char_hex_value(p[1]) * 16 + char_hex_value(p[2]));
        return 3;
    default:
        if (end - p < 3 || p[0] < '0' || p[0] > '3' || p[1] < '0' || p[1] > '7' || p[2] < '0' || p[2] > '7')
            return 0;
        *c = (char)((p[0] - '0') * 64 + (p[1] - '0') * 8 + (p[2] - '0'));
        return 3;
    }
}

/* One word from *p, decoded to *to. A closing quote ends the word and must be followed by a blank. */
static const char *
read_word(const char **p, const char *end, char **to)
{
    bool quoted = **p == '"';
    const char *at = *p + quoted;
    for (;;) {
        if (at == end) {
            *p = at;
            return quoted ? "Missing '\"'" : NULL;
        }
        if (quoted ? *at == '"' : char_is_space(*at))
            break;
        char c = *at++;
        if (c == '\\') {
            size_t n = read_escape(at, end, &c);
            if (n == 0)
                return "Invalid backslash sequence";
            at += n;
        }
        if (c == '\0')
            return "NUL byte in a word";
        *(*to)++ = c;
    }
    at += quoted;
    if (quoted && at < end && !char_is_space(*at))
        return "Missing blank after '\"'";
    *p = at;
    return NULL;
}

int
words_parse(struct span line, struct words *out, const char **why)
{
    *out = (struct words){ 0 };
    /* Every word but the last is followed by at least one blank, so decoded words with their NULs fit in len
     * + 1. */
    out->buf = mem_alloc(line.len + 2);
    char *to = out->buf;
    const char *p = line.ptr, *end = line.ptr + line.len;
    int err = 0;
    *why = NULL;
    while (err == 0) {
        while (p < end && char_is_space(*p))
            p++;
        if (p == end)
            break;
        if (out->n == WORDS_MAX) {
            *why = "Too many words";
            err = ERR_LIMIT;
            break;
        }
        out->w[out->n++] = to;
        *why = read_word(&p, end, &to);
        *to++ = '\0';
        if (*why != NULL)
            err = ERR_SYNTAX;
    }
    if (err != 0)
        words_release(out);
    return err;
}

void
words_release(struct words *w)
{
    free(w->buf);
    *w = (struct words){ 0 };
}

const char *
words_heredoc(const struct words *w)
{
    if (w->n < 3 || strcmp(w->w[w->n - 2], "<<") != 0 || w->w[w->n - 1][0] == '\0')
        return NULL;
    return w->w[w->n - 1];
}

void
words_take_heredoc(struct words *w, struct span document)
{
    CHECK(words_heredoc(w) != NULL);
    size_t head = (size_t)(w->w[w->n - 2] - w->buf);
    char *buf = mem_alloc(head + document.len + 1);
    memcpy(buf, w->buf, head);
    memcpy(buf + head, document.ptr, document.len);
    buf[head + document.len] = '\0';
    w->n -= 1;
    for (unsigned i = 0; i + 1 < w->n; i++)
        w->w[i] = buf + (w->w[i] - w->buf);
    w->w[w->n - 1] = buf + head;
    w->w[w->n] = NULL;
    free(w->buf);
    w->buf = buf;
}

void
words_quote(struct text *out, struct span word)
{
    text_str(out, "\"");
    for (size_t i = 0; i < word.len; i++) {
        unsigned char c = (unsigned char)word.ptr[i];
        if (c == '"' || c == '\\')
            text_printf(out, "\\%c", c);
        else if (c == '\n')
            text_str(out, "\\n");
        else if (c == '\r')
            text_str(out, "\\r");
        else if (c == '\t')
            text_str(out, "\\t");
        else if (c < 0x20 || c >= 0x7f)
            text_printf(out, "\\x%02x", c);
        else
            text_add(out, span_of(&word.ptr[i], 1));
    }
    text_str(out, "\"");
}
