/* How many CPUs a process may use, and which a loop gets: masks of any width, quotas of control groups and
 * nodes in faked folders. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cpus.h"
#include "base/params.h"
#include "test.h"

static char root[] = "/tmp/cpus-XXXXXX";

static void
put(const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *at = name + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(name, 0755);
        *at = '/';
    }
    FILE *f = fopen(name, "w");
    EXPECT(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void
begin(void)
{
    EXPECT(mkdtemp(root) != NULL);
}

static void
end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    EXPECT_EQ_INT(system(command), 0);
    memset(root + strlen(root) - 6, 'X', 6);
}

#define SECOND "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
#define FIRST \
    "40 32 0:35 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" \
    "41 32 0:36 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

/* of a machine with 64 CPUs */
static unsigned
loops(void)
{
    return cpus_for_loops(&(struct cpus){ 64, cpus_quota(root) });
}

static void
a_quota_of_version_2_limits_loops(void)
{
    static const struct {
        const char *max;
        unsigned loops;
    } rows[] = { { "400000 100000\n", 4 },
                 { "max 100000\n", 64 },
                 { "150000 100000\n", 2 },
                 { "50000 100000\n", 1 },
                 { "1000 100000\n", 1 },
                 { "25000 5000\n", 5 },
                 { "6400000 100000\n", 64 },
                 { "9900000 100000\n", 64 },
                 { "", 64 },
                 { "what\n", 64 } };
    begin();
    put("/proc/self/mountinfo", "23 1 0:20 / /sys rw - sysfs sysfs rw\n" SECOND);
    put("/proc/self/cgroup", "0::/kubepods/pod1\n");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        put("/sys/fs/cgroup/kubepods/pod1/cpu.max", rows[i].max);
        EXPECT_EQ_INT(loops(), rows[i].loops);
    }
    end();
}

static void
a_quota_of_a_group_above_limits_too(void)
{
    begin();
    put("/proc/self/mountinfo", SECOND);
    put("/proc/self/cgroup", "0::/kubepods/pod1/vernis\n");
    put("/sys/fs/cgroup/kubepods/pod1/vernis/cpu.max", "800000 100000\n");
    put("/sys/fs/cgroup/kubepods/pod1/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/kubepods/cpu.max", "300000 100000\n");
    EXPECT_EQ_INT(loops(), 3);
    end();
}

static void
a_quota_of_version_1_limits_loops(void)
{
    static const struct {
        const char *quota;
        unsigned loops;
    } rows[] = { { "400000\n", 4 }, { "-1\n", 64 }, { "250000\n", 3 }, { "1000\n", 1 } };
    begin();
    put("/proc/self/mountinfo", FIRST);
    put("/proc/self/cgroup",
        "12:cpuset:/\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n0::/docker/abc\n");
    put("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        put("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", rows[i].quota);
        EXPECT_EQ_INT(loops(), rows[i].loops);
    }
    end();
}

/* Without a namespace of control groups a container sees its path on the host, and its own group as the
 * mount. */
