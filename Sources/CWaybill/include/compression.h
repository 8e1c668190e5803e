#ifndef CWAYBILL_COMPRESSION_H
#define CWAYBILL_COMPRESSION_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The content codings that can be undone here (RFC 9110, section 8.4.1).
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// RFC 1952; several members one after the other are one stream.
    CWaybillCodingGzip = 0,
    /// RFC 1950, and RFC 1951 without it: servers send both by this name.
    CWaybillCodingDeflate = 1,
    /// RFC 7932.
    CWaybillCodingBrotli = 2,
    /// RFC 8878; several frames one after the other are one stream, skippable ones give nothing.
    CWaybillCodingZstd = 3,
} CWaybillCoding;

/// Where a stream is after a step.
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// It goes on.
    CWaybillDecodingGoesOn = 0,
    /// It may end here: every byte so far belongs to something complete.
    CWaybillDecodingAtEnd = 1,
    /// It is damaged, or there was no memory for it; nothing more can be asked of it.
    CWaybillDecodingFailed = 2,
} CWaybillDecodingStatus;

/// Undoes one content coding; to be used by one thread at a time.
typedef struct cwaybill_decoder cwaybill_decoder;

/// Whether the library that undoes a coding is there. Loads it, once; safe to call from any thread.
bool cwaybill_decoder_is_available(CWaybillCoding coding);

/// A decoder at the start of a stream, or null where its library is not there, or no memory.
cwaybill_decoder *_Nullable cwaybill_decoder_create(CWaybillCoding coding);

/// Takes bytes of the stream and gives what they stand for.
///
/// As long as `produced` is `outputLength` there may be more to give, even where all input was consumed. Bytes behind
/// the stream's end that do not begin another member or frame are an error, in every coding.
///
/// - Parameters:
///   - inputLength: how many bytes there are to take; 0 is allowed, and asks for what is left to give.
///   - outputLength: how many bytes there is room for; at least 1.
CWaybillDecodingStatus cwaybill_decoder_decode(
    cwaybill_decoder *_Nonnull decoder,
    const uint8_t *_Nullable input,
    size_t inputLength,
    uint8_t *_Nonnull output,
    size_t outputLength,
    size_t *_Nonnull consumed,
    size_t *_Nonnull produced
);

/// What was wrong, in the library's words; valid as long as the decoder, and only where it has failed.
const char *_Nonnull cwaybill_decoder_message(const cwaybill_decoder *_Nonnull decoder);

/// Frees a decoder.
void cwaybill_decoder_destroy(cwaybill_decoder *_Nonnull decoder);

#endif

#endif
