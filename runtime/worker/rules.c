/* rules [-j] [NAME]: how often the rules of a policy were taken, and their estimated time. Runs on the admin
 * thread; policy/rule_counts.h has the counters. */
#include "worker/worker.h"
#include "daemon/status.h"

#define HEAD_BYTES_MAX 400u /* of a rule's head in the answer */
#define UTF8_BYTES_MAX 4u   /* of a character */

struct listing {
    struct text *out;
    unsigned n; /* rules written */
};

/* The length of the text without the first bytes of a character that goes on with `next`. */
static size_t
whole_characters(const char *text, size_t n, char next)
{
    for (unsigned dropped = 0; dropped < UTF8_BYTES_MAX - 1 && n > 0 && (next & 0xc0) == 0x80; dropped++)
        next = text[--n];
    return n;
}

/* The head on one line: spaces and line breaks become one space. Ends after a whole character of UTF-8. */
static struct span
one_line(struct span head, char out[HEAD_BYTES_MAX])
{
    size_t n = 0, i = 0;
    for (; i < head.len && n < HEAD_BYTES_MAX; i++) {
        bool blank = head.ptr[i] == ' ' || (head.ptr[i] >= '\t' && head.ptr[i] <= '\r');
        if (!blank)
            out[n++] = head.ptr[i];
        else if (n > 0 && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    return span_of(out, i < head.len ? whole_characters(out, n, head.ptr[i]) : n);
}

static struct span
file_of(const struct policy_image *im, const struct image_site *site)
{
    return im->sources[site->file].name;
}

static void
add_json(const struct rule_report *r, uint32_t rule, uint64_t hits, uint64_t timed, double ns)
{
    char head[HEAD_BYTES_MAX];
    struct listing *l = r->arg;
    const struct image_rule *im = &r->image->rules[rule];
    const struct image_site *site = &r->image->sites[im->site];
    text_str(l->out, l->n++ > 0 ? ",\n    {\"file\": " : "\n    {\"file\": ");
    text_json(l->out, file_of(r->image, site));
    text_printf(l->out, ", \"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u, \"rule\": ",
                (unsigned)site->line, (unsigned)site->column, (unsigned)im->end_line,
                (unsigned)im->end_column);
    text_json(l->out, one_line(rule_head(r->image, im), head));
    text_str(l->out, ", \"name\": ");
    if (im->name > 0)
        text_json(l->out, rule_name(r->image, im));
    else
        text_str(l->out, "null");
    text_printf(l->out, ", \"hits\": %llu, \"timed\": %llu, \"ns\": ", (unsigned long long)hits,
                (unsigned long long)timed);
    if (timed == 0)
        text_str(l->out, "null}");
    else
        text_printf(l->out, "%.0f}", ns);
}

static void
add_line(const struct rule_report *r, uint32_t rule, uint64_t hits, uint64_t timed, double ns)
{
    char head[HEAD_BYTES_MAX];
    struct listing *l = r->arg;
    const struct image_rule *im = &r->image->rules[rule];
    const struct image_site *site = &r->image->sites[im->site];
    struct span file = file_of(r->image, site), text = one_line(rule_head(r->image, im), head);
    text_printf(l->out, "%12llu ", (unsigned long long)hits);
    if (timed == 0)
        text_printf(l->out, "%9s", "-");
    else
        text_printf(l->out, "%9.0f", ns);
    text_printf(l->out, "  %.*s:%u:%u  ", (int)file.len, file.ptr, (unsigned)site->line,
                (unsigned)site->column);
    if (im->name > 0)
        text_printf(l->out, "@%.*s ", (int)rule_name(r->image, im).len, rule_name(r->image, im).ptr);
    text_printf(l->out, "%.*s\n", (int)text.len, text.ptr);
}

static void
write_json(struct loaded *l, struct text *out)
{
    struct listing listing = { .out = out };
    struct rule_report report = { .each = add_json, .arg = &listing };
    text_str(out, "  {\n  \"policy\": ");
    text_json(out, policy_name(l->policy));
    text_str(out, ",\n  \"rules\": [");
    policy_report_rules(l->policy, &report);
    text_printf(out, "],\n  \"requests\": %llu,\n  \"not_counted\": %u\n  }",
                (unsigned long long)report.requests, (unsigned)report.not_counted);
}

static void
write_lines(struct loaded *l, struct text *out)
{
    struct listing listing = { .out = out };
    struct rule_report report = { .each = add_line, .arg = &listing };
    text_printf(out, "%12s %9s  place  rule\n", "hits", "ns");
    policy_report_rules(l->policy, &report);
    text_printf(out, "%12llu requests\n", (unsigned long long)report.requests);
    if (report.not_counted > 0)
        text_printf(out, "%u more rules have no counter: a policy has at most %u\n",
                    (unsigned)report.not_counted, IMAGE_RULES_MAX);
}

int
worker_rules(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    const char *name = argc > 1u + json ? argv[1 + json] : NULL;
    struct loaded *l = name == NULL ? w->active : worker_find(w, name);
    if (l == NULL && name == NULL)
        return text_say(out, CLI_CANT, "No active VCL\n");
    if (l == NULL)
        return worker_no_policy(w, name, out);
    (json ? write_json : write_lines)(worker_policy(l), out);
    return CLI_OK;
}
