vcl 4.1;
backend origin none;

import sdt;                                     ### V513 "there is no module sdt"
