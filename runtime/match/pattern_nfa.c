/* From trees to steps (from the last element of a pattern to its first, so that each step knows its
 * successor), then to lists of items and to byte classes. */
#include "match/pattern_nfa.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

#define INDEX_FIRST 64u
#define ITEMS_FIRST 64u

/* How far the end of the subject must be reached for a path to go on. */
enum level { LEVEL_NOW, LEVEL_END_OR_LF, LEVEL_END, LEVELS };

struct visit {
    uint32_t step;
    enum level level;
};

struct nfa_work {
    uint32_t first; /* step of the pattern that is added */
    uint32_t pattern;
    uint32_t round; /* of `seen` */
    uint32_t seen[LEVELS][NFA_PATTERN_STEPS_MAX];
    uint32_t list_of[NFA_PATTERN_STEPS_MAX]; /* place of a step's list + 1 */
    struct visit stack[2 * LEVELS * NFA_PATTERN_STEPS_MAX];
    struct nfa_items found;
    bool matched, reads_on; /* of the last walk: without a byte; a line feed behind `$` */
};

/* ---- tables ------------------------------------------------------------------------------------------ */

static void *
grown(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    CHECK(p != NULL);
    return p;
}

static void
items_add(struct nfa_items *items, nfa_item item)
{
    if (items->n == items->cap) {
        items->cap = items->cap == 0 ? ITEMS_FIRST : 2 * items->cap;
        items->at = grown(items->at, items->cap * sizeof items->at[0]);
    }
    items->at[items->n++] = item;
}

/* Returns the place of the list. */
static uint32_t
list_add(struct nfa_items *lists, const struct nfa_items *list)
{
    uint32_t place = (uint32_t)lists->n;
    items_add(lists, (uint32_t)list->n);
    for (size_t i = 0; i < list->n; i++)
        items_add(lists, list->at[i]);
    return place;
}

