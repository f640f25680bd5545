/* The Huffman code: every byte there and back, wrong padding, EOS, output that is too small. */
#include <stdlib.h>

#include "base/check.h"
#include "stream/h2/huffman.h"
#include "stream/huffman_code.h"
#include "test.h"

/* Decodes from memory that ends with the text. */
static ssize_t
decode(const uint8_t *in, size_t n, char *out, size_t room, const char **why)
{
    uint8_t *copy = malloc(n + 1);
    memcpy(copy + 1, in, n);
    ssize_t got = huffman_decode(copy + 1, n, out, room, why);
    free(copy);
    return got;
}

static void
check_round_trip(struct span text)
{
    uint8_t coded[4 * 1024];
    char out[1024];
    const char *why = "";
    size_t n = huffman_bytes(text);
    EXPECT(huffman_encode(coded, text) == coded + n);
    EXPECT_EQ_INT(decode(coded, n, out, sizeof out, &why), text.len);
    EXPECT_EQ_SPAN(span_of(out, text.len), text);
    EXPECT(HUFFMAN_DECODED_MAX(n) >= text.len);
    for (size_t room = 0; room < text.len; room += 1 + room / 2) { /* only the first bytes fit */
        memset(out, '#', sizeof out);
        EXPECT_EQ_INT(decode(coded, n, out, room, &why), text.len);
        EXPECT_EQ_SPAN(span_of(out, room), span_of(text.ptr, room));
        EXPECT_EQ_INT(out[room], '#');
    }
}

static void
every_byte_comes_back(void)
{
    for (unsigned c = 0; c < 256; c++)
        for (unsigned before = 0; before < 40; before++) { /* at each place of the first words */
            char text[64];
            memset(text, 'a' + (int)(before % 3), sizeof text);
            text[before] = (char)c;
            check_round_trip(span_of(text, before + 1));
            check_round_trip(span_of(text, sizeof text));
        }
}

static void
every_pair_of_bytes_comes_back(void)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            char text[2] = { (char)a, (char)b };
            check_round_trip(span_of(text, 2));
        }
}

static void
long_texts_come_back(void)
{
    char text[1000];
    unsigned seed = 1;
    for (unsigned round = 0; round < 500; round++) {
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1103515245 + 12345;
            text[i] = (char)(round % 2 == 0 ? seed >> 16 : 32 + (seed >> 16) % 95);
        }
        check_round_trip(span_of(text, round * 2));
    }
}

/* A text of n bytes 'a' (00011), then the given bits, then ones to a whole byte. */
static ssize_t
decode_after(unsigned n, uint32_t bits, unsigned n_bits, const char **why)
{
    uint8_t in[64] = { 0 };
    unsigned at = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned b = 0; b < 5; b++, at++)
            in[at / 8] |= (uint8_t)((3u >> (4 - b) & 1) << (7 - at % 8));
    for (unsigned b = 0; b < n_bits; b++, at++)
        in[at / 8] |= (uint8_t)((bits >> (n_bits - 1 - b) & 1) << (7 - at % 8));
    for (; at % 8 != 0; at++)
        in[at / 8] |= (uint8_t)(0x80 >> at % 8);
    char out[128];
    *why = "";
    return decode(in, at / 8, out, sizeof out, why);
}

static void
padding_is_up_to_seven_ones(void)
{
    const char *why;
    for (unsigned n = 0; n < 40; n++) {
        unsigned rest = (8 - n * 5 % 8) % 8; /* the bits to a whole byte */
        EXPECT_EQ_INT(decode_after(n, 0, 0, &why), n);
        EXPECT_EQ_INT(decode_after(n, UINT32_MAX, rest + 8, &why), ERR_SYNTAX);
        EXPECT_EQ_STR(span_str(why), "Huffman padding is longer than 7 bits");
        if (rest > 0) {
            EXPECT_EQ_INT(decode_after(n, (1u << rest) - 2, rest, &why), ERR_SYNTAX); /* 0, 10, 110 ... */
            EXPECT_EQ_STR(span_str(why), "Huffman padding is not all ones");
        }
        EXPECT_EQ_INT(decode_after(n, 0x3fffffff, 30, &why), ERR_SYNTAX);
        EXPECT_EQ_STR(span_str(why), "Huffman text contains EOS");
    }
}

static const struct test tests[] = {
    { "every_byte_comes_back", every_byte_comes_back },
    { "every_pair_of_bytes_comes_back", every_pair_of_bytes_comes_back },
    { "long_texts_come_back", long_texts_come_back },
    { "padding_is_up_to_seven_ones", padding_is_up_to_seven_ones },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
