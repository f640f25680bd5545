/* Patterns as trees. The parser accepts the part of PCRE2's syntax (8 bit, no UTF, no options) that is a
 * regular language, with the meaning that PCRE2 gives it. PCRE2 has compiled the pattern before, so its
 * errors need no care here. Anything that the parser does not know for sure it refuses, and PCRE2 then
 * matches the pattern. */
#ifndef VERNIS_MATCH_PATTERN_PARSE_H
#define VERNIS_MATCH_PATTERN_PARSE_H

#include "base/span.h"
#include "match/pattern_bytes.h"

#define PATTERN_NODES_MAX 4096u
#define PATTERN_DEPTH_MAX 64u /* groups in groups */
#define PATTERN_REPEAT_MAX 1000u
#define PATTERN_ENDLESS UINT16_MAX

enum node_kind {
    NODE_EMPTY,
    NODE_BYTES,    /* one byte of `set` */
    NODE_SEQUENCE, /* children, the last one first */
    NODE_EITHER,   /* one of the children */
    NODE_REPEAT,   /* the child, `min` to `max` times */
    NODE_START,    /* before the first byte */
    NODE_END,      /* after the last byte */
    NODE_END_OR_LF /* there, or before a line feed that is the last byte */
};

struct node {
    enum node_kind kind;
    uint16_t min, max;
    unsigned child, sibling; /* numbers of nodes; 0: none */
    struct byte_set set;
};

struct pattern_tree {
    unsigned n, root;
    bool exact; /* false: the tree also matches subjects that the pattern does not match, never fewer */
    struct node nodes[PATTERN_NODES_MAX]; /* node 0 is not used */
};

/* 0, or ERR_LIMIT: leave the pattern to PCRE2. */
int pattern_parse(struct span text, struct pattern_tree *tree);

#endif