static uint64_t
set_hash(const struct byte_set *set)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < 4; i++)
        hash = (hash ^ set->words[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
    return hash ^ hash >> 32;
}

static uint32_t *
index_slot(const struct nfa *nfa, const struct byte_set *set)
{
    uint32_t at = (uint32_t)set_hash(set) & (nfa->cap_index - 1);
    while (nfa->set_index[at] != 0 && memcmp(&nfa->sets[nfa->set_index[at] - 1], set, sizeof *set) != 0)
        at = (at + 1) & (nfa->cap_index - 1);
    return &nfa->set_index[at];
}

static void
index_grow(struct nfa *nfa)
{
    nfa->cap_index = nfa->cap_index == 0 ? INDEX_FIRST : 2 * nfa->cap_index;
    free(nfa->set_index);
    nfa->set_index = mem_zalloc(nfa->cap_index * sizeof nfa->set_index[0]);
    for (uint32_t i = 0; i < nfa->n_sets; i++)
        *index_slot(nfa, &nfa->sets[i]) = i + 1;
}

/* Sets *out to the number of the set. Equal sets have one number. */
static bool
set_number(struct nfa *nfa, const struct byte_set *set, uint16_t *out)
{
    if (2 * nfa->n_sets >= nfa->cap_index)
        index_grow(nfa);
    uint32_t *slot = index_slot(nfa, set);
    if (*slot == 0) {
        if (nfa->n_sets > UINT16_MAX)
            return false;
        if (nfa->n_sets == nfa->cap_sets) {
            nfa->cap_sets = nfa->cap_sets == 0 ? INDEX_FIRST : 2 * nfa->cap_sets;
            nfa->sets = grown(nfa->sets, nfa->cap_sets * sizeof nfa->sets[0]);
        }
        nfa->sets[nfa->n_sets++] = *set;
        *slot = nfa->n_sets;
    }
    *out = (uint16_t)(*slot - 1);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------- */

static bool
step_add(struct nfa *nfa, enum step_op op, uint32_t next, uint32_t other, uint32_t *out)
{
    if (nfa->n_steps - nfa->work->first >= NFA_PATTERN_STEPS_MAX || nfa->n_steps >= NFA_STEPS_MAX)
        return false;
    if (nfa->n_steps == nfa->cap_steps) {
        nfa->cap_steps = nfa->cap_steps == 0 ? ITEMS_FIRST : 2 * nfa->cap_steps;
        nfa->steps = grown(nfa->steps, nfa->cap_steps * sizeof nfa->steps[0]);
    }
    *out = nfa->n_steps++;
    nfa->steps[*out] = (struct nfa_step){ .op = (uint8_t)op, .next = next, .other = other };
    return true;
}

struct emit {
    struct nfa *nfa;
    const struct pattern_tree *tree;
    uint32_t pattern;
};

static bool emit_node(const struct emit *e, unsigned number, uint32_t next, uint32_t *out);

static bool
emit_sequence(const struct emit *e, const struct node *node, uint32_t next, uint32_t *out)
{
    *out = next;
    for (unsigned child = node->child; child != 0; child = e->tree->nodes[child].sibling)
        if (!emit_node(e, child, *out, out))
            return false;
    return true;
}

static bool
emit_either(const struct emit *e, const struct node *node, uint32_t next, uint32_t *out)
{
    uint32_t branch;
    if (!emit_node(e, node->child, next, out))
        return false;
    for (unsigned child = e->tree->nodes[node->child].sibling; child != 0;
         child = e->tree->nodes[child].sibling)
        if (!emit_node(e, child, next, &branch) || !step_add(e->nfa, NFA_SPLIT, branch, *out, out))
            return false;
    return true;
}

/* A loop is a split that leads into the child and on to `next`. It is entered at the split, or at the child
 * if the child must come once. */
static bool
emit_loop(const struct emit *e, const struct node *node, uint32_t next, uint32_t *out)
{
    uint32_t split, body;
    if (!step_add(e->nfa, NFA_SPLIT, next, next, &split) || !emit_node(e, node->child, split, &body))
        return false;
    e->nfa->steps[split].other = body;
    *out = node->min == 0 ? split : body;
    return true;
}

static bool
emit_repeat(const struct emit *e, const struct node *node, uint32_t next, uint32_t *out)
{
    unsigned copies = node->min;
    *out = next;
    if (node->max == PATTERN_ENDLESS) {
        if (!emit_loop(e, node, next, out))
            return false;
        copies -= copies > 0;
    }
    for (unsigned i = node->min; node->max != PATTERN_ENDLESS && i < node->max; i++) {
        uint32_t body;
        if (!emit_node(e, node->child, *out, &body) || !step_add(e->nfa, NFA_SPLIT, body, next, out))
            return false;
    }
    for (; copies > 0; copies--)
        if (!emit_node(e, node->child, *out, out))
            return false;
    return true;
}

/* Sets *out to the first step of the node, which goes on at step `next`. */
static bool
emit_node(const struct emit *e, unsigned number, uint32_t next, uint32_t *out)
{
    const struct node *node = &e->tree->nodes[number];
    uint16_t set = 0;
    switch (node->kind) {
    case NODE_EMPTY: *out = next; return true;
    case NODE_BYTES:
        if (!set_number(e->nfa, &node->set, &set) || !step_add(e->nfa, NFA_BYTE, next, e->pattern, out))
            return false;
        e->nfa->steps[*out].set = set;
        return true;
    case NODE_SEQUENCE: return emit_sequence(e, node, next, out);
    case NODE_EITHER: return emit_either(e, node, next, out);
    case NODE_REPEAT: return emit_repeat(e, node, next, out);
    case NODE_START: return step_add(e->nfa, NFA_START, next, e->pattern, out);
    case NODE_END: return step_add(e->nfa, NFA_END, next, e->pattern, out);
    case NODE_END_OR_LF: return step_add(e->nfa, NFA_END_OR_LF, next, e->pattern, out);
    }
    return false;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

static void
visit(struct nfa_work *w, size_t *n, uint32_t step, enum level level)
{
    uint32_t at = step - w->first;
    for (unsigned l = LEVEL_NOW; l <= level; l++)
        if (w->seen[l][at] == w->round)
            return;
    w->seen[level][at] = w->round;
    w->stack[(*n)++] = (struct visit){ step, level };
}

/* Collects in w->found the items that are reached from `entry` without reading a byte. */
static void
walk(struct nfa *nfa, uint32_t entry, bool at_start)
{
    struct nfa_work *w = nfa->work;
    size_t n = 0;
    enum level best = LEVELS;
    w->round++;
    w->found.n = 0;
    visit(w, &n, entry, LEVEL_NOW);
    while (n > 0) {
        struct visit v = w->stack[--n];
        const struct nfa_step *step = &nfa->steps[v.step];
        switch ((enum step_op)step->op) {
        case NFA_BYTE:
            if (v.level == LEVEL_NOW)
                items_add(&w->found, v.step);
            w->reads_on |= v.level == LEVEL_END_OR_LF && byte_set_has(&nfa->sets[step->set], '\n');
            break;
        case NFA_SPLIT:
            visit(w, &n, step->next, v.level);
            visit(w, &n, step->other, v.level);
            break;
        case NFA_START:
            if (at_start)
                visit(w, &n, step->next, v.level);
            break;
        case NFA_END_OR_LF:
            visit(w, &n, step->next, v.level > LEVEL_END_OR_LF ? v.level : LEVEL_END_OR_LF);
            break;
        case NFA_END: visit(w, &n, step->next, LEVEL_END); break;
        case NFA_MATCH: best = v.level < best ? v.level : best; break;
        }
    }
    w->matched = best == LEVEL_NOW;
    if (best == LEVEL_NOW) /* a pattern that has matched needs no other items */
        w->found.n = 0;
    if (best != LEVELS)
        items_add(&w->found, ITEM_OF(ITEM_MATCH + best, w->pattern));
}

static void
resolve_target(struct nfa *nfa, struct nfa_step *step)
{
    struct nfa_work *w = nfa->work;
    uint32_t target = step->next;
    if (nfa->steps[target].op == NFA_BYTE) { /* one item: the step */
        step->next = target;
        return;
    }
    uint32_t *list = &w->list_of[target - w->first];
    if (*list == 0) {
        walk(nfa, target, false);
        *list = list_add(&nfa->lists, &w->found) + 1;
    }
    step->next = NFA_LIST | (*list - 1);
}

/* Where a search begins, a leading element that may be missing changes nothing: `.*x` matches where `x` does.
 */
static bool
emit_pattern(const struct emit *e, uint32_t match, uint32_t *out)
{
    const struct node *nodes = e->tree->nodes, *either = &nodes[e->tree->root];
    *out = match;
    if (nodes[either->child].sibling != 0)
        return emit_node(e, e->tree->root, match, out);
    for (unsigned child = nodes[either->child].child; child != 0; child = nodes[child].sibling) {
        bool first = nodes[child].sibling == 0;
        if (first && nodes[child].kind == NODE_REPEAT && nodes[child].min == 0)
            break;
        if (!emit_node(e, child, *out, out))
            return false;
    }
    return true;
}

/* Adds what a search waits for before the first byte, and before any byte. Returns true if the pattern
 * matches every subject. */
static bool
add_begin(struct nfa *nfa, uint32_t entry)
{
    struct nfa_work *w = nfa->work;
    size_t n = nfa->start.n;
    walk(nfa, entry, true);
    bool always = w->matched;
    for (size_t i = 0; i < w->found.n; i++)
        items_add(&nfa->start, w->found.at[i]);
    walk(nfa, entry, false);
    for (size_t i = 0; i < w->found.n; i++) {
        if (ITEM_KIND(w->found.at[i]) == ITEM_BYTE)
            items_add(&nfa->floating, w->found.at[i]);
        else /* at the end of the subject at the latest */
            always = true;
    }
    size_t all = nfa->start.n;
    nfa->start.n = n;
    for (; n < all; n++) { /* the second walk has marked what it found */
        nfa_item item = nfa->start.at[n];
        if (ITEM_KIND(item) != ITEM_BYTE || w->seen[LEVEL_NOW][item - w->first] != w->round)
            nfa->start.at[nfa->start.n++] = item;
    }
    return always;
}

/* The number of items that the floating ones from `first` on add to the lists of `follow`, if each byte is a
 * class of its own. */
static uint64_t
follow_bound(const struct nfa *nfa, size_t first)
{
    uint64_t n = 0;
    for (size_t i = first; i < nfa->floating.n; i++) {
        const struct nfa_step *step = &nfa->steps[nfa->floating.at[i]];
        uint64_t bytes = 0;
        for (unsigned word = 0; word < 4; word++)
            bytes += (unsigned)__builtin_popcountll(nfa->sets[step->set].words[word]);
        n += bytes * nfa_target(nfa, &step->next).n;
    }
    return n;
}

static enum nfa_added
add_lists(struct nfa *nfa, uint32_t entry)
{
    struct nfa_work *w = nfa->work;
    size_t lists = nfa->lists.n, floating = nfa->floating.n;
    w->reads_on = false;
    memset(w->list_of, 0, (nfa->n_steps - w->first) * sizeof w->list_of[0]);
    bool always = add_begin(nfa, entry), refused = w->reads_on;
    for (uint32_t i = w->first; i < nfa->n_steps && !refused; i++) {
        if (nfa->steps[i].op == NFA_BYTE)
            resolve_target(nfa, &nfa->steps[i]);
        refused = w->reads_on || nfa->lists.n - lists > NFA_PATTERN_ITEMS_MAX;
    }
    if (refused)
        return NFA_REFUSED;
    if (always)
        return NFA_ALWAYS;
    uint64_t follow = follow_bound(nfa, floating);
    if (nfa->lists.n + nfa->n_follow + follow > NFA_ITEMS_MAX)
        return NFA_REFUSED;
    nfa->n_follow += follow;
    return NFA_ADDED;
}

enum nfa_added
nfa_add(struct nfa *nfa, const struct pattern_tree *tree, unsigned pattern)
{
    size_t lists = nfa->lists.n, start = nfa->start.n, floating = nfa->floating.n;
    uint32_t match, entry;
    enum nfa_added added = NFA_REFUSED;
    struct emit e = { nfa, tree, pattern };
    nfa->work->first = nfa->n_steps;
    nfa->work->pattern = pattern;
    if (step_add(nfa, NFA_MATCH, 0, pattern, &match) && emit_pattern(&e, match, &entry))
        added = add_lists(nfa, entry);
    if (added == NFA_ADDED) {
        nfa->n_patterns = pattern + 1;
        nfa->n_added++;
    } else {
        nfa->n_steps = nfa->work->first;
        nfa->lists.n = lists;
        nfa->start.n = start;
        nfa->floating.n = floating;
    }
    return added;
}

/* ---- what follows from the floating items ------------------------------------------------------------ */

static int
compare_items(const void *a, const void *b)
{
    nfa_item x = *(const nfa_item *)a, y = *(const nfa_item *)b;
    return (x > y) - (x < y);
}

/* Most are in order, because later patterns have higher items. */
static void
put_in_order(struct nfa_items *items)
{
    for (size_t i = 1; i < items->n; i++) {
        if (items->at[i - 1] > items->at[i]) {
            qsort(items->at, items->n, sizeof items->at[0], compare_items);
            return;
        }
    }
}

bool
nfa_list_has(const struct nfa_list *list, nfa_item item)
{
    uint32_t from = 0, to = list->n;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (list->items[middle] == item)
            return true;
        if (list->items[middle] < item)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

/* The items behind a byte of class c that follow from the floating ones. Two of a pattern can lead to the
 * same item. */
static void
find_follow_of(struct nfa *nfa, unsigned c, uint32_t *seen)
{
    struct nfa_items *found = &nfa->work->found;
    found->n = 0;
    for (size_t i = 0; i < nfa->floating.n; i++) {
        const struct nfa_step *step = &nfa->steps[nfa->floating.at[i]];
        if (!byte_set_has(&nfa->sets[step->set], c))
            continue;
        struct nfa_list list = nfa_target(nfa, &step->next);
        for (uint32_t j = 0; j < list.n; j++) {
            uint32_t *mark = &seen[nfa_place(nfa, list.items[j])];
            if (*mark != c + 1)
                items_add(found, list.items[j]);
            *mark = c + 1;
        }
    }
    put_in_order(found);
    nfa->follow_at[c] = list_add(&nfa->follow, found);
}

static bool
lists_are_equal(struct nfa_list a, struct nfa_list b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.items, b.items, a.n * sizeof a.items[0]) == 0);
}

/* The list of class c was added last. Drops it if an earlier class has the same. */
static void
share_follow_of(struct nfa *nfa, unsigned c)
{
    uint32_t place = nfa->follow_at[c];
    struct nfa_list list = nfa_list_at(&nfa->follow, place);
    for (unsigned earlier = 0; earlier < c; earlier++) {
        if (!lists_are_equal(list, nfa_list_at(&nfa->follow, nfa->follow_at[earlier])))
            continue;
        nfa->follow.n = place;
        nfa->follow_at[c] = nfa->follow_at[earlier];
        nfa->shared_of[c] = nfa->shared_of[earlier];
        return;
    }
    if (list.n < NFA_SHARED_MIN || ITEM_KIND(list.items[list.n - 1]) != ITEM_BYTE ||
        nfa->n_shared == UINT8_MAX)
        return;
    nfa->shared_of[c] = ++nfa->n_shared;
    nfa->shared_at[nfa->n_shared] = place;
}

static void
find_follow(struct nfa *nfa)
{
    uint32_t *seen = mem_zalloc((nfa_places(nfa) + 1) * sizeof *seen);
    for (unsigned c = 0; c < nfa->n_classes; c++) {
        find_follow_of(nfa, c, seen);
        share_follow_of(nfa, c);
    }
    free(seen);
    for (unsigned byte = 0; byte < 256; byte++) {
        bool some = nfa_list_at(&nfa->follow, nfa->follow_at[nfa->class_of[byte]]).n > 0;
        if (!some)
            nfa->begins[byte] = 0;
        else if (nfa->begins[byte] == 0) /* without openings */
            nfa->begins[byte] = 1;
    }
}

static void
find_few_begins(struct nfa *nfa)
{
    uint8_t few[NFA_FEW];
    size_t n = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if (nfa->begins[byte] == 0)
            continue;
        if (n == NFA_FEW)
            return;
        few[n++] = (uint8_t)byte;
    }
    for (size_t i = 0; i < NFA_FEW && n > 0; i++)
        memset(nfa->few_begins[i], few[i < n ? i : 0], NFA_BLOCK);
    nfa->has_few_begins = n > 0;
}

/* ---- life -------------------------------------------------------------------------------------------- */

void
nfa_init(struct nfa *nfa)
{
    *nfa = (struct nfa){ 0 };
    nfa->work = mem_zalloc(sizeof *nfa->work);
}

void
nfa_finish(struct nfa *nfa)
{
    nfa->n_classes = byte_classes(nfa->sets, nfa->n_sets, nfa->class_of);
    openings_find(nfa);
    for (uint32_t i = 0; i < nfa->n_sets; i++)
        nfa->sets[i] = byte_set_of_classes(&nfa->sets[i], nfa->class_of);
    find_follow(nfa);
    find_few_begins(nfa);
    free(nfa->work->found.at);
    free(nfa->work);
    nfa->work = NULL;
    free(nfa->set_index);
    nfa->set_index = NULL;
    nfa->cap_index = 0;
}

void
nfa_release(struct nfa *nfa)
{
    if (nfa->work != NULL)
        free(nfa->work->found.at);
    free(nfa->work);
    free(nfa->steps);
    free(nfa->lists.at);
    free(nfa->start.at);
    free(nfa->floating.at);
    free(nfa->follow.at);
    free(nfa->sets);
    free(nfa->set_index);
    free(nfa->anchored_openings.bits);
    free(nfa->floating_openings.bits);
    *nfa = (struct nfa){ 0 };
}

size_t
nfa_bytes(const struct nfa *nfa)
{
    size_t items = nfa->lists.cap + nfa->start.cap + nfa->floating.cap + nfa->follow.cap;
    return nfa->cap_steps * sizeof nfa->steps[0] + items * sizeof(nfa_item) +
           nfa->cap_sets * sizeof nfa->sets[0] + openings_bytes(&nfa->anchored_openings) +
           openings_bytes(&nfa->floating_openings);
}
