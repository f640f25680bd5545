/* Counts what the code of a daemon does to cache lines: linked in place of ThreadSanitizer's runtime into a
 * build with its instrumentation (mk/lines.mk). Each access counts by thread, line, place in the code and
 * kind. SIGUSR1 begins anew. SIGUSR2 ends and writes a file, which tests/proxy/shared_lines.py reads: lines
 * "thread line place kind count", then the memory map. The kernel, the allocator and compiled policies are
 * not counted. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS_MAX 600u
#define ROWS (1u << 19) /* of a thread; a power of two */
#define PROBES_MAX 64
#define FRAMES_BYTES \
    4096 /* around the own frame: plain accesses are to locals, which no other thread reads */
#define LINE_BITS 6

/* In the order of KINDS in shared_lines.py. */
enum kind { READ, WRITE, LOAD, STORE, RMW, LOCK };

struct row {
    uint64_t line, place, kind, n;
};

struct thread {
    struct row *rows;
    int id;
    unsigned round;
    uint64_t lost;
};

static struct thread threads[THREADS_MAX];
static atomic_uint n_threads, current_round;
static atomic_bool on;
static _Thread_local struct thread *mine;

static struct thread *
thread_of_this(void)
{
    unsigned at = mine == NULL ? atomic_fetch_add(&n_threads, 1) : 0;
    if (at >= THREADS_MAX)
        _exit(3);
    if (mine == NULL) { /* set when it is complete: the handler of a signal may come between and count */
        struct thread *t = &threads[at];
        t->id = (int)syscall(SYS_gettid);
        t->rows = mmap(NULL, sizeof(struct row) * ROWS, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        atomic_signal_fence(memory_order_seq_cst);
        mine = t;
    }
    unsigned round = atomic_load(&current_round);
    if (mine->round != round) {
        (void)madvise(mine->rows, sizeof(struct row) * ROWS, MADV_DONTNEED);
        mine->round = round;
        mine->lost = 0;
    }
    return mine;
}

static void
count_line(struct thread *t, uint64_t line, uint64_t place, enum kind kind)
{
    uint64_t at = (line * 0x9e3779b97f4a7c15u) ^ (place * 0xc2b2ae3d27d4eb4fu) ^ (kind * 0x165667b19e3779f9u);
    at ^= at >> 29;
    for (unsigned i = 0; i < PROBES_MAX; i++) {
        struct row *r = &t->rows[(at + i) & (ROWS - 1)];
        if (r->n == 0)
            *r = (struct row){ line, place, kind, 0 };
        if (r->line == line && r->place == place && r->kind == kind) {
            r->n++;
            return;
        }
    }
    t->lost++;
}

static inline void
count(const volatile void *p, size_t bytes, enum kind kind, void *place)
{
    uint64_t first = (uint64_t)p, frame = (uint64_t)__builtin_frame_address(0);
    if (!atomic_load_explicit(&on, memory_order_relaxed))
        return;
    if (kind <= WRITE && first - (frame - FRAMES_BYTES) < 2 * FRAMES_BYTES)
        return;
    struct thread *t = thread_of_this();
    for (uint64_t line = first >> LINE_BITS; line <= (first + bytes - 1) >> LINE_BITS; line++)
        count_line(t, line, (uint64_t)place, kind);
}

/* ---- what the compiler calls ---- */

#define HERE __builtin_return_address(0)
#define PLAIN(name, bytes, kind) \
    void __tsan_##name(void *p); \
    void __tsan_##name(void *p) \
    { \
        count(p, bytes, kind, HERE); \
    }
#define PLAIN_OF(bytes) \
    PLAIN(read##bytes, bytes, READ) \
    PLAIN(write##bytes, bytes, WRITE) \
    PLAIN(unaligned_read##bytes, bytes, READ) \
    PLAIN(unaligned_write##bytes, bytes, WRITE) \
    PLAIN(volatile_read##bytes, bytes, READ) \
    PLAIN(volatile_write##bytes, bytes, WRITE)
PLAIN_OF(1)
PLAIN_OF(2)
PLAIN_OF(4)
PLAIN_OF(8)
PLAIN_OF(16)
PLAIN(vptr_update, 8, WRITE)

#define RANGE(name, kind) \
    void __tsan_##name(void *p, size_t n); \
    void __tsan_##name(void *p, size_t n) \
    { \
        if (n > 0) \
            count(p, n, kind, HERE); \
    }
RANGE(read_range, READ)
RANGE(write_range, WRITE)

#define CHANGE(bits, type, name) \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order); \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) \
    { \
        count(p, sizeof(type), RMW, HERE); \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST); \
    }
#define EXCHANGED(bits, type, strength, weak) \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *p, type *old, type v, int order, \
                                                          int failed); \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *p, type *old, type v, int order, \
                                                          int failed) \
    { \
        count(p, sizeof(type), RMW, HERE); \
        return __atomic_compare_exchange_n(p, old, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *p, int order); \
    type __tsan_atomic##bits##_load(const volatile type *p, int order) \
    { \
        count(p, sizeof(type), LOAD, HERE); \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order); \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order) \
    { \
        count(p, sizeof(type), STORE, HERE); \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order); \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) \
    { \
        count(p, sizeof(type), RMW, HERE); \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
    } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type old, type v, int order, \
                                                    int failed); \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type old, type v, int order, \
                                                    int failed) \
    { \
        count(p, sizeof(type), RMW, HERE); \
        __atomic_compare_exchange_n(p, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return old; \
    } \
    CHANGE(bits, type, fetch_add) \
    CHANGE(bits, type, fetch_sub) \
    CHANGE(bits, type, fetch_and) \
    CHANGE(bits, type, fetch_or) \
    CHANGE(bits, type, fetch_xor) \
    EXCHANGED(bits, type, strong, 0) \
    EXCHANGED(bits, type, weak, 1)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

#define NOTHING(name, ...) \
    void __tsan_##name(__VA_ARGS__); \
    void __tsan_##name(__VA_ARGS__) \
    { \
    }
NOTHING(init, void)
NOTHING(atomic_signal_fence, int order)
NOTHING(destroy_fiber, void *fiber)
NOTHING(switch_to_fiber, void *fiber, unsigned flags)

void __tsan_atomic_thread_fence(int order);
void
__tsan_atomic_thread_fence(int order)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void *__tsan_get_current_fiber(void);
void *
__tsan_get_current_fiber(void)
{
    return NULL;
}

void *__tsan_create_fiber(unsigned flags);
void *
__tsan_create_fiber(unsigned flags)
{
    return NULL;
}

/* ---- locks: the linker puts these in place of those of libc ---- */

#define LOCKING(name, type) \
    int __real_pthread_##name(type *lock); \
    int __wrap_pthread_##name(type *lock); \
    int __wrap_pthread_##name(type *lock) \
    { \
        count(lock, 1, LOCK, HERE); \
        return __real_pthread_##name(lock); \
    }
LOCKING(mutex_lock, pthread_mutex_t)
LOCKING(mutex_trylock, pthread_mutex_t)
LOCKING(rwlock_rdlock, pthread_rwlock_t)
LOCKING(rwlock_wrlock, pthread_rwlock_t)

/* ---- rounds: in signal handlers, so without the allocator ---- */

static int
file_of(const char *ending)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%d.%u%s", getenv("COUNTING_FOLDER"), getpid(),
             atomic_load(&current_round), ending);
    int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        _exit(3);
    return fd;
}

