/* A parser by recursive descent. It also accepts elements that need more than a regular language, if the
 * pattern without them matches at least the same subjects: lookarounds, \b, backreferences, atomic groups.
 * Such a tree is not exact, and PCRE2 decides after a match. */
#include "match/pattern_parse.h"

#include <string.h>

#include "base/check.h"

enum { CASELESS = 1, DOT_ALL = 2 };

struct parser {
    const char *at, *end;
    struct pattern_tree *tree;
    unsigned flags, depth;
    bool quoting; /* between \Q and \E */
};

/* Kinds of elements, for the quantifier that may follow. */
enum atom_kind {
    ATOM_NONE,  /* an option setting */
    ATOM_PLACE, /* ^ or $: PCRE2 has rules of its own for quantifiers there */
    ATOM_REPEATABLE
};

static bool parse_alternatives(struct parser *p, unsigned *out);

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static bool
new_node(struct parser *p, enum node_kind kind, unsigned *out)
{
    if (p->tree->n == PATTERN_NODES_MAX)
        return false;
    *out = p->tree->n++;
    p->tree->nodes[*out] = (struct node){ .kind = kind };
    return true;
}

static bool
new_bytes(struct parser *p, const struct byte_set *set, unsigned *out)
{
    if (!new_node(p, NODE_BYTES, out))
        return false;
    p->tree->nodes[*out].set = *set;
    return true;
}

static bool
new_literal(struct parser *p, char c, unsigned *out)
{
    struct byte_set set = { 0 };
    byte_set_range(&set, (uint8_t)c, (uint8_t)c, (p->flags & CASELESS) != 0);
    return new_bytes(p, &set, out);
}

static bool
new_repeat(struct parser *p, unsigned child, unsigned min, unsigned max, unsigned *out)
{
    if (!new_node(p, NODE_REPEAT, out))
        return false;
    struct node *node = &p->tree->nodes[*out];
    node->child = child;
    node->min = (uint16_t)min;
    node->max = (uint16_t)max;
    return true;
}

static bool
new_dot(struct parser *p, unsigned *out)
{
    struct byte_set set = { 0 };
    if ((p->flags & DOT_ALL) == 0)
        byte_set_add(&set, '\n');
    byte_set_invert(&set);
    return new_bytes(p, &set, out);
}

/* Any text, for an element that may match more than the parser knows. */
static bool
new_anything(struct parser *p, unsigned *out)
{
    struct byte_set set = { 0 };
    unsigned bytes;
    byte_set_invert(&set);
    p->tree->exact = false;
    return new_bytes(p, &set, &bytes) && new_repeat(p, bytes, 0, PATTERN_ENDLESS, out);
}

static bool
new_nothing(struct parser *p, unsigned *out)
{
    p->tree->exact = false;
    return new_node(p, NODE_EMPTY, out);
}

/* ---- escapes ----------------------------------------------------------------------------------------- */

static bool
starts_with(const struct parser *p, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, text, n) == 0;
}

static bool
skip(struct parser *p, const char *text)
{
    if (!starts_with(p, text))
        return false;
    p->at += strlen(text);
    return true;
}

static int
hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* After \x: one or two digits, or one or two in braces. */
static bool
hex_byte(struct parser *p, unsigned *out)
{
    bool braces = skip(p, "{");
    unsigned n = 0;
    for (*out = 0; n < 2 && p->at < p->end && hex_value(*p->at) >= 0; n++)
        *out = *out * 16 + (unsigned)hex_value(*p->at++);
    return n > 0 && (!braces || skip(p, "}"));
}

