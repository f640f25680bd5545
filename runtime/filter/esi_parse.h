/* Edge Side Includes: finds the instructions of a page (https://www.w3.org/TR/esi-lang). The parser takes the bytes of the page in
 * pieces cut anywhere, and divides them into runs: bytes that belong to the page, and bytes that do not (instructions, and what
 * <esi:remove> encloses). Between the runs it reports includes. It keeps nothing of the page but what it cannot judge yet.
 *
 * The language is that of Varnish 7.1, with its messages: include, remove, comment, and <!--esi -->. Any other esi: element is
 * an error and disappears. esi_parse.c has the text between tags, esi_tag.c the tags. */
#ifndef VERNIS_ESI_PARSE_H
#define VERNIS_ESI_PARSE_H

#include "base/span.h"

#define ESI_VALUE_BYTES_MAX 8192        /* of an attribute, and of the target an include is resolved to */
#define ESI_HELD_BYTES_MAX 16           /* read, but not judged yet: the beginning of a tag */
#define ESI_WORD_BYTES_MAX 8            /* of the words that begin and name tags */

struct esi_options {                    /* the bits esi_* of the parameter `feature` */
    bool ignore_https;                  /* https:// in src means http:// */
    bool disable_xml_check;             /* the page may begin with anything */
    bool ignore_other_elements;         /* "<" of other elements does not hide what follows up to ">" */
    bool remove_bom;
};

struct esi_include {
    struct span host;                   /* ptr NULL: the same as the page's */
    struct span target;
    bool onerror_continue;
};

enum esi_severity { ESI_REMARK, ESI_WARNING, ESI_ERROR };

struct esi_sink;

/* Functions that the user of a parser brings along. */
struct esi_sink_ops {
    /* Bytes of the run under way, in the page's order. */
    void (*bytes)(struct esi_sink *s, const char *p, size_t n);
    /* The run is over; it had bytes. Returns where it ends in the stored page, which messages name. */
    uint64_t (*end_run)(struct esi_sink *s, bool kept);
    void (*include)(struct esi_sink *s, const struct esi_include *inc);
    void (*message)(struct esi_sink *s, enum esi_severity severity, struct span text);
};

struct esi_sink {
    const struct esi_sink_ops *ops;
};

enum esi_state {
    ESI_START, ESI_TEST_XML, ESI_NOT_XML, ESI_TEXT, ESI_TAG, ESI_OTHER_TAG, ESI_UNTIL,
    ESI_COMMENT, ESI_ESI_COMMENT, ESI_CDATA, ESI_END_TAG, ESI_ELEMENT,
    ESI_IN_INCLUDE, ESI_IN_REMOVE, ESI_IN_COMMENT, ESI_UNKNOWN,
    ESI_IN_TAG, ESI_BAD_TAG, ESI_ATTRIBUTE, ESI_SKIP_NAME, ESI_DELIMITER, ESI_VALUE, ESI_ONERROR, ESI_SOURCE,
    ESI_STATES
};

struct esi_parser {
    struct esi_options options;
    struct esi_sink *sink;
    struct span url;                    /* of the page, for relative targets; lent */
    enum esi_state state;
    bool found;                         /* an instruction was found */

    /* the run under way */
    bool kept, has_bytes;
    uint64_t run_at;                    /* where it begins in the stored page */
    const char *judged;                 /* in the piece that is parsed: before it, all is in runs */
    char held[ESI_HELD_BYTES_MAX];      /* of former pieces: read, but not judged */
    size_t n_held;
    char word[ESI_WORD_BYTES_MAX + 1];  /* of former pieces: not even read, the rest of the word is to come */
    size_t n_word;
    bool more;                          /* the step needs bytes that are not there yet */

    const char *until;                  /* ESI_UNTIL: the end of a comment or of CDATA */
    unsigned until_at;
    bool in_esi_comment;
    unsigned comment_at;                /* so much of its "-->" was seen */
    bool in_remove;

    /* the tag */
    bool in_esi_tag, is_end, is_empty;
    bool may_have_attribute;            /* white space came before; as in Varnish, that of a former tag counts */
    enum esi_state element;             /* ESI_IN_* */
    enum esi_state attribute;           /* ESI_SOURCE, ESI_ONERROR, or ESI_SKIP_NAME for the rest */
    char delimiter;
    char value[ESI_VALUE_BYTES_MAX];
    size_t n_value;
    char source[ESI_VALUE_BYTES_MAX];
    size_t n_source;
    bool has_source, onerror_continue;
};

/* `at`: where the page's first byte lies in its stored form. */
void esi_parser_init(struct esi_parser *x, const struct esi_options *o, struct span url, struct esi_sink *sink, uint64_t at);
void esi_parse(struct esi_parser *x, struct span piece);
/* The page is over. False: it has no instruction, and is to be served as it is. */
bool esi_parse_end(struct esi_parser *x);

#endif
