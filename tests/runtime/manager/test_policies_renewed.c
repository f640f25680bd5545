/* The step machine of policies: reload, replace, and the policies of a new worker. */
#include "policies_fixture.h"

/* ---- reload, replace
 * ---------------------------------------------------------------------------------------------------------
 */

static void
a_reload_loads_uses_and_discards(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    reload("warn.vcl");
    EXPECT(got.result.outcome == POLICY_DONE && got.result.old == NULL);
    EXPECT_EQ_STR(text_span(&got.text).len > 8 ? span_of(got.text.ptr, 8) : SPAN_NULL, "careful\n");
    reload("good.vcl");
    worker_turn();
    EXPECT_EQ_STR(asked(),
                  "load site images/i1 warm; use site; load site-2 images/i2 warm; use site-2; discard site");
    EXPECT(got.result.outcome == POLICY_DONE && !got.result.old_kept &&
           got.result.active_ms >= got.result.loaded_ms);
    EXPECT_EQ_STR(span_str(site.policies.active->name), "site-2");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
a_reload_keeps_the_old_one_while_it_is_needed(void)
{
    site_open();
    load("a");
    use("a");
    label("l", "a");
    reload("good.vcl");
    EXPECT(got.result.outcome == POLICY_DONE && got.result.old_kept && is_listed("a"));
    site_close();
}

static void
a_reload_that_does_not_compile_changes_nothing(void)
{
    site_open();
    load("a");
    use("a");
    reload("bad.vcl");
    EXPECT_ANSWER(POLICY_COMPILE_FAILED, CLI_PARAM,
                  "Message from Vernis compiler:\nbad\nVCL compilation failed\n"
                  "Reload failed: 'site' was not loaded. Policy a stays active.\n");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
a_reload_that_cannot_be_used_is_taken_back(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    use("a");
    (void)asked();
    site.refuses = "use";
    reload("good.vcl");
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM,
                  "Reload failed: 'site' was loaded but could not be made active: no\n\n"
                  "Rolled back: a stays active.\n");
    worker_turn();
    EXPECT_EQ_STR(asked(), "load site images/i1 warm; use site; discard site");
    EXPECT(!is_listed("site"));
    site_close();
}

static void
an_image_is_replaced_when_the_worker_has_taken_it(void)
{
    site_open();
    worker_start(CHILD_RUNNING);
    load("a");
    (void)asked();
    policies_replace(&site.policies, "a", site.image, done, NULL);
    go_on(2);
    EXPECT_EQ_STR(asked(), "replace a images/a.1.so");
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "Image of VCL 'a' replaced\n");
    site.refuses = "replace";
    policies_replace(&site.policies, "a", site.image, done, NULL);
    go_on(3);
    EXPECT_ANSWER(POLICY_REFUSED, CLI_PARAM, "no\n");
    EXPECT_EQ_STR(span_str(vcl_image(&site.policies, policies_find(&site.policies, "a"))), "images/a.1.so");
    site_close();
}

/* ---- a new worker
 * ------------------------------------------------------------------------------------------------------------
 */

static void
restore(void)
{
    unsigned n = got.n;
    policies_restore(&site.policies, done, NULL);
    EXPECT(site.policies.restoring);
    go_on(n + 1);
    EXPECT(!site.policies.restoring);
}

static void
a_new_worker_gets_policies_then_labels_then_health_and_the_active_one(void)
{
    site_open();
    load("a");
    label("l", "a");
    load("b");
    use("l");
    policies_health(&site.policies, "b.*", "sick");
    worker_start(CHILD_STARTING);
    restore();
    EXPECT_EQ_STR(
        asked(),
        "load a images/a.0.so warm; load b images/b.1.so warm; label l a; backend.set_health b.* sick; use l");
    EXPECT_EQ_INT(got.result.outcome, POLICY_DONE);
    site_close();
}

static void
a_suspect_is_left_out(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    policies_find(&site.policies, "b")->suspect = true;
    worker_start(CHILD_STARTING);
    restore();
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; use a");
    EXPECT(policies_find(&site.policies, "b")->absent);
    site_close();
}

static void
a_policy_the_new_worker_cannot_use_gives_way(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    use("b");
    worker_start(CHILD_STARTING);
    site.refuses = "use b";
    restore();
    EXPECT_EQ_INT(got.result.outcome, POLICY_DONE);
    EXPECT_EQ_STR(span_str(site.policies.active->name), "a");
    site_close();
}

static void
without_a_way_back_the_result_says_what_failed(void)
{
    site_open();
    load("a");
    use("a");
    worker_start(CHILD_STARTING);
    site.refuses = "";
    restore();
    EXPECT_ANSWER(POLICY_NO_WAY_BACK, CLI_CANT, "a: no\n");
    site_close();
}

static void
a_worker_that_dies_ends_the_restore(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    worker_start(CHILD_STARTING);
    policies_restore(&site.policies, done, NULL);
    worker_end();
    EXPECT_EQ_INT(got.result.outcome, POLICY_WORKER_GONE);
    EXPECT(!site.policies.restoring && policies_find(&site.policies, "a")->pending == 0);
    site_close();
}

static void
use_during_a_restore_is_what_the_new_worker_uses(void)
{
    site_open();
    load("a");
    load("b");
    use("a");
    worker_start(CHILD_STARTING);
    policies_restore(&site.policies, done, NULL);
    policies_use(&site.policies, "b", done, NULL);
    EXPECT_ANSWER(POLICY_DONE, CLI_OK, "VCL 'b' now active");
    go_on(5);
    EXPECT_EQ_STR(asked(), "load a images/a.0.so warm; load b images/b.1.so warm; use b");
    site_close();
}

static const struct test tests[] = {
    { "a_reload_loads_uses_and_discards", a_reload_loads_uses_and_discards },
    { "a_reload_keeps_the_old_one_while_it_is_needed", a_reload_keeps_the_old_one_while_it_is_needed },
    { "a_reload_that_does_not_compile_changes_nothing", a_reload_that_does_not_compile_changes_nothing },
    { "a_reload_that_cannot_be_used_is_taken_back", a_reload_that_cannot_be_used_is_taken_back },
    { "an_image_is_replaced_when_the_worker_has_taken_it",
      an_image_is_replaced_when_the_worker_has_taken_it },
    { "a_new_worker_gets_policies_then_labels_then_health_and_the_active_one",
      a_new_worker_gets_policies_then_labels_then_health_and_the_active_one },
    { "a_suspect_is_left_out", a_suspect_is_left_out },
    { "a_policy_the_new_worker_cannot_use_gives_way", a_policy_the_new_worker_cannot_use_gives_way },
    { "without_a_way_back_the_result_says_what_failed", without_a_way_back_the_result_says_what_failed },
    { "a_worker_that_dies_ends_the_restore", a_worker_that_dies_ends_the_restore },
    { "use_during_a_restore_is_what_the_new_worker_uses", use_during_a_restore_is_what_the_new_worker_uses },
};

int
main(int argc, char **argv)
{
    params_init();
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
