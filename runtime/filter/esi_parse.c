/* Parses the text of a page, between and outside of esi: tags. See esi_parse.h.
 *
 * Each state has a step that works on the bytes of one piece. Only the words that begin a tag need several
 * bytes at once. If the piece ends inside such a word, its bytes wait in `word`, and the step runs again with
 * each byte that arrives. So the result does not depend on where the page is cut. */
#include "filter/esi_parse.h"

#include <stdio.h>

#include "base/check.h"
#include "filter/esi_internal.h"

#define MESSAGE_BYTES_MAX 128

static const struct esi_word tag_words[] = {
    { { "!--esi", 6 }, ESI_ESI_COMMENT }, { { "!---->", 6 }, ESI_TEXT },  { { "!--", 3 }, ESI_COMMENT },
    { { "/esi:", 5 }, ESI_END_TAG },      { { "esi:", 4 }, ESI_ELEMENT }, { { "![CDATA[", 8 }, ESI_CDATA },
    { { NULL, 0 }, ESI_OTHER_TAG },
};

/* The first is U+FEFF. Varnish also accepts the second. */
static const struct esi_word bom_words[] = {
    { { "\xef\xbb\xbf", 3 }, ESI_START },
    { { "\xeb\xbb\xbf", 3 }, ESI_START },
    { { NULL, 0 }, ESI_TEXT },
};

/* ---- runs ---- */

static void
give(struct esi_parser *x, const char *p, size_t n)
{
    if (n == 0)
        return;
    x->sink->ops->bytes(x->sink, p, n);
    x->has_bytes = true;
}

void
esi_judge(struct esi_parser *x, bool kept, const char *p)
{
    if (x->kept != kept && x->has_bytes) {
        x->run_at = x->sink->ops->end_run(x->sink, x->kept);
        x->has_bytes = false;
    }
    x->kept = kept;
    give(x, x->held, x->n_held);
    x->n_held = 0;
    give(x, x->judged, (size_t)(p - x->judged));
    x->judged = p;
}

/* At the end of a piece, holds back bytes that may turn out to be a tag. */
static void
hold(struct esi_parser *x, const char *p)
{
    size_t n = (size_t)(p - x->judged);
    CHECK(n <= ESI_HELD_BYTES_MAX - x->n_held);
    memcpy(x->held + x->n_held, x->judged, n);
    x->n_held += n;
    x->judged = p;
}

static void
message(struct esi_parser *x, enum esi_severity severity, const char *text)
{
    char line[MESSAGE_BYTES_MAX];
    const char *kind = severity == ESI_ERROR ? "ERR" : "WARN";
    int n = snprintf(line, sizeof line, "%s after %llu %s", kind, (unsigned long long)x->run_at, text);
    CHECK(n > 0 && n < MESSAGE_BYTES_MAX);
    x->sink->ops->message(x->sink, severity, span_of(line, (size_t)n));
}

void
esi_error(struct esi_parser *x, const char *text)
{
    message(x, ESI_ERROR, text);
}

void
esi_warning(struct esi_parser *x, const char *text)
{
    message(x, ESI_WARNING, text);
}

/* ---- words ---- */

const char *
esi_match(struct esi_parser *x, const char *p, const char *e, const struct esi_word *words)
{
    size_t have = (size_t)(e - p);
    for (; words->text.ptr != NULL; words++) {
        size_t n = have < words->text.len ? have : words->text.len;
        if (memcmp(p, words->text.ptr, n) != 0)
            continue;
        x->more = n < words->text.len;
        if (x->more)
            return p;
        x->state = words->then;
        return p + n;
    }
    x->state = words->then;
    return p;
}

/* ---- the beginning of the page ---- */

static void
not_xml(struct esi_parser *x, const char *text)
{
    x->sink->ops->message(x->sink, ESI_REMARK, span_str(text));
    x->state = ESI_NOT_XML;
}

