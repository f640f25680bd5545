/* The CLI commands ban and ban.list. */
#include "worker/params.h"
#include "worker/status.h"
#include "worker/worker.h"
#include "cache/ban.h"
#include "cache/invalidation.h"

#define WORDS_A_CONDITION 4u /* field, operator, value, && */

static int
refuse(struct text *out, struct ban_draft **d, const char *why)
{
    text_str(out, why);
    ban_draft_release(d);
    return CLI_PARAM;
}

/* ban FIELD OPERATOR VALUE [&& ...] */
int
worker_ban(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d = NULL;
    if (argc % WORDS_A_CONDITION != 0)
        return refuse(out, &d, "Wrong number of arguments");
    for (unsigned i = WORDS_A_CONDITION; i < argc; i += WORDS_A_CONDITION)
        if (strcmp(argv[i], "&&") != 0) {
            text_printf(out, "Found \"%s\" expected &&", argv[i]);
            return CLI_PARAM;
        }
    d = ban_draft_new();
    for (unsigned i = 1; i < argc; i += WORDS_A_CONDITION)
        if (ban_draft_add(d, span_str(argv[i]), span_str(argv[i + 1]), span_str(argv[i + 2]), error) != 0)
            return refuse(out, &d, error);
    if (store_ban(w->store, &d, clock_real_ns(), error) != 0) {
        text_str(out, error);
        return CLI_CANT;
    }
    return CLI_OK;
}

struct listing {
    struct text *out;
    unsigned n;
    bool debug; /* debug=+lurker */
};

static const char *
truth(bool b)
{
    return b ? "true" : "false";
}

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
