# Full baskets were shown to others. The count was removed before it was tested.

sub vcl_recv {
    set req.http.X-Cart = req.http.X-Items;
    unset req.http.X-Cart;
    if (req.http.X-Cart ~ "^[1-9]") { #! FL011
        return (pass);
    }
}
