/* The contract between the runtime and modules by third parties: the only file a module needs
 * (docs/modules.md).
 *
 * A module is a shared object libvmod_NAME.so which exports one symbol, `vernis_module`. Beside it lies
 * NAME.toml, which describes the same functions to the compiler. Everything the runtime owns is an opaque
 * pointer here; a module works on it through the table of functions that `load` receives.
 *
 * The contract only grows: functions and members are added at the end, with a new number. A module that asks
 * for version N runs on every runtime of version N or newer, and may use everything in version N. A module
 * has no undefined symbols of the runtime.
 *
 * A function gets the hook's context first, then its arguments; a method's first argument is its object. A
 * function with parameters that may be absent (`optional`) gets a uint32_t after the context (a method: after
 * the object). Bit i of this number is set if the policy gives argument i; an absent argument is zero.
 * Values, and their names in signatures:
 *
 *   STRING    struct vernis_text: text by pointer and length, not NUL-ended; ptr NULL is unset. Also STRANDS
 *             and ENUM
 *   HEADER    STRING in signatures: the name of the variable, "req.http.Cookie", for api->header_of
 *   INT BYTES int64_t
 *   REAL DURATION TIME  double: seconds, seconds since the epoch
 *   BOOL      int32_t, 0 or 1
 *   IP BLOB BACKEND HTTP REGEX  pointers to the structs below; may be NULL
 *   INSTANCE  void *: an object of the module
 *   VOID      nothing
 *
 * Argument texts and pointers last until the function returns: api->keep makes a copy for the transaction. A
 * result must last as long as the transaction: use memory of api->alloc, or constants of the module.
 *
 * Threads: many threads call functions at once; one thread at a time calls `load` and constructors. A
 * function that waits stops all other transactions of its thread, unless it waits in api->wait. A call may
 * continue on another stack, but never on another thread; only the function given to `wait` runs on another
 * thread. */
#ifndef VERNIS_MODULE_ABI_H
#define VERNIS_MODULE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define VERNIS_MODULE_ABI 1u
#define VERNIS_MODULE_SYMBOL "vernis_module"
#define VERNIS_MODULE_EXPORT __attribute__((visibility("default")))

struct vernis_text {
    const char *ptr;
    size_t len;
};

struct vernis_ctx;     /* a running hook: of a transaction, or vcl_init and vcl_fini */
struct vernis_message; /* HTTP: a head with its fields */
struct vernis_ip;
struct vernis_blob;
struct vernis_backend; /* also a director */
struct vernis_regex;

enum vernis_message_kind { VERNIS_REQ, VERNIS_BEREQ, VERNIS_BERESP, VERNIS_RESP, VERNIS_OBJ, VERNIS_REQ_TOP };

/* The runtime's functions for modules. A "recorded failure" ends the hook with FAIL: when the module's
 * function returns if its description says `may_fail`, else at the end of the hook. */
struct vernis_api {
    uint32_t version; /* VERNIS_MODULE_ABI of the runtime */
    uint32_t bytes;   /* size of this table */

    /* Memory of the transaction (in vcl_init: of the hook), aligned for any type. NULL: out of memory, a
     * recorded failure. */
    void *(*alloc)(struct vernis_ctx *ctx, size_t bytes);
    struct vernis_text (*keep)(struct vernis_ctx *ctx, struct vernis_text text);
    /* The module's state in the transaction: zeroed at the first call, freed with the transaction. `owner` is
     * any address of the module. NULL: a recorded failure. The client's side (with its restarts) and each
     * fetch (with its retries) are separate transactions. vcl_init has no transaction, so the call fails
     * there. */
    void *(*state)(struct vernis_ctx *ctx, const void *owner, size_t bytes);
    /* records a failure; the log shows the first one */
    void (*fail)(struct vernis_ctx *ctx, struct vernis_text why);
    /* a VCL_Log record of the transaction */
    void (*log)(struct vernis_ctx *ctx, struct vernis_text text);
    double (*now)(struct vernis_ctx *ctx); /* the same throughout a hook */
    /* Runs fn(arg) on another thread; this thread serves other transactions until fn returns. fn must not
     * call functions of this table. */
    void (*wait)(struct vernis_ctx *ctx, void (*fn)(void *arg), void *arg);

    /* NULL: not in this hook */
    struct vernis_message *(*message)(struct vernis_ctx *ctx, enum vernis_message_kind kind);
    /* The message and the field's name of a HEADER argument. NULL: not in this hook. */
    struct vernis_message *(*header_of)(struct vernis_ctx *ctx, struct vernis_text variable,
                                        struct vernis_text *name);
    struct vernis_text (*header_get)(struct vernis_ctx *ctx, const struct vernis_message *m,
                                     struct vernis_text name);
    /* Replaces all fields of that name by one; copies both texts. An invalid name or value, or a read-only
     * message, is a recorded failure. */
    void (*header_set)(struct vernis_ctx *ctx, struct vernis_message *m, struct vernis_text name,
                       struct vernis_text value);
    void (*header_unset)(struct vernis_ctx *ctx, struct vernis_message *m, struct vernis_text name);

    /* "192.0.2.1", "2001:db8::1" */
    struct vernis_text (*ip_text)(struct vernis_ctx *ctx, const struct vernis_ip *ip);
    /* NULL: not an address */
    const struct vernis_ip *(*ip_of_text)(struct vernis_ctx *ctx, struct vernis_text text);
    struct vernis_text (*blob_bytes)(const struct vernis_blob *blob);
    /* copies the bytes; NULL: a recorded failure */
    const struct vernis_blob *(*blob_of)(struct vernis_ctx *ctx, struct vernis_text bytes);
    struct vernis_text (*backend_name)(const struct vernis_backend *backend);
    int32_t (*backend_healthy)(struct vernis_ctx *ctx, struct vernis_backend *backend);
    int32_t (*regex_match)(struct vernis_ctx *ctx, const struct vernis_regex *regex, struct vernis_text text);
};

typedef void vernis_function(void); /* rows hold their functions cast to this type; the signature gives
                                     * the real one */

/* One function. The signature has the types above: "STRING(STRING,INT)", with a '?' after each argument that
 * may be absent. A constructor is "INSTANCE(...)": NULL fails the load. A destructor is "VOID(INSTANCE)". A
 * method is "...(INSTANCE,...)". */
struct vernis_row {
    const char *symbol; /* as in the description */
    const char *signature;
    vernis_function *function;
};

struct vernis_module {
    uint32_t abi; /* VERNIS_MODULE_ABI it was compiled with */
    uint32_t n_rows;
    const char *name;
    const struct vernis_row *rows;
    /* `load` runs before the first policy that imports the module, `unload` after the last one; on any
     * thread. `load` may keep `api`, which stays valid. It returns NULL, or the reason why the policy cannot
     * be loaded. Either pointer may be NULL. */
    const char *(*load)(const struct vernis_api *api);
    void (*unload)(void);
};

#endif
