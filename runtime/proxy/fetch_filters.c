/* The filters of a response body on its way into the store (beresp.filters). The chain is opened when the
 * head is settled and closed with the body. */
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/gzip_head.h"
#include "filter/lists.h"
#include "proxy/coding/coding.h"
#include "proxy/fetch_internal.h"

static int
unknown_filter(struct fetch *f, struct span name)
{
    struct span why = arena_printf(&f->arena, "Filter '%.*s' not found", (int)name.len, name.ptr);
    return fetch_failed(f, ERR_NOTFOUND, why.ptr == NULL ? "Filter not found" : why.ptr);
}

static int
make_piece(struct fetch *f)
{
    CHECK(f->piece == NULL);
    f->piece_bytes = params.gzip_buffer_bytes;
    f->piece = malloc(f->piece_bytes);
    return f->piece == NULL ? ERR_NOMEM : 0;
}

static bool
feature(uint32_t bit)
{
    return (params.features & bit) != 0;
}

static void
prepare_page(struct fetch *f)
{
    DEBUG_CHECK(!f->page.found && f->page.recipe.bytes == NULL);
    f->page = (struct esi_page){
        .url = f->bereq.url,
        .options = {
            .ignore_https = feature(FEATURE_ESI_IGNORE_HTTPS), .disable_xml_check = feature(FEATURE_ESI_DISABLE_XML_CHECK),
            .ignore_other_elements = feature(FEATURE_ESI_IGNORE_OTHER_ELEMENTS), .remove_bom = feature(FEATURE_ESI_REMOVE_BOM),
        },
    };
}

static size_t
memory_of(struct span names)
{
    size_t bytes = chain_bytes(names, FILTER_FETCH);
    return filters_change(names, FILTER_FETCH) ? bytes + params.gzip_buffer_bytes : bytes;
}

static int
open_chain(struct fetch *f, struct span names)
{
    CHECK(f->chain == NULL);
    prepare_page(f);
    struct storage *transient = store_transient(f->server->env->store);
    struct filter_wants wants = {
        .log = &f->log, .side = FILTER_FETCH, .blocks = f->client.esi_level > 0, .user = &f->page
    };
    size_t bytes = memory_of(names);
    if (bytes == 0)
        return 0;
    int err = store_reserve(transient, USE_FILTERS, bytes);
    if (err != 0)
        return fetch_failed(f, err, "Could not get storage");
    f->chain_bytes = bytes;
    err = chain_open(names, &wants, &f->chain);
    if (err == 0 && f->chain != NULL && chain_changes(f->chain))
        err = make_piece(f);
    if (err == 0)
        return 0;
    fetch_close_filters(f);
    return fetch_failed(f, err, "Fetch pipeline failed to open");
}

static bool
makes_page(struct span names)
{
    return filters_have(names, SPAN_LIT("esi")) || filters_have(names, SPAN_LIT("esi_gzip"));
}

/* The list of beresp.filters, or the list that the do_ variables stand for. */
static struct span
filter_list(const struct fetch *f)
{
    const struct fetch_vars *v = &f->vars;
    return v->filters.ptr != NULL
             ? v->filters
             : filters_of_fetch(f->beresp.arena, &f->beresp, v->do_esi, v->do_gzip, v->do_gunzip);
}

/* A response to HEAD says how long the content is and how it is encoded. If a GET would change the content,
 * nobody knows what would come out. */
static void
forget_content(struct fetch *f, bool of_head)
{
    DEBUG_CHECK(f->vars.no_content && !f->published);
    if (of_head && filter_list(f).len == 0)
        return;
    message_unset(&f->beresp, NAME_CONTENT_ENCODING, SPAN_NULL);
    if (!of_head)
        return;
    message_unset(&f->beresp, NAME_CONTENT_LENGTH, SPAN_NULL);
    weaken_etag(&f->beresp);
}

int
fetch_open_filters(struct fetch *f)
{
    CHECK(f->chain == NULL && f->exchange != NULL);
    DEBUG_CHECK(f->chain_bytes == 0 && f->piece == NULL);
    struct body_form form = { .of_head = f->in_index && span_eq(f->bereq.method, SPAN_LIT("HEAD")) };
    struct span names = f->vars.no_content ? SPAN_LIT("") : filter_list(f),
                unknown = filters_unknown(names, FILTER_FETCH), engaged = SPAN_NULL;
    if (f->vars.no_content)
        forget_content(f, form.of_head);
    log_text(&f->log, TAG_FILTERS, names);
    if (unknown.ptr != NULL)
        return unknown_filter(f, unknown);
    if (f->beresp.status == 206 && makes_page(names)) {
        log_text(&f->log, TAG_VCL_ERROR, SPAN_LIT("Attempted ESI on partial (206) response"));
        return fetch_failed(f, ERR_SYNTAX, "Fetch pipeline failed to open");
    }
    if (names.ptr == NULL || filters_engage(names, &f->beresp, &form, &engaged) != 0)
        return fetch_failed(f, ERR_NOMEM, "Workspace overflow");
    form.noted = makes_page(engaged);
    form.codable = !form.noted && !form.of_head && coding_fits(&f->beresp, form.gzipped);
    form.trailed = f->trailed = fetch_may_have_trailers(f) && !filters_change(engaged, FILTER_FETCH);
    object_set_form(f->busy, form);
    return open_chain(f, engaged);
}

int
fetch_filter_failed(struct fetch *f, int err)
{
    CHECK(f->chain != NULL && err < 0);
    /* The chain is freed before the fetch */
    struct span why = arena_printf(&f->arena, "%s", chain_why(f->chain));
    return fetch_failed(f, err, why.ptr == NULL ? "a filter failed" : why.ptr);
}

int
fetch_note_page(struct fetch *f)
{
    const struct esi_recipe *recipe = &f->page.recipe;
    /* No later filter of the list changed the page */
    bool fits = f->page.stored_bytes == body_bytes(&f->busy->body);
    if (!f->page.found || !fits || object_set_note(f->busy, span_of(recipe->bytes, recipe->n)) == 0)
        return 0;
    return fetch_failed(f, ERR_NOMEM, "Could not allocate storage for esidata");
}

void
fetch_note_gzip(struct fetch *f)
{
    const struct gzip_facts *facts = f->chain == NULL ? NULL : chain_gzip(f->chain);
    if (facts != NULL && object_form(f->busy).gzipped)
        object_set_gzip(f->busy, facts);
}

void
fetch_close_filters(struct fetch *f)
{
    DEBUG_CHECK(f->piece == NULL || f->chain_bytes > 0);
    esi_recipe_release(&f->page.recipe);
    f->page.found = false;
    chain_close(&f->chain);
    free(f->piece);
    f->piece = NULL;
    if (f->chain_bytes > 0)
        store_unreserve(store_transient(f->server->env->store), USE_FILTERS, f->chain_bytes);
    f->chain_bytes = 0;
}
