/* One protocol so far. See protocols.h. */
#include "stream/protocols.h"

#include "stream/h1/exchange.h"

const struct exchange_protocol *
protocol_of_backend(const struct backend *b)
{
    (void)b;                            /* none declares its protocol yet */
    return &h1_exchange_protocol;
}