static void
begin(int number)
{
    atomic_fetch_add(&current_round, 1);
    atomic_store(&on, true);
    close(file_of(".begun"));
}

static void
write_rows(int out, const struct thread *t)
{
    if (t->rows == NULL || t->round != atomic_load(&current_round))
        return;
    if (t->lost > 0)
        dprintf(out, "lost %lu\n", (unsigned long)t->lost);
    for (unsigned i = 0; i < ROWS; i++) {
        const struct row *r = &t->rows[i];
        if (r->n > 0)
            dprintf(out, "%d %lx %lx %u %lu\n", t->id, (unsigned long)r->line, (unsigned long)r->place,
                    (unsigned)r->kind, (unsigned long)r->n);
    }
}

static void
end(int number)
{
    char some[4096];
    ssize_t n;
    atomic_store(&on, false);
    int out = file_of(".rows"), maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; i < atomic_load(&n_threads); i++)
        write_rows(out, &threads[i]);
    dprintf(out, "maps\n");
    while ((n = read(maps, some, sizeof some)) > 0)
        if (write(out, some, (size_t)n) != n)
            _exit(3);
    close(maps);
    close(out);
    close(file_of(".ended"));
}

__attribute__((constructor)) static void
obey_signals(void)
{
    (void)signal(SIGUSR1, begin);
    (void)signal(SIGUSR2, end);
}