/* An escape that stands for one byte. `p->at` is behind the backslash. */
static bool
escaped_byte(struct parser *p, unsigned *out)
{
    static const char letters[] = "aefnrt", bytes[] = "\a\033\f\n\r\t";
    if (p->at == p->end)
        return false;
    char c = *p->at++;
    if (!ascii_is_letter((uint8_t)c) && !is_digit(c)) {
        *out = (uint8_t)c;
        return true;
    }
    if (c == 'x')
        return hex_byte(p, out);
    if (c == '0') { /* octal, at most two more digits */
        *out = 0;
        for (unsigned n = 0; n < 2 && p->at < p->end && *p->at >= '0' && *p->at <= '7'; n++)
            *out = *out * 8 + (unsigned)(*p->at++ - '0');
        return true;
    }
    const char *letter = strchr(letters, c);
    *out = letter == NULL ? 0 : (uint8_t)bytes[letter - letters];
    return letter != NULL;
}

/* A backreference, or an octal number: with any text in its place the pattern matches no fewer subjects. */
static bool
parse_number(struct parser *p, unsigned *out)
{
    while (p->at < p->end && is_digit(*p->at))
        p->at++;
    return new_anything(p, out);
}

static bool
parse_escape(struct parser *p, unsigned *out, enum atom_kind *kind)
{
    struct byte_set set;
    unsigned byte;
    if (p->at == p->end)
        return false;
    char c = *p->at;
    *kind = c == 'A' || c == 'z' || c == 'Z' ? ATOM_PLACE : ATOM_REPEATABLE;
    if (c >= '1' && c <= '9')
        return parse_number(p, out);
    if (byte_set_escape(c, &set)) {
        /* PCRE2 takes \h and \v for parts of \s, which 0xa0 and 0x85 are not. It then makes \S* possessive
         * before \h. */
        p->tree->exact &= strchr("hHvV", c) == NULL;
        p->at++;
        return new_bytes(p, &set, out);
    }
    p->at++;
    switch (c) {
    case 'A': return new_node(p, NODE_START, out);
    case 'z': return new_node(p, NODE_END, out);
    case 'Z': return new_node(p, NODE_END_OR_LF, out);
    case 'b':
    case 'B': return new_nothing(p, out);
    case 'Q': /* PCRE2 applies a quantifier behind an empty quotation to the element before it */
        p->quoting = true;
        return p->at < p->end && !starts_with(p, "\\E") && new_literal(p, *p->at++, out);
    default: p->at--; return escaped_byte(p, &byte) && new_literal(p, (char)byte, out);
    }
}

/* ---- classes ----------------------------------------------------------------------------------------- */

/* "[:name:]" or "[:^name:]". */
static bool
parse_posix(struct parser *p, struct byte_set *out)
{
    if (!skip(p, "[:"))
        return false;
    bool inverted = skip(p, "^");
    const char *name = p->at;
    while (p->at < p->end && ascii_is_letter((uint8_t)*p->at))
        p->at++;
    if (!byte_set_posix(span_of(name, (size_t)(p->at - name)), (p->flags & CASELESS) != 0, out))
        return false;
    if (inverted)
        byte_set_invert(out);
    return skip(p, ":]");
}

/* One byte of a class, or one end of a range; *is_set: an element that stands for several bytes. */
static bool
parse_class_element(struct parser *p, unsigned *byte, struct byte_set *set, bool *is_set)
{
    *is_set = false;
    if (starts_with(p, "[:") || starts_with(p, "[.") || starts_with(p, "[=")) {
        *is_set = true;
        return parse_posix(p, set);
    }
    if (*p->at != '\\') {
        *byte = (uint8_t)*p->at++;
        return true;
    }
    if (++p->at == p->end)
        return false;
    if (byte_set_escape(*p->at, set)) {
        p->at++;
        *is_set = true;
        return true;
    }
    if (skip(p, "b")) {
        *byte = '\b';
        return true;
    }
    return escaped_byte(p, byte);
}

