vcl 4.0;
vcl 4.1;      ### V212 higher
