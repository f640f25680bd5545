vcl 4.1;      ### V105 byte 0xef 0xbb 0xbf is not part of VCL
sub vcl_recv { }
