/* -C: see compile_only.h. */
#include "manager/compile_only.h"

#include <stdio.h>
#include <unistd.h>

#include "manager/boot.h"
#include "manager/policies/policy_file.h"
#include "base/check.h"

static int check_next(struct compile_check *check, struct text *why);

static void
compiled(void *arg, const struct compile_result *result)
{
    struct compile_check *check = arg;
    struct text why = { 0 };
    char image[PATH_MAX];
    size_t n = strlen(result->text);
    const char *end = n > 0 && result->text[n - 1] != '\n' ? "\n" : "";
    if (result->ok) {
        fprintf(stderr, "%s%s", result->text, end);
        printf("OK\n");
        workdir_outside(check->dir, result->image, image);
        unlink(image);
    } else {
        struct text answer = { 0 };
        policy_answer(&(struct policy_result){ .outcome = POLICY_COMPILE_FAILED,
                                               .detail = span_str(result->text) },
                      &answer);
        fprintf(stderr, "%s\n", text_cstr(&answer));
        text_release(&answer);
    }
    check->failed |= !result->ok || check_next(check, &why) != 0;
    fputs(text_cstr(&why), stderr);
    text_release(&why);
    check->events->stop |= check->failed;
}

/* Compiles the next policy of the command line. Stops the event loop after the last one. */
static int
check_next(struct compile_check *check, struct text *why)
{
    static const char *const no_labels[] = { NULL };
    const struct options *o = check->options;
    struct text text = { 0 }, values = { 0 };
    char path[PATH_MAX] = "";
    unsigned i = check->next++;
    int err = 0;
    if (i >= (o->backend != NULL ? 1 : o->policies.n)) {
        check->events->stop = true;
        return 0;
    }
    if (o->backend != NULL)
        boot_backend_policy(o->backend, &text);
    else
        err = policy_file_read(o->policies.text[i], path, &text, why);
    if (err == 0)
        err = compile_values(o->values.n, o->values.text, &values, why);
    const struct compile_order order = { .name = "boot",
                                         .path = *path == '\0' ? NULL : path,
                                         .text = text_span(&text),
                                         .labels = no_labels,
                                         .values = text_span(&values) };
    if (err == 0)
        err = compiler_run(check->compiler, &order, compiled, check);
    text_release(&values);
    text_release(&text);
    return err;
}

int
compile_only(struct compile_check *check, struct text *why)
{
    int err = check_next(check, why);
    while (err == 0 && !check->events->stop)
        err = events_round(check->events);
    return err;
}
