#if os(Linux)
    import Foundation

    /// Undoes the content codings of a body, piece by piece.
    ///
    /// Feed it what arrives, and ask for pieces until there is none; at the end of the body, ``finish()``. It holds what
    /// was fed and not asked for, and a piece for each coding.
    ///
    /// It is stricter than browsers and curl in three ways:
    ///
    /// - A body that ends inside a stream is an error, not a short body.
    /// - All members of a gzip stream (RFC 1952, section 2.2) and all frames of a zstd stream (RFC 8878, section 3) are
    ///   read. Bytes behind the last that begin no other are an error; so are any behind a deflate or br stream.
    /// - A zstd frame may ask for a window of 8 MiB at most (RFC 9659).
    ///
    /// A body of no bytes at all is accepted as empty, whatever the codings: servers send it with `204`, `304`, to
    /// `HEAD`, and where a proxy names a coding for everything.
    final class ContentDecoder {
        /// In the order in which they are undone.
        private let layers: [CodingLayer]
        private var pending: Data?
        private var isEmpty = true
        private let limit: Int
        /// How many bytes may still go through where there is no coding; a layer counts its own.
        private var left: Int

        /// Begins with a body.
        ///
        /// - Parameters:
        ///   - codings: in the order in which they were applied, as `Content-Encoding` has them. With none, the bytes
        ///     come out as they went in.
        ///   - limit: the most bytes that may come out of the last coding. Between two codings twice as many may be
        ///     on their way.
        /// - Throws: ``TransportError`` where the library for a coding is not here, or no memory.
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

        /// The next bytes, never none, and 64 KiB at most where there is a coding; nil when more must be fed first.
        ///
        /// - Throws: ``TransportError``: ``TransportError/Kind/invalidResponse`` where the body is damaged,
        ///   ``TransportError/Kind/bodyTooLarge`` before there are more bytes than the limit,
        ///   ``TransportError/Kind/cancelled`` where the task is. It must not be called again after that.
        func next() throws(TransportError) -> Data? {
            let piece = try piece(through: layers.count)
            guard layers.isEmpty, let piece else { return piece }
            guard piece.count <= left else { throw .bodyTooLarge(limit: limit) }
            left -= piece.count
            return piece
        }

        /// Checks that the body may end here; to be called when ``next()`` has returned nil.
        ///
        /// - Throws: ``TransportError`` of kind ``TransportError/Kind/connectionLost`` where it may not.
        func finish() throws(TransportError) {
            guard !isEmpty else { return }
            for layer in layers where !layer.isAtEnd { throw layer.truncation }
        }

        /// What comes out of the first so many layers.
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
                // Gigabytes of empty members give nothing that anybody could stop at.
                if count > 1, Task.isCancelled { throw TransportError(.cancelled) }
            }
        }
    }

    extension ContentDecoder {
        /// Undoes the codings of a body that is all there.
        ///
        /// - Parameters:
        ///   - codings: in the order in which they were applied.
        ///   - limit: the most bytes to accept.
        /// - Throws: what ``next()`` and ``finish()`` do.
        static func decode(
            whole body: Data,
            codings: [ContentCoding],
            limit: Int = .max
        ) throws(TransportError) -> Data {
            guard !body.isEmpty else { return body }
            let decoder = try ContentDecoder(codings, limit: limit)
            decoder.feed(body)
            var decoded = Data()
            while let piece = try decoder.next() {
                // The first piece is mostly the whole body: taken as it is, it is not copied.
                if decoded.isEmpty { decoded = piece } else { decoded.append(piece) }
            }
            try decoder.finish()
            return decoded
        }
    }
#endif
