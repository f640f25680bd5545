/* The CLI commands ban, vernis.ban and ban.list. */
#include <inttypes.h>

#include "worker/worker.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/similar.h"
#include "cache/ban.h"
#include "cache/invalidation.h"

#define WORDS_A_CONDITION 4u            /* field, operator, value, && */
#define BAN_COUNT (100 * NSEC_PER_MSEC) /* a count of matching responses ends after this time */

static int
refuse(struct text *out, struct ban_draft **d, const char *why)
{
    text_str(out, why);
    ban_draft_release(d);
    return CLI_PARAM;
}

static void
try_field(const char *name, void *arg)
{
    similar_try(arg, name);
}

/* Adds a suggestion to the error of a field. Of obj.htp.server, only the part up to the second dot can be
 * misspelt. */
static void
suggest_field(const char *field, struct text *out)
{
    const char *dot = strchr(field, '.'), *end = dot == NULL ? NULL : strchr(dot + 1, '.');
    struct similar s = similar_to(end == NULL ? span_str(field) : span_of(field, (size_t)(end + 1 - field)));
    ban_fields_each(try_field, &s);
    if (s.name != NULL && s.distance > 0)
        text_printf(out, "\nDid you mean %s%s?", s.name,
                    s.name[strlen(s.name) - 1] != '.' ? ""
                    : end == NULL                     ? "NAME"
                                                      : end + 1);
}

/* words: FIELD OPERATOR VALUE [&& ...]. Returns the status. */
static int
parse(unsigned n, char *const words[], struct ban_draft **d, struct text *out)
{
    char error[BAN_ERROR_BYTES];
    if ((n + 1) % WORDS_A_CONDITION != 0)
        return refuse(out, d, "Wrong number of arguments");
    for (unsigned i = WORDS_A_CONDITION - 1; i < n; i += WORDS_A_CONDITION)
        if (strcmp(words[i], "&&") != 0) {
            text_printf(out, "Found \"%s\" expected &&", words[i]);
            return CLI_PARAM;
        }
    *d = ban_draft_new();
    for (unsigned i = 0; i < n; i += WORDS_A_CONDITION)
        if (ban_draft_add(*d, span_str(words[i]), span_str(words[i + 1]), span_str(words[i + 2]), error) !=
            0) {
            int status = refuse(out, d, error);
            suggest_field(words[i], out);
            return status;
        }
    return CLI_OK;
}

static int
add(struct worker *w, struct ban_draft **d, nsec now, uint64_t *position, struct text *out)
{
    char error[BAN_ERROR_BYTES];
    if (store_is_retired(w->store))
        return refuse(out, d, STORE_RETIRED_TEXT);
    if (store_ban(w->store, d, now, position, error) == 0)
        return CLI_OK;
    text_str(out, error);
    return CLI_CANT;
}

static const char *
truth(bool b)
{
    return b ? "true" : "false";
}

/* ban FIELD OPERATOR VALUE [&& ...] */
int
worker_ban(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct ban_draft *d = NULL;
    uint64_t position;
    int status = parse(argc - 1, argv + 1, &d, out);
    return status == CLI_OK ? add(w, &d, clock_real_ns(), &position, out) : status;
}

/* ---- a ban that reports its effect ---- */

static void
write_text(const struct ban_count *c, bool on_requests, const char *verb, struct text *out)
{
    text_printf(out, "ban %s, ", verb);
    if (on_requests)
        text_printf(out,
                    "it has conditions on requests: each of %" PRIu64
                    " stored responses is tested when a request finds it",
                    c->stored);
    else if (c->whole)
        text_printf(out, "%" PRIu64 " of %" PRIu64 " stored responses match so far", c->matching, c->tested);
    else
        text_printf(out,
                    "%" PRIu64 " of %" PRIu64 " stored responses tested match so far (a sample of %" PRIu64
                    ")",
                    c->matching, c->tested, c->stored);
}

static void
write_json(const struct ban_count *c, bool on_requests, uint64_t position, struct text *out)
{
    bool added = position != 0;
    text_printf(out, "  {\n    \"added\": %s,\n    \"on_requests\": %s,\n    \"stored\": %" PRIu64,
                truth(added), truth(on_requests), c->stored);
    if (!on_requests)
        text_printf(out,
                    ",\n    \"tested\": %" PRIu64 ",\n    \"matching\": %" PRIu64 ",\n    \"sample\": %s",
                    c->tested, c->matching, truth(!c->whole));
    if (added)
        text_position(out, position);
    text_str(out, "\n  }");
}

/* ban_counted [-j] [-n] FIELD OPERATOR VALUE [&& ...]; -n: adds no ban. Counts before it adds the ban,
 * because look-ups drop what a ban concerns. */
int
worker_ban_counted(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    unsigned i = 1;
    bool json = i < argc && strcmp(argv[i], "-j") == 0;
    i += json;
    bool dry = i < argc && strcmp(argv[i], "-n") == 0;
    i += dry;
    struct ban_draft *d = NULL;
    int status = parse(argc - i, argv + i, &d, out);
    if (status != CLI_OK)
        return status;
    struct ban_count count;
    uint64_t position = 0;
    nsec now = clock_real_ns();
    bool on_requests = ban_draft_on_requests(d);
    store_ban_count(w->store, d, now, on_requests ? 0 : BAN_COUNT, &count);
    if (dry)
        ban_draft_release(&d);
    else
        status = add(w, &d, now, &position, out);
    if (status != CLI_OK)
        return status;
    if (json)
        write_json(&count, on_requests, position, out);
    else
        write_text(&count, on_requests, dry ? "not added" : "added", out);
    return CLI_OK;
}

/* ---- the list ---- */

struct listing {
    struct text *out;
    unsigned n;
    bool debug; /* debug=+lurker */
};

static void
list_line(const struct ban_info *b, void *arg)
{
    struct listing *l = arg;
    text_printf(l->out, "%10.6f %5u %s", nsec_seconds(b->time), b->refs, b->completed ? "C" : "-");
    if (l->debug)
        text_printf(l->out, "%s%s %p ", b->on_requests ? "R" : "-", b->on_objects ? "O" : "-", b->id);
    text_str(l->out, "  ");
    text_add(l->out, b->text);
    text_str(l->out, "\n");
}

static void
list_json(const struct ban_info *b, void *arg)
{
    struct listing *l = arg;
    text_printf(l->out, "%s\n{\n  \"time\": %.6f,\n  \"refs\": %u,\n  \"completed\": %s,\n  \"spec\": ",
                l->n++ > 0 ? "," : "", nsec_seconds(b->time), b->refs, truth(b->completed));
    text_json(l->out, b->text);
    if (l->debug)
        text_printf(l->out, ",\n  \"req_tests\": %s,\n  \"obj_tests\": %s,\n  \"pointer\": \"%p\"",
                    truth(b->on_requests), truth(b->on_objects), b->id);
    text_str(l->out, "\n}");
}

/* ban.list [-j] */
int
worker_ban_list(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    struct listing l = { .out = out, .debug = param_bit("debug", "lurker") };
    bool json = argc > 1 && strcmp(argv[1], "-j") == 0;
    if (!json)
        text_str(out, "Present bans:\n");
    store_ban_each(w->store, json ? list_json : list_line, &l);
    return CLI_OK;
}
