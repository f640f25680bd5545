vcl 4.1;

# The same file for Vernis and Varnish: the built-in policy before one origin.
backend default {
    .host = "127.0.0.1";
    .port = "@ORIGIN@";
}
