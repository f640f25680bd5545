/* The index of tables of prefixes and suffixes: a trie that has only the places where keys part. A look-up
 * follows the text through these places without looking at the bytes between, compares the text with the one
 * key at which it arrives, and goes on to shorter keys until one has no other byte. That finds the longest
 * key: the way through the trie follows each key that the text begins with, so it arrives at one that begins
 * with the longest of them.
 *
 * Keys that are prefixes of others have no place in the trie; the rows of longer keys name them (`shorter`).
 * A suffix table has the same trie over the bytes in reverse order. */
#include "base/check.h"
#include "match/table/table_internal.h"

#define LEAF 0x80000000u

/* A node in words: depth << 16 | number of children; a row below it; the byte of each child, ascending,
 * rounded up to whole words; the children, each a row with LEAF or the place of a node. */
#define NODE_HEAD_WORDS 2u

static uint32_t
byte_words(uint32_t n)
{
    return (n + 3) / 4;
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

static size_t
common_start(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        if (x != y)
            return i + (size_t)__builtin_ctzll(x ^ y) / 8;
    }
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* `a` and `b` point behind the last bytes. */
static size_t
common_end(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t x, y;
        memcpy(&x, a - i - 8, 8);
        memcpy(&y, b - i - 8, 8);
        if (x != y)
            return i + (size_t)__builtin_clzll(x ^ y) / 8;
    }
    while (i < n && a[-1 - (ptrdiff_t)i] == b[-1 - (ptrdiff_t)i])
        i++;
    return i;
}

/* The number of bytes that two texts share, at the start or at the end. */
static size_t
common(enum table_kind kind, struct span a, struct span b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    return kind == TABLE_SUFFIX ? common_end(a.ptr + a.len, b.ptr + b.len, n) : common_start(a.ptr, b.ptr, n);
}

static uint8_t
byte_at(enum table_kind kind, struct span text, size_t depth)
{
    return (uint8_t)text.ptr[kind == TABLE_SUFFIX ? text.len - 1 - depth : depth];
}

/* ---- building ------------------------------------------------------------------------------------------ */

struct child {
    uint8_t byte;
    uint32_t ref;
};

struct open_node {
    uint32_t depth, first_child; /* of builder.children */
};

struct around { /* a row whose key is a prefix of the current one */
    uint32_t row, key_len;
};

/* Nodes that may get further children are open; each is below the one before it. Their children are one
 * stack. */
struct builder {
    struct table *table;
    struct pages open, children, around;
    uint32_t shown; /* a subtree that no node has yet, and a key in it */
    struct span key;
};

static uint32_t
count_of(const struct pages *p, size_t size)
{
    return (uint32_t)(p->len / size);
}

static struct open_node *
top_of(struct builder *b)
{
    return b->open.len == 0
             ? NULL
             : (struct open_node *)(void *)(b->open.ptr + b->open.len - sizeof(struct open_node));
}

static uint32_t
any_row(const struct table *t, uint32_t ref)
{
    return ref & LEAF ? ref & ~LEAF : ((const uint32_t *)(const void *)t->trie.words.ptr)[ref + 1];
}

static void
give_child(struct builder *b)
{
    struct child child = { .byte = byte_at(b->table->kind, b->key, top_of(b)->depth), .ref = b->shown };
    *(struct child *)pages_add(&b->children, sizeof child) = child;
}

/* Writes the last open node, which becomes the subtree without a node. */
static void
close_node(struct builder *b)
{
    struct table *t = b->table;
    struct open_node node = *top_of(b);
    const struct child *children = (const struct child *)(const void *)b->children.ptr + node.first_child;
    uint32_t n = count_of(&b->children, sizeof *children) - node.first_child;
    uint32_t at = count_of(&t->trie.words, sizeof(uint32_t)), bytes = byte_words(n);
    CHECK(n >= 2 && n <= 256 && at < LEAF - 600);
    uint32_t *words = pages_add(&t->trie.words, (NODE_HEAD_WORDS + bytes + n) * sizeof *words);
    words[0] = node.depth << 16 | n;
    words[1] = any_row(t, children[0].ref);
    words[NODE_HEAD_WORDS + bytes - 1] = 0;
    for (uint32_t i = 0; i < n; i++) {
        ((uint8_t *)(words + NODE_HEAD_WORDS))[i] = children[i].byte;
        words[NODE_HEAD_WORDS + bytes + i] = children[i].ref;
    }
    b->children.len = node.first_child * sizeof *children;
    b->open.len -= sizeof node;
    b->shown = at;
}

/* The next key that is no prefix of another; it shares `shared` bytes with the one before. */
static void
add_leaf(struct builder *b, struct span key, uint32_t row, uint32_t shared)
{
    while (top_of(b) != NULL && top_of(b)->depth > shared) {
        give_child(b);
        close_node(b);
    }
    if (b->key.ptr != NULL) {
        if (top_of(b) == NULL || top_of(b)->depth < shared) {
            struct open_node node = { .depth = shared,
                                      .first_child = count_of(&b->children, sizeof(struct child)) };
            *(struct open_node *)pages_add(&b->open, sizeof node) = node;
        }
        give_child(b);
    }
    b->key = key;
    b->shown = row | LEAF;
}

