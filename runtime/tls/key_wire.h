/* Messages to and from the key process, which holds all private keys: packets on socket pairs
 * (SOCK_SEQPACKET), in the order of bytes of this machine. The manager loads keys, the loops of workers ask
 * for signatures. A process that died took requests along, so its successor has a loop send them again, with
 * the same numbers.
 */
#ifndef VERNIS_TLS_KEY_WIRE_H
#define VERNIS_TLS_KEY_WIRE_H

#include <stdint.h>

#define KEY_SIGNED_BYTES_MAX 1024u
#define KEY_SIGNATURE_BYTES_MAX 1024u

/* From a loop. The bytes to sign follow: the whole signed content of a server in TLS, not its digest, so that
 * the key process can tell that it is one. */
struct key_request {
    uint32_t id, key; /* key: its number */
    uint16_t scheme;  /* SignatureScheme (RFC 8446, 4.2.3) */
    uint16_t bytes;
};

#define KEY_ID_OF_ALL 0u /* of no request: to send all again that wait for an answer */

/* To a loop. The signature follows. */
struct key_answer {
    uint32_t id;
    int32_t
        bytes; /* negative: none (ERR_*). ERR_AGAIN: the process still reads the keys of its predecessor */
};

/* From the manager. With KEY_LOAD come one or two descriptors (SCM_RIGHTS): a PEM file with chain and key, or
 * the chain and the key; with KEY_LOAD_AGAIN, about a key of the process before, the file of the key; with
 * KEY_LOOPS the sockets of a worker's loops. KEY_COMPLETE: the process has been given all keys of its
 * predecessor. KEY_PING, with the number 0, asks whether it lives. */
enum key_op { KEY_LOAD, KEY_LOAD_AGAIN, KEY_DROP, KEY_LOOPS, KEY_COMPLETE, KEY_PING };

#define KEY_FDS_MAX 64u /* in one packet */

struct key_order {
    uint32_t op, number;
};

/* To the manager, about KEY_LOAD, KEY_LOAD_AGAIN and KEY_PING. A text follows: if err is 0, the line "public
 * DIGEST", SHA-256 of the public key (SubjectPublicKeyInfo); for KEY_LOAD also lines "kind RSA|EC|ED25519",
 * "names a.test *.b.test", "not_before SECONDS", "not_after SECONDS" and an empty one, then the chain as PEM,
 * the leaf first. Otherwise what is wrong with the file. */
struct key_loaded {
    uint32_t number;
    int32_t err;
};

#define KEY_LOADED_BYTES_MAX (100u << 10)

/* How the process is started: argv[0], and its socket to the manager. Arguments: signatures a second, and
 * "calls" and "files" if -j confines them. */
#define KEY_PROCESS_NAME "vernisd-keys"
#define KEY_PROCESS_FD 3

#endif
