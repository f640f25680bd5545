/* The filter "esi": see esi_filter.h. */
#include "filter/esi_filter.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "log/counters.h"

struct esi_filter {
    struct filter filter;
    struct esi_sink sink;
    struct esi_page *page;
    struct log_txn *log;
    uint64_t run_bytes, at; /* run_bytes: length of the current run; at: sum of all earlier runs */
    struct esi_parser parser;
};

static struct esi_filter *
of_sink(struct esi_sink *s)
{
    return container_of(s, struct esi_filter, sink);
}

static void
on_bytes(struct esi_sink *s, const char *p, size_t n)
{
    of_sink(s)->run_bytes += n;
}

static uint64_t
on_end_run(struct esi_sink *s, bool kept)
{
    struct esi_filter *e = of_sink(s);
    struct esi_piece piece = { .kind = kept ? ESI_KEEP : ESI_SKIP, .bytes = e->run_bytes };
    esi_recipe_add(&e->page->recipe, &piece);
    e->at += e->run_bytes;
    e->run_bytes = 0;
    return e->at;
}

static void
on_include(struct esi_sink *s, const struct esi_include *inc)
{
    struct esi_piece piece = { .kind = ESI_INCLUDE, .include = *inc };
    esi_recipe_add(&of_sink(s)->page->recipe, &piece);
}

static void
on_message(struct esi_sink *s, enum esi_severity severity, struct span text)
{
    esi_log_message(of_sink(s)->log, severity, text);
}

void
esi_log_message(const struct log_txn *log, enum esi_severity severity, struct span text)
{
    counters_here()->esi_errors += severity == ESI_ERROR;
    counters_here()->esi_warnings += severity == ESI_WARNING;
    log_text(log, TAG_ESI_XMLERROR, text);
}

static int
look(struct filter *f, struct span bytes, bool last)
{
    struct esi_filter *e = container_of(f, struct esi_filter, filter);
    esi_parse(&e->parser, bytes);
    if (last) {
        e->page->found = esi_parse_end(&e->parser);
        e->page->stored_bytes = e->at;
    }
    if (!e->page->recipe.failed)
        return 0;
    f->why = "Could not allocate storage for esidata";
    return ERR_NOMEM;
}

static void
close_filter(struct filter *f)
{
    free(container_of(f, struct esi_filter, filter));
}

size_t
esi_filter_bytes(void)
{
    return sizeof(struct esi_filter);
}

int
esi_filter_open(const struct filter_wants *wants, struct filter **out)
{
    static const struct filter_ops ops = { .look = look, .close = close_filter };
    static const struct esi_sink_ops sink_ops = { on_bytes, on_end_run, on_include, on_message };
    struct esi_filter *e = malloc(sizeof *e);
    CHECK(wants->user != NULL);
    if (e == NULL)
        return ERR_NOMEM;
    e->filter = (struct filter){ .ops = &ops };
    e->sink.ops = &sink_ops;
    e->page = wants->user;
    e->log = wants->log;
    e->run_bytes = e->at = 0;
    esi_recipe_begin(&e->page->recipe, 0);
    esi_parser_init(&e->parser, &e->page->options, e->page->url, &e->sink, 0);
    *out = &e->filter;
    return 0;
}
