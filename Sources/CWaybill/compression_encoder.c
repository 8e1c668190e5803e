#include "compression.h"

#if defined(__linux__)

#include "compression_libraries.h"

#include <stdlib.h>

/// The version of `z_stream`: zlib rejects any other major version or size.
static const char zlib_version[] = "1.2.11";

enum { Z_DEFAULT_COMPRESSION = -1, Z_DEFLATED = 8, Z_FINISH = 4, default_memory_level = 8 };

struct waybill_encoder {
    CWaybillCoding coding;
    union {
        z_stream stream;
        ZSTD_CCtx *zstd;
    };
};

waybill_encoder *waybill_encoder_create(CWaybillCoding coding) {
    waybill_encoder *encoder = calloc(1, sizeof(waybill_encoder));
    if (encoder == NULL) return NULL;
    encoder->coding = coding;
    switch (coding) {
    case CWaybillCodingGzip:
    case CWaybillCodingDeflate:
        if (!waybill_zlib_compresses()) break;
        // Adding 16 to the window bits selects the gzip format.
        int bits = coding == CWaybillCodingGzip ? 15 + 16 : 15;
        int result = waybill_deflate.deflateInit2_(&encoder->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits,
                                                   default_memory_level, 0, zlib_version, (int)sizeof(z_stream));
        if (result == Z_OK) return encoder;
        break;
    case CWaybillCodingZstd:
        if (!waybill_zstd_compresses()) break;
        encoder->zstd = waybill_zstd_encoding.create();
        if (encoder->zstd != NULL) return encoder;
        break;
    case CWaybillCodingBrotli:
        break;
    }
    free(encoder);
    return NULL;
}

void waybill_encoder_destroy(waybill_encoder *encoder) {
    if (encoder->coding == CWaybillCodingZstd) {
        waybill_zstd_encoding.destroy(encoder->zstd);
    } else {
        waybill_deflate.deflateEnd(&encoder->stream);
    }
    free(encoder);
}

static int deflate_step(waybill_encoder *encoder, const uint8_t *input, size_t inputLength, bool isLast,
                        uint8_t *output, size_t outputLength, size_t *consumed, size_t *produced) {
    z_stream *stream = &encoder->stream;
    // zlib's lengths have 32 bits.
    const size_t most = 1u << 30;
    const unsigned int available = (unsigned int)(inputLength < most ? inputLength : most);
    const unsigned int room = (unsigned int)(outputLength < most ? outputLength : most);
    const bool ends = isLast && available == inputLength;
    stream->next_in = input;
    stream->avail_in = available;
    stream->next_out = output;
    stream->avail_out = room;
    const int result = waybill_deflate.deflate(stream, ends ? Z_FINISH : Z_NO_FLUSH);
    *consumed = available - stream->avail_in;
    *produced = room - stream->avail_out;
    if (result == Z_STREAM_END) return 0;
    if (result != Z_OK && result != Z_BUF_ERROR) return -1;
    return ends || *consumed < inputLength || stream->avail_out == 0 ? 1 : 0;
}

static int zstd_step(waybill_encoder *encoder, const uint8_t *input, size_t inputLength, bool isLast,
                     uint8_t *output, size_t outputLength, size_t *consumed, size_t *produced) {
    ZSTD_inBuffer in = {input, inputLength, 0};
    ZSTD_outBuffer out = {output, outputLength, 0};
    const size_t rest =
        waybill_zstd_encoding.compress(encoder->zstd, &out, &in, isLast ? ZSTD_e_end : ZSTD_e_continue);
    *consumed = in.pos;
    *produced = out.pos;
    if (waybill_zstd_encoding.isError(rest)) return -1;
    return (isLast ? rest != 0 : in.pos < inputLength) ? 1 : 0;
}

int waybill_encoder_encode(
    waybill_encoder *encoder,
    const uint8_t *input,
    size_t inputLength,
    bool isLast,
    uint8_t *output,
    size_t outputLength,
    size_t *consumed,
    size_t *produced
) {
    return encoder->coding == CWaybillCodingZstd
        ? zstd_step(encoder, input, inputLength, isLast, output, outputLength, consumed, produced)
        : deflate_step(encoder, input, inputLength, isLast, output, outputLength, consumed, produced);
}

#endif
