import WaybillSystem

extension WaybillJSONDecoder {
    /// A reader that decodes the elements of an array one by one while the document arrives.
    ///
    /// ```swift
    /// var products = WaybillJSONDecoder().elements(Product.self, at: "data", "items", keeping: [["meta"]])
    /// for chunk in chunks {
    ///     products.append(chunk)
    ///     while let product = try products.next() { show(product) }
    /// }
    /// try products.finish()
    /// let meta = try products.metadata(Meta.self, at: "meta")
    /// ```
    ///
    /// The reader accepts bytes from any source, and returns each element as soon as it is complete, long before the
    /// document ends. It retains only the current element, unread chunks, and the requested metadata. The rest of the
    /// document is validated and discarded. Documents are accepted or rejected exactly as by
    /// `WaybillJSONDecoder.decode(_:from:at:)`, but elements before an error are returned first.
    ///
    /// The paths and locations of errors refer to the whole document, such as `data.items[17].price (line 1, column
    /// 2301)`.
    ///
    /// Decoding takes time linear in the number of bytes, regardless of the size of the chunks. The reader is a value
    /// type: a copy continues independently. It does not limit the size of an element; Waybill's streams use
    /// `BodyLimits` to do so.
    public struct ElementReader<Element: Decodable>: Sendable {
        var parser: ElementParser
        /// Whether the whole document has been appended.
        private var isComplete = false

        init(_ decoder: WaybillJSONDecoder, at path: [EnvelopeKey], keeping metadata: [[EnvelopeKey]]) {
            parser = ElementParser(decoder.strategies, at: path, keeping: metadata)
        }

        init(_ decoder: WaybillJSONDecoder, from data: Data, at path: [EnvelopeKey], keeping metadata: [[EnvelopeKey]])
        {
            self.init(decoder, at: path, keeping: metadata)
            isComplete = true
            do {
                let document = try DocumentReader.utf8(of: data)
                parser.document = document
                parser.waiting.append(document)
            } catch {
                parser.failure = parser.failure ?? error
            }
        }

        /// Creates a reader for a sequence of JSON texts.
        ///
        /// - Parameters:
        ///   - decoder: the decoder.
        ///   - sequence: the form of the sequence.
        ///   - index: the index of the first text.
        ///   - passesBrokenTexts: whether to report an invalid text as the error of an element and continue
        ///     ``nextResult()`` at the next separator. A truncated last text is always an error.
        package init(
            _ decoder: WaybillJSONDecoder,
            sequence: JSONSequenceForm,
            from index: Int = 0,
            passesBrokenTexts: Bool = false
        ) {
            self.init(decoder, at: [], keeping: [])
            parser.passesBrokenTexts = passesBrokenTexts
            parser.elementIndex = index
            parser.validator.sequence = sequence
        }

        /// Ends a sequence, which completes any number at its end.
        package mutating func endSequence() {
            guard let sequence = parser.validator.sequence, sequence != .textSequence else { return }
            parser.waiting.append(Data([UInt8(ascii: "\n")]))
        }

        /// Limits the size of an element in bytes; reading a larger element throws ``ElementTooLarge``.
        package mutating func limitElements(to limit: Int) { parser.elementLimit = limit }

        /// Retains the document without its elements, up to a maximum number of bytes.
        package mutating func keepOutline(upTo limit: Int) { parser.outline = ElementOutline(limit: limit) }

        /// The part of the document read so far, without its elements; nil if it is not retained or exceeds its limit.
        package var outline: Data? { parser.closedOutline }

        /// Whether the document without its elements exceeds its limit.
        package var isOutlineTruncated: Bool { parser.outline?.isTruncated ?? false }

        /// Whether the next value can be an element.
        package var isWithinElements: Bool { parser.validator.sequence != nil || parser.isWithinElements }

        /// Appends the next bytes of the document, to be read by ``next()`` and ``finish()``.
        ///
        /// Chunks can be split anywhere, even within a character. The document must be UTF-8, with or without a byte
        /// order mark. UTF-16 and UTF-32 are rejected, because they cannot be identified from the first byte alone.
        ///
        /// - Parameter chunk: the next bytes in UTF-8; an empty chunk has no effect.
        public mutating func append(_ chunk: Data) { parser.waiting.append(chunk) }

        /// Appends a copy of the next bytes of the document.
        ///
        /// - Parameter chunk: the next bytes in UTF-8; an empty chunk has no effect.
        public mutating func append(_ chunk: some Sequence<UInt8>) {
            if let chunk = chunk as? Data { parser.waiting.append(chunk) } else { parser.waiting.append(Data(chunk)) }
        }

        /// Returns the next element; nil if the appended bytes contain no further element.
        ///
        /// A result of nil means that all appended bytes are valid. For a reader created with a whole document, this
        /// includes the end of the document.
        ///
        /// - Returns: the next element; nil if the appended bytes contain no further element.
        /// - Throws: `DecodingError`, with a ``WaybillJSONDecoder/Diagnosis`` as its underlying error, or any error
        ///   thrown by an element's `init(from:)`. After an element that cannot be decoded, the next call continues
        ///   with the following one; any other error is thrown again.
        public mutating func next() throws -> Element? {
            switch try nextResult() {
            case .success(let element): return element
            case .failure(let failure): throw failure.error
            case nil: return nil
            }
        }

