/* Turns results of operations on policies into CLI answers. Tools compare these texts and status numbers. */
#include <stdio.h>

#include "manager/compile.h"
#include "manager/policies/policies.h"
#include "daemon/status.h"
#include "base/check.h"
#include "log/report.h"

#define TOO_MANY_HINT "(See max_vcl and max_vcl_handling parameters)"

static const char *
end_of_line(struct span text)
{
    return text.len > 0 && text.ptr[text.len - 1] != '\n' ? "\n" : "";
}

static void
policy_warnings(const struct policy_result *r, struct text *out)
{
    text_add(out, r->warnings);
    if (r->count > 0)
        text_printf(out, "%u VCLs loaded\nRemember to vcl.discard the old/unused VCLs.\n" TOO_MANY_HINT "\n",
                    r->count);
}

/* Prints the compiler's warnings unchanged: log_line would break their lines and markers. They hold no
 * control characters. */
void
policy_log_warnings(const struct policy_result *r)
{
    struct text warnings = { 0 };
    policy_warnings(r, &warnings);
    if (warnings.len > 0) {
        log_line(LOG_LEVEL_WARNING, "policy %s has warnings", r->name);
        fputs(text_cstr(&warnings), stderr);
    }
    text_release(&warnings);
}

static int
reloaded(const struct policy_result *r, struct text *out)
{
    policy_warnings(r, out);
    text_printf(out, "loaded     %s in %.1f ms\nactive     %s on all loops, after %.1f ms\n", r->name,
                r->loaded_ms, r->name, r->active_ms);
    if (r->old != NULL)
        text_printf(out, "%s  %s\n", r->old_kept ? "in use, kept:" : "discarded", r->old);
    return CLI_OK;
}

static int
done(const struct policy_result *r, struct text *out)
{
    switch (r->verb) {
    case POLICY_LOAD: policy_warnings(r, out); return text_say(out, CLI_OK, "VCL compiled.\n");
    case POLICY_USE: return text_say(out, CLI_OK, "VCL '%s' now active", r->name);
    case POLICY_REPLACE: return text_say(out, CLI_OK, "Image of VCL '%s' replaced\n", r->name);
    case POLICY_RELOAD: return reloaded(r, out);
    case POLICY_LABEL:
    case POLICY_DISCARD:
    case POLICY_STATE:
    case POLICY_PRESENT:
    case POLICY_RESTORE: return CLI_OK;
    }
    WRONG("verb of a policy operation");
}

static int
needed(const struct policy_result *r, struct text *out)
{
    if (r->verb == POLICY_STATE)
        return text_say(out, CLI_CANT, "A labeled VCL cannot be set cold");
    text_printf(out,
                r->other_is_label ? "Cannot discard VCL label %s, other VCLs depend on it:\n"
                                  : "Cannot discard labeled VCL program %s:\n",
                r->other);
    for (unsigned i = 0; i < r->n_dependents; i++)
        text_printf(out, "\t%s\n", r->dependents[i]);
    return text_say(out, CLI_CANT, r->more_dependents ? "\t[...]" : "");
}

static int
is_label(const struct policy_result *r, struct text *out)
{
    return r->verb == POLICY_STATE ? text_say(out, CLI_PARAM, "Labels are always warm")
                                   : text_say(out, CLI_PARAM, "%s is a label\n", r->name);
}

static int
is_active(const struct policy_result *r, struct text *out)
{
    return r->verb == POLICY_STATE
             ? text_say(out, CLI_CANT, "Cannot set the active VCL cold.")
             : text_say(out, CLI_CANT,
                        "Cannot discard active VCL program %s\nMake another one active first: vcl.use NAME\n",
                        r->other);
}

static int
looped(const struct policy_result *r, struct text *out)
{
    text_add(out, r->detail);
    return text_say(out, CLI_PARAM, "Pointing label %s at %s would create a loop", r->name, r->other);
}

static int
unknown(const struct policy_result *r, struct text *out)
{
    text_printf(out, r->outcome == POLICY_UNKNOWN ? "No VCL named %s known\n" : "No VCL name matches %s\n",
                r->other);
    if (r->detail.len > 0)
        text_printf(out, "Did you mean %.*s?\n", (int)r->detail.len, r->detail.ptr);
    else
        text_str(out, "vcl.list shows the loaded policies.\n");
    return CLI_PARAM;
}

