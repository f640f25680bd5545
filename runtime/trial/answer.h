/* A scripted answer of an origin, as trial.h takes it. Only numbers and pointers, for ctypes. */
#ifndef VERNIS_TRIAL_ANSWER_H
#define VERNIS_TRIAL_ANSWER_H

#include <stddef.h>
#include <stdint.h>

enum trial_failure {
    TRIAL_ANSWERS,
    TRIAL_REFUSES,  /* the connection */
    TRIAL_CLOSES,   /* before an answer */
    TRIAL_CUTS_OFF, /* the body, before its end */
};

struct trial_answer {
    const char *backend; /* NULL: each */
    const char *method;  /* NULL: each */
    const char *url;     /* NULL: each; one that ends in * stands for all that begin so */
    const char *head;    /* "200 OK\nName: value\n" */
    const char *body;
    size_t head_bytes, body_bytes;
    double delay_s; /* until the head */
    uint32_t times; /* 0: without a limit */
    uint32_t fails; /* enum trial_failure */
};

#endif
