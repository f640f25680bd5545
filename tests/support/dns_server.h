/* A DNS server with a few records, by UDP and TCP on a port of 127.0.0.1, while a test runs. */
#ifndef VERNIS_TESTS_SUPPORT_DNS_SERVER_H
#define VERNIS_TESTS_SUPPORT_DNS_SERVER_H

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loop/conn.h"
#include "origin/dns.h"
#include "test.h"

/* A record: `rdata` as people write it, of A, AAAA, CNAME or SRV. `asked` is the name in the question,
 * `owner` that of the record (NULL: the same). A row without rdata answers with `rcode`, or not at all when
 * that is DNS_SILENT, or cut short by UDP when it is DNS_CUT (the other rows of the name are sent by TCP). */
struct dns_row {
    const char *asked;
    int type;
    uint32_t ttl;
    const char *rdata;
    int rcode;
    const char *owner;
};

#define DNS_SILENT 100
#define DNS_CUT 101
#define DNS_ROW(asked, type, ttl, rdata) { asked, type, ttl, rdata, 0, NULL }
#define DNS_FAILS(asked, how) { asked, 0, 0, NULL, how, NULL }

struct dns_server {
    const struct dns_row *rows;
    size_t n;
    int udp, tcp;
    uint16_t port;
    pthread_t thread;
    atomic_uint asked; /* number of queries */
    atomic_bool stop;
};

static inline unsigned char *
dns_put_rdata(unsigned char *p, const struct dns_row *row)
{
    unsigned char *length = p;
    unsigned priority, weight, port;
    char target[256];
    p += 2;
    if (row->type == ns_t_a) {
        p += inet_pton(AF_INET, row->rdata, p) == 1 ? 4 : 0;
    } else if (row->type == ns_t_aaaa) {
        p += inet_pton(AF_INET6, row->rdata, p) == 1 ? 16 : 0;
    } else if (row->type == ns_t_cname) {
        p += dn_comp(row->rdata, p, 256, NULL, NULL);
    } else {
        EXPECT_EQ_INT(sscanf(row->rdata, "%u %u %u %255s", &priority, &weight, &port, target), 4);
        NS_PUT16(priority, p);
        NS_PUT16(weight, p);
        NS_PUT16(port, p);
        p += dn_comp(target, p, 256, NULL, NULL);
    }
    ns_put16((unsigned)(p - length - 2), length);
    return p;
}

/* Appends the records for a question to `out`. Returns the length of the message; 0: do not answer. */
static inline size_t
dns_answer(struct dns_server *s, const unsigned char *question, size_t n, bool by_tcp, unsigned char *out)
{
    ns_msg msg;
    ns_rr asked;
    unsigned records = 0, rcode = ns_r_nxdomain;
    bool cut = false;
    if (ns_initparse(question, (int)n, &msg) != 0 || ns_parserr(&msg, ns_s_qd, 0, &asked) != 0)
        return 0;
    atomic_fetch_add(&s->asked, 1);
    size_t head = 12 + (size_t)dn_skipname(question + 12, question + n) + 4;
    unsigned char *p = out + head;
    memcpy(out, question, head);
    for (size_t i = 0; i < s->n; i++) {
        const struct dns_row *row = &s->rows[i];
        if (strcasecmp(row->asked, ns_rr_name(asked)) != 0)
            continue;
        rcode = rcode == ns_r_nxdomain ? ns_r_noerror : rcode; /* the name exists, perhaps with other types */
        if (row->rdata == NULL && row->rcode == DNS_SILENT)
            return 0;
        cut |= row->rdata == NULL && row->rcode == DNS_CUT && !by_tcp;
        if (row->rdata == NULL && row->rcode != DNS_CUT)
            rcode = (unsigned)row->rcode;
        if (row->rdata == NULL || cut || (row->type != (int)ns_rr_type(asked) && row->type != ns_t_cname))
            continue;
        p += dn_comp(row->owner != NULL ? row->owner : row->asked, p, 256, NULL, NULL);
        NS_PUT16((unsigned)row->type, p);
        NS_PUT16(ns_c_in, p);
        NS_PUT32(row->ttl, p);
        p = dns_put_rdata(p, row);
        records++;
    }
    ns_put16(0x8180 | rcode | (cut ? 0x0200 : 0), out + 2);
    ns_put16(1, out + 4);
    ns_put16(records, out + 6);
    memset(out + 8, 0, 4);
    return (size_t)(p - out);
}

static inline void
dns_serve_tcp(struct dns_server *s)
{
    unsigned char in[2 + 1024], out[2 + 16384];
    int c = accept(s->tcp, NULL, NULL);
    ssize_t got = recv(c, in, 2, MSG_WAITALL);
    size_t length = got == 2 ? ns_get16(in) : 0;
    if (length > 0 && length <= 1024 && recv(c, in + 2, length, MSG_WAITALL) == (ssize_t)length) {
        size_t n = dns_answer(s, in + 2, length, true, out + 2);
        ns_put16((unsigned)n, out);
        EXPECT(n == 0 || send(c, out, n + 2, 0) == (ssize_t)(n + 2));
    }
    close(c);
}

static inline void *
dns_serve(void *arg)
{
    struct dns_server *s = arg;
    unsigned char in[1024], out[16384];
    struct pollfd fds[] = { { .fd = s->udp, .events = POLLIN }, { .fd = s->tcp, .events = POLLIN } };
    while (!atomic_load(&s->stop)) {
        struct sockaddr_in from;
        socklen_t from_bytes = sizeof from;
        if (poll(fds, 2, 10) <= 0)
            continue;
        if (fds[1].revents != 0)
            dns_serve_tcp(s);
        if (fds[0].revents == 0)
            continue;
        ssize_t got = recvfrom(s->udp, in, sizeof in, 0, (struct sockaddr *)&from, &from_bytes);
        size_t n = got < 12 ? 0 : dns_answer(s, in, (size_t)got, false, out);
        if (n > 0)
            (void)sendto(s->udp, out, n, 0, (struct sockaddr *)&from, from_bytes);
    }
    return NULL;
}

/* One port for both protocols. The kernel chooses it for UDP. If another program uses it for TCP, choose
 * again. */
static inline void
dns_server_bind(struct dns_server *s)
{
    for (int attempt = 0; attempt < 20; attempt++) {
        struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t bytes = sizeof here;
        s->udp = socket(AF_INET, SOCK_DGRAM, 0);
        s->tcp = socket(AF_INET, SOCK_STREAM, 0);
        EXPECT(bind(s->udp, (struct sockaddr *)&here, sizeof here) == 0);
        EXPECT(getsockname(s->udp, (struct sockaddr *)&here, &bytes) == 0);
        s->port = ntohs(here.sin_port);
        if (bind(s->tcp, (struct sockaddr *)&here, sizeof here) == 0 && listen(s->tcp, 5) == 0)
            return;
        close(s->udp);
        close(s->tcp);
    }
    EXPECT(!"a port for both UDP and TCP");
}

static inline void
dns_server_begin(struct dns_server *s, const struct dns_row *rows, size_t n)
{
    *s = (struct dns_server){ .rows = rows, .n = n };
    dns_server_bind(s);
    dns_set_server(&(struct address){ .family = 4, .port = s->port, .addr = { 127, 0, 0, 1 } });
    EXPECT_EQ_INT(pthread_create(&s->thread, NULL, dns_serve, s), 0);
}

static inline void
dns_server_end(struct dns_server *s)
{
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    close(s->udp);
    close(s->tcp);
    dns_set_server(NULL);
}

#endif
