#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A decoder of the content codings of a body, piece by piece.
    ///
    /// Feed it the bytes that arrive, and read pieces until it has no more; at the end of the body, call ``finish()``.
    /// It holds the bytes that are not decoded yet, and a piece for each coding.
    ///
    /// It is stricter than browsers and curl in three ways:
    ///
    /// - A body that ends inside a stream is an error, not a short body.
    /// - All members of a gzip stream (RFC 1952, section 2.2) and all frames of a zstd stream (RFC 8878, section 3) are
    ///   read. Bytes after the last that begin no other are an error; so are any after a deflate or br stream.
    /// - A zstd frame may use a window of 8 MiB at most (RFC 9659).
    ///
    /// An empty body is accepted, whatever its codings: servers send it with `204`, `304`, in responses to `HEAD`, and
    /// if a proxy declares a coding for everything.
    package final class ContentDecoder {
        /// The decoders in the order in which they are applied.
        private let layers: [CodingLayer]
        private var pending: Data?
        private var isEmpty = true
        private let limit: Int
        /// The number of bytes that may still pass if there is no coding; each layer counts its own.
        private var left: Int

        /// Creates a decoder for a body.
        ///
        /// - Parameters:
        ///   - codings: the codings in the order in which they were applied, as in `Content-Encoding`. Without any, the
        ///     bytes stay as they are.
        ///   - limit: the most bytes that the last coding may return. Between two codings the limit is twice as high.
        /// - Throws: `TransportError` if the library for a coding is missing, or there is no memory.
        init(_ codings: [ContentCoding], limit: Int = .max) throws(TransportError) {
            let between = limit < Int.max / 4 ? max(limit, 0) * 2 + CodingLayer.pieceSize : .max
            var layers: [CodingLayer] = []
            for (index, coding) in codings.enumerated().reversed() {
                layers.append(try CodingLayer(coding, limit: index == 0 ? limit : between))
            }
            self.layers = layers
            self.limit = limit
            left = max(limit, 0)
        }

        /// Adds bytes of the body.
        func feed(_ bytes: Data) {
            guard !bytes.isEmpty else { return }
            isEmpty = false
            if pending == nil { pending = bytes } else { pending?.append(bytes) }
        }

        /// Returns the next bytes, never none, and 64 KiB at most if there is a coding; nil if more input is needed.
        ///
        /// - Throws: `TransportError`: `TransportError.Kind.invalidResponse` if the body is damaged,
        ///   `TransportError.Kind.bodyTooLarge` before the limit is exceeded, `TransportError.Kind.cancelled` if the
        ///   task is cancelled. It must not be called again after that.
        func next() throws(TransportError) -> Data? {
            let piece = try piece(through: layers.count)
            guard layers.isEmpty, let piece else { return piece }
            guard piece.count <= left else { throw .bodyTooLarge(limit: limit) }
            left -= piece.count
            return piece
        }

        /// Checks that the body may end here, after ``next()`` has returned nil.
        ///
        /// - Throws: `TransportError` of kind `TransportError.Kind.connectionLost` if it is incomplete.
        func finish() throws(TransportError) {
            guard !isEmpty else { return }
            for layer in layers where !layer.isAtEnd { throw layer.truncation }
        }

        /// Returns the next piece after a number of layers; nil if more input is needed.
        private func piece(through count: Int) throws(TransportError) -> Data? {
            guard count > 0 else {
                defer { pending = nil }
                return pending
            }
            let layer = layers[count - 1]
            while true {
                if let piece = try layer.next() { return piece }
                guard let input = try piece(through: count - 1) else { return nil }
                layer.feed(input)
                // Gigabytes of empty members return no piece between which a cancellation could be noticed.
                if count > 1, Task.isCancelled { throw TransportError(.cancelled) }
            }
        }
    }

    extension ContentDecoder {
        /// Decodes a complete body.
        ///
        /// - Parameters:
        ///   - body: the body.
        ///   - codings: the codings in the order in which they were applied.
        ///   - limit: the maximum number of decoded bytes.
        /// - Returns: the decoded body.
        /// - Throws: the errors of ``next()`` and ``finish()``.
        package static func decode(
            whole body: Data,
            codings: [ContentCoding],
            limit: Int = .max
        ) throws(TransportError) -> Data {
            guard !body.isEmpty else { return body }
            let decoder = try ContentDecoder(codings, limit: limit)
            decoder.feed(body)
            var decoded = Data()
            while let piece = try decoder.next() {
                // Most often the first piece is the whole body: taken as it is, it is not copied.
                if decoded.isEmpty { decoded = piece } else { decoded.append(piece) }
            }
            try decoder.finish()
            return decoded
        }
    }

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
