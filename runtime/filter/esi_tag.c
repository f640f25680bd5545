/* Parses the esi: tags of a page. See esi_parse.h. A malformed tag is removed from the page, with a
 * message. */
#include "base/check.h"
#include "filter/esi_internal.h"

static const struct esi_word elements[] = {
    { { "include", 7 }, ESI_IN_INCLUDE },
    { { "remove", 6 }, ESI_IN_REMOVE },
    { { "comment", 7 }, ESI_IN_COMMENT },
    { { NULL, 0 }, ESI_UNKNOWN },
};

static const struct esi_word include_attributes[] = {
    { { "src=", 4 }, ESI_SOURCE },
    { { "onerror=", 8 }, ESI_ONERROR },
    { { NULL, 0 }, ESI_SKIP_NAME },
};

static const char *
bad_tag(struct esi_parser *x, const char *p, const char *text)
{
    esi_error(x, text);
    x->state = ESI_BAD_TAG;
    return p;
}

/* ---- the name ---- */

static const char *
end_tag(struct esi_parser *x, const char *p, const char *e)
{
    x->is_end = true;
    x->state = ESI_ELEMENT;
    return p;
}

static const char *
element(struct esi_parser *x, const char *p, const char *e)
{
    x->in_esi_tag = true;
    x->found = true;
    esi_judge(x, false, p);
    return esi_match(x, p, e, elements);
}

static const char *
enter(struct esi_parser *x, const char *p)
{
    x->element = x->state;
    x->state = ESI_IN_TAG;
    return p;
}

static const char *
in_include(struct esi_parser *x, const char *p, const char *e)
{
    x->has_source = x->onerror_continue = false;
    if (x->in_remove)
        return bad_tag(x, p, "ESI 1.0 <esi:include> element nested in <esi:remove>");
    if (x->is_end)
        return bad_tag(x, p, "ESI 1.0 </esi:include> illegal end-tag");
    return enter(x, p);
}

static const char *
in_remove(struct esi_parser *x, const char *p, const char *e)
{
    return enter(x, p);
}

static const char *
in_comment(struct esi_parser *x, const char *p, const char *e)
{
    if (x->in_remove)
        return bad_tag(x, p, "ESI 1.0 <esi:comment> element nested in <esi:remove>");
    if (x->is_end)
        return bad_tag(x, p, "ESI 1.0 </esi:comment> illegal end-tag");
    return enter(x, p);
}

static const char *
unknown_element(struct esi_parser *x, const char *p, const char *e)
{
    return bad_tag(x, p, "ESI 1.0 <esi:bogus> element");
}

/* ---- the end of a tag ---- */

static void
do_comment(struct esi_parser *x)
{
    if (!x->is_empty)
        esi_error(x, "ESI 1.0 <esi:comment> needs final '/'");
}

static void
do_remove(struct esi_parser *x)
{
    if (x->is_empty)
        esi_error(x, "ESI 1.0 <esi:remove/> not legal");
    else if (x->in_remove && !x->is_end)
        esi_error(x, "ESI 1.0 <esi:remove> already open");
    else if (!x->in_remove && x->is_end)
        esi_error(x, "ESI 1.0 <esi:remove> not open");
    else
        x->in_remove = !x->is_end;
}

static bool
starts(struct span s, struct span with)
{
    return s.len > with.len && memcmp(s.ptr, with.ptr, with.len) == 0;
}

static bool
append(struct span *to, char *room, struct span s)
{
    if (s.len > ESI_VALUE_BYTES_MAX - to->len)
        return false;
    memcpy(room + to->len, s.ptr, s.len);
    to->len += s.len;
    return true;
}

/* Takes one byte or one XML entity from the front of `s`, and returns its plain form. */
static struct span
next_plain(struct span *s)
{
    static const struct {
        struct span entity;
        const char *plain;
    } entities[] = {
        { { "&apos;", 6 }, "'" }, { { "&quot;", 6 }, "\"" }, { { "&lt;", 4 }, "<" },
        { { "&gt;", 4 }, ">" },   { { "&amp;", 5 }, "&" },
    };
    struct span plain = { s->ptr, 1 };
    size_t taken = 1;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        struct span e = entities[i].entity;
        if (s->len >= e.len && memcmp(s->ptr, e.ptr, e.len) == 0) {
            plain.ptr = entities[i].plain;
            taken = e.len;
        }
    }
    s->ptr += taken;
    s->len -= taken;
    return plain;
}

