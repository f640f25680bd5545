vcl 4.1;

# For Vernis and Varnish: the built-in policy with one origin.
backend default {
    .host = "127.0.0.1";
    .port = "@ORIGIN@";
}
