/* The contract between the runtime and modules by third parties: the only file a module needs (docs/modules.md).
 *
 * A module is a shared object libvmod_NAME.so which exports one symbol, `vernis_module`. Beside it lies NAME.toml, which
 * says the same to the compiler. Everything the runtime owns is an opaque pointer here; what a module may do with it is in the
 * table of functions it is given.
 *
 * The contract only grows: functions and members are added at the end, with a new number. A module that asks for version N
 * runs on every runtime of version N or newer, and may use what version N has. It needs no undefined symbols of the runtime.
 *
 * A function gets the hook's context first, then its arguments; a method has its object as the first of them. A function with
 * parameters that may be absent (`optional`) gets a uint32_t behind the context (a method: behind the object) whose bit i says
 * that argument i was given, and zeros for those that were not. Values, and their names in signatures:
 *
 *   STRING    struct vernis_text: text by pointer and length, not NUL-ended; ptr NULL is unset. STRANDS and ENUM are that too
 *   HEADER    STRING in signatures: the name of the variable, "req.http.Cookie", for api->header_of
 *   INT BYTES int64_t
 *   REAL DURATION TIME  double: seconds, seconds since the epoch
 *   BOOL      int32_t, 0 or 1
 *   IP BLOB BACKEND HTTP REGEX  pointers to what is below; may be NULL
 *   INSTANCE  void *: an object of the module
 *   VOID      nothing
 *
 * Texts and pointers that come as arguments last until the function returns: api->keep makes a copy for the transaction. What is
 * returned has to last as long as the transaction: memory of api->alloc, or constants of the module.
 *
 * Threads: functions are called by many threads at once, `load` and constructors by one at a time. A function that waits
 * stops all other transactions of its thread, unless it waits in api->wait. A call may go on on another stack, never on
 * another thread, but `wait`'s function runs on one. */
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

struct vernis_ctx;              /* a hook that runs: of a transaction, or vcl_init and vcl_fini */
struct vernis_message;          /* HTTP: a head with its fields */
struct vernis_ip;
struct vernis_blob;
struct vernis_backend;          /* also a director */
struct vernis_regex;

enum vernis_message_kind { VERNIS_REQ, VERNIS_BEREQ, VERNIS_BERESP, VERNIS_RESP, VERNIS_OBJ, VERNIS_REQ_TOP };

/* What a module may ask of the runtime. A failure that "is noted" ends the hook with FAIL: as soon as the module's function returns if its
 * description says `may_fail`, else when the hook is through. */
struct vernis_api {
    uint32_t version;           /* VERNIS_MODULE_ABI of the runtime */
    uint32_t bytes;             /* of this table */

    /* Memory of the transaction (in vcl_init: of the hook), aligned for anything. NULL: there is no more, which is noted. */
    void *(*alloc)(struct vernis_ctx *ctx, size_t bytes);
    struct vernis_text (*keep)(struct vernis_ctx *ctx, struct vernis_text text);
    /* Zeroed when first asked for, gone with the transaction. `owner` is any address of the module's. NULL: noted. The client's side
     * (over restarts) and each fetch (over retries) are transactions of their own; vcl_init is none. */
    void *(*state)(struct vernis_ctx *ctx, const void *owner, size_t bytes);
    void (*fail)(struct vernis_ctx *ctx, struct vernis_text why);       /* notes a failure; the first one is told */
    void (*log)(struct vernis_ctx *ctx, struct vernis_text text);       /* a VCL_Log record of the transaction */
    double (*now)(struct vernis_ctx *ctx);                              /* the same throughout a hook */
    /* Runs fn(arg) on another thread, and lets other transactions run until it has returned. It may call nothing of this table. */
    void (*wait)(struct vernis_ctx *ctx, void (*fn)(void *arg), void *arg);

    struct vernis_message *(*message)(struct vernis_ctx *ctx, enum vernis_message_kind kind);  /* NULL: not in this hook */
    /* The message and the field's name of a HEADER argument. NULL: not in this hook. */
    struct vernis_message *(*header_of)(struct vernis_ctx *ctx, struct vernis_text variable, struct vernis_text *name);
    struct vernis_text (*header_get)(struct vernis_ctx *ctx, const struct vernis_message *m, struct vernis_text name);
    /* All fields of that name go, one comes; both texts are copied. What is no name or value, and a message that cannot be
     * changed, is noted as a failure. */
    void (*header_set)(struct vernis_ctx *ctx, struct vernis_message *m, struct vernis_text name, struct vernis_text value);
    void (*header_unset)(struct vernis_ctx *ctx, struct vernis_message *m, struct vernis_text name);

    struct vernis_text (*ip_text)(struct vernis_ctx *ctx, const struct vernis_ip *ip);          /* "192.0.2.1", "2001:db8::1" */
    const struct vernis_ip *(*ip_of_text)(struct vernis_ctx *ctx, struct vernis_text text);     /* NULL: it is none */
    struct vernis_text (*blob_bytes)(const struct vernis_blob *blob);
    const struct vernis_blob *(*blob_of)(struct vernis_ctx *ctx, struct vernis_text bytes);     /* they are copied; NULL: noted */
    struct vernis_text (*backend_name)(const struct vernis_backend *backend);
    int32_t (*backend_healthy)(struct vernis_ctx *ctx, struct vernis_backend *backend);
    int32_t (*regex_match)(struct vernis_ctx *ctx, const struct vernis_regex *regex, struct vernis_text text);
};

typedef void vernis_function(void);     /* each row's function is cast to this; its signature says what it is */

/* One function. The signature has the types above: "STRING(STRING,INT)", and a '?' behind those that may be absent. A constructor
 * is "INSTANCE(...)": NULL fails the load. A destructor is "VOID(INSTANCE)". A method is "...(INSTANCE,...)". */
struct vernis_row {
    const char *symbol;                 /* as in the description */
    const char *signature;
    vernis_function *function;
};

struct vernis_module {
    uint32_t abi;                       /* VERNIS_MODULE_ABI it was compiled with */
    uint32_t n_rows;
    const char *name;
    const struct vernis_row *rows;
    /* When the first policy that imports the module is loaded, and when the last one is gone; any thread. `load` keeps `api`,
     * which stays; another answer than NULL is why the policy cannot be loaded. Either may be NULL. */
    const char *(*load)(const struct vernis_api *api);
    void (*unload)(void);
};

#endif
