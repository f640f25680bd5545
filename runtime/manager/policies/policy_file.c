/* Policy files: see policy_file.h. */
#include "manager/policies/policy_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/params.h"
#include "base/check.h"
#include "base/file.h"

/* Searches `name` in the folders. */
static bool
find_along(const char *folders, const char *name, char path[PATH_MAX])
{
    while (*folders != '\0') {
        size_t n = strcspn(folders, ":");
        if (n > 0 && snprintf(path, PATH_MAX, "%.*s/%s", (int)n, folders, name) < PATH_MAX &&
            access(path, F_OK) == 0)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

int
policy_file_find(const char *name, char path[PATH_MAX])
{
    bool as_it_is = *name == '/' || strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0;
    if (!as_it_is && find_along(param_text("vcl_path"), name, path))
        return 0;
    if (strchr(name, '/') != NULL && realpath(name, path) != NULL)
        return 0;
    snprintf(path, PATH_MAX, "%s", name);
    return ERR_NOTFOUND;
}

static int
read_all(const char *path, struct text *out)
{
    char buf[65536];
    ssize_t n;
    int fd = file_open(path, POLICY_FILE_BYTES_MAX);
    if (fd < 0)
        return ERR_SYS;
    while ((n = read(fd, buf, sizeof buf)) > 0 && out->len <= POLICY_FILE_BYTES_MAX)
        text_add(out, span_of(buf, (size_t)n));
    int error = errno;
    close(fd);
    errno = error;
    return n < 0 ? ERR_SYS : out->len > POLICY_FILE_BYTES_MAX ? ERR_LIMIT : 0;
}

int
policy_file_read(const char *name, char path[PATH_MAX], struct text *out, struct text *why)
{
    int err = policy_file_find(name, path);
    if (err != 0) {
        bool bare = strchr(name, '/') == NULL;
        text_printf(why, "Cannot read -f file '%s' (%s%s%s)\n", name, strerror(ENOENT),
                    bare ? " along vcl_path; a file here is ./" : "", bare ? name : "");
        return err;
    }
    err = read_all(path, out);
    if (err != 0)
        text_printf(why, "Cannot read -f file '%s' (%s)\n", path,
                    err == ERR_LIMIT ? strerror(EFBIG) : file_why(errno));
    return err;
}
