/* Commands about certificates of listeners with HTTPS. */
#include "manager/cli/commands.h"
#include "manager/tls/certificates.h"
#include "base/check.h"

#define SECONDS_A_DAY 86400

static struct certificates *
context_of(const struct cli_request *req)
{
    CHECK(req->file == CLI_OF_TLS);
    return req->context;
}

/* tls.cert.load [-f LISTENER] [-k KEY] [ID] FILE */
static void
command_load(struct cli_request *req)
{
    const char *frontend = "", *key = "";
    unsigned at = 1;
    for (; at + 1 < req->argc && req->argv[at][0] == '-'; at += 2)
        if (strcmp(req->argv[at], "-f") == 0)
            frontend = req->argv[at + 1];
        else if (strcmp(req->argv[at], "-k") == 0)
            key = req->argv[at + 1];
        else {
            cli_answer(req, CLI_PARAM, "Unknown option %s: use -f LISTENER and -k KEY-FILE\n", req->argv[at]);
            return;
        }
    unsigned left = req->argc - at;
    if (left < 1 || left > 2) {
        cli_answer(req, left < 1 ? CLI_TOO_FEW : CLI_TOO_MANY,
                   "tls.cert.load [-f LISTENER] [-k KEY] [ID] FILE\n");
        return;
    }
    certificates_load(context_of(req), left == 2 ? req->argv[at] : NULL, frontend, req->argv[req->argc - 1],
                      key, command_answered, req);
}

static void
command_commit(struct cli_request *req)
{
    certificates_commit(context_of(req), command_answered, req);
}

static void
command_rollback(struct cli_request *req)
{
    certificates_rollback(context_of(req));
    cli_done(req, CLI_OK);
}

static void
command_discard(struct cli_request *req)
{
    struct text why = { 0 };
    int err = certificates_discard(context_of(req), req->argv[1], &why);
    cli_answer(req, err == 0 ? CLI_OK : CLI_PARAM, "%s", text_cstr(&why));
    text_release(&why);
}

/* All files are good, so they are used at once. */
static void
reloaded(void *arg, int status, struct span text)
{
    struct cli_request *req = arg;
    if (status == CLI_OK)
        certificates_commit(context_of(req), command_answered, req);
    else
        command_answered(req, status, text);
}

static void
command_reload(struct cli_request *req)
{
    certificates_reload(context_of(req), reloaded, req);
}

static const char *const states[] = {
    [CERTIFICATE_COMING] = "loading",
    [CERTIFICATE_STAGED] = "staged",
    [CERTIFICATE_COMMITTED] = "active",
    [CERTIFICATE_LEAVING] = "discarded",
};

static void
list_json(struct cli_request *req, const struct certificate *one, long long days, bool first)
{
    text_str(&req->out, first ? "\n  {" : ",\n  {");
    text_str(&req->out, "\n    \"id\": ");
    text_json(&req->out, span_str(one->id));
    text_printf(&req->out, ",\n    \"state\": \"%s\",\n    \"frontend\": ", states[one->state]);
    text_json(&req->out, span_str(one->frontend));
    text_str(&req->out, ",\n    \"file\": ");
    text_json(&req->out, span_str(one->cert_file));
    text_str(&req->out, ",\n    \"names\": ");
    text_json(&req->out, span_str(one->names == NULL ? "" : one->names));
    text_printf(&req->out, ",\n    \"key\": \"%s\",\n    \"not_after\": %lld,\n    \"days\": %lld\n  }",
                one->kind == NULL ? "" : one->kind, one->not_after, days);
}

static void
command_list(struct cli_request *req)
{
    struct certificates *c = context_of(req);
    long long now = clock_real_ns() / NSEC_PER_SEC;
    if (req->json)
        cli_json_begin(req, 2);
    for (unsigned i = 0; i < c->n; i++) {
        const struct certificate *one = c->all[i];
        long long days = one->names == NULL ? 0 : (one->not_after - now) / SECONDS_A_DAY;
        if (req->json)
            list_json(req, one, days, i == 0);
        else
            text_printf(&req->out, "%-9s %-20s %-7s %4lld days  %s%s%s\n", states[one->state], one->id,
                        one->kind == NULL ? "" : one->kind, days, one->names == NULL ? "" : one->names,
                        *one->frontend == '\0' ? "" : "  only for ", one->frontend);
    }
    if (req->json)
        cli_json_end(req);
    cli_done(req, CLI_OK);
}

static const struct cli_command rows[] = {
    { "tls.cert.commit", "tls.cert.commit", "Use the staged certificates, and drop the discarded ones.", 0, 0,
      0, command_commit },
    { "tls.cert.discard", "tls.cert.discard <id>", "Drop a certificate at the next commit.", 1, 1, 0,
      command_discard },
    { "tls.cert.list", "tls.cert.list [-j]", "List certificates with their state, key, days left and names.",
      0, 0, COMMAND_JSON, command_list },
    { "tls.cert.load", "tls.cert.load [-f <listener>] [-k <key file>] [<id>] <file>",
      "Stage a certificate: a PEM file with the chain and its key, or a chain and -k. It replaces the one with the "
      "same id.",
      1, 6, 0, command_load },
    { "tls.cert.reload", "tls.cert.reload",
      "Read the files of all certificates again, and use them if all are good.", 0, 0, 0, command_reload },
    { "tls.cert.rollback", "tls.cert.rollback", "Forget what was staged or discarded since the last commit.",
      0, 0, 0, command_rollback },
};

const struct cli_rows tls_command_rows = { .file = CLI_OF_TLS,
                                           .rows = rows,
                                           .n = sizeof rows / sizeof *rows };
