#include "compression.h"

#if defined(__linux__)

#include "compression_libraries.h"

#include <stdlib.h>

/// The version of `z_stream`: zlib rejects any other major version or size.
static const char zlib_version[] = "1.2.11";

/// The base-2 logarithm of the largest window, 8 MiB (RFC 9659), which limits the memory that a frame can require.
enum { zstd_window_log_max = 23 };

struct cwaybill_decoder {
    CWaybillCoding coding;
    CWaybillDecodingStatus status;
    /// Whether decoding is inside a member or frame.
    bool isInside;
    /// Whether `stream` must be released.
    bool hasStream;
    const char *message;
    union {
        z_stream stream;
        BrotliDecoderState *brotli;
        ZSTD_DCtx *zstd;
    };
};

cwaybill_decoder *cwaybill_decoder_create(CWaybillCoding coding) {
    if (!cwaybill_decoder_is_available(coding)) return NULL;
    cwaybill_decoder *decoder = calloc(1, sizeof(cwaybill_decoder));
    if (decoder == NULL) return NULL;
    decoder->coding = coding;
    decoder->message = "";
    switch (coding) {
    case CWaybillCodingGzip:
    case CWaybillCodingDeflate:
        // The first byte determines the format, so the stream is initialized later.
        return decoder;
    case CWaybillCodingBrotli:
        decoder->brotli = cwaybill_brotli.create(NULL, NULL, NULL);
        if (decoder->brotli != NULL) return decoder;
        break;
    case CWaybillCodingZstd:
        decoder->zstd = cwaybill_zstd.create();
        if (decoder->zstd == NULL) break;
        const size_t result = cwaybill_zstd.setParameter(decoder->zstd, ZSTD_d_windowLogMax, zstd_window_log_max);
        if (!cwaybill_zstd.isError(result)) return decoder;
        cwaybill_zstd.destroy(decoder->zstd);
        break;
    }
    free(decoder);
    return NULL;
}

void cwaybill_decoder_destroy(cwaybill_decoder *decoder) {
    switch (decoder->coding) {
    case CWaybillCodingGzip:
    case CWaybillCodingDeflate:
        if (decoder->hasStream) cwaybill_zlib.inflateEnd(&decoder->stream);
        break;
    case CWaybillCodingBrotli:
        cwaybill_brotli.destroy(decoder->brotli);
        break;
    case CWaybillCodingZstd:
        cwaybill_zstd.destroy(decoder->zstd);
        break;
    }
    free(decoder);
}

const char *cwaybill_decoder_message(const cwaybill_decoder *decoder) { return decoder->message; }

typedef struct {
    const uint8_t *bytes;
    size_t length;
} input_bytes;

typedef struct {
    uint8_t *bytes;
    size_t length;
} output_bytes;

static CWaybillDecodingStatus fail(cwaybill_decoder *decoder, const char *message) {
    decoder->message = message;
    return CWaybillDecodingFailed;
}

/// Returns zlib's window bits, which also select the format.
static int window_bits(CWaybillCoding coding, uint8_t first) {
    if (coding == CWaybillCodingGzip) return 15 + 16;
    // In the header, the low four bits are 8 for deflate, and the high four bits are at most 7 (RFC 1950, section 2.2).
    // Bare deflate can start with such a byte only if a stored block has nonzero padding, which no encoder writes.
    return (first & 0x0F) == 8 && (first >> 4) <= 7 ? 15 : -15;
}