static bool
is_bom_start(char c)
{
    return c == '\xef' || c == '\xeb';
}

static const char *
at_start(struct esi_parser *x, const char *p, const char *e)
{
    if (x->options.remove_bom && is_bom_start(*p)) {
        p = esi_match(x, p, e, bom_words);
        if (x->more)
            return p;
        if (x->state == ESI_START) {
            esi_judge(x, false, p);
            return p;
        }
    }
    esi_judge(x, false, p);
    x->state = x->options.disable_xml_check ? ESI_TEXT : ESI_TEST_XML;
    return p;
}

/* A page has tags only if its first byte after white space is "<". */
static const char *
test_xml(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && esi_is_space(*p))
        p++;
    esi_judge(x, true, p);
    if (p == e)
        return p;
    if (*p == '<') {
        x->state = ESI_TAG;
        return p + 1;
    }
    if (is_bom_start(*p))
        not_xml(x, "No ESI processing, first char not '<' but BOM. (See feature esi_remove_bom)");
    else
        not_xml(x, "No ESI processing, first char not '<'. (See feature esi_disable_xml_check)");
    return p;
}

static const char *
in_other_content(struct esi_parser *x, const char *p, const char *e)
{
    esi_judge(x, true, e);
    return e;
}

/* ---- text ---- */

/* Called after a tag or comment of the page. A "-" before it may begin the end of <!--esi; assign all bytes
 * up to `p` to a run now, or they would have to be held. */
static void
after_tag(struct esi_parser *x, const char *p)
{
    if (x->comment_at > 0 && !x->in_remove)
        esi_judge(x, true, p);
}

/* Parses text in <!--esi ... -->, up to the next "<" or the comment's end. The end marker is not part of the
 * page. */
static const char *
in_esi_comment_text(struct esi_parser *x, const char *p, const char *e)
{
    static const char end[] = "-->";
    while (p < e && *p != '<' && x->in_esi_comment) {
        if (*p != end[x->comment_at]) {
            x->comment_at = 0;
            p++;
            continue;
        }
        if (x->comment_at == 0 && !x->in_remove)
            esi_judge(x, true, p);
        p++;
        if (end[++x->comment_at] == '\0') {
            x->found = true;
            x->in_esi_comment = false;
            x->comment_at = 0;
            esi_judge(x, false, p);
        }
    }
    return p;
}

static const char *
find_or_end(const char *p, const char *e, char c)
{
    const char *at = memchr(p, c, (size_t)(e - p));
    return at != NULL ? at : e;
}

static const char *
in_text(struct esi_parser *x, const char *p, const char *e)
{
    x->is_empty = false;
    if (x->in_esi_comment)
        p = in_esi_comment_text(x, p, e);
    if (!x->in_esi_comment)
        p = find_or_end(p, e, '<');
    if (p < e) {
        if (!x->in_remove)
            esi_judge(x, true, p);
        x->state = ESI_TAG;
        return p + 1;
    }
    if (x->comment_at == 0 && !x->in_remove)
        esi_judge(x, true, p);
    return p;
}

static const char *
in_tag_start(struct esi_parser *x, const char *p, const char *e)
{
    x->is_end = false;
    return esi_match(x, p, e, tag_words);
}

static const char *
in_other_tag(struct esi_parser *x, const char *p, const char *e)
{
    if (x->options.ignore_other_elements) {
        x->state = ESI_TEXT;
        after_tag(x, ++p);
    } else {
        p = find_or_end(p, e, '>');
        if (p < e) {
            x->state = ESI_TEXT;
            after_tag(x, ++p);
        }
    }
    if (p == e && !x->in_remove)
        esi_judge(x, true, p);
    return p;
}

/* ---- comments and CDATA ---- */

static const char *
skip_until(struct esi_parser *x, const char *p, const char *e, const char *end)
{
    x->until = end;
    x->until_at = 0;
    x->state = ESI_UNTIL;
    return p;
}