static void
the_group_of_a_container_is_the_root_of_its_mount(void)
{
    begin();
    put("/proc/self/cgroup", "4:cpu,cpuacct:/docker/abc\n");
    put("/proc/self/mountinfo",
        "41 32 0:36 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ_INT(loops(), 2);
    put("/proc/self/cgroup", "0::/../other\n");
    put("/proc/self/mountinfo", SECOND);
    put("/sys/fs/cgroup/cpu.max", "700000 100000\n");
    EXPECT_EQ_INT(loops(), 7);
    end();
}

static void
without_control_groups_there_is_no_quota(void)
{
    begin();
    EXPECT_EQ_INT(loops(), 64);
    put("/proc/self/cgroup", "0::/\n");
    EXPECT_EQ_INT(loops(), 64);
    put("/proc/self/mountinfo", "odd\n" FIRST);
    EXPECT_EQ_INT(loops(), 64);
    end();
}

static int
kernel_of_4096(pid_t pid, size_t bytes, cpu_set_t *mask)
{
    (void)pid;
    if (bytes < 4096 / 8) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(bytes, mask);
    for (size_t i = 0; i < 1500; i++)
        CPU_SET_S(2 * i, bytes, mask);
    return 0;
}

static int
kernel_without(pid_t pid, size_t bytes, cpu_set_t *mask)
{
    (void)pid, (void)bytes, (void)mask;
    errno = EPERM;
    return -1;
}

static void
a_mask_may_be_wider_than_1024_cpus(void)
{
    EXPECT_EQ_INT(cpus_allowed(kernel_of_4096), 1500);
    EXPECT_EQ_INT(cpus_allowed(kernel_without), 0);
    EXPECT_EQ_INT(cpus_for_loops(&(struct cpus){ 1500, 0 }), LOOPS_MAX);
    EXPECT_EQ_INT(cpus_for_loops(&(struct cpus){ 0, 0 }), 1);
    EXPECT_EQ_INT(cpus_for_loops(&(struct cpus){ 0, 4 }), 1);
}

static int
kernel_of_8(pid_t pid, size_t bytes, cpu_set_t *mask)
{
    (void)pid;
    CPU_ZERO_S(bytes, mask);
    for (unsigned i = 1; i < 8; i++) /* a cpuset without CPU 0 */
        CPU_SET_S(i, bytes, mask);
    return 0;
}

static void
expect_chosen(const char *text, const char *chosen)
{
    unsigned cpus[9];
    char shown[64], *at = shown;
    const char *refused = cpus_choose_of(kernel_of_8, root, text, 9, cpus);
    EXPECT(refused == NULL);
    for (unsigned i = 0; refused == NULL && i < 9; i++)
        at += sprintf(at, "%u ", cpus[i]);
    EXPECT_EQ_STR(span_str(shown), chosen);
}

static void
expect_refused(const char *text, const char *words)
{
    unsigned cpus[9];
    const char *refused = cpus_choose_of(kernel_of_8, root, text, 9, cpus);
    EXPECT(refused != NULL && strstr(refused, words) != NULL);
}

static void
loops_take_the_cpus_of_the_mask_node_after_node(void)
{
    begin();
    expect_chosen("auto", "1 2 3 4 5 6 7 1 2 "); /* no nodes are known */
    put("/sys/devices/system/node/online", "0,2\n");
    put("/sys/devices/system/node/node0/cpulist", "0-2,6\n");
    put("/sys/devices/system/node/node2/cpulist", "3-5,7\n");
    expect_chosen("auto", "1 2 6 3 4 5 7 1 2 ");
    put("/sys/devices/system/node/node0/cpulist", "\n"); /* a node of memory only */
    put("/sys/devices/system/node/node2/cpulist", "0\n");
    expect_chosen("auto", "1 2 3 4 5 6 7 1 2 ");
    end();
}

static void
loops_take_the_cpus_of_a_list_in_turn(void)
{
    expect_chosen("3", "3 3 3 3 3 3 3 3 3 ");
    expect_chosen("5-7,1", "5 6 7 1 5 6 7 1 5 ");
    expect_chosen("1-7:2", "1 3 5 7 1 3 5 7 1 ");
    expect_chosen("1-7:2/4,3", "1 2 5 6 3 1 2 5 6 ");
    EXPECT(cpus_choose_of(kernel_of_8, root, "", 9, NULL) == NULL);
    expect_refused("0-3", "may not use CPU 0");
    expect_refused("1,99", "may not use CPU 99");
    expect_refused("1,100000", "may not use CPU 100000");
    static const char *const no_lists[] = {
        "some", "1,",  ",1",   "3-1",   "1-",     "-1",      "1 2",     "0-99999999",
        "1;2",  "1:2", "1-3:", "1-3:0", "1-3:2/", "1-3:0/2", "1-3:3/2", "1-3:1/2:1",
    };
    for (size_t i = 0; i < sizeof no_lists / sizeof *no_lists; i++)
        expect_refused(no_lists[i], "Not a list of CPUs");
    EXPECT(cpus_choose_of(kernel_without, root, "1", 9, NULL) != NULL);
}

static void
the_default_of_loops_is_that_of_this_process(void)
{
    EXPECT(cpus_here()->allowed > 0);
    EXPECT_EQ_INT(params.loops, cpus_for_loops(cpus_here()));
}

static const struct test tests[] = {
    { "a_quota_of_version_2_limits_loops", a_quota_of_version_2_limits_loops },
    { "a_quota_of_a_group_above_limits_too", a_quota_of_a_group_above_limits_too },
    { "a_quota_of_version_1_limits_loops", a_quota_of_version_1_limits_loops },
    { "the_group_of_a_container_is_the_root_of_its_mount",
      the_group_of_a_container_is_the_root_of_its_mount },
    { "without_control_groups_there_is_no_quota", without_control_groups_there_is_no_quota },
    { "a_mask_may_be_wider_than_1024_cpus", a_mask_may_be_wider_than_1024_cpus },
    { "loops_take_the_cpus_of_the_mask_node_after_node", loops_take_the_cpus_of_the_mask_node_after_node },
    { "loops_take_the_cpus_of_a_list_in_turn", loops_take_the_cpus_of_a_list_in_turn },
    { "the_default_of_loops_is_that_of_this_process", the_default_of_loops_is_that_of_this_process },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
