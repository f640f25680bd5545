backend default none;      ### V210 the policy has no version line
sub vcl_recv { }