static CWaybillDecodingStatus inflate_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    z_stream *stream = &decoder->stream;
    if (!decoder->isInside && input->length > 0) {
        if (!decoder->hasStream) {
            int bits = window_bits(decoder->coding, input->bytes[0]);
            if (cwaybill_zlib.inflateInit2_(stream, bits, zlib_version, (int)sizeof(z_stream)) != Z_OK) {
                return fail(decoder, "zlib is out of memory");
            }
            decoder->hasStream = true;
        } else if (decoder->coding == CWaybillCodingDeflate || input->bytes[0] != 0x1F) {
            // zlib would detect only at the second byte that this is not a gzip member.
            return fail(decoder, "unexpected bytes after its end");
        } else {
            cwaybill_zlib.inflateReset(stream);
        }
        decoder->isInside = true;
    }
    // zlib's lengths have 32 bits.
    const size_t most = 1u << 30;
    const unsigned int available = (unsigned int)(input->length < most ? input->length : most);
    const unsigned int room = (unsigned int)(output->length < most ? output->length : most);
    stream->next_in = input->bytes;
    stream->avail_in = available;
    stream->next_out = output->bytes;
    stream->avail_out = room;
    int result = cwaybill_zlib.inflate(stream, Z_NO_FLUSH);
    input->bytes += available - stream->avail_in;
    input->length -= available - stream->avail_in;
    output->bytes += room - stream->avail_out;
    output->length -= room - stream->avail_out;
    switch (result) {
    case Z_STREAM_END:
        decoder->isInside = false;
        return CWaybillDecodingAtEnd;
    case Z_OK:
    case Z_BUF_ERROR:
        return CWaybillDecodingInProgress;
    case Z_NEED_DICT:
        return fail(decoder, "it requires a dictionary");
    default:
        return fail(decoder, stream->msg != NULL ? stream->msg : "zlib is out of memory");
    }
}

static CWaybillDecodingStatus brotli_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    if (decoder->status == CWaybillDecodingAtEnd) return fail(decoder, "unexpected bytes after its end");
    int result = cwaybill_brotli.decompress(
        decoder->brotli, &input->length, &input->bytes, &output->length, &output->bytes, NULL
    );
    switch (result) {
    case BROTLI_SUCCESS:
        return CWaybillDecodingAtEnd;
    case BROTLI_ERROR:
        return fail(decoder, cwaybill_brotli.errorString(cwaybill_brotli.errorCode(decoder->brotli)));
    default:
        return CWaybillDecodingInProgress;
    }
}

static CWaybillDecodingStatus zstd_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    if (!decoder->isInside && input->length > 0) {
        // The first byte of the magic number of a frame or a skippable frame. The library may also decode formats older
        // than RFC 8878, with unmaintained code; their magic numbers start with other bytes.
        if (input->bytes[0] != 0x28 && (input->bytes[0] & 0xF0) != 0x50) {
            return fail(decoder, "unexpected bytes instead of a frame");
        }
        decoder->isInside = true;
    }
    ZSTD_inBuffer in = {input->bytes, input->length, 0};
    ZSTD_outBuffer out = {output->bytes, output->length, 0};
    size_t result = cwaybill_zstd.decompress(decoder->zstd, &out, &in);
    input->bytes += in.pos;
    input->length -= in.pos;
    output->bytes += out.pos;
    output->length -= out.pos;
    if (cwaybill_zstd.isError(result)) return fail(decoder, cwaybill_zstd.errorName(result));
    if (result != 0) return CWaybillDecodingInProgress;
    decoder->isInside = false;
    return CWaybillDecodingAtEnd;
}

CWaybillDecodingStatus cwaybill_decoder_decode(
    cwaybill_decoder *decoder,
    const uint8_t *input,
    size_t inputLength,
    uint8_t *output,
    size_t outputLength,
    size_t *consumed,
    size_t *produced
) {
    input_bytes in = {input, inputLength};
    output_bytes out = {output, outputLength};
    // One call can decode several small members or frames.
    while (decoder->status != CWaybillDecodingFailed) {
        // Between members or frames no output is left, and zstd would treat the call as the start of another frame.
        if (in.length == 0 && !decoder->isInside && decoder->coding != CWaybillCodingBrotli) break;
        if (in.length == 0 && decoder->status == CWaybillDecodingAtEnd) break;
        const size_t before = in.length + out.length;
        switch (decoder->coding) {
        case CWaybillCodingGzip:
        case CWaybillCodingDeflate:
            decoder->status = inflate_step(decoder, &in, &out);
            break;
        case CWaybillCodingBrotli:
            decoder->status = brotli_step(decoder, &in, &out);
            break;
        case CWaybillCodingZstd:
            decoder->status = zstd_step(decoder, &in, &out);
            break;
        }
        if (in.length == 0 || out.length == 0) break;
        // Given input and room for output, every library makes progress; otherwise, the caller would loop forever.
        if (in.length + out.length == before && decoder->status == CWaybillDecodingInProgress) {
            decoder->status = fail(decoder, "the decoder made no progress");
        }
    }
    *consumed = inputLength - in.length;
    *produced = outputLength - out.length;
    return decoder->status;
}

#endif
