/* The first message of a client, before OpenSSL sees a byte of it: see hello.h. */
#include "tls/hello.h"

#include <stddef.h>

#define RECORD_HEAD 5u
#define MESSAGE_HEAD 4u
#define TYPE_HANDSHAKE 22
#define TYPE_CLIENT_HELLO 1
#define RECORD_MAX 16384u /* content (RFC 8446, 5.1) */
#define METHOD_MAX 20u

static size_t
number(const unsigned char *at, unsigned bytes)
{
    size_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n = n << 8 | at[i];
    return n;
}

/* A method and a blank. */
static enum hello
plain_of(struct span in)
{
    size_t n = 0;
    while (n < in.len && n <= METHOD_MAX && in.ptr[n] >= 'A' && in.ptr[n] <= 'Z')
        n++;
    if (n == in.len && n <= METHOD_MAX)
        return HELLO_MORE;
    return n >= 3 && n <= METHOD_MAX && in.ptr[n] == ' ' ? HELLO_PLAIN : HELLO_OTHER;
}

/* The message may be in several records (RFC 8446, 5.1), and its length may, too. */
enum hello
hello_look(struct span in, size_t most)
{
    const unsigned char *p = (const unsigned char *)in.ptr;
    unsigned char head[MESSAGE_HEAD];
    size_t at = 0, content = 0;
    if (in.len == 0)
        return HELLO_MORE;
    if (p[0] != TYPE_HANDSHAKE)
        return plain_of(in);
    while (in.len - at >= RECORD_HEAD) {
        size_t n = number(p + at + 3, 2), left = in.len - at - RECORD_HEAD;
        if (p[at] != TYPE_HANDSHAKE || n == 0 || n > RECORD_MAX)
            return HELLO_OTHER;
        for (size_t i = 0; i < n && i < left && content + i < MESSAGE_HEAD; i++)
            head[content + i] = p[at + RECORD_HEAD + i];
        content += n < left ? n : left;
        if (content > 0 && head[0] != TYPE_CLIENT_HELLO)
            return HELLO_OTHER;
        if (content >= MESSAGE_HEAD && number(head + 1, 3) > most)
            return HELLO_LONG;
        if (content >= MESSAGE_HEAD && content - MESSAGE_HEAD >= number(head + 1, 3))
            return HELLO_COMPLETE;
        if (left < n)
            break;
        at += RECORD_HEAD + n;
    }
    return in.len > 2 * most + RECORD_HEAD ? HELLO_LONG : HELLO_MORE;
}
