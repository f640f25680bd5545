/* The step machine of policies: load, use, labels, state, discard. */
#include "policies_fixture.h"

/* ---- load
 * --------------------------------------------------------------------------------------------------------------------
 */

static void
without_a_worker_a_load_is_done_at_once(void)
{
    site_open();
    load("a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL compiled.\n");
    EXPECT(is_listed("a") && site.policies.n == 1);
    site_close();
}

static void
a_worker_gets_the_image_by_its_own_name_of_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL compiled.\n");
    site_close();
}

static void
a_name_is_checked_and_taken_once(void)
{
    char longest[POLICY_NAME_BYTES + 1];
    site_open();
    load("9");
    EXPECT_ANSWER(POLICY_NAME_WRONG, CLI_PARAM, "Illegal character in VCL name ('9')");
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    load(longest);
    EXPECT_ANSWER(POLICY_NAME_WRONG, CLI_PARAM, "VCL name must have 1 to 127 characters\n");
    load("a");
    load("a");
    EXPECT_ANSWER(POLICY_NAME_TAKEN, CLI_PARAM,
                  "Already a VCL named a\nChoose another name, or discard that one first.");
    EXPECT_EQ_INT(site.policies.n, 1);
    site_close();
}

static void
a_load_the_worker_refuses_leaves_nothing(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    site.refuses = "load";
    load("a");
    EXPECT_ANSWER(POLICY_NOT_LOADED, CLI_PARAM, "The worker could not load 'a':\nno\nVCL loading failed\n");
    EXPECT(!is_listed("a"));
    site_close();
}

static void
a_load_ends_with_a_worker_that_dies(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    policies_load(&site.policies, "a", &(struct policy_source){ .image = site.image }, VCL_AUTO, done, NULL);
    EXPECT_EQ_INT(got.n, 0);
    worker_end();
    EXPECT_ANSWER(
        POLICY_NOT_LOADED, CLI_PARAM,
        "The worker could not load 'a':\nThe worker died before it answered.\nVCL loading failed\n");
    EXPECT_EQ_INT(got.result.worker_status, CLI_COMMS);
    EXPECT(!is_listed("a"));
    site_close();
}

static void
errors_of_the_compiler_end_a_load(void)
{
    site_open();
    policies_load(&site.policies, "a", &(struct policy_source){ .path = "bad.vcl" }, VCL_AUTO, done, NULL);
    EXPECT(is_listed("a") && policies_find(&site.policies, "a")->loading);
    go_on(1);
    EXPECT_ANSWER(POLICY_COMPILE_FAILED, CLI_PARAM,
                  "Message from Vernis compiler:\nbad\nVCL compilation failed");
    EXPECT(!is_listed("a"));
    site_close();
}

static void
warnings_come_before_the_answer(void)
{
    site_open();
    policies_load(&site.policies, "a", &(struct policy_source){ .path = "warn.vcl" }, VCL_AUTO, done, NULL);
    go_on(1);
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "careful\nVCL compiled.\n");
    site_close();
}

static void
beyond_max_vcl_a_load_warns_or_fails(void)
{
    site_open();
    params.max_vcl = 1;
    load("a");
    load("b");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK,
                  "2 VCLs loaded\nRemember to vcl.discard the old/unused VCLs.\n"
                  "(See max_vcl and max_vcl_handling parameters)\nVCL compiled.\n");
    params.max_vcl_handling = 2;
    load("c");
    EXPECT_ANSWER(POLICY_MAX_VCL, CLI_CANT,
                  "Too many (2) VCLs already loaded\n(See max_vcl and max_vcl_handling parameters)");
    params.max_vcl = 100;
    params.max_vcl_handling = 1;
    site_close();
}

/* ---- use
 * ---------------------------------------------------------------------------------------------------------------------
 */

static void
use_asks_the_worker_first(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    policies_use(&site.policies, "a", done, NULL);
    EXPECT(site.policies.active == NULL && policies_find(&site.policies, "a")->pending == 1);
    go_on(2);
    EXPECT_EQ_STR(asked(), "use a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'a' now active");
    EXPECT(site.policies.active == policies_find(&site.policies, "a") && site.chosen == 1);
    EXPECT_EQ_INT(site.policies.active->pending, 0);
    site_close();
}

static void
use_that_is_refused_changes_nothing(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    use("a");
    load("b");
    site.refuses = "use b";
    use("b");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT_EQ_STR(span_str(site.policies.active->name), "a");
    EXPECT_EQ_INT(site.chosen, 1);
    site_close();
}

static void
what_cannot_be_used_is_said(void)
{
    site_open();
    use("a");
    EXPECT_ANSWER(POLICY_UNKNOWN, CLI_PARAM, "No VCL named a known\nvcl.list shows the loaded policies.\n");
    load("a");
    state("a", "cold");
    use("a");
    EXPECT_ANSWER(POLICY_IS_COLD, CLI_CANT, "VCL 'a' is cold - set to auto or warm first");
    site_close();
}

static void
what_the_worker_was_not_given_is_loaded_before_it_is_used(void)
{
    site_open();
    load("a");
    label("l", "a");
    policies_find(&site.policies, "a")->absent = policies_find(&site.policies, "l")->absent = true;
    worker_start(CHILD_RUNNING);
    use("l");
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; label l a; use l");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'l' now active");
    site_close();
}

