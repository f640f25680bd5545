/* Words of a file in hitch's grammar. */
#ifndef VERNIS_MANAGER_TLS_CONFIG_WORDS_H
#define VERNIS_MANAGER_TLS_CONFIG_WORDS_H

#include "base/span.h"

enum config_word {
    CONFIG_END,
    CONFIG_WORD,
    CONFIG_QUOTED,
    CONFIG_OPEN,
    CONFIG_CLOSE,
    CONFIG_EQUALS,
    CONFIG_BAD
};

struct config_words {
    struct span rest;
    unsigned line;         /* of the word */
    enum config_word kind; /* CONFIG_BAD: a quote that is not closed on its line */
    struct span text;      /* without quotes */
};

void config_words_init(struct config_words *w, struct span text); /* before the first word */
void config_words_next(struct config_words *w);

#endif
