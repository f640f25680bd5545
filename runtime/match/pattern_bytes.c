/* Sets of bytes with a name, as PCRE2's own tables have them: those of the C locale. Classes of bytes. */
#include "match/pattern_bytes.h"

#include <string.h>

struct range {
    uint8_t from, to;
};

struct named_set {
    const char *name;
    unsigned n;
    struct range ranges[4];
};

static const struct named_set posix_sets[] = {
    { "alnum", 3, { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } } },
    { "alpha", 2, { { 'A', 'Z' }, { 'a', 'z' } } },
    { "ascii", 1, { { 0, 127 } } },
    { "blank", 2, { { '\t', '\t' }, { ' ', ' ' } } },
    { "cntrl", 2, { { 0, 31 }, { 127, 127 } } },
    { "digit", 1, { { '0', '9' } } },
    { "graph", 1, { { 33, 126 } } },
    { "lower", 1, { { 'a', 'z' } } },
    { "print", 1, { { 32, 126 } } },
    { "punct", 4, { { 33, 47 }, { 58, 64 }, { 91, 96 }, { 123, 126 } } },
    { "space", 2, { { '\t', '\r' }, { ' ', ' ' } } },
    { "upper", 1, { { 'A', 'Z' } } },
    { "word", 4, { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' }, { '_', '_' } } },
    { "xdigit", 3, { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } } },
};

static const struct named_set escape_sets[] = {
    { "d", 1, { { '0', '9' } } },
    { "w", 4, { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' }, { '_', '_' } } },
    { "s", 2, { { '\t', '\r' }, { ' ', ' ' } } },
    { "h", 3, { { '\t', '\t' }, { ' ', ' ' }, { 0xa0, 0xa0 } } },
    { "v", 2, { { '\n', '\r' }, { 0x85, 0x85 } } },
};

void
byte_set_invert(struct byte_set *set)
{
    for (unsigned i = 0; i < 4; i++)
        set->words[i] = ~set->words[i];
}

void
byte_set_unite(struct byte_set *set, const struct byte_set *other)
{
    for (unsigned i = 0; i < 4; i++)
        set->words[i] |= other->words[i];
}

void
byte_set_range(struct byte_set *set, unsigned from, unsigned to, bool caseless)
{
    for (unsigned c = from; c <= to; c++) {
        byte_set_add(set, c);
        if (caseless && ascii_is_letter(c))
            byte_set_add(set, c ^ ('a' ^ 'A'));
    }
}

static struct byte_set
named_set(const struct named_set *named)
{
    struct byte_set set = { 0 };
    for (unsigned i = 0; i < named->n; i++)
        byte_set_range(&set, named->ranges[i].from, named->ranges[i].to, false);
    return set;
}

bool
byte_set_escape(char c, struct byte_set *out)
{
    for (size_t i = 0; i < sizeof escape_sets / sizeof escape_sets[0]; i++) {
        char name = escape_sets[i].name[0];
        if (c != name && c != (name ^ ('a' ^ 'A')))
            continue;
        *out = named_set(&escape_sets[i]);
        if (c != name)
            byte_set_invert(out);
        return true;
    }
    return false;
}

bool
byte_set_posix(struct span name, bool caseless, struct byte_set *out)
{
    if (caseless && (span_eq(name, SPAN_LIT("lower")) || span_eq(name, SPAN_LIT("upper"))))
        name = SPAN_LIT("alpha");
    for (size_t i = 0; i < sizeof posix_sets / sizeof posix_sets[0]; i++) {
        if (!span_eq(name, span_str(posix_sets[i].name)))
            continue;
        *out = named_set(&posix_sets[i]);
        return true;
    }
    return false;
}

/* ---- classes ---- */

/* Gives a new number to the bytes of each class that are not in the set, if others of the class are. Returns
 * the number of classes. */
static unsigned
split_classes(const struct byte_set *set, uint8_t class_of[256], unsigned n)
{
    unsigned numbers[2][256] = { 0 }; /* by side and old class: new class + 1, 0: not seen */
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned old = class_of[byte], side = byte_set_has(set, byte);
        if (numbers[side][old] == 0) /* the side that is seen first keeps the number */
            numbers[side][old] = 1 + (numbers[!side][old] == 0 ? old : n++);
        class_of[byte] = (uint8_t)(numbers[side][old] - 1);
    }
    return n;
}

unsigned
byte_classes(const struct byte_set *sets, uint32_t n_sets, uint8_t class_of[256])
{
    uint8_t number_of[256];
    bool seen[256] = { false };
    unsigned n = 1, ordered = 0;
    memset(class_of, 0, 256);
    for (uint32_t i = 0; i < n_sets && n < 256; i++)
        n = split_classes(&sets[i], class_of, n);
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned old = class_of[byte];
        if (!seen[old])
            number_of[old] = (uint8_t)ordered++;
        seen[old] = true;
        class_of[byte] = number_of[old];
    }
    return n;
}

struct byte_set
byte_set_of_classes(const struct byte_set *set, const uint8_t class_of[256])
{
    struct byte_set classes = { 0 };
    for (unsigned byte = 0; byte < 256; byte++)
        if (byte_set_has(set, byte))
            byte_set_add(&classes, class_of[byte]);
    return classes;
}
