#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A decoder of one content coding.
    final class CodingLayer {
        /// The most bytes of a piece.
        static let pieceSize = 64 * 1024

        private let coding: ContentCoding
        private let decoder: OpaquePointer
        private let room = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
        private var status = CWaybillDecodingStatus.goesOn
        private var input = Data()
        private var taken = 0
        private var mayHaveMore = false
        private let limit: Int
        private var left: Int

        /// Creates a decoder at the start of a stream.
        ///
        /// - Parameters:
        ///   - coding: the content coding.
        ///   - limit: the maximum number of decoded bytes.
        /// - Throws: `TransportError` if the library for the coding is missing, or there is no memory.
        init(_ coding: ContentCoding, limit: Int) throws(TransportError) {
            guard let decoder = cwaybill_decoder_create(coding.libraryCoding) else {
                throw TransportError(.other, "no decoder for the content coding \(coding.rawValue) could be made")
            }
            self.coding = coding
            self.decoder = decoder
            self.limit = limit
            left = max(limit, 0)
        }

        deinit {
            cwaybill_decoder_destroy(decoder)
            room.deallocate()
        }

        /// Whether the bytes so far are a complete stream.
        var isAtEnd: Bool { status == .atEnd && taken == input.count }

        /// The error of a body that ends here, if ``isAtEnd`` is false.
        var truncation: TransportError {
            TransportError(.connectionLost, "the \(coding.rawValue) stream of the body ended too early")
        }

        /// Adds bytes of the stream.
        func feed(_ bytes: Data) {
            if taken == input.count {
                input = bytes
            } else {
                input = input.dropFirst(taken) + bytes
            }
            taken = 0
        }

        /// Returns up to ``pieceSize`` decoded bytes, never none; nil if more input is needed.
        ///
        /// - Throws: `TransportError` if the stream is damaged, or the limit is exceeded.
        func next() throws(TransportError) -> Data? {
            while taken < input.count || mayHaveMore {
                // One byte more than is left distinguishes a stream above the limit from one exactly at the limit.
                let capacity = left < Self.pieceSize ? left + 1 : Self.pieceSize
                var consumed = 0
                var produced = 0
                status = input.withUnsafeBytes { bytes in
                    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(taken))
                    let start = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    return cwaybill_decoder_decode(decoder, start, rest.count, room, capacity, &consumed, &produced)
                }
                taken += consumed
                mayHaveMore = produced == capacity
                if taken == input.count {
                    input = Data()
                    taken = 0
                }
                guard status != .failed else { throw damage }
                guard produced <= left else { throw .decompressedBodyTooLarge(limit: limit) }
                left -= produced
                if produced > 0 { return Data(bytes: room, count: produced) }
            }
            return nil
        }

        private var damage: TransportError {
            let reason = String(cString: cwaybill_decoder_message(decoder))
            return TransportError(
                .invalidResponse,
                "the \(coding.rawValue) stream of the body is damaged (\(reason))"
            )
        }
    }
#endif
