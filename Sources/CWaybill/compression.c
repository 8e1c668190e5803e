#include "compression.h"

#if defined(__linux__)

#include "compression_libraries.h"

#include <stdlib.h>

/// The version of `z_stream`: zlib rejects another major version and another size.
static const char zlib_version[] = "1.2.11";

/// RFC 9659: an HTTP frame has a window of 8 MiB at most, so it cannot demand more memory than that.
enum { zstd_window_log_max = 23 };

struct cwaybill_decoder {
    CWaybillCoding coding;
    CWaybillDecodingStatus status;
    /// Whether a member or frame has begun and not ended.
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
        // The first byte tells which of the two forms of deflate it is.
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

/// Returns the window bits by which zlib knows the format.
static int window_bits(CWaybillCoding coding, uint8_t first) {
    if (coding == CWaybillCodingGzip) return 15 + 16;
    // RFC 1950, section 2.2: the low half is 8 for deflate, the high half at most 7. Without this header, the first
    // byte could only be like that if the padding of a stored block were not zero, and no encoder writes that.
    return (first & 0x0F) == 8 && (first >> 4) <= 7 ? 15 : -15;
}

static CWaybillDecodingStatus inflate_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    z_stream *stream = &decoder->stream;
    if (!decoder->isInside && input->length > 0) {
        if (!decoder->hasStream) {
            int bits = window_bits(decoder->coding, input->bytes[0]);
            if (cwaybill_zlib.inflateInit2_(stream, bits, zlib_version, (int)sizeof(z_stream)) != Z_OK) {
                return fail(decoder, "zlib has no memory for it");
            }
            decoder->hasStream = true;
        } else if (decoder->coding == CWaybillCodingDeflate || input->bytes[0] != 0x1F) {
            // zlib would wait for the second byte of a gzip member before it notices that none begins here.
            return fail(decoder, "there are bytes behind its end");
        } else {
            cwaybill_zlib.inflateReset(stream);
        }
        decoder->isInside = true;
    }
    // The lengths of zlib have 32 bits.
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
        return CWaybillDecodingGoesOn;
    case Z_NEED_DICT:
        return fail(decoder, "it needs a dictionary");
    default:
        return fail(decoder, stream->msg != NULL ? stream->msg : "zlib has no memory for it");
    }
}

static CWaybillDecodingStatus brotli_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    if (decoder->status == CWaybillDecodingAtEnd) return fail(decoder, "there are bytes behind its end");
    int result = cwaybill_brotli.decompress(
        decoder->brotli, &input->length, &input->bytes, &output->length, &output->bytes, NULL
    );
    switch (result) {
    case BROTLI_SUCCESS:
        return CWaybillDecodingAtEnd;
    case BROTLI_ERROR:
        return fail(decoder, cwaybill_brotli.errorString(cwaybill_brotli.errorCode(decoder->brotli)));
    default:
        return CWaybillDecodingGoesOn;
    }
}

static CWaybillDecodingStatus zstd_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    if (!decoder->isInside && input->length > 0) {
        // The first byte of the magic number of a frame or a skippable frame. The library may also support the formats
        // before RFC 8878, with decoders that are not maintained; they begin with other bytes.
        if (input->bytes[0] != 0x28 && (input->bytes[0] & 0xF0) != 0x50) return fail(decoder, "no frame begins there");
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
    if (result != 0) return CWaybillDecodingGoesOn;
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
    // A call may decode several small members or frames.
    while (decoder->status != CWaybillDecodingFailed) {
        // At a stream's start or end no output is left; zstd would take the call for the start of another frame.
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
        // With input and room for output every library makes progress; if one did not, the caller would loop endlessly.
        if (in.length + out.length == before && decoder->status == CWaybillDecodingGoesOn) {
            decoder->status = fail(decoder, "it does not go on");
        }
    }
    *consumed = inputLength - in.length;
    *produced = outputLength - out.length;
    return decoder->status;
}

#endif
