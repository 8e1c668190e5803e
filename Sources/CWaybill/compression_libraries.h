#ifndef CWAYBILL_COMPRESSION_LIBRARIES_H
#define CWAYBILL_COMPRESSION_LIBRARIES_H

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

/// Hides a symbol outside the linked image.
#define CWAYBILL_HIDDEN __attribute__((visibility("hidden")))

// The required parts of zlib.h, brotli/decode.h and zstd.h, which are stable within version 1 of each library, so the
// headers need not be installed. Call the functions only after `cwaybill_decoder_is_available` has returned true.

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

struct cwaybill_zlib {
    int (*inflateInit2_)(z_stream *, int, const char *, int);
    int (*inflate)(z_stream *, int);
    int (*inflateReset)(z_stream *);
    int (*inflateEnd)(z_stream *);
};

extern CWAYBILL_HIDDEN struct cwaybill_zlib cwaybill_zlib;

/// The functions for compression; call them only after `waybill_zlib_compresses` has returned true.
struct waybill_deflate {
    int (*deflateInit2_)(z_stream *, int, int, int, int, int, const char *, int);
    int (*deflate)(z_stream *, int);
    int (*deflateEnd)(z_stream *);
};

extern CWAYBILL_HIDDEN struct waybill_deflate waybill_deflate;

CWAYBILL_HIDDEN _Bool waybill_zlib_compresses(void);

// MARK: Brotli

typedef struct BrotliDecoderState BrotliDecoderState;

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

struct cwaybill_brotli {
    BrotliDecoderState *(*create)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
    int (*decompress)(BrotliDecoderState *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*errorCode)(const BrotliDecoderState *);
    const char *(*errorString)(int);
    void (*destroy)(BrotliDecoderState *);
};

extern CWAYBILL_HIDDEN struct cwaybill_brotli cwaybill_brotli;

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

struct cwaybill_zstd {
    ZSTD_DCtx *(*create)(void);
    size_t (*setParameter)(ZSTD_DCtx *, int, int);
    size_t (*decompress)(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
    unsigned int (*isError)(size_t);
    const char *(*errorName)(size_t);
    size_t (*destroy)(ZSTD_DCtx *);
};

extern CWAYBILL_HIDDEN struct cwaybill_zstd cwaybill_zstd;

typedef struct ZSTD_CCtx ZSTD_CCtx;

enum { ZSTD_e_continue = 0, ZSTD_e_end = 2 };

/// The functions for compression; call them only after `waybill_zstd_compresses` has returned true.
struct waybill_zstd_encoding {
    ZSTD_CCtx *(*create)(void);
    size_t (*compress)(ZSTD_CCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *, int);
    unsigned int (*isError)(size_t);
    size_t (*destroy)(ZSTD_CCtx *);
};

extern CWAYBILL_HIDDEN struct waybill_zstd_encoding waybill_zstd_encoding;

CWAYBILL_HIDDEN _Bool waybill_zstd_compresses(void);

#endif

#endif
