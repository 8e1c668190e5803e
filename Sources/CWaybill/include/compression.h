#ifndef CWAYBILL_COMPRESSION_H
#define CWAYBILL_COMPRESSION_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The supported content codings (RFC 9110, section 8.4.1).
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// RFC 1952; consecutive members form one stream.
    CWaybillCodingGzip = 0,
    /// RFC 1950, or bare RFC 1951, which some servers send under the same name.
    CWaybillCodingDeflate = 1,
    /// RFC 7932.
    CWaybillCodingBrotli = 2,
    /// RFC 8878; consecutive frames form one stream, and skippable frames produce no output.
    CWaybillCodingZstd = 3,
} CWaybillCoding;

/// The state of a stream after a step.
typedef enum __attribute__((enum_extensibility(closed))) : int {
    /// The stream is incomplete.
    CWaybillDecodingInProgress = 0,
    /// The stream can end here: all bytes so far belong to complete members or frames.
    CWaybillDecodingAtEnd = 1,
    /// The stream is damaged, or memory could not be allocated; the decoder must not be used again.
    CWaybillDecodingFailed = 2,
} CWaybillDecodingStatus;

/// A decoder of one content coding, used by one thread at a time.
typedef struct cwaybill_decoder cwaybill_decoder;

/// Whether the library for a coding is installed; the first call loads it. Safe to call from any thread.
bool cwaybill_decoder_is_available(CWaybillCoding coding);

/// Creates a decoder at the start of a stream; returns null if its library is missing or memory cannot be allocated.
cwaybill_decoder *_Nullable cwaybill_decoder_create(CWaybillCoding coding);

/// Decodes bytes of the stream.
///
/// If `produced` equals `outputLength`, more output may be available, even if all input was consumed. Trailing bytes
/// that do not start another member or frame are an error for every coding.
///
/// - Parameters:
///   - decoder: the decoder.
///   - input: the encoded bytes.
///   - inputLength: the number of encoded bytes; 0 to get only the remaining output.
///   - output: the memory for decoded bytes.
///   - outputLength: the size of `output`, in bytes; at least 1.
///   - consumed: receives the number of encoded bytes read.
///   - produced: receives the number of decoded bytes written.
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

/// Returns the library's description of the error, which is valid until the decoder is destroyed; empty unless decoding
/// has failed.
const char *_Nonnull cwaybill_decoder_message(const cwaybill_decoder *_Nonnull decoder);

/// Frees a decoder.
void cwaybill_decoder_destroy(cwaybill_decoder *_Nonnull decoder);

/// An encoder of one content coding, used by one thread at a time.
typedef struct waybill_encoder waybill_encoder;

/// Creates an encoder at the start of a stream; returns null for brotli, if its library is missing, or if memory cannot
/// be allocated.
waybill_encoder *_Nullable waybill_encoder_create(CWaybillCoding coding);

/// Encodes bytes of the stream.
///
/// - Parameters:
///   - encoder: the encoder.
///   - input: the bytes.
///   - inputLength: the number of bytes; 0 is allowed.
///   - isLast: whether the stream ends after these bytes.
///   - output: the memory for encoded bytes.
///   - outputLength: the size of `output`, in bytes; at least 1.
///   - consumed: receives the number of bytes read.
///   - produced: receives the number of encoded bytes written.
/// - Returns: 0 if all input has been consumed and, for the last input, all output has been written; 1 if the function
///   must be called again with the remaining input; -1 if encoding failed.
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
