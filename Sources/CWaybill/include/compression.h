#ifndef CWAYBILL_COMPRESSION_H
#define CWAYBILL_COMPRESSION_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The content codings that can be decoded (RFC 9110, section 8.4.1).
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// RFC 1952; several consecutive members are one stream.
    CWaybillCodingGzip = 0,
    /// RFC 1950, or RFC 1951 alone: servers send both by this name.
    CWaybillCodingDeflate = 1,
    /// RFC 7932.
    CWaybillCodingBrotli = 2,
    /// RFC 8878; several consecutive frames are one stream, and skippable ones have no output.
    CWaybillCodingZstd = 3,
} CWaybillCoding;

/// The state of a stream after a step.
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// The stream continues.
    CWaybillDecodingGoesOn = 0,
    /// The stream may end here: every byte so far belongs to a complete member or frame.
    CWaybillDecodingAtEnd = 1,
    /// The stream is damaged, or there was no memory for it; the decoder must not be used again.
    CWaybillDecodingFailed = 2,
} CWaybillDecodingStatus;

/// A decoder of one content coding, for one thread at a time.
typedef struct cwaybill_decoder cwaybill_decoder;

/// Whether the library of a coding is installed. Loads it once; safe to call from any thread.
bool cwaybill_decoder_is_available(CWaybillCoding coding);

/// Creates a decoder at the start of a stream; null if its library is missing, or there is no memory.
cwaybill_decoder *_Nullable cwaybill_decoder_create(CWaybillCoding coding);

/// Decodes bytes of the stream.
///
/// If `produced` is `outputLength`, there may be more output, even if all input was consumed. In every coding, bytes
/// after the stream's end that do not begin another member or frame are an error.
///
/// - Parameters:
///   - decoder: the decoder.
///   - input: the encoded bytes.
///   - inputLength: the number of encoded bytes; 0 is allowed, and returns the remaining output.
///   - output: the memory for decoded bytes.
///   - outputLength: the size of that memory in bytes; at least 1.
///   - consumed: receives the number of encoded bytes that were read.
///   - produced: receives the number of decoded bytes that were written.
/// - Returns: the state of the stream.
CWaybillDecodingStatus cwaybill_decoder_decode(
    cwaybill_decoder *_Nonnull decoder,
    const uint8_t *_Nullable input,
    size_t inputLength,
    uint8_t *_Nonnull output,
    size_t outputLength,
    size_t *_Nonnull consumed,
    size_t *_Nonnull produced
);

/// Returns the library's description of the error; valid as long as the decoder, and only after a failure.
const char *_Nonnull cwaybill_decoder_message(const cwaybill_decoder *_Nonnull decoder);

/// Frees a decoder.
void cwaybill_decoder_destroy(cwaybill_decoder *_Nonnull decoder);

/// An encoder of one content coding, for one thread at a time.
typedef struct waybill_encoder waybill_encoder;

/// Creates an encoder at the start of a stream; null for brotli, if its library is missing, or if there is no memory.
waybill_encoder *_Nullable waybill_encoder_create(CWaybillCoding coding);

/// Encodes bytes of the stream.
///
/// - Parameters:
///   - encoder: the encoder.
///   - input: the bytes.
///   - inputLength: the number of bytes; 0 is allowed.
///   - isLast: whether the stream ends with them.
///   - output: the memory for encoded bytes.
///   - outputLength: the size of that memory in bytes; at least 1.
///   - consumed: receives the number of bytes that were read.
///   - produced: receives the number of encoded bytes that were written.
/// - Returns: 0 if all input is consumed, and all output written if it was the last; 1 if it has to be called again
///   with the rest; -1 if there was no memory.
int waybill_encoder_encode(
    waybill_encoder *_Nonnull encoder,
    const uint8_t *_Nullable input,
    size_t inputLength,
    bool isLast,
    uint8_t *_Nullable output,
    size_t outputLength,
    size_t *_Nonnull consumed,
    size_t *_Nonnull produced
);

/// Frees an encoder.
void waybill_encoder_destroy(waybill_encoder *_Nonnull encoder);

#endif

#endif
