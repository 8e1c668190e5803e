#include "compression.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The declarations below are those of zlib.h, brotli/decode.h and zstd.h: what is used of them, and stable in each
// library's version 1. So none of these headers has to be installed.

// MARK: zlib

typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

enum { Z_NO_FLUSH = 0 };
enum { Z_OK = 0, Z_STREAM_END = 1, Z_NEED_DICT = 2, Z_BUF_ERROR = -5 };

/// What the structure above belongs to; zlib refuses another major version and another size.
static const char zlib_version[] = "1.2.11";

static struct {
    int (*inflateInit2_)(z_stream *, int, const char *, int);
    int (*inflate)(z_stream *, int);
    int (*inflateReset)(z_stream *);
    int (*inflateEnd)(z_stream *);
} zlib;

// MARK: Brotli

typedef struct BrotliDecoderState BrotliDecoderState;

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

static struct {
    BrotliDecoderState *(*create)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
    int (*decompress)(BrotliDecoderState *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*errorCode)(const BrotliDecoderState *);
    const char *(*errorString)(int);
    void (*destroy)(BrotliDecoderState *);
} brotli;

// MARK: Zstandard

typedef struct ZSTD_DCtx ZSTD_DCtx;

typedef struct {
    const void *src;
    size_t size;
    size_t pos;
} ZSTD_inBuffer;

typedef struct {
    void *dst;
    size_t size;
    size_t pos;
} ZSTD_outBuffer;

enum { ZSTD_d_windowLogMax = 100 };

/// RFC 9659: the window of a frame of HTTP has 8 MiB at most, so a frame cannot demand more memory than that.
enum { zstd_window_log_max = 23 };

static struct {
    ZSTD_DCtx *(*create)(void);
    size_t (*setParameter)(ZSTD_DCtx *, int, int);
    size_t (*decompress)(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
    unsigned int (*isError)(size_t);
    const char *(*errorName)(size_t);
    size_t (*destroy)(ZSTD_DCtx *);
} zstd;

// MARK: Loading

typedef struct {
    const char *name;
    void *function;
} symbol;

/// Loads a library and finds its functions: all of them or none. The library stays, as its functions are used until
/// the process ends.
static bool load(const char *library, const symbol *symbols, size_t count) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
    for (size_t index = 0; index < count; index++) {
        void *address = dlsym(handle, symbols[index].name);
        if (address == NULL) {
            dlclose(handle);
            return false;
        }
        // ISO C knows no way from an object's address to a function's; POSIX makes them alike.
        *(void **)symbols[index].function = address;
    }
    return true;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_zlib, has_brotli, has_zstd;

static void load_zlib(void) {
    const symbol symbols[] = {
        {"inflateInit2_", &zlib.inflateInit2_},
        {"inflate", &zlib.inflate},
        {"inflateReset", &zlib.inflateReset},
        {"inflateEnd", &zlib.inflateEnd},
    };
    has_zlib = load("libz.so.1", symbols, COUNT(symbols));
}

static void load_brotli(void) {
    const symbol symbols[] = {
        {"BrotliDecoderCreateInstance", &brotli.create},
        {"BrotliDecoderDecompressStream", &brotli.decompress},
        {"BrotliDecoderGetErrorCode", &brotli.errorCode},
        {"BrotliDecoderErrorString", &brotli.errorString},
        {"BrotliDecoderDestroyInstance", &brotli.destroy},
    };
    has_brotli = load("libbrotlidec.so.1", symbols, COUNT(symbols));
}

static void load_zstd(void) {
    const symbol symbols[] = {
        {"ZSTD_createDCtx", &zstd.create},
        {"ZSTD_DCtx_setParameter", &zstd.setParameter},
        {"ZSTD_decompressStream", &zstd.decompress},
        {"ZSTD_isError", &zstd.isError},
        {"ZSTD_getErrorName", &zstd.errorName},
        {"ZSTD_freeDCtx", &zstd.destroy},
    };
    has_zstd = load("libzstd.so.1", symbols, COUNT(symbols));
}

bool cwaybill_decoder_is_available(CWaybillCoding coding) {
    static pthread_once_t zlib_once = PTHREAD_ONCE_INIT;
    static pthread_once_t brotli_once = PTHREAD_ONCE_INIT;
    static pthread_once_t zstd_once = PTHREAD_ONCE_INIT;
    switch (coding) {
    case CWaybillCodingGzip:
    case CWaybillCodingDeflate:
        pthread_once(&zlib_once, load_zlib);
        return has_zlib;
    case CWaybillCodingBrotli:
        pthread_once(&brotli_once, load_brotli);
        return has_brotli;
    case CWaybillCodingZstd:
        pthread_once(&zstd_once, load_zstd);
        return has_zstd;
    }
    return false;
}

// MARK: Decoders

struct cwaybill_decoder {
    CWaybillCoding coding;
    CWaybillDecodingStatus status;
    /// Whether a byte of a member or frame was taken, and its end not yet.
    bool isInside;
    /// Whether `stream` must be given back.
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
        // Which of the two forms of deflate it is, its first byte says.
        return decoder;
    case CWaybillCodingBrotli:
        decoder->brotli = brotli.create(NULL, NULL, NULL);
        if (decoder->brotli != NULL) return decoder;
        break;
    case CWaybillCodingZstd:
        decoder->zstd = zstd.create();
        if (decoder->zstd == NULL) break;
        if (!zstd.isError(zstd.setParameter(decoder->zstd, ZSTD_d_windowLogMax, zstd_window_log_max))) return decoder;
        zstd.destroy(decoder->zstd);
        break;
    }
    free(decoder);
    return NULL;
}