static int
outcome(const struct policy_result *r, struct text *out)
{
    int n = (int)r->detail.len;
    switch (r->outcome) {
    case POLICY_DONE: return done(r, out);
    case POLICY_NAME_WRONG:
    case POLICY_IMAGE_UNREADABLE: return text_say(out, CLI_PARAM, "%.*s", n, r->detail.ptr);
    case POLICY_NAME_TAKEN:
        return text_say(out, CLI_PARAM,
                        "Already a VCL named %s\nChoose another name, or discard that one first.", r->name);
    case POLICY_LIST_FULL: return text_say(out, CLI_PARAM, "Too many policies: at most %u\n", POLICIES_MAX);
    case POLICY_MAX_VCL:
        return text_say(out, CLI_CANT, "Too many (%u) VCLs already loaded\n" TOO_MANY_HINT, r->count);
    case POLICY_QUEUE_FULL:
        return text_say(out, CLI_CANT, "Too many policies wait for the compiler: at most %u\n",
                        COMPILE_QUEUE_MAX);
    case POLICY_COMPILE_FAILED:
        return text_say(out, CLI_PARAM, "Message from Vernis compiler:\n%.*s%sVCL compilation failed", n,
                        r->detail.ptr, end_of_line(r->detail));
    case POLICY_LABEL_GONE:
        return text_say(out, CLI_PARAM, "Label %s is gone\nVCL compilation failed", r->other);
    case POLICY_NOT_LOADED:
        if (r->worker_status == CLI_CANT)
            return text_say(out, CLI_CANT, "%.*s", n, r->detail.ptr);
        return text_say(out, r->worker_status == CLI_COMMS ? CLI_PARAM : r->worker_status,
                        "The worker could not load '%s':\n%.*sVCL loading failed\n", r->name, n,
                        r->detail.ptr);
    case POLICY_REFUSED: return text_say(out, r->worker_status, "%.*s", n, r->detail.ptr);
    case POLICY_UNKNOWN:
    case POLICY_NO_MATCH: return unknown(r, out);
    case POLICY_IS_COLD:
        return text_say(out, CLI_CANT, "VCL '%s' is cold - set to auto or warm first", r->other);
    case POLICY_IS_LABEL: return is_label(r, out);
    case POLICY_IS_NO_LABEL: return text_say(out, CLI_PARAM, "%s is not a label", r->name);
    case POLICY_IS_LOADING: return text_say(out, CLI_CANT, "%s is being loaded", r->name);
    case POLICY_IS_ACTIVE: return is_active(r, out);
    case POLICY_IS_PENDING:
        return text_say(out, CLI_CANT, "Cannot discard %s: another command is about to use it\n", r->other);
    case POLICY_IS_SUSPECT:
        return text_say(out, CLI_CANT, "VCL '%s' is suspect and not loaded: vcl.use it first", r->other);
    case POLICY_IS_NEEDED: return needed(r, out);
    case POLICY_LABEL_OF_LABEL: return text_say(out, CLI_CANT, "VCL labels cannot point to labels");
    case POLICY_LOOP: return looped(r, out);
    case POLICY_STATE_UNKNOWN: return text_say(out, CLI_PARAM, "State must be one of auto, cold or warm.");
    case POLICY_WORKER_GONE: return text_say(out, CLI_COMMS, "The worker died before it answered.\n");
    case POLICY_NO_WAY_BACK: return text_say(out, CLI_CANT, "%.*s", n, r->detail.ptr);
    }
    WRONG("outcome of a policy operation");
}

/* A failed reload also names the failed step and the policy that stays active. */
int
policy_answer(const struct policy_result *r, struct text *out)
{
    bool failed = r->verb == POLICY_RELOAD && r->outcome != POLICY_DONE;
    if (failed && r->used_failed)
        text_printf(out, "Reload failed: '%s' was loaded but could not be made active: ", r->name);
    int status = outcome(r, out);
    if (failed && r->used_failed)
        text_printf(out, "\nRolled back: %s stays active.\n", r->active == NULL ? "no policy" : r->active);
    else if (failed)
        text_printf(out, "\nReload failed: '%s' was not loaded. %s%s stays active.\n", r->name,
                    r->active == NULL ? "No policy" : "Policy ", r->active == NULL ? "" : r->active);
    return status;
}