/* The folder against which relative targets are resolved: the page's path up to its last "/" before the
 * query. A path without any "/" is itself the folder. */
static struct span
folder_of(struct span url)
{
    size_t n = 0, query;
    for (query = 0; query < url.len && url.ptr[query] != '?'; query++)
        if (url.ptr[query] == '/')
            n = query + 1;
    if (n > 0)
        return span_of(url.ptr, n - 1);
    return span_of(url.ptr, query < url.len ? query + 1 : query);
}

/* `path` may point into x->source; the target is built in x->value. */
static bool
make_target(struct esi_parser *x, struct span path, struct span *target)
{
    bool room = true;
    *target = span_of(x->value, 0);
    if (path.len == 0 || path.ptr[0] != '/')
        room = append(target, x->value, folder_of(x->url)) && append(target, x->value, SPAN_LIT("/"));
    while (room && path.len > 0)
        room = append(target, x->value, next_plain(&path));
    return room;
}

static bool
split_host(struct span url, size_t scheme, struct span *host, struct span *path)
{
    struct span rest = { url.ptr + scheme, url.len - scheme };
    const char *slash = memchr(rest.ptr, '/', rest.len);
    if (slash == NULL || slash == rest.ptr)
        return false;
    *host = span_of(rest.ptr, (size_t)(slash - rest.ptr));
    *path = span_of(slash, rest.len - host->len);
    return true;
}

static void
include_source(struct esi_parser *x)
{
    static const struct span http = { "http://", 7 }, https = { "https://", 8 };
    struct esi_include inc = { .onerror_continue = x->onerror_continue };
    struct span source = { x->source, x->n_source }, path = source;
    bool secure = starts(source, https);
    if (secure && !x->options.ignore_https) {
        esi_warning(x, "ESI 1.0 <esi:include> with https:// ignored");
        return;
    }
    if (secure)
        esi_warning(x, "ESI 1.0 <esi:include> https:// treated as http://");
    if ((secure || starts(source, http)) &&
        !split_host(source, secure ? https.len : http.len, &inc.host, &path)) {
        esi_error(x, "ESI 1.0 <esi:include> invalid src= URL");
        return;
    }
    if (make_target(x, path, &inc.target))
        x->sink->ops->include(x->sink, &inc);
    else
        esi_error(x, "ESI 1.0 <esi:include> has too long src= attribute");
}

static void
do_include(struct esi_parser *x)
{
    if (!x->is_empty)
        esi_warning(x, "ESI 1.0 <esi:include> lacks final '/'");
    if (x->has_source)
        include_source(x);
    else
        esi_error(x, "ESI 1.0 <esi:include> lacks src attr");
}

static const char *
leave(struct esi_parser *x, const char *p)
{
    x->in_esi_tag = false;
    x->state = ESI_TEXT;
    return p;
}

static const char *
tag_is_over(struct esi_parser *x, const char *p)
{
    esi_judge(x, false, p);
    if (x->element == ESI_IN_INCLUDE)
        do_include(x);
    else if (x->element == ESI_IN_REMOVE)
        do_remove(x);
    else
        do_comment(x);
    return leave(x, p);
}

static const char *
in_bad_tag(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && *p != '>')
        p++;
    if (p == e)
        return p;
    esi_judge(x, false, ++p);
    return leave(x, p);
}

/* ---- attributes ---- */

static bool
is_name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
           (c >= 0xc0 && c != 0xd7 && c != 0xf7);
}

static bool
is_name_byte(unsigned char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == 0xb7;
}

static const char *
in_tag(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && esi_is_space(*p) && !x->is_empty) {
        x->may_have_attribute = true;
        p++;
    }
    if (p < e && *p == '/' && !x->is_empty) {
        x->is_empty = true;
        x->may_have_attribute = false;
        p++;
    }
    if (p == e)
        return p;
    if (*p == '>')
        return tag_is_over(x, p + 1);
    if (x->is_empty)
        return bad_tag(x, p, "XML 1.0 '>' does not follow '/' in tag");
    if (!x->may_have_attribute || !is_name_start((unsigned char)*p))
        return bad_tag(x, p, "XML 1.0 Illegal attribute start char");
    x->state = ESI_ATTRIBUTE;
    return p;
}

