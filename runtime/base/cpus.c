/* Counts and choices of CPUs: see cpus.h. A quota is a file of a control group: cpu.max in version 2,
 * cpu.cfs_quota_us and cpu.cfs_period_us in version 1. The groups above limit, too. In a container the mount
 * of the control groups often begins at the container's own group (proc(5), mountinfo). */
#include "base/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASK_MIN 1024u /* CPUs; the kernel refuses a mask smaller than its own */
#define MASK_MAX (1u << 20)
#define LINE_BYTES 4352u /* with a path of PATH_MAX */
#define LISTED_MAX 8192u /* CPUs of a list */
#define REFUSAL_BYTES 160u

struct group {
    char folder[LINE_BYTES]; /* of this process's group */
    size_t mount;            /* bytes of it that are the mount point */
    bool second;             /* version 2 */
};

/* NULL: unknown. CPU_FREE it. */
static cpu_set_t *
read_mask(cpus_mask_fn *get, size_t *bytes)
{
    for (unsigned n = MASK_MIN; n <= MASK_MAX; n *= 2) {
        cpu_set_t *mask = CPU_ALLOC(n);
        *bytes = CPU_ALLOC_SIZE(n);
        int err = mask == NULL ? -1 : get(0, *bytes, mask);
        if (err == 0)
            return mask;
        bool wider = mask != NULL && errno == EINVAL;
        CPU_FREE(mask);
        if (!wider)
            break;
    }
    return NULL;
}

unsigned
cpus_allowed(cpus_mask_fn *get)
{
    size_t bytes;
    cpu_set_t *mask = read_mask(get, &bytes);
    unsigned found = mask == NULL ? 0 : (unsigned)CPU_COUNT_S(bytes, mask);
    CPU_FREE(mask);
    return found;
}

static FILE *
open_below(const char *root, const char *path)
{
    char name[2 * LINE_BYTES];
    snprintf(name, sizeof name, "%s%s", root, path);
    return fopen(name, "re");
}

/* Is `word` in a list with commas? */
static bool
lists(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

/* Finds the path of this process's group. Prefers version 1, which has the controller if a mount names it. */
static bool
read_group(const char *root, bool second, char path[LINE_BYTES])
{
    char line[LINE_BYTES];
    bool found = false;
    FILE *f = open_below(root, "/proc/self/cgroup");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *at = names == NULL ? NULL : strchr(names + 1, ':');
        if (at == NULL)
            continue;
        *at = '\0';
        found = second ? names[1] == '\0' : lists(names + 1, "cpu");
        memcpy(path, at + 1, strlen(at + 1) + 1);
    }
    if (f != NULL)
        fclose(f);
    return found;
}

/* The mount of version 2, or of the controller cpu of version 1: "ID PARENT DEVICE ROOT POINT ... - TYPE
 * SOURCE OPTIONS". */
static bool
read_mount(const char *root, bool second, char from[LINE_BYTES], char to[LINE_BYTES])
{
    char line[LINE_BYTES], type[32], options[LINE_BYTES];
    bool found = false;
    FILE *f = open_below(root, "/proc/self/mountinfo");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        const char *rest = strstr(line, " - ");
        found = rest != NULL && sscanf(line, "%*s %*s %*s %4351s %4351s", from, to) == 2 &&
                sscanf(rest, " - %31s %*s %4351s", type, options) == 2 &&
                (second ? strcmp(type, "cgroup2") == 0
                        : strcmp(type, "cgroup") == 0 && lists(options, "cpu"));
    }
    if (f != NULL)
        fclose(f);
    return found;
}

