vcl 4.1;
backend origin none;

import std from "/tmp/libvmod_std.so";          ### V517 "comes with the server"
