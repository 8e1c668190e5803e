import WaybillSystem

extension WaybillJSONDecoder {
    /// A reader that decodes the elements of an array one by one, while its document arrives.
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
    /// Bytes go in, elements come out, from any source of bytes. An element is returned as soon as it is complete, long
    /// before the document ends. Memory holds the present element, the chunks that were appended and not yet read, and
    /// the requested metadata. Everything else is checked and dropped: the document is accepted or rejected like by
    /// `WaybillJSONDecoder.decode(_:from:at:)`, to its last byte, but the elements before the error have been returned
    /// by then.
    ///
    /// Paths and locations of errors are those of the whole document: `data.items[17].price (line 1, column 2301)`.
    ///
    /// It takes time linear in the number of bytes, in chunks of any size, and is a value: a copy continues on its own.
    /// It does not limit the size of an element; the streams of Waybill do, by `BodyLimits`.
    public struct ElementReader<Element: Decodable>: Sendable {
        var parser: ElementParser
        /// Whether all of the document has been appended.
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

        /// Creates a reader of the texts of a sequence, the first of which has an index.
        ///
        /// - Parameters:
        ///   - decoder: the decoder.
        ///   - sequence: the form of the sequence.
        ///   - index: the index of the first text.
        ///   - passesBrokenTexts: whether a text that is not JSON is the error of an element, after which
        ///     ``nextResult()`` continues at the next separator. A last text that is cut is an error in any case.
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

        /// Ends a sequence: a number in its last bytes is complete.
        package mutating func endSequence() {
            guard let sequence = parser.validator.sequence, sequence != .textSequence else { return }
            parser.waiting.append(Data([UInt8(ascii: "\n")]))
        }

        /// Limits the number of bytes of an element; one with more ends the reading by ``ElementTooLarge``.
        package mutating func limitElements(to limit: Int) { parser.elementLimit = limit }

        /// Keeps the document without its elements, up to a number of bytes.
        package mutating func keepOutline(upTo limit: Int) { parser.outline = ElementOutline(limit: limit) }

        /// The document without its elements, as far as it has been read; nil if it is not kept, or is too long.
        package var outline: Data? { parser.closedOutline }

        /// Whether the document without its elements is longer than the limit.
        package var isOutlineTruncated: Bool { parser.outline?.isTruncated ?? false }

        /// Whether an element can be the next value.
        package var isWithinElements: Bool { parser.validator.sequence != nil || parser.isWithinElements }

        /// Appends the next bytes of the document; they are read when ``next()`` or ``finish()`` is called.
        ///
        /// Chunks may be cut anywhere, within a character as well. They are in UTF-8, with or without a byte order
        /// mark; UTF-16 and UTF-32 are rejected, because the first byte does not tell them apart.
        ///
        /// - Parameter chunk: the next bytes in UTF-8; an empty chunk changes nothing.
        public mutating func append(_ chunk: Data) { parser.waiting.append(chunk) }

        /// Appends the next bytes of the document; they are copied.
        ///
        /// - Parameter chunk: the next bytes in UTF-8; an empty chunk changes nothing.
        public mutating func append(_ chunk: some Sequence<UInt8>) {
            if let chunk = chunk as? Data { parser.waiting.append(chunk) } else { parser.waiting.append(Data(chunk)) }
        }

        /// Returns the next element; nil if the appended bytes have no other one.
        ///
        /// All of them have been read and checked when it returns nil. If the document was given as a whole, nil means
        /// that it has been checked to its end.
        ///
        /// - Throws: `DecodingError`, with a ``JSONDiagnosis`` as its underlying error; and the errors of elements that
        ///   decode themselves. After an element that cannot be decoded, the next call continues; it throws any other
        ///   error again.
        public mutating func next() throws -> Element? {
            switch try nextResult() {
            case .success(let element): return element
            case .failure(let failure): throw failure.error
            case nil: return nil
            }
        }

        /// Returns the next element, or the error of one that cannot be decoded; nil if the appended bytes have no
        /// other one.
        ///
        /// This is for documents of which one bad element should not spoil the rest:
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
        /// - Throws: `DecodingError` if the document is not JSON, is nested too deep or has no array at the path.
        ///   Nothing is read after such an error, and the next call throws it again.
        public mutating func nextResult() throws -> Result<Element, DroppedItem>? {
            var element: Element?
            if let failure = try parser.read(Element.self, upTo: 0, { element = $0 }) { return .failure(failure) }
            if let element { return .success(element) }
            if isComplete { try parser.finish() }
            return nil
        }

        /// The number of bytes whose elements are decoded ahead at most.
        private static var byteCountAhead: Int { 64 * 1024 }

        /// Appends the next elements of the appended bytes to an array; none if there are no others.
        ///
        /// A streamed list of short numbers takes a seventh of the time that it takes with ``nextResult()``.
        ///
        /// - Parameter elements: the array.
        /// - Returns: the failure of the element after them; nil if none has failed.
        /// - Throws: as ``nextResult()``; nothing has been appended then.
        package mutating func nextElements(into elements: inout [Element]) throws -> DroppedItem? {
            let count = elements.count
            let failure = try readAhead(into: &elements)
            if failure == nil, elements.count == count, isComplete { try parser.finish() }
            return failure
        }

        /// Reads with code for one type if there is any: code for all types takes twice as long for short numbers.
        private mutating func readAhead(into elements: inout [Element]) throws -> DroppedItem? {
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
            // An array would look up its own type for each element.
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

        /// Decodes the next elements of the appended bytes as another type.
        ///
        /// - Parameters:
        ///   - type: the type.
        ///   - take: takes each element.
        /// - Returns: the failure of the element after them; nil if none has failed.
        /// - Throws: as ``nextResult()``.
        package mutating func nextElements<Other: Decodable>(
            as type: Other.Type,
            _ take: (Other) -> Void
        ) throws -> DroppedItem? { try parser.read(type, upTo: Self.byteCountAhead, take) }

        /// Checks that the document is complete, once all of it has been appended.
        ///
        /// Bytes that were appended and not yet read are checked, too, and their elements are skipped. So you can stop
        /// in the middle and still be sure of the rest.
        ///
        /// - Throws: `DecodingError` if the document is cut, or is not JSON.
        public mutating func finish() throws { try parser.finish() }

        /// Decodes a value outside the array, before or after it.
        ///
        /// It must have been named in `keeping` when the reader was created, or be within such a value. It can be read
        /// as soon as its bytes have come, and as often as needed.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value.
        /// - Returns: the value.
        /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path, or none so
        ///   far.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
            try parser.decodeMetadata(type, at: path)
        }

        /// Decodes a value outside the array, by a path that is known only when the program runs.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path from the top of the document to the value, which `keeping` has named, or a value
        ///     around it.
        /// - Returns: the value.
        /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` if there is no value at the path, or none so
        ///   far.
        public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
            try parser.decodeMetadata(type, at: path)
        }
    }
}