/* A '-' is a range only between two bytes: not at an end of the class, nor behind a range. Behind "[". */
static bool
parse_class(struct parser *p, unsigned *out)
{
    struct byte_set set = { 0 }, several;
    unsigned from, to;
    bool inverted = skip(p, "^"), is_set;
    for (bool first = true; first || (p->at < p->end && *p->at != ']'); first = false) {
        if (p->at == p->end || !parse_class_element(p, &from, &several, &is_set))
            return false;
        bool range = p->end - p->at >= 2 && p->at[0] == '-' && p->at[1] != ']';
        if (is_set && range) /* PCRE2 refuses this */
            return false;
        to = from;
        if (range) {
            p->at++;
            if (!parse_class_element(p, &to, &several, &is_set) || is_set || to < from)
                return false;
        }
        if (is_set)
            byte_set_unite(&set, &several);
        else
            byte_set_range(&set, from, to, (p->flags & CASELESS) != 0);
    }
    if (inverted)
        byte_set_invert(&set);
    return skip(p, "]") && new_bytes(p, &set, out);
}

/* ---- groups ------------------------------------------------------------------------------------------ */

/* "(?i)", "(?i-s:": only options whose meaning is one of ours. Behind "(?". */
static bool
parse_options(struct parser *p, unsigned *out, enum atom_kind *kind)
{
    unsigned before = p->flags, flags = p->flags;
    bool off = false;
    for (; p->at < p->end && *p->at != ':' && *p->at != ')'; p->at++) {
        unsigned flag = *p->at == 'i' ? CASELESS : *p->at == 's' ? DOT_ALL : 0;
        if (flag == 0 && (*p->at != '-' || off))
            return false;
        off |= flag == 0;
        flags = off ? flags & ~flag : flags | flag;
    }
    p->flags = flags;
    if (skip(p, ")")) {
        *kind = ATOM_NONE;
        return new_node(p, NODE_EMPTY, out);
    }
    bool good = skip(p, ":") && parse_alternatives(p, out) && skip(p, ")");
    p->flags = before;
    return good;
}

static bool
skip_name(struct parser *p, char end)
{
    while (p->at < p->end && *p->at != end)
        p->at++;
    return p->at++ < p->end;
}

static bool
parse_inside(struct parser *p, unsigned *out)
{
    return parse_alternatives(p, out) && skip(p, ")");
}

static bool
parse_lookaround(struct parser *p, unsigned *out)
{
    return parse_inside(p, out) && new_nothing(p, out);
}

/* Behind "(". */
static bool
parse_group(struct parser *p, unsigned *out, enum atom_kind *kind)
{
    *kind = ATOM_REPEATABLE;
    if (starts_with(p, "*"))
        return false;
    if (!skip(p, "?"))
        return parse_inside(p, out);
    if (skip(p, "=") || skip(p, "!") || skip(p, "<=") || skip(p, "<!"))
        return parse_lookaround(p, out);
    if (skip(p, "P<") || skip(p, "<"))
        return skip_name(p, '>') && parse_inside(p, out);
    if (skip(p, "'"))
        return skip_name(p, '\'') && parse_inside(p, out);
    if (skip(p, ">")) {
        p->tree->exact = false;
        return parse_inside(p, out);
    }
    return parse_options(p, out, kind);
}

/* ---- sequences --------------------------------------------------------------------------------------- */

/* The bytes of a quantifier in braces, or of one that only later versions of PCRE2 know. */
static bool
is_like_braces(const struct parser *p)
{
    const char *c = p->at + 1;
    while (c < p->end && (is_digit(*c) || strchr(", \t", *c) != NULL) && *c != '\0')
        c++;
    return c < p->end && *c == '}';
}

static bool
read_count(struct parser *p, unsigned *out)
{
    const char *begin = p->at;
    for (*out = 0; p->at < p->end && is_digit(*p->at); p->at++) {
        *out = *out * 10 + (unsigned)(*p->at - '0');
        if (*out > PATTERN_REPEAT_MAX)
            return false;
    }
    return p->at > begin;
}

