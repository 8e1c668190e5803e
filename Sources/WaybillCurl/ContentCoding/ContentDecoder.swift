#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// An incremental decoder of a body's content codings.
    ///
    /// Feed it bytes as they arrive, and call ``next()`` until it returns nil; at the end of the body, call
    /// ``finish()``. It buffers the undecoded bytes, and one piece for each coding.
    ///
    /// The decoder is stricter than browsers and curl:
    ///
    /// - A body that ends inside a stream is an error, not a short body.
    /// - All members of a gzip stream (RFC 1952, section 2.2) and all frames of a zstd stream (RFC 8878, section 3) are
    ///   decoded. Trailing bytes that do not start another member or frame are an error, as are any bytes after a
    ///   deflate or br stream.
    /// - The window of a zstd frame is limited to 8 MiB (RFC 9659).
    ///
    /// An empty body is accepted regardless of its codings: responses to `HEAD` and those with status 204 or 304 have
    /// one, and some proxies declare a coding for every response.
    package final class ContentDecoder {
        /// The decoders, in decoding order.
        private let layers: [CodingLayer]
        private var pending: Data?
        private var isEmpty = true
        private let limit: Int
        /// The number of bytes until the limit if there is no coding; otherwise, each layer counts its bytes.
        private var remaining: Int

        /// Creates a decoder for a body.
        ///
        /// - Parameters:
        ///   - codings: the codings in the order in which they were applied, as in `Content-Encoding`; if empty, the
        ///     bytes stay unchanged.
        ///   - limit: the maximum number of decoded bytes; between two codings, the limit is twice as high.
        /// - Throws: `TransportError` if the library for a coding is missing or memory cannot be allocated.
        init(_ codings: [ContentCoding], limit: Int = .max) throws(TransportError) {
            let between = limit < Int.max / 4 ? max(limit, 0) * 2 + CodingLayer.pieceSize : .max
            var layers: [CodingLayer] = []
            for (index, coding) in codings.enumerated().reversed() {
                layers.append(try CodingLayer(coding, limit: index == 0 ? limit : between))
            }
            self.layers = layers
            self.limit = limit
            remaining = max(limit, 0)
        }

        /// Adds encoded bytes of the body.
        func feed(_ bytes: Data) {
            guard !bytes.isEmpty else { return }
            isEmpty = false
            if pending == nil { pending = bytes } else { pending?.append(bytes) }
        }

        /// Returns the next decoded bytes, never empty, and at most 64 KiB if there is a coding; nil if more input is
        /// needed.
        ///
        /// - Throws: `TransportError`, after which it must not be called again: `TransportError.Kind.invalidResponse`
        ///   if the body is damaged, `TransportError.Kind.bodyTooLarge` if the limit would be exceeded, or
        ///   `TransportError.Kind.cancelled` if the task is cancelled.
        func next() throws(TransportError) -> Data? {
            let piece = try piece(through: layers.count)
            guard layers.isEmpty, let piece else { return piece }
            guard piece.count <= remaining else { throw .bodyTooLarge(limit: limit) }
            remaining -= piece.count
            return piece
        }

        /// Checks that the body is complete; call it after ``next()`` has returned nil.
        ///
        /// - Throws: `TransportError` of kind `TransportError.Kind.connectionLost` if the body is incomplete.
        func finish() throws(TransportError) {
            guard !isEmpty else { return }
            for layer in layers where !layer.isAtEnd { throw layer.truncation }
        }

        /// Returns the next piece decoded by the first `count` layers; nil if more input is needed.
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
                // Gigabytes of empty members produce no pieces, so cancellation must be checked here.
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
                // Usually the first piece is the whole body, and using it directly avoids a copy.
                if decoded.isEmpty { decoded = piece } else { decoded.append(piece) }
            }
            try decoder.finish()
            return decoded
        }
    }

    /// A decoder of one content coding.
    final class CodingLayer {
        /// The maximum size of a piece, in bytes.
        static let pieceSize = 64 * 1024

        private let coding: ContentCoding
        private let decoder: OpaquePointer
        private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
        private var status = CWaybillDecodingStatus.inProgress
        private var input = Data()
        private var inputOffset = 0
        private var mayHaveMore = false
        private let limit: Int
        private var remaining: Int

        /// Creates a decoder at the start of a stream.
        ///
        /// - Parameters:
        ///   - coding: the content coding.
        ///   - limit: the maximum number of decoded bytes.
        /// - Throws: `TransportError` if the library for the coding is missing or memory cannot be allocated.
        init(_ coding: ContentCoding, limit: Int) throws(TransportError) {
            guard let decoder = cwaybill_decoder_create(coding.libraryCoding) else {
                throw TransportError(.other, "a decoder for the content coding \(coding.rawValue) could not be created")
            }
            self.coding = coding
            self.decoder = decoder
            self.limit = limit
            remaining = max(limit, 0)
        }

        deinit {
            cwaybill_decoder_destroy(decoder)
            buffer.deallocate()
        }

        /// Whether the bytes so far form complete streams.
        var isAtEnd: Bool { status == .atEnd && inputOffset == input.count }

        /// The error for a body that ends while ``isAtEnd`` is false.
        var truncation: TransportError {
            TransportError(.connectionLost, "the \(coding.rawValue) stream of the body ended too early")
        }

        /// Adds encoded bytes of the stream.
        func feed(_ bytes: Data) {
            if inputOffset == input.count {
                input = bytes
            } else {
                input = input.dropFirst(inputOffset) + bytes
            }
            inputOffset = 0
        }

        /// Returns up to ``pieceSize`` decoded bytes, never empty; nil if more input is needed.
        ///
        /// - Throws: `TransportError` if the stream is damaged or the limit is exceeded.
        func next() throws(TransportError) -> Data? {
            while inputOffset < input.count || mayHaveMore {
                // One more byte distinguishes a stream that exceeds the limit from one that reaches it exactly.
                let capacity = remaining < Self.pieceSize ? remaining + 1 : Self.pieceSize
                var consumed = 0
                var produced = 0
                status = input.withUnsafeBytes { bytes in
                    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(inputOffset))
                    let start = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    return cwaybill_decoder_decode(decoder, start, rest.count, buffer, capacity, &consumed, &produced)
                }
                inputOffset += consumed
                mayHaveMore = produced == capacity
                if inputOffset == input.count {
                    input = Data()
                    inputOffset = 0
                }
                guard status != .failed else { throw damage }
                guard produced <= remaining else { throw .decodedBodyTooLarge(limit: limit) }
                remaining -= produced
                if produced > 0 { return Data(bytes: buffer, count: produced) }
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
