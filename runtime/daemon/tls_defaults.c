/* Settings of TLS from parameters: see tls_defaults.h. */
#include "daemon/tls_defaults.h"

#include "daemon/params.h"
#include "base/params.h"

void
tls_default_settings(struct text *out)
{
    text_printf(out, "protos %s\nciphers %s\nciphersuites %s\ngroups %s\nprefer_server_ciphers %s\n",
                param_text("tls_protocols"), param_text("tls_ciphers"), param_text("tls_ciphersuites"),
                param_text("tls_groups"), params.tls_prefer_server_ciphers ? "on" : "off");
}
