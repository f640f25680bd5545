vcl 4.1;
backend origin none;

import header;                                  ### V513 "there is no module header"