static const char *
attribute(struct esi_parser *x, const char *p, const char *e)
{
    x->attribute = ESI_SKIP_NAME;
    x->n_value = 0;
    if (x->element == ESI_IN_INCLUDE)
        return esi_match(x, p, e, include_attributes);
    x->state = ESI_SKIP_NAME;
    return p + 1;
}

static const char *
known_attribute(struct esi_parser *x, const char *p, const char *e)
{
    x->attribute = x->state;
    x->state = ESI_DELIMITER;
    return p;
}

static const char *
skip_name(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && is_name_byte((unsigned char)*p))
        p++;
    if (p == e)
        return p;
    if (*p == '=') {
        x->state = ESI_DELIMITER;
        return p + 1;
    }
    if (*p != '>' && *p != '/' && !esi_is_blank(*p))
        return bad_tag(x, p, "XML 1.0 Illegal attr char");
    x->state = ESI_IN_TAG;
    return p;
}

/* A value without quotes ends at a blank. */
static const char *
delimiter(struct esi_parser *x, const char *p, const char *e)
{
    if (esi_is_blank(*p))
        return bad_tag(x, p, "XML 1.0 Illegal attribute delimiter");
    bool quoted = *p == '"' || *p == '\'';
    x->delimiter = quoted ? *p : ' ';
    x->state = ESI_VALUE;
    return quoted ? p + 1 : p;
}

/* Refuse control bytes here: the request parser, which refuses them in a client's target, never sees the
 * target of an include. */
static const char *
source_error(const struct esi_parser *x)
{
    if (x->has_source)
        return "ESI 1.0 <esi:include> has multiple src= attributes";
    if (x->n_value > ESI_VALUE_BYTES_MAX)
        return "ESI 1.0 <esi:include> has too long src= attribute";
    for (size_t i = 0; i < x->n_value; i++)
        if (esi_is_space(x->value[i]))
            return "ESI 1.0 <esi:include> has whitespace in src= attribute";
    for (size_t i = 0; i < x->n_value; i++)
        if ((unsigned char)x->value[i] < ' ' || x->value[i] == 0x7f)
            return "ESI 1.0 <esi:include> has control character in src= attribute";
    return NULL;
}

static const char *
source(struct esi_parser *x, const char *p)
{
    const char *wrong = source_error(x);
    if (wrong != NULL)
        return bad_tag(x, p, wrong);
    memcpy(x->source, x->value, x->n_value);
    x->n_source = x->n_value;
    x->has_source = true;
    return p;
}

static void
onerror(struct esi_parser *x)
{
    static const struct span want = { "continue", 8 };
    x->onerror_continue = x->n_value == want.len && memcmp(x->value, want.ptr, want.len) == 0;
}

static const char *
value_is_over(struct esi_parser *x, const char *p)
{
    x->state = ESI_IN_TAG;
    if (x->attribute == ESI_SOURCE)
        return source(x, p);
    if (x->attribute == ESI_ONERROR)
        onerror(x);
    return p;
}

/* Counts one byte more than it stores, which marks the value as too long. */
static const char *
value(struct esi_parser *x, const char *p, const char *e)
{
    while (p < e && *p != '>' && *p != x->delimiter && !(x->delimiter == ' ' && esi_is_blank(*p))) {
        if (x->n_value < ESI_VALUE_BYTES_MAX)
            x->value[x->n_value] = *p;
        x->n_value += x->n_value <= ESI_VALUE_BYTES_MAX;
        p++;
    }
    if (p == e)
        return p;
    if (*p == '>')
        return bad_tag(x, p, "XML 1.0 Missing end attribute delimiter");
    return value_is_over(x, p + 1);
}

esi_step *const esi_tag_steps[ESI_STATES] = {
    [ESI_END_TAG] = end_tag,         [ESI_ELEMENT] = element,
    [ESI_IN_INCLUDE] = in_include,   [ESI_IN_REMOVE] = in_remove,
    [ESI_IN_COMMENT] = in_comment,   [ESI_UNKNOWN] = unknown_element,
    [ESI_IN_TAG] = in_tag,           [ESI_BAD_TAG] = in_bad_tag,
    [ESI_ATTRIBUTE] = attribute,     [ESI_SOURCE] = known_attribute,
    [ESI_ONERROR] = known_attribute, [ESI_SKIP_NAME] = skip_name,
    [ESI_DELIMITER] = delimiter,     [ESI_VALUE] = value,
};