/* An ordinary comment inside <!--esi ends the esi comment: comments do not nest. */
static const char *
begin_comment(struct esi_parser *x, const char *p, const char *e)
{
    x->in_esi_comment = false;
    x->comment_at = 0;
    return skip_until(x, p, e, "-->");
}

static const char *
begin_cdata(struct esi_parser *x, const char *p, const char *e)
{
    return skip_until(x, p, e, "]]>");
}

static const char *
begin_esi_comment(struct esi_parser *x, const char *p, const char *e)
{
    if (x->in_remove)
        esi_error(x, "ESI 1.0 Nested <!--esi element in <esi:remove>");
    x->in_esi_comment = true;
    x->comment_at = 0;
    x->state = ESI_TEXT;
    esi_judge(x, false, p);
    return p;
}

static const char *
until_end(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && x->state == ESI_UNTIL) {
        if (*p++ != x->until[x->until_at])
            x->until_at = 0;
        else if (x->until[++x->until_at] == '\0')
            x->state = ESI_TEXT;
    }
    if (x->state == ESI_TEXT)
        after_tag(x, p);
    if (p == e && !x->in_remove)
        esi_judge(x, true, p);
    return p;
}

/* ---- the walk ---- */

static esi_step *const steps[ESI_STATES] = {
    [ESI_START] = at_start,    [ESI_TEST_XML] = test_xml,     [ESI_NOT_XML] = in_other_content,
    [ESI_TEXT] = in_text,      [ESI_TAG] = in_tag_start,      [ESI_OTHER_TAG] = in_other_tag,
    [ESI_UNTIL] = until_end,   [ESI_COMMENT] = begin_comment, [ESI_ESI_COMMENT] = begin_esi_comment,
    [ESI_CDATA] = begin_cdata,
};

/* Runs the steps and returns where they stopped: before `e` if a word is incomplete there. */
static const char *
run(struct esi_parser *x, const char *p, const char *e)
{
    x->judged = p;
    x->more = false;
    while (p < e && !x->more) {
        esi_step *step = steps[x->state] != NULL ? steps[x->state] : esi_tag_steps[x->state];
        p = step(x, p, e);
    }
    if (x->in_esi_tag || x->in_remove)
        esi_judge(x, false, p);
    else
        hold(x, p);
    return p;
}

static void
keep_word(struct esi_parser *x, const char *p, size_t n)
{
    CHECK(n <= ESI_WORD_BYTES_MAX);
    memmove(x->word, p, n);
    x->n_word = n;
}

void
esi_parse(struct esi_parser *x, struct span piece)
{
    const char *p = piece.ptr, *e = p + piece.len;
    while (x->n_word > 0 && p < e) {
        x->word[x->n_word++] = *p++;
        const char *end = x->word + x->n_word, *at = run(x, x->word, end);
        keep_word(x, at, (size_t)(end - at));
    }
    if (p == e)
        return;
    p = run(x, p, e);
    keep_word(x, p, (size_t)(e - p));
}

void
esi_parser_init(struct esi_parser *x, const struct esi_options *o, struct span url, struct esi_sink *sink,
                uint64_t at)
{
    memset(x, 0, sizeof *x);
    x->options = *o;
    x->url = url;
    x->sink = sink;
    x->run_at = at;
    x->kept = true;
}

bool
esi_parse_end(struct esi_parser *x)
{
    if (x->n_word > 0 || (x->state != ESI_START && x->state != ESI_TEST_XML && x->state != ESI_NOT_XML &&
                          x->state != ESI_TEXT))
        esi_error(x, "VEP ended inside a tag");
    x->judged = x->word;
    esi_judge(x, x->kept, x->word + x->n_word);
    x->n_word = 0;
    if (x->has_bytes)
        x->run_at = x->sink->ops->end_run(x->sink, x->kept);
    x->has_bytes = false;
    return x->found;
}
