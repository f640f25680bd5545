/* The objects of the soak (model.h). */
#include "model.h"

uint32_t n_objects = 200000;
uint64_t seed = 1;

uint64_t
mix(uint64_t x) /* splitmix64 */
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t
chance(uint64_t stream, uint64_t n)
{
    return mix(mix(mix(seed) ^ stream) ^ n);
}

uint32_t
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)((uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000);
}

/* 90 % of the objects have at most 20 KB, 9 % at most 200 KB, 1 % more. With SOAK_LARGE (soak.py --large) a
 * half has at most 200 KB, and a half more. */
static uint32_t
bytes_of(uint64_t r)
{
#ifdef SOAK_LARGE
    unsigned tail = r % 2 == 0 ? 90 : 99;
#else
    unsigned tail = r % 100;
#endif
    unsigned doublings = (r >> 8) % 8;
    uint32_t from = tail < 90 ? 100
                  : tail < 99 ? 20000
                              : 200000,
             most = tail < 90 ? 20000
                  : tail < 99 ? 200000
                              : BODY_BYTES_MAX;
    uint32_t low = from << doublings;
    if (low > most / 2)
        low = most / 2;
    return low + (uint32_t)((r >> 16) % low);
}

static enum kind
kind_of(unsigned percent)
{
    return percent < 8  ? PAGE
         : percent < 20 ? GZIPPED
         : percent < 28 ? TO_GZIP
         : percent < 32 ? TO_GUNZIP
         : percent < 40 ? VARIES
                        : PLAIN;
}

struct soak_object
object_of(uint32_t number)
{
    uint64_t r = chance(1, number), s = chance(2, number);
    struct soak_object t = { .number = number, .bytes = bytes_of(r), .kind = kind_of(s % 100) };
    t.chunked = (s >> 8) % 4 == 0;
    t.ttl_s = (s >> 16) % 100 < 30 ? 1 + (s >> 24) % 3 : 3600;
    t.period_ms = 2000 + (uint32_t)((s >> 32) % 30000);
    t.whole = (s >> 48) % 2 == 0;
    if (t.kind == PAGE)
        t.n_includes = 1 + (uint32_t)((s >> 50) % INCLUDES_MAX);
    if (t.kind != PLAIN && t.bytes > PART_BYTES_MAX)
        t.bytes = PART_BYTES_MAX - t.bytes % 1000;
    return t;
}

void
fill(uint64_t key, uint64_t from, char *out, size_t n)
{
    while (n > 0) {
        uint64_t word = from / 8, at = from % 8;
        uint64_t letters = mix(key ^ (mix(key + word) & 255)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        letters += UINT64_C(0x6161616161616161);
        size_t take = n < 8 - at ? n : 8 - at;
        memcpy(out, (const char *)&letters + at, take);
        out += take;
        from += take;
        n -= take;
    }
}

uint64_t
key_of(uint32_t number, unsigned variant, uint32_t version)
{
    return chance(3, (uint64_t)number << 40 ^ (uint64_t)variant << 32 ^ version);
}

void
frame_of(char out[FRAME_BYTES + 1], uint32_t number, unsigned variant, uint32_t version, uint32_t bytes)
{
    snprintf(out, FRAME_BYTES + 1, "{%07u %02u %08x %08u}\n", number % 10000000, variant % 100, version,
             bytes % 100000000);
}

/* Whether a page can include the object. If the origin corrupts gzip of a streamed part, the proxy has sent
 * the beginning before it can detect that, and the page is wrong. */
static bool
is_part(const struct soak_object *t)
{
    bool packed = t->kind == GZIPPED || t->kind == TO_GUNZIP;
    return t->bytes <= PART_BYTES_MAX && t->kind != PAGE && (t->whole || !packed);
}

/* Pages include popular small objects without includes. A quarter of the pages begins with another page that
 * is not of this quarter. */
uint32_t
included(const struct soak_object *page, unsigned n)
{
    uint64_t r = chance(4, (uint64_t)page->number << 8 | n);
    bool nests = n == 0 && page->number % 4 == 0;
    uint32_t number = (uint32_t)(r % (r >> 32 & 1 ? n_objects : n_objects / 100 + 1));
    for (;; number = (number + 1) % n_objects) {
        struct soak_object t = object_of(number);
        if (nests ? t.kind == PAGE && number % 4 != 0 : is_part(&t))
            return number;
    }
}

uint32_t
run_bytes(uint32_t number, unsigned n)
{
    return 20 + (uint32_t)(chance(5, (uint64_t)number << 8 | n) % (RUN_BYTES_MAX - 20));
}

int
url_of(char *out, size_t room, uint32_t number)
{
    return snprintf(out, room, "/o/g%u/%u", number % GROUPS, number);
}
