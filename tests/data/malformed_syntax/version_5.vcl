vcl 5.0;      ### V211 this release does not support version 5.0 yet
sub vcl_recv { }
