/* One protocol so far. See protocols.h. */
#include "stream/protocols.h"

#include "stream/h1/connection.h"
#include "stream/h1/exchange.h"

const struct exchange_protocol *
protocol_of_backend(const struct backend *b)
{
    (void)b; /* none declares its protocol yet */
    return &h1_exchange_protocol;
}

int
request_of_text(char *text, size_t n, struct http_message *out, unsigned *status, const char **why)
{
    struct http1_error e = { .status = 400, .why = "the head is not complete" };
    if (h1_parse_text(text, n, out, &e) == 0)
        return 0;
    *status = e.status;
    *why = e.why;
    return ERR_SYNTAX;
}