/* ---- labels, state, discard
 * -------------------------------------------------------------------------------------------------- */

static void
a_label_is_known_after_the_worker_has_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    label("l", "a");
    EXPECT_EQ_STR(asked(), "label l a");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "");
    EXPECT_EQ_INT(policies_find(&site.policies, "a")->needed, 1);
    site.refuses = "label";
    label("m", "a");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT(!is_listed("m") && policies_find(&site.policies, "a")->needed == 1);
    site_close();
}

static void
what_cannot_be_labelled_is_said(void)
{
    site_open();
    load("a");
    label("l", "b");
    EXPECT_ANSWER(POLICY_UNKNOWN, CLI_PARAM, "No VCL named b known\nvcl.list shows the loaded policies.\n");
    label("a", "a");
    EXPECT_ANSWER(POLICY_IS_NO_LABEL, CLI_PARAM, "a is not a label");
    label("l", "a");
    label("m", "l");
    EXPECT_ANSWER(POLICY_LABEL_OF_LABEL, CLI_CANT, "VCL labels cannot point to labels");
    policies_find(&site.policies, "a")->absent = true;
    label("m", "a");
    EXPECT_ANSWER(POLICY_IS_SUSPECT, CLI_CANT, "VCL 'a' is suspect and not loaded: vcl.use it first");
    site_close();
}

static void
state_reaches_the_worker_when_it_changes(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    state("a", "warm");
    EXPECT_EQ_STR(asked(), "");
    state("a", "cold");
    EXPECT_EQ_STR(asked(), "temperature a cold");
    state("a", "auto");
    EXPECT_EQ_STR(asked(), ""); /* unchanged until it is used */
    state("a", "hot");
    EXPECT_ANSWER(POLICY_STATE_UNKNOWN, CLI_PARAM, "State must be one of auto, cold or warm.");
    state("a", "warm");
    use("a");
    state("a", "cold");
    EXPECT_ANSWER(POLICY_IS_ACTIVE, CLI_CANT, "Cannot set the active VCL cold.");
    site_close();
}

static void
nothing_is_discarded_unless_all_may_go(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    load("b");
    use("a");
    (void)asked();
    discard("x*");
    EXPECT_ANSWER(POLICY_NO_MATCH, CLI_PARAM,
                  "No VCL name matches x*\nvcl.list shows the loaded policies.\n");
    discard("*");
    EXPECT_ANSWER(POLICY_IS_ACTIVE, CLI_CANT,
                  "Cannot discard active VCL program a\nMake another one active first: vcl.use NAME\n");
    label("l", "b");
    (void)asked();
    discard("b");
    EXPECT_ANSWER(POLICY_IS_NEEDED, CLI_CANT, "Cannot discard labeled VCL program b:\n\tl\n");
    EXPECT_EQ_INT(site.policies.n, 3);
    discard("[bl]");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "");
    worker_turn();
    EXPECT_EQ_STR(asked(), "discard l; discard b"); /* a policy goes after the label that needs it */
    EXPECT_EQ_INT(site.policies.n, 1);
    site_close();
}

static void
what_an_operation_holds_is_not_discarded(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    policies_use(&site.policies, "a", done, NULL);
    discard("a");
    EXPECT_ANSWER(POLICY_IS_PENDING, CLI_CANT, "Cannot discard a: another command is about to use it\n");
    go_on(3);
    EXPECT(is_listed("a"));
    site_close();
}

static const struct test tests[] = {
    { "without_a_worker_a_load_is_done_at_once", without_a_worker_a_load_is_done_at_once },
    { "a_worker_gets_the_image_by_its_own_name_of_it", a_worker_gets_the_image_by_its_own_name_of_it },
    { "a_name_is_checked_and_taken_once", a_name_is_checked_and_taken_once },
    { "a_load_the_worker_refuses_leaves_nothing", a_load_the_worker_refuses_leaves_nothing },
    { "a_load_ends_with_a_worker_that_dies", a_load_ends_with_a_worker_that_dies },
    { "errors_of_the_compiler_end_a_load", errors_of_the_compiler_end_a_load },
    { "warnings_come_before_the_answer", warnings_come_before_the_answer },
    { "beyond_max_vcl_a_load_warns_or_fails", beyond_max_vcl_a_load_warns_or_fails },
    { "use_asks_the_worker_first", use_asks_the_worker_first },
    { "use_that_is_refused_changes_nothing", use_that_is_refused_changes_nothing },
    { "what_cannot_be_used_is_said", what_cannot_be_used_is_said },
    { "what_the_worker_was_not_given_is_loaded_before_it_is_used",
      what_the_worker_was_not_given_is_loaded_before_it_is_used },
    { "a_label_is_known_after_the_worker_has_it", a_label_is_known_after_the_worker_has_it },
    { "what_cannot_be_labelled_is_said", what_cannot_be_labelled_is_said },
    { "state_reaches_the_worker_when_it_changes", state_reaches_the_worker_when_it_changes },
    { "nothing_is_discarded_unless_all_may_go", nothing_is_discarded_unless_all_may_go },
    { "what_an_operation_holds_is_not_discarded", what_an_operation_holds_is_not_discarded },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
