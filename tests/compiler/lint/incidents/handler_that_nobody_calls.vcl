# https://github.com/comotion/VSF/issues/64
# A sub of a rule file was never called.

sub sec_robot { #! V602
    return (synth(403));
}