        /// Returns the next element, or its error if it cannot be decoded.
        ///
        /// Use this method if one invalid element should not prevent decoding of the others:
        ///
        /// ```swift
        /// var products = decoder.elements(Product.self, from: data, at: "data", "items")
        /// while let result = try products.nextResult() {
        ///     switch result {
        ///     case .success(let product): show(product)
        ///     case .failure(let failure): log("left out: \(failure)")
        ///     }
        /// }
        /// ```
        ///
        /// - Returns: the next element or its error; nil if the appended bytes contain no further element.
        /// - Throws: `DecodingError` if the document is not JSON, is nested too deeply or has no array at the path.
        ///   Nothing is read after such an error, and the next call throws it again.
        public mutating func nextResult() throws -> Result<Element, WaybillJSONDecoder.DroppedItem>? {
            var element: Element?
            if let failure = try parser.read(Element.self, upTo: 0, { element = $0 }) { return .failure(failure) }
            if let element { return .success(element) }
            if isComplete { try parser.finish() }
            return nil
        }

        /// The maximum number of bytes to decode ahead.
        private static var byteCountAhead: Int { 64 * 1024 }

        /// Decodes the next elements of the appended bytes, and appends them to an array.
        ///
        /// Streaming a list of short numbers this way takes a seventh of the time of ``nextResult()``.
        ///
        /// - Parameter elements: the array; it is unchanged if the bytes contain no further elements.
        /// - Returns: the failure of the element after the decoded ones; nil if no element failed.
        /// - Throws: the errors of ``nextResult()``; the array is then unchanged.
        package mutating func nextElements(into elements: inout [Element]) throws -> WaybillJSONDecoder.DroppedItem? {
            let count = elements.count
            let failure = try readAhead(into: &elements)
            if failure == nil, elements.count == count, isComplete { try parser.finish() }
            return failure
        }

        /// Decodes elements ahead, with specialized code for numbers: for short numbers, generic code takes twice as
        /// long.
        private mutating func readAhead(into elements: inout [Element]) throws -> WaybillJSONDecoder.DroppedItem? {
            if Element.self == Int.self {
                let (all, failure) = try parser.readIntegers(upTo: Self.byteCountAhead)
                if let all = all as? [Element] { elements += all }
                return failure
            }
            if Element.self == Double.self {
                let (all, failure) = try parser.readNumbers(upTo: Self.byteCountAhead)
                if let all = all as? [Element] { elements += all }
                return failure
            }
            // Appending each element directly to the array would look up its type every time.
            let capacity = 64
            let buffer = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            var count = 0
            defer {
                buffer.deinitialize(count: count)
                buffer.deallocate()
            }
            let failure = try parser.read(Element.self, upTo: Self.byteCountAhead) {
                (buffer + count).initialize(to: $0)
                count += 1
                guard count == capacity else { return }
                elements += UnsafeMutableBufferPointer(start: buffer, count: count)
                buffer.deinitialize(count: count)
                count = 0
            }
            elements += UnsafeMutableBufferPointer(start: buffer, count: count)
            return failure
        }

        /// Decodes the next elements of the appended bytes as the given type.
        ///
        /// - Parameters:
        ///   - type: the type of the elements.
        ///   - take: a closure that receives each element.
        /// - Returns: the failure of the element after the decoded ones; nil if no element failed.
        /// - Throws: the errors of ``nextResult()``.
        package mutating func nextElements<Other: Decodable>(
            as type: Other.Type,
            _ take: (Other) -> Void
        ) throws -> WaybillJSONDecoder.DroppedItem? { try parser.read(type, upTo: Self.byteCountAhead, take) }

        /// Checks that the document is complete; call this after appending all of it.
        ///
        /// Unread bytes are also validated, and their elements are skipped. You can therefore stop reading early and
        /// still validate the rest.
        ///
        /// - Throws: `DecodingError` if the document is truncated or not JSON.
        public mutating func finish() throws { try parser.finish() }

        /// Decodes a value that precedes or follows the array.
        ///
        /// The path to the value, or to one that contains it, must have been passed as `keeping` when the reader was
        /// created. The value can be decoded any number of times, as soon as its bytes have been read.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value.
        /// - Returns: the value.
        /// - Throws: `DecodingError`: `.keyNotFound` or `.valueNotFound` if the bytes read so far contain no value at
        ///   the path; `.dataCorrupted` if `keeping` does not include the value or its bytes are incomplete.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
            try parser.decodeMetadata(type, at: path)
        }

        /// Decodes a value outside the array, at a path determined at run time.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the root of the document to the value. `keeping` must have included this path, or
        ///     the path to a value that contains it.
        /// - Returns: the value.
        /// - Throws: `DecodingError`: `.keyNotFound` or `.valueNotFound` if the bytes read so far contain no value at
        ///   the path; `.dataCorrupted` if `keeping` does not include the value or its bytes are incomplete.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
            try parser.decodeMetadata(type, at: path)
        }
    }
}
