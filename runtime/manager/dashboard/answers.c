/* Answers of the worker: see answers.h. */
#include "manager/dashboard/answers.h"

#include <jansson.h>
#include <stdlib.h>


static void
add_compact(json_t *root, struct text *out)
{
    char *text = root == NULL ? NULL : json_dumps(root, JSON_COMPACT);
    if (text != NULL)
        text_str(out, text);
    free(text);
    json_decref(root);
}

/* ---- rules --------------------------------------------------------------------------------------------- */

struct rule {
    json_t *row;
    double hits, cost;
    bool shown;
};

static double
number_of(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

static int
by_hits(const void *left, const void *right)
{
    const struct rule *a = left, *b = right;
    return a->hits < b->hits ? 1 : a->hits > b->hits ? -1 : 0;
}

static int
by_cost(const void *left, const void *right)
{
    const struct rule *a = left, *b = right;
    return a->cost < b->cost ? 1 : a->cost > b->cost ? -1 : 0;
}

static json_t *
chosen_rules(const json_t *all)
{
    size_t n = json_array_size(all);
    json_t *out = json_array();
    struct rule *rules = calloc(n + 1, sizeof *rules);
    for (size_t i = 0; rules != NULL && i < n; i++) {
        json_t *row = json_array_get(all, i);
        double hits = number_of(row, "hits");
        rules[i] = (struct rule){ .row = row, .hits = hits, .cost = hits * number_of(row, "ns") };
    }
    int (*const orders[])(const void *, const void *) = { by_hits, by_cost };
    for (unsigned k = 0; rules != NULL && k < 2; k++) {
        qsort(rules, n, sizeof *rules, orders[k]);
        for (size_t i = 0; i < n && i < ANSWER_RULES; i++)
            rules[i].shown = true;
    }
    for (size_t i = 0; rules != NULL && i < n; i++)
        if (rules[i].shown)
            json_array_append(out, rules[i].row);
    free(rules);
    return out;
}

void
rules_json(struct span answer, struct text *out)
{
    json_t *root = answer.len > ANSWER_BYTES_MAX ? NULL : json_loadb(answer.ptr, answer.len, 0, NULL);
    json_t *rules = json_object_get(root, "rules");
    if (!json_is_array(rules)) {
        json_decref(root);
        return;
    }
    json_object_set_new(root, "count", json_integer((json_int_t)json_array_size(rules)));
    json_object_set_new(root, "rules", chosen_rules(rules));
    add_compact(root, out);
}

/* ---- backends ------------------------------------------------------------------------------------------ */

/* Copies the answer with quotes around the numbers of members "bits_X". */
static void
quote_bits(struct span answer, struct text *out)
{
    static const char key[] = "\"bits_";
    const char *at = answer.ptr, *end = answer.ptr + answer.len;
    for (const char *hit; at < end && (hit = memmem(at, (size_t)(end - at), key, sizeof key - 1)) != NULL;) {
        const char *colon = memchr(hit, ':', (size_t)(end - hit));
        const char *digits = colon == NULL ? end : colon + 1;
        while (digits < end && *digits == ' ')
            digits++;
        const char *after = digits;
        while (after < end && *after >= '0' && *after <= '9')
            after++;
        text_add(out, span_of(at, (size_t)(digits - at)));
        if (after > digits) {
            text_str(out, "\"");
            text_add(out, span_of(digits, (size_t)(after - digits)));
            text_str(out, "\"");
        }
        at = after;
    }
    text_add(out, span_of(at, (size_t)(end - at)));
}

void
backends_json(struct span answer, struct text *out)
{
    struct text quoted = { 0 };
    if (answer.len > ANSWER_BYTES_MAX)
        return;
    quote_bits(answer, &quoted);
    json_t *root = json_loadb(text_cstr(&quoted), quoted.len, 0, NULL);
    if (json_is_object(root))
        add_compact(root, out);
    else
        json_decref(root);
    text_release(&quoted);
}
