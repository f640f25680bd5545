/* Edge Side Includes: finds the instructions of a page (https://www.w3.org/TR/esi-lang). The parser takes the
 * page in pieces, cut anywhere, and divides it into runs: kept bytes, which belong to the page, and skipped
 * bytes (instructions, and the content of <esi:remove>). Between the runs it reports includes. It stores only
 * those bytes of the page that it cannot classify yet.
 *
 * The language is that of Varnish 7.1, with its messages: include, remove, comment, and <!--esi -->. Any
 * other esi: element is an error and is removed. esi_parse.c has the text between tags, esi_tag.c the tags.
 */
#ifndef VERNIS_FILTER_ESI_PARSE_H
#define VERNIS_FILTER_ESI_PARSE_H

#include "base/span.h"

/* Limit for an attribute's value and for the resolved target of an include. */
#define ESI_VALUE_BYTES_MAX 8192
#define ESI_HELD_BYTES_MAX 16 /* read, but not assigned to a run yet: the beginning of a tag */
#define ESI_WORD_BYTES_MAX 8  /* limit for the words that begin and name tags */

struct esi_options {            /* the esi_* bits of the parameter `feature` */
    bool ignore_https;          /* https:// in src means http:// */
    bool disable_xml_check;     /* the page may begin with any byte */
    bool ignore_other_elements; /* "<" of another element does not hide the bytes up to its ">" */
    bool remove_bom;
};

struct esi_include {
    struct span host; /* ptr NULL: the page's host */
    struct span target;
    bool onerror_continue;
};

enum esi_severity { ESI_REMARK, ESI_WARNING, ESI_ERROR };

struct esi_sink;

/* Callbacks that the user of a parser provides. */
struct esi_sink_ops {
    /* Bytes of the current run, in page order. */
    void (*bytes)(struct esi_sink *s, const char *p, size_t n);
    /* A run with at least one byte has ended. Returns its end in the stored page, as messages name this
     * position. */
    uint64_t (*end_run)(struct esi_sink *s, bool kept);
    void (*include)(struct esi_sink *s, const struct esi_include *inc);
    void (*message)(struct esi_sink *s, enum esi_severity severity, struct span text);
};

struct esi_sink {
    const struct esi_sink_ops *ops;
};

enum esi_state {
    ESI_START,
    ESI_TEST_XML,
    ESI_NOT_XML,
    ESI_TEXT,
    ESI_TAG,
    ESI_OTHER_TAG,
    ESI_UNTIL,
    ESI_COMMENT,
    ESI_ESI_COMMENT,
    ESI_CDATA,
    ESI_END_TAG,
    ESI_ELEMENT,
    ESI_IN_INCLUDE,
    ESI_IN_REMOVE,
    ESI_IN_COMMENT,
    ESI_UNKNOWN,
    ESI_IN_TAG,
    ESI_BAD_TAG,
    ESI_ATTRIBUTE,
    ESI_SKIP_NAME,
    ESI_DELIMITER,
    ESI_VALUE,
    ESI_ONERROR,
    ESI_SOURCE,
    ESI_STATES
};

struct esi_parser {
    struct esi_options options;
    struct esi_sink *sink;
    struct span url; /* URL of the page, to resolve relative targets; lent */
    enum esi_state state;
    bool found; /* the page has an instruction */

    /* the current run */
    bool kept, has_bytes;
    uint64_t run_at;               /* its start in the stored page */
    const char *judged;            /* in the current piece: all bytes before it belong to runs */
    char held[ESI_HELD_BYTES_MAX]; /* bytes of earlier pieces: read, but not assigned to a run */
    size_t n_held;
    /* Bytes of earlier pieces: the start of an incomplete word, not read yet. */
    char word[ESI_WORD_BYTES_MAX + 1];
    size_t n_word;
    bool more; /* the step needs more bytes */

    const char *until; /* ESI_UNTIL: the end of a comment or of CDATA */
    unsigned until_at;
    bool in_esi_comment;
    unsigned comment_at; /* bytes of its "-->" seen so far */
    bool in_remove;

    /* the tag */
    bool in_esi_tag, is_end, is_empty;
    bool may_have_attribute;  /* white space precedes; as in Varnish, white space in an earlier tag counts */
    enum esi_state element;   /* ESI_IN_* */
    enum esi_state attribute; /* ESI_SOURCE, ESI_ONERROR, or ESI_SKIP_NAME for other attributes */
    char delimiter;
    char value[ESI_VALUE_BYTES_MAX];
    size_t n_value;
    char source[ESI_VALUE_BYTES_MAX];
    size_t n_source;
    bool has_source, onerror_continue;
};

/* `at`: position of the page's first byte in its stored form. */
void esi_parser_init(struct esi_parser *x, const struct esi_options *o, struct span url,
                     struct esi_sink *sink, uint64_t at);
void esi_parse(struct esi_parser *x, struct span piece);
/* Ends the page. False: the page has no instruction; serve it unchanged. */
bool esi_parse_end(struct esi_parser *x);

#endif
