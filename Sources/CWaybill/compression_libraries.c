#include "compression_libraries.h"

#if defined(__linux__)

#include "compression.h"

#include <dlfcn.h>
#include <pthread.h>

struct cwaybill_zlib cwaybill_zlib;
struct cwaybill_brotli cwaybill_brotli;
struct cwaybill_zstd cwaybill_zstd;

typedef struct {
    const char *name;
    void *function;
} symbol;

/// Loads a library and looks up its functions; returns false if the library or any function is missing.
///
/// The library stays loaded until the process ends.
static bool load(const char *library, const symbol *symbols, size_t count) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
    for (size_t index = 0; index < count; index++) {
        void *address = dlsym(handle, symbols[index].name);
        if (address == NULL) {
            dlclose(handle);
            return false;
        }
        // ISO C does not convert object pointers to function pointers, but POSIX guarantees equal representations.
        *(void **)symbols[index].function = address;
    }
    return true;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_zlib, has_brotli, has_zstd;

static void load_zlib(void) {
    const symbol symbols[] = {
        {"inflateInit2_", &cwaybill_zlib.inflateInit2_},
        {"inflate", &cwaybill_zlib.inflate},
        {"inflateReset", &cwaybill_zlib.inflateReset},
        {"inflateEnd", &cwaybill_zlib.inflateEnd},
    };
    has_zlib = load("libz.so.1", symbols, COUNT(symbols));
}

static void load_brotli(void) {
    const symbol symbols[] = {
        {"BrotliDecoderCreateInstance", &cwaybill_brotli.create},
        {"BrotliDecoderDecompressStream", &cwaybill_brotli.decompress},
        {"BrotliDecoderGetErrorCode", &cwaybill_brotli.errorCode},
        {"BrotliDecoderErrorString", &cwaybill_brotli.errorString},
        {"BrotliDecoderDestroyInstance", &cwaybill_brotli.destroy},
    };
    has_brotli = load("libbrotlidec.so.1", symbols, COUNT(symbols));
}

static void load_zstd(void) {
    const symbol symbols[] = {
        {"ZSTD_createDCtx", &cwaybill_zstd.create},
        {"ZSTD_DCtx_setParameter", &cwaybill_zstd.setParameter},
        {"ZSTD_decompressStream", &cwaybill_zstd.decompress},
        {"ZSTD_isError", &cwaybill_zstd.isError},
        {"ZSTD_getErrorName", &cwaybill_zstd.errorName},
        {"ZSTD_freeDCtx", &cwaybill_zstd.destroy},
    };
    has_zstd = load("libzstd.so.1", symbols, COUNT(symbols));
}

struct waybill_deflate waybill_deflate;
struct waybill_zstd_encoding waybill_zstd_encoding;

static bool zlib_compresses, zstd_compresses;

static void load_deflate(void) {
    const symbol symbols[] = {
        {"deflateInit2_", &waybill_deflate.deflateInit2_},
        {"deflate", &waybill_deflate.deflate},
        {"deflateEnd", &waybill_deflate.deflateEnd},
    };
    zlib_compresses = load("libz.so.1", symbols, COUNT(symbols));
}

static void load_zstd_encoding(void) {
    const symbol symbols[] = {
        {"ZSTD_createCCtx", &waybill_zstd_encoding.create},
        {"ZSTD_compressStream2", &waybill_zstd_encoding.compress},
        {"ZSTD_isError", &waybill_zstd_encoding.isError},
        {"ZSTD_freeCCtx", &waybill_zstd_encoding.destroy},
    };
    zstd_compresses = load("libzstd.so.1", symbols, COUNT(symbols));
}

bool waybill_zlib_compresses(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_deflate);
    return zlib_compresses;
}

bool waybill_zstd_compresses(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_zstd_encoding);
    return zstd_compresses;
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

#endif
