/* Commands about certificates of listeners with HTTPS. */
#include "manager/cli/commands.h"
#include "manager/tls/changes.h"
#include "manager/tls/expiry.h"
#include "base/check.h"

static struct changes *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_TLS);
    return req->context;
}

/* Options of tls.cert.load: a letter, and where its value goes. */
struct load_words {
    struct change what;
    const char *place[2]; /* an id, and a file */
    unsigned n;
};

static const char per_listener[] =
    "Protocols and ciphers are those of a listener: set them in the file of -A, or with param.set tls_protocols, "
    "tls_ciphers, tls_ciphersuites, tls_prefer_server_ciphers\n";

/* Options may stand before, between and behind the id and the file. False: it was answered. */
static bool
read_load(struct cli_request *req, struct load_words *out)
{
    for (unsigned i = 1; i < req->argc; i++) {
        const char *word = req->argv[i];
        bool listener = strcmp(word, "-f") == 0, key = strcmp(word, "-k") == 0;
        if ((listener || key) && ++i == req->argc) {
            cli_answer(req, CLI_TOO_FEW, "No value specified for: %s\n", word);
            return false;
        }
        if (listener)
            out->what.frontend = req->argv[i];
        else if (key)
            out->what.key_file = req->argv[i];
        else if (strcmp(word, "-d") == 0)
            out->what.is_default = true;
        else if (word[0] == '-' && word[1] != '\0' && word[2] == '\0' && strchr("pcso", word[1]) != NULL) {
            cli_answer(req, CLI_PARAM, "%s", per_listener);
            return false;
        } else if (word[0] == '-') {
            cli_answer(req, CLI_PARAM, "Unknown option %s: use -f LISTENER, -k KEY-FILE, -d\n", word);
            return false;
        } else if (out->n < 2)
            out->place[out->n++] = word;
        else {
            cli_answer(req, CLI_TOO_MANY, "One file, or an id and a file\n");
            return false;
        }
    }
    if (out->n == 0)
        cli_answer(req, CLI_TOO_FEW, "Which file?\n");
    return out->n > 0;
}

static void
command_load(struct cli_request *req)
{
    struct load_words words = { .what = { .kind = CHANGE_LOAD, .frontend = "", .key_file = "" } };
    if (!read_load(req, &words))
        return;
    words.what.id = words.n == 2 ? words.place[0] : NULL;
    words.what.cert_file = words.place[words.n - 1];
    changes_make(context_of(req), &words.what, command_answered, req);
}

static void
command_commit(struct cli_request *req)
{
    changes_make(context_of(req), &(struct change){ .kind = CHANGE_COMMIT }, command_answered, req);
}

static void
command_rollback(struct cli_request *req)
{
    changes_make(context_of(req), &(struct change){ .kind = CHANGE_ROLLBACK }, command_answered, req);
}

static void
command_discard(struct cli_request *req)
{
    changes_make(context_of(req), &(struct change){ .kind = CHANGE_DISCARD, .id = req->argv[1] },
                 command_answered, req);
}

static void
command_reload(struct cli_request *req)
{
    changes_make(context_of(req), &(struct change){ .kind = CHANGE_RELOAD }, command_answered, req);
}

static const char *const states[] = {
    [CERTIFICATE_COMING] = "loading",
    [CERTIFICATE_STAGED] = "staged",
    [CERTIFICATE_COMMITTED] = "active",
    [CERTIFICATE_LEAVING] = "discarded",
};

/* NULL: handshakes can use it. */
static const char *
fault_of(const struct certificate *one)
{
    return one->key == NULL ? NULL : key_file_fault(one->key);
}

static void
list_json(struct cli_request *req, const struct certificate *one, bool first)
{
    struct text *out = &req->out;
    const struct {
        const char *name, *value;
    } texts[] = { { "id", one->id },          { "state", states[one->state] }, { "frontend", one->frontend },
                  { "file", one->cert_file }, { "key_file", one->key_file },   { "names", one->names },
                  { "key", one->kind },       { "fault", fault_of(one) } };
    text_str(out, first ? "\n  {" : ",\n  {");
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        text_printf(out, "\n    \"%s\": ", texts[i].name);
        text_json(out, span_str(texts[i].value == NULL ? "" : texts[i].value));
        text_str(out, ",");
    }
    text_printf(out,
                "\n    \"default\": %s,\n    \"not_before\": %lld,\n    \"not_after\": %lld,\n    \"days\": ",
                one->place.is_default ? "true" : "false", one->not_before, one->not_after);
    if (one->names == NULL)
        text_str(out, "null");
    else
        text_printf(out, "%lld", certificate_days(one));
    text_str(out, "\n  }");
}

static void
list_text(struct text *out, const struct certificate *one)
{
    const char *fault = fault_of(one);
    if (one->names == NULL)
        text_printf(out, "%s\t%s\t\t\t%s\n", states[one->state], one->id, one->cert_file);
    else
        text_printf(out, "%s\t%s\t%s\t%lld days\t%s%s%s%s%s%s\n", states[one->state], one->id, one->kind,
                    certificate_days(one), one->names, *one->frontend == '\0' ? "" : ", only for ",
                    one->frontend, one->place.is_default ? ", default" : "",
                    fault == NULL ? "" : ", no key: ", fault == NULL ? "" : fault);
}

/* tls.cert.list [-s]: only changes that wait for a commit */
static void
command_list(struct cli_request *req)
{
    const struct certificates *c = context_of(req)->certificates;
    bool staged = req->argc == 2 && strcmp(req->argv[1], "-s") == 0, first = true;
    struct text table = { 0 };
    if (req->argc == 2 && !staged) {
        cli_answer(req, CLI_PARAM, "Unknown option %s: use -s\n", req->argv[1]);
        return;
    }
    if (req->json)
        cli_json_begin(req, 2);
    for (unsigned i = 0; i < c->n; i++) {
        const struct certificate *one = c->all[i];
        if (staged && one->state == CERTIFICATE_COMMITTED)
            continue;
        if (req->json)
            list_json(req, one, first);
        else
            list_text(&table, one);
        first = false;
    }
    text_columns(&req->out, text_span(&table));
    text_release(&table);
    if (req->json)
        cli_json_end(req);
    cli_done(req, CLI_OK);
}

static const struct cli_command rows[] = {
    { "tls.cert.commit", "tls.cert.commit", "Use the staged certificates, and drop the discarded ones.", 0, 0,
      0, command_commit },
    { "tls.cert.discard", "tls.cert.discard <id>", "Drop a certificate at the next commit.", 1, 1, 0,
      command_discard },
    { "tls.cert.list", "tls.cert.list [-j] [-s]",
      "List certificates with their state, key, days left and names; -s: only what waits for a commit.", 0, 1,
      COMMAND_JSON, command_list },
    { "tls.cert.load", "tls.cert.load [<id>] <file> [-f <listener>] [-k <key file>] [-d]",
      "Stage a certificate: a PEM file with the chain and its key, or a chain and -k. It replaces the one with "
      "the same id. -f: only for this listener; -d: for clients that ask for no name, or for an unknown one.",
      1, 7, 0, command_load },
    { "tls.cert.reload", "tls.cert.reload",
      "Read the file of -A and the files of all certificates again, and use them if all are good.", 0, 0, 0,
      command_reload },
    { "tls.cert.rollback", "tls.cert.rollback", "Forget what was staged or discarded since the last commit.",
      0, 0, 0, command_rollback },
};

const struct cli_rows tls_command_rows = { .file = CLI_OF_TLS,
                                           .rows = rows,
                                           .n = sizeof rows / sizeof *rows };