/* A group outside of the mount is that of the mount's root: the mount is the container's own. */
static bool
find_group(const char *root, bool second, struct group *out)
{
    static char path[LINE_BYTES], from[LINE_BYTES], to[LINE_BYTES];
    if (!read_group(root, second, path) || !read_mount(root, second, from, to))
        return false;
    size_t n = strcmp(from, "/") == 0 ? 0 : strlen(from);
    bool below = strncmp(path, from, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
                 strstr(path, "/..") == NULL;
    int bytes = snprintf(out->folder, sizeof out->folder, "%s%s", to,
                         below && strcmp(path + n, "/") != 0 ? path + n : "");
    out->mount = strlen(to);
    out->second = second;
    return bytes > 0 && (size_t)bytes < sizeof out->folder;
}

static double
number_in(const char *root, const char *folder, const char *file)
{
    char name[LINE_BYTES + 32];
    double n = 0;
    snprintf(name, sizeof name, "%s/%s", folder, file);
    FILE *f = open_below(root, name);
    if (f == NULL || fscanf(f, "%lf", &n) != 1)
        n = 0;
    if (f != NULL)
        fclose(f);
    return n;
}

/* 0: no limit. */
static double
quota_of(const char *root, const struct group *g)
{
    char name[LINE_BYTES + 32];
    double quota = 0, period = 0;
    if (g->second) {
        snprintf(name, sizeof name, "%s/cpu.max", g->folder);
        FILE *f = open_below(root, name);
        if (f != NULL && fscanf(f, "%lf %lf", &quota, &period) != 2) /* "max" */
            quota = 0;
        if (f != NULL)
            fclose(f);
    } else {
        quota = number_in(root, g->folder, "cpu.cfs_quota_us"); /* -1: no limit */
        period = number_in(root, g->folder, "cpu.cfs_period_us");
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

static double
least_quota(const char *root, struct group *g)
{
    double least = 0;
    for (;;) {
        double quota = quota_of(root, g);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *end = strrchr(g->folder + g->mount, '/');
        if (end == NULL)
            return least;
        *end = '\0';
    }
}

double
cpus_quota(const char *root)
{
    static struct group group;
    double least = 0;
    for (int second = 0; second <= 1; second++) {
        double quota = find_group(root, second != 0, &group) ? least_quota(root, &group) : 0;
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    return least;
}

const struct cpus *
cpus_here(void)
{
    static struct cpus here;
    static bool known;
    if (!known)
        here = (struct cpus){ cpus_allowed(sched_getaffinity), cpus_quota("") };
    known = true;
    return &here;
}

unsigned
cpus_for_loops(const struct cpus *cpus)
{
    double n = cpus->allowed == 0 ? 1 : cpus->allowed, granted = ceil(cpus->quota);
    if (cpus->quota > 0 && granted < n)
        n = granted;
    return n > LOOPS_MAX ? LOOPS_MAX : (unsigned)n;
}

/* ---- the CPUs of loops ---- */

struct listed {
    unsigned n, cpu[LISTED_MAX];
};

/* ":2/4" after a range, as the kernel reads it: the first two of each four CPUs. ":4", as taskset does: the
 * first of each four. */
static bool
read_stride(char **at, unsigned long *used, unsigned long *group)
{
    *used = *group = 1;
    if (**at != ':')
        return true;
    if (!isdigit((unsigned char)(*at)[1]))
        return false;
    *group = strtoul(*at + 1, at, 10);
    if (**at == '/') {
        if (!isdigit((unsigned char)(*at)[1]))
            return false;
        *used = *group;
        *group = strtoul(*at + 1, at, 10);
    }
    return *used > 0 && *used <= *group;
}

/* Reads a list as the kernel and taskset do: "0-3,8", "0-62:2". False: it is none, or too long. */
static bool
read_list(const char *text, struct listed *out)
{
    out->n = 0;
    for (const char *at = text;; at++) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return false;
        unsigned long first = strtoul(at, &end, 10), last = first, used = 1, group = 1;
        if (*end == '-') {
            if (!isdigit((unsigned char)end[1]))
                return false;
            last = strtoul(end + 1, &end, 10);
            if (!read_stride(&end, &used, &group))
                return false;
        }
        if (last < first || last >= MASK_MAX || last - first >= LISTED_MAX - out->n)
            return false;
        for (unsigned long cpu = first; cpu <= last; cpu++)
            if ((cpu - first) % group < used)
                out->cpu[out->n++] = (unsigned)cpu;
        if (*end != ',')
            return *end == '\0' || *end == '\n';
        at = end;
    }
}

static bool
read_list_in(const char *root, const char *path, struct listed *out)
{
    static char line[LISTED_MAX * 8];
    FILE *f = open_below(root, path);
    bool read = f != NULL && fgets(line, sizeof line, f) != NULL && read_list(line, out);
    if (f != NULL)
        fclose(f);
    return read;
}

/* The CPUs of the mask: those of the first node, of the second... Without nodes, by number. */
static void
list_by_node(const char *root, const cpu_set_t *mask, size_t bytes, struct listed *out)
{
    static struct listed nodes, cpus;
    out->n = 0;
    if (!read_list_in(root, "/sys/devices/system/node/online", &nodes))
        nodes.n = 0;
    for (unsigned i = 0; i < nodes.n; i++) {
        char path[64];
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", nodes.cpu[i]);
        if (!read_list_in(root, path, &cpus))
            continue;
        for (unsigned c = 0; c < cpus.n; c++)
            if (CPU_ISSET_S(cpus.cpu[c], bytes, mask) && out->n < LISTED_MAX)
                out->cpu[out->n++] = cpus.cpu[c];
    }
    bool by_number = out->n == 0;
    for (unsigned c = 0; by_number && c < bytes * 8 && out->n < LISTED_MAX; c++)
        if (CPU_ISSET_S(c, bytes, mask))
            out->cpu[out->n++] = c;
}

const char *
cpus_choose_of(cpus_mask_fn *get, const char *root, const char *text, unsigned n, unsigned out[])
{
    static char refusal[REFUSAL_BYTES];
    static struct listed listed;
    size_t bytes;
    if (*text == '\0')
        return NULL;
    bool is_auto = strcmp(text, "auto") == 0;
    if (!is_auto && !read_list(text, &listed))
        return "Not a list of CPUs: use auto, or a list as 0-3,8";
    cpu_set_t *mask = read_mask(get, &bytes);
    if (mask == NULL)
        return "The kernel does not tell which CPUs the daemon may use";
    if (is_auto)
        list_by_node(root, mask, bytes, &listed);
    *refusal = '\0';
    for (unsigned i = 0; i < listed.n && *refusal == '\0'; i++)
        if (!CPU_ISSET_S(listed.cpu[i], bytes, mask))
            snprintf(refusal, sizeof refusal,
                     "The daemon may not use CPU %u: taskset -pc shows those of its affinity mask",
                     listed.cpu[i]);
    CPU_FREE(mask);
    if (*refusal == '\0' && listed.n == 0)
        return "The kernel gives the daemon no CPU";
    if (*refusal != '\0')
        return refusal;
    for (unsigned i = 0; i < n; i++)
        out[i] = listed.cpu[i % listed.n];
    return NULL;
}

const char *
cpus_choose(const char *text, unsigned n, unsigned out[])
{
    return cpus_choose_of(sched_getaffinity, "", text, n, out);
}

const char *
cpus_check(const char *text)
{
    return cpus_choose(text, 0, NULL);
}

static cpu_set_t *unpinned; /* NULL: no thread was pinned */
static size_t unpinned_bytes;

bool
cpus_pin(unsigned cpu)
{
    if (unpinned == NULL)
        unpinned = read_mask(sched_getaffinity, &unpinned_bytes);
    if (unpinned == NULL || cpu >= unpinned_bytes * 8)
        return false;
    cpu_set_t *mask = CPU_ALLOC(unpinned_bytes * 8);
    if (mask == NULL)
        return false;
    CPU_ZERO_S(unpinned_bytes, mask);
    CPU_SET_S(cpu, unpinned_bytes, mask);
    bool done = sched_setaffinity(0, unpinned_bytes, mask) == 0;
    CPU_FREE(mask);
    return done;
}

void
cpus_unpin(void)
{
    if (unpinned != NULL)
        (void)sched_setaffinity(0, unpinned_bytes, unpinned);
}