static uint32_t
end_trie(struct builder *b)
{
    while (top_of(b) != NULL) {
        give_child(b);
        close_node(b);
    }
    pages_release(&b->open);
    pages_release(&b->children);
    pages_release(&b->around);
    return b->shown;
}

/* Links a row to the longest shorter key. Keys come sorted, so the prefixes of one are before it. */
static void
link_row(struct builder *b, uint32_t row, struct span key, uint32_t shared)
{
    const struct around *around = (const struct around *)(const void *)b->around.ptr;
    uint32_t n = count_of(&b->around, sizeof *around);
    while (n > 0 && around[n - 1].key_len > shared)
        n--;
    b->around.len = n * sizeof *around;
    if (n > 0)
        row_set_shorter(b->table, row, around[n - 1].row);
    *(struct around *)pages_add(&b->around, sizeof *around) = (struct around){ .row = row,
                                                                               .key_len = (uint32_t)key.len };
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* One walk over the sorted rows, because each step waits for memory. */
static void
add_rows(struct builder *b, const struct sorted_row *rows, uint32_t n, struct twins *twins)
{
    const struct table *t = b->table;
    uint32_t shared = 0, least = 0; /* bytes shared with the key before, and with the last leaf */
    struct span key = row_key(t, rows[0].row), next;
    for (uint32_t i = 0; i < n; i++, key = next) {
        bool last = i + 1 == n;
        if (i + ROWS_AHEAD < n)
            row_prefetch(t, rows[i + ROWS_AHEAD].row);
        link_row(b, rows[i].row, key, shared);
        least = smaller(least, shared);
        next = last ? SPAN_NULL : row_key(t, rows[i + 1].row);
        shared = last ? 0 : (uint32_t)common(t->kind, key, next);
        if (!last && shared == key.len) { /* a prefix of the next key */
            if (next.len == key.len)
                twins_note(twins, rows[i].number, rows[i + 1].number);
            continue;
        }
        add_leaf(b, key, rows[i].row, least);
        least = UINT32_MAX;
    }
}

void
trie_make(struct table *t, struct twins *twins)
{
    struct pages sorted = { 0 };
    struct builder b = { .table = t };
    const struct sorted_row *rows = rows_sort(t, &sorted);
    if (t->n_rows > 0)
        add_rows(&b, rows, t->n_rows, twins);
    t->trie.root = end_trie(&b);
    pages_fit(&t->trie.words);
    pages_release(&sorted);
}

/* ---- look-up ------------------------------------------------------------------------------------------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define SEARCHED_HERE 32u /* children; a longer list is searched by the C library */

/* The place of a byte among the `n` bytes of a node, or `n`. May read up to 7 bytes behind them: a node has
 * two children at least, and they follow. The lowest byte that the subtraction marks is a true one. */
static inline uint32_t
place_of(const uint8_t *bytes, uint32_t n, uint8_t byte)
{
    if (n > SEARCHED_HERE) {
        const uint8_t *found = memchr(bytes, byte, n);
        return found == NULL ? n : (uint32_t)(found - bytes);
    }
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t eight;
        memcpy(&eight, bytes + i, sizeof eight);
        eight ^= byte * EACH_BYTE;
        eight = (eight - EACH_BYTE) & ~eight & EACH_BYTE << 7;
        if (eight != 0) {
            uint32_t at = i + (uint32_t)__builtin_ctzll(eight) / 8;
            return at < n ? at : n;
        }
    }
    return n;
}

/* A row whose key begins with the longest key that the text begins with. */
static inline uint32_t
follow(const struct table *t, struct span text)
{
    const uint32_t *words = (const uint32_t *)(const void *)t->trie.words.ptr;
    uint32_t ref = t->trie.root;
    while (!(ref & LEAF)) {
        const uint32_t *node = words + ref;
        uint32_t depth = node[0] >> 16, n = node[0] & 0xffff;
        if (depth >= text.len)
            return node[1];
        uint32_t place = place_of((const uint8_t *)(node + NODE_HEAD_WORDS), n,
                                  byte_at(t->kind, text, depth));
        if (place == n)
            return node[1];
        ref = node[NODE_HEAD_WORDS + byte_words(n) + place];
    }
    return ref & ~LEAF;
}

/* Are the last `n` bytes of a host whole labels? */
static inline bool
is_whole_labels(struct span host, size_t n)
{
    return n == host.len || host.ptr[host.len - n - 1] == '.';
}

uint32_t
trie_find(const struct table *t, struct span text)
{
    uint32_t row = follow(t, text);
    size_t shared = common(t->kind, row_key(t, row), text);
    for (; row != TABLE_NO_ROW; row = row_shorter(t, row)) {
        size_t n = row_head(t, row).key_len;
        if (n <= shared && (t->kind == TABLE_PREFIX || is_whole_labels(text, n)))
            return row;
    }
    return TABLE_NO_ROW;
}
