/* Limits the files that the worker and the compile server may touch, by landlock. The code uses the kernel's
 * numbers, because Debian's C library and headers lack the calls and the newer rights. A right that the
 * running kernel does not know stays unrestricted.
 *
 * The worker may write only its shared memory, execute no program, and bind no TCP port. It may read every
 * file its user may read, because policies name any file (std.fileread, databases, modules); -j readable=
 * narrows this to folders, and a listener with TLS narrows it for the compile server, too, because landlock
 * cannot exclude the files of private keys from a folder. The compile server may write only below the folder
 * of images, and may connect only to name servers. */
#include "daemon/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/params.h"
#include "base/check.h"

#define CALL_CREATE_RULESET 444 /* the same on every machine */
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define ASK_VERSION 1u
#define RULE_PATH 1
#define RULE_PORT 2
#define DNS_PORT 53

#define FILE_EXECUTE (1ull << 0)
#define FILE_WRITE (1ull << 1)
#define FILE_READ (1ull << 2)
#define FILE_READ_DIR (1ull << 3)
#define FILE_REMOVE_AND_MAKE (0x1ffull << 4)
#define FILE_REFER (1ull << 13)     /* version 2: rename to another folder */
#define FILE_TRUNCATE (1ull << 14)  /* version 3 */
#define FILE_IOCTL_DEV (1ull << 15) /* version 5 */
#define PORT_BIND (1ull << 0)       /* version 4 */
#define PORT_CONNECT (1ull << 1)
#define SCOPE_ABSTRACT_SOCKETS (1ull << 0) /* version 6 */
#define SCOPE_SIGNALS (1ull << 1)

#define READ_RIGHTS (FILE_READ | FILE_READ_DIR)
#define WRITE_RIGHTS (FILE_WRITE | FILE_REMOVE_AND_MAKE | FILE_REFER | FILE_TRUNCATE | FILE_IOCTL_DEV)
#define RIGHTS_OF_A_FILE (FILE_EXECUTE | FILE_WRITE | FILE_READ | FILE_TRUNCATE | FILE_IOCTL_DEV)


#define IMAGES "images" /* in the work directory, whose secret stays unreadable */
/* Libraries, time zones, GeoIP databases; the program itself reads /proc/self. */
#define READABLE_ALWAYS "/usr:/lib:/lib64:/proc:/sys:/dev:/var/lib/GeoIP"
/* Name services, accounts, certificates of authorities. With TLS only their own files and folders, because
 * keys lie in /etc, too, and in /run (credentials of systemd). */
#define NAME_SERVICES "/etc:/run"
#define NAME_SERVICES_WITH_TLS \
    "/etc/hosts:/etc/host.conf:/etc/hostname:/etc/resolv.conf:/etc/nsswitch.conf:/etc/gai.conf:/etc/services" \
    ":/etc/protocols:/etc/networks:/etc/passwd:/etc/group:/etc/localtime:/etc/timezone:/etc/locale.alias" \
    ":/etc/ld.so.cache:/etc/ssl/certs:/etc/ssl/openssl.cnf:/etc/mime.types:/etc/os-release" \
    ":/run/nscd:/run/systemd/resolve:/run/resolvconf:/run/NetworkManager"

/* A sanitizer executes its symbolizer, and traces its own process to find leaks. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

struct ruleset_rights { /* layout of the kernel */
    uint64_t files, ports, scopes;
};

struct path_rule {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

struct port_rule {
    uint64_t rights, port;
};

int
sandbox_files_version(void)
{
    long version = syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version < 0 ? 0 : (int)version;
}

int
sandbox_cores(const struct sandbox *s)
{
    const struct rlimit none = { 0, 0 };
    if (s->cores || SANITIZED)
        return prctl(PR_SET_DUMPABLE, 1) == 0 ? 0 : ERR_SYS; /* a change of ids has cleared it */
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : ERR_SYS;
}

static struct ruleset_rights
known_rights(struct ruleset_rights wanted)
{
    int version = sandbox_files_version();
    if (version < 2)
        wanted.files &= ~FILE_REFER;
    if (version < 3)
        wanted.files &= ~FILE_TRUNCATE;
    if (version < 4)
        wanted.ports = 0;
    if (version < 5)
        wanted.files &= ~FILE_IOCTL_DEV;
    if (version < 6)
        wanted.scopes = 0;
    return wanted;
}

/* A path that is missing or out of reach needs no rule. The kernel refuses rights of folders for a file. */
static int
allow_path(int ruleset, const char *path, uint64_t rights)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : ERR_SYS;
    bool folder = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
    const struct path_rule rule = { .rights = folder ? rights : rights & RIGHTS_OF_A_FILE, .folder = fd };
    int err = syscall(CALL_ADD_RULE, ruleset, RULE_PATH, &rule, 0) == 0 ? 0 : ERR_SYS;
    close(fd);
    return err;
}