void cwaybill_decoder_destroy(cwaybill_decoder *decoder) {
    switch (decoder->coding) {
    case CWaybillCodingGzip:
    case CWaybillCodingDeflate:
        if (decoder->hasStream) zlib.inflateEnd(&decoder->stream);
        break;
    case CWaybillCodingBrotli:
        brotli.destroy(decoder->brotli);
        break;
    case CWaybillCodingZstd:
        zstd.destroy(decoder->zstd);
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

/// How zlib is told which format to expect.
static int window_bits(CWaybillCoding coding, uint8_t first) {
    if (coding == CWaybillCodingGzip) return 15 + 16;
    // RFC 1950, section 2.2: the low half says 8 for deflate, the high half at most 7. Without this header, the first
    // byte could only be like that if the padding of a stored block were not zero, and no encoder writes that.
    return (first & 0x0F) == 8 && (first >> 4) <= 7 ? 15 : -15;
}

static CWaybillDecodingStatus inflate_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    z_stream *stream = &decoder->stream;
    if (!decoder->isInside && input->length > 0) {
        if (!decoder->hasStream) {
            int bits = window_bits(decoder->coding, input->bytes[0]);
            if (zlib.inflateInit2_(stream, bits, zlib_version, (int)sizeof(z_stream)) != Z_OK) {
                return fail(decoder, "zlib has no memory for it");
            }
            decoder->hasStream = true;
        } else if (decoder->coding == CWaybillCodingDeflate || input->bytes[0] != 0x1F) {
            // zlib would wait for the second byte of a gzip member before it finds that none begins here.
            return fail(decoder, "there are bytes behind its end");
        } else {
            zlib.inflateReset(stream);
        }
        decoder->isInside = true;
    }
    // Its lengths have 32 bits.
    const size_t most = 1u << 30;
    const unsigned int available = (unsigned int)(input->length < most ? input->length : most);
    const unsigned int room = (unsigned int)(output->length < most ? output->length : most);
    stream->next_in = input->bytes;
    stream->avail_in = available;
    stream->next_out = output->bytes;
    stream->avail_out = room;
    int result = zlib.inflate(stream, Z_NO_FLUSH);
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
    int result = brotli.decompress(
        decoder->brotli, &input->length, &input->bytes, &output->length, &output->bytes, NULL
    );
    switch (result) {
    case BROTLI_SUCCESS:
        return CWaybillDecodingAtEnd;
    case BROTLI_ERROR:
        return fail(decoder, brotli.errorString(brotli.errorCode(decoder->brotli)));
    default:
        return CWaybillDecodingGoesOn;
    }
}

static CWaybillDecodingStatus zstd_step(cwaybill_decoder *decoder, input_bytes *input, output_bytes *output) {
    if (!decoder->isInside && input->length > 0) {
        // The first byte of a frame's or a skippable frame's magic number. The library may also know the formats from
        // before RFC 8878, with decoders that nobody looks after; they begin otherwise.
        if (input->bytes[0] != 0x28 && (input->bytes[0] & 0xF0) != 0x50) return fail(decoder, "no frame begins there");
        decoder->isInside = true;
    }
    ZSTD_inBuffer in = {input->bytes, input->length, 0};
    ZSTD_outBuffer out = {output->bytes, output->length, 0};
    size_t result = zstd.decompress(decoder->zstd, &out, &in);
    input->bytes += in.pos;
    input->length -= in.pos;
    output->bytes += out.pos;
    output->length -= out.pos;
    if (zstd.isError(result)) return fail(decoder, zstd.errorName(result));
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
    // Small members and frames follow each other here, not one a call.
    while (decoder->status != CWaybillDecodingFailed) {
        // At a stream's start or end there is nothing left to give; zstd would take the question for another frame.
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
        // With bytes to take and room to give, no library stands still; if one did, the caller would ask for ever.
        if (in.length + out.length == before && decoder->status == CWaybillDecodingGoesOn) {
            decoder->status = fail(decoder, "it does not go on");
        }
    }
    *consumed = inputLength - in.length;
    *produced = outputLength - out.length;
    return decoder->status;
}

#endif