static bool
read_braces(struct parser *p, unsigned *min, unsigned *max)
{
    p->at++;
    if (!read_count(p, min))
        return false;
    *max = *min;
    if (skip(p, ",")) {
        *max = PATTERN_ENDLESS;
        if (!starts_with(p, "}") && !read_count(p, max))
            return false;
    }
    return skip(p, "}") && *min <= *max;
}

static bool
is_quantifier(const struct parser *p)
{
    return p->at < p->end &&
           (*p->at == '*' || *p->at == '+' || *p->at == '?' || (*p->at == '{' && is_like_braces(p)));
}

/* Wraps the atom *node if a quantifier follows. */
static bool
parse_quantifier(struct parser *p, enum atom_kind kind, unsigned *node)
{
    unsigned min = 0, max = PATTERN_ENDLESS;
    if (p->quoting) {
        if (!skip(p, "\\E"))
            return true;
        p->quoting = false;
    }
    if (!is_quantifier(p))
        return true;
    if (kind != ATOM_REPEATABLE)
        return false;
    if (*p->at == '{') {
        if (!read_braces(p, &min, &max))
            return false;
    } else {
        min = *p->at == '+';
        max = *p->at == '?' ? 1 : PATTERN_ENDLESS;
        p->at++;
    }
    if (max == 0) /* PCRE2 still takes a `.*` in the element for the begin of the pattern */
        p->tree->exact = false;
    if (skip(p, "+")) /* possessive */
        p->tree->exact = false;
    else
        (void)skip(p, "?"); /* lazy: the same subjects match */
    return !is_quantifier(p) && new_repeat(p, *node, min, max, node);
}

static bool
parse_atom(struct parser *p, unsigned *out, enum atom_kind *kind)
{
    *kind = ATOM_REPEATABLE;
    if (p->quoting)
        return new_literal(p, *p->at++, out);
    if (is_quantifier(p))
        return false;
    char c = *p->at++;
    switch (c) {
    case '\\': return parse_escape(p, out, kind);
    case '[': return parse_class(p, out);
    case '(': return parse_group(p, out, kind);
    case '.': return new_dot(p, out);
    case '^': *kind = ATOM_PLACE; return new_node(p, NODE_START, out);
    case '$': *kind = ATOM_PLACE; return new_node(p, NODE_END_OR_LF, out);
    default: return new_literal(p, c, out);
    }
}

static bool
parse_sequence(struct parser *p, unsigned *out)
{
    enum atom_kind kind;
    unsigned atom;
    if (!new_node(p, NODE_SEQUENCE, out))
        return false;
    while (p->at < p->end && (p->quoting || (*p->at != '|' && *p->at != ')'))) {
        if (!parse_atom(p, &atom, &kind) || !parse_quantifier(p, kind, &atom))
            return false;
        struct node *sequence = &p->tree->nodes[*out];
        p->tree->nodes[atom].sibling = sequence->child;
        sequence->child = atom;
    }
    return true;
}

/* Up to a ')' or the end. An option set in one branch holds in the branches behind it, and ends with the
 * group. */
static bool
parse_alternatives(struct parser *p, unsigned *out)
{
    unsigned before = p->flags, sequence;
    if (++p->depth > PATTERN_DEPTH_MAX || !new_node(p, NODE_EITHER, out))
        return false;
    do {
        if (!parse_sequence(p, &sequence))
            return false;
        struct node *either = &p->tree->nodes[*out];
        p->tree->nodes[sequence].sibling = either->child;
        either->child = sequence;
    } while (skip(p, "|"));
    p->flags = before;
    p->depth--;
    return true;
}

int
pattern_parse(struct span text, struct pattern_tree *tree)
{
    if (text.ptr == NULL)
        text = SPAN_LIT("");
    struct parser p = { .at = text.ptr, .end = text.ptr + text.len, .tree = tree };
    tree->n = 1;
    tree->exact = true;
    return parse_alternatives(&p, &tree->root) && p.at == p.end ? 0 : ERR_LIMIT;
}