static int
allow_folders(int ruleset, const char *list, uint64_t rights)
{
    char path[PATH_MAX];
    int err = 0;
    for (const char *at = list; err == 0 && *at != '\0';) {
        size_t len = strcspn(at, ":");
        int n = snprintf(path, sizeof path, "%.*s", (int)len, at);
        if (n > 0 && n < (int)sizeof path)
            err = allow_path(ruleset, path, rights);
        at += len + (at[len] == ':');
    }
    return err;
}

static int
new_ruleset(struct ruleset_rights rights)
{
    return (int)syscall(CALL_CREATE_RULESET, &rights, sizeof rights, 0);
}

/* Applies the ruleset unless `err` says that filling it failed, then closes it. */
static int
enter_ruleset(int ruleset, int err)
{
    if (err == 0 && syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0)
        err = ERR_SYS;
    int why = errno;
    close(ruleset);
    errno = why;
    return err;
}

/* The rules of narrow reads. `writable`: the folder that the process may write. */
static int
allow_reads(int ruleset, const struct sandbox *s, const char *writable, uint64_t read)
{
    const char *const lists[] = { writable,
                                  IMAGES,
                                  READABLE_ALWAYS,
                                  s->tls ? NAME_SERVICES_WITH_TLS : NAME_SERVICES,
                                  param_text("vcl_path"),
                                  param_text("vmod_path"),
                                  s->readable,
                                  s->tls ? s->policies : NULL };
    int err = 0;
    for (unsigned i = 0; err == 0 && i < sizeof lists / sizeof *lists; i++)
        if (lists[i] != NULL)
            err = allow_folders(ruleset, lists[i], read);
    return err;
}

int
sandbox_worker_files(const struct sandbox *s, const char *writable)
{
    if (!s->files)
        return 0;
    bool narrow = *s->readable != '\0' || s->tls;
    struct ruleset_rights rights = known_rights((struct ruleset_rights){
        .files = WRITE_RIGHTS | (SANITIZED ? 0 : FILE_EXECUTE) | (narrow ? READ_RIGHTS : 0),
        .ports = PORT_BIND,
        .scopes = SANITIZED ? 0 : SCOPE_SIGNALS });
    uint64_t read = rights.files & READ_RIGHTS, write = rights.files & ~FILE_EXECUTE;
    int ruleset = new_ruleset(rights);
    if (ruleset < 0)
        return ERR_SYS;
    /* a core goes to the work directory */
    int err = allow_path(ruleset, s->cores ? "." : writable, write);
    if (err == 0)
        err = allow_path(ruleset, "/dev/null", write);
    if (err == 0 && narrow)
        err = allow_reads(ruleset, s, writable, read);
    if (err == 0 && narrow && *param_text("acme_folder") != '\0')
        err = allow_path(ruleset, param_text("acme_folder"), read & FILE_READ);
    return enter_ruleset(ruleset, err);
}

int
sandbox_compiler_files(const struct sandbox *s, const char *writable, const char *program)
{
    if (!s->files)
        return 0;
    struct ruleset_rights rights = known_rights(
        (struct ruleset_rights){ .files = WRITE_RIGHTS | (s->tls ? READ_RIGHTS : 0),
                                 .ports = PORT_BIND | PORT_CONNECT,
                                 .scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS });
    int ruleset = new_ruleset(rights);
    if (ruleset < 0)
        return ERR_SYS;
    int err = allow_path(ruleset, writable, rights.files);
    if (err == 0)
        err = allow_path(ruleset, "/dev/null", rights.files);
    if (err == 0 && s->tls)
        err = allow_reads(ruleset, s, writable, rights.files & READ_RIGHTS);
    if (err == 0 && s->tls)
        err = allow_folders(ruleset, program, rights.files & READ_RIGHTS);
    /* to resolve host names of origins */
    const struct port_rule dns = { .rights = PORT_CONNECT, .port = DNS_PORT };
    if (err == 0 && rights.ports != 0 && syscall(CALL_ADD_RULE, ruleset, RULE_PORT, &dns, 0) != 0)
        err = ERR_SYS;
    return enter_ruleset(ruleset, err);
}

int
sandbox_no_files(const struct sandbox *s)
{
    if (!s->files)
        return 0;
    int ruleset = new_ruleset(known_rights(
        (struct ruleset_rights){ .files = WRITE_RIGHTS | READ_RIGHTS | FILE_EXECUTE,
                                 .ports = PORT_BIND | PORT_CONNECT,
                                 .scopes = SANITIZED ? 0 : SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS }));
    return ruleset < 0 ? ERR_SYS : enter_ruleset(ruleset, 0);
}
