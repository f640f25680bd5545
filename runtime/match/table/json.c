/* JSON: one object, its members are the rows. jansson parses it. It keeps the members in order but not their
 * places, so a walk over the text finds the key of each. */
#include <jansson.h>
#include <stdio.h>

#include "base/check.h"
#include "match/table/read_internal.h"

#define NUMBER_BYTES 40u

struct walk {
    struct span text;
    size_t at, line_start;
    uint32_t line;
    unsigned depth;
    char before; /* the last byte that is no blank */
};

/* Behind the string that begins at `at`. */
static size_t
behind_string(struct span text, size_t at)
{
    for (at++; at < text.len && text.ptr[at] != '"'; at++)
        at += text.ptr[at] == '\\';
    return at + 1;
}

/* Goes on to the key of the next member of the object, in a text that jansson has accepted: a string behind
 * the object's brace or a comma. */
static struct table_place
next_key(struct walk *w)
{
    while (w->at < w->text.len) {
        size_t at = w->at;
        char c = w->text.ptr[at], before = w->before;
        w->depth += c == '{' || c == '[';
        w->depth -= c == '}' || c == ']';
        w->at = c == '"' ? behind_string(w->text, at) : at + 1;
        if (c == '\n') {
            w->line++;
            w->line_start = w->at;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            w->before = c;
        if (c == '"' && w->depth == 1 && (before == '{' || before == ','))
            return (struct table_place){ .line = w->line, .column = (uint32_t)(at - w->line_start) + 1 };
    }
    return (struct table_place){ 0 };
}

/* The text of a value, as a CSV file has it. SPAN_NULL: the value is none. */
static struct span
text_of(const json_t *value, char buf[NUMBER_BYTES])
{
    if (json_is_string(value))
        return span_of(json_string_value(value), json_string_length(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? SPAN_LIT("true") : SPAN_LIT("false");
    if (json_is_integer(value))
        return span_of(buf, (size_t)snprintf(buf, NUMBER_BYTES, "%" JSON_INTEGER_FORMAT,
                                             json_integer_value(value)));
    if (json_is_real(value))
        return span_of(buf, (size_t)snprintf(buf, NUMBER_BYTES, "%.15g", json_real_value(value)));
    return SPAN_NULL;
}

static const char *
fault_of(const struct table_form *form, const json_t *value)
{
    if (json_is_object(value) || json_is_array(value) || json_is_null(value))
        return json_is_null(value) ? "null" : json_is_array(value) ? "an array" : "an object";
    if (form->texts && !json_is_string(value))
        return json_is_boolean(value) ? "true or false" : "a number";
    return NULL;
}

static int
add_member(struct reading *r, struct span key, const json_t *value, struct table_place at)
{
    char buf[NUMBER_BYTES];
    const char *fault = fault_of(r->form, value);
    if (fault != NULL)
        return reading_fail(r, at, ERR_SYNTAX, "the value is %s%s", fault,
                            r->form->texts ? ", not a text" : "");
    return reading_add(r, key, at, text_of(value, buf), at);
}

static int
syntax_error(struct reading *r, const json_error_t *error)
{
    struct table_place at = { error->line > 0 ? (uint32_t)error->line : 0,
                              error->column > 0 ? (uint32_t)error->column : 0 };
    if (json_error_code(error) == json_error_duplicate_key)
        return reading_fail(r, at, ERR_EXISTS, "the key occurs twice");
    return reading_fail(r, at, ERR_SYNTAX, "JSON: %s", error->text);
}

int
json_read(struct reading *r)
{
    json_error_t error;
    if (r->content.len > TABLE_JSON_BYTES_MAX)
        return reading_fail(r, (struct table_place){ 0 }, ERR_LIMIT, "the file has more than 128 MiB");
    json_t *all = json_loadb(r->content.ptr, r->content.len, JSON_REJECT_DUPLICATES, &error);
    if (all == NULL)
        return syntax_error(r, &error);
    int err = json_is_object(all) ? 0
                                  : reading_fail(r, (struct table_place){ 1, 1 }, ERR_SYNTAX,
                                                 "the file is not one object: { \"key\": value, ... }");
    struct walk walk = { .text = r->content, .line = 1 };
    for (void *it = err == 0 ? json_object_iter(all) : NULL; it != NULL && err == 0;
         it = json_object_iter_next(all, it))
        err = add_member(r, span_str(json_object_iter_key(it)), json_object_iter_value(it), next_key(&walk));
    json_decref(all);
    return err;
}
