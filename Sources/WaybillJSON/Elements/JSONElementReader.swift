import Foundation

/// Decodes the elements of an array one by one, while the document that has it arrives.
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
/// Bytes go in, elements come out; where the bytes come from is not its business. An element is handed out as soon as
/// it is complete, long before the document ends. What is held in memory is the element that is being read, the chunks
/// that were appended and not yet read, and the metadata that was asked for. Everything else is checked and dropped: the
/// document is accepted or refused like by `WaybillJSONDecoder.decode(_:from:at:)`, to its last byte, but the
/// elements before a mistake have been handed out by then.
///
/// Paths and places of errors are those of the whole document: `data.items[17].price (line 1, column 2301)`.
///
/// It takes time linear in the number of bytes, however they are cut, and is a value: a copy goes on by itself.
public struct JSONElementReader<Element: Decodable>: Sendable {
    var parser: ElementParser
    /// Whether all of the document has been appended.
    private var isComplete = false

    init(_ decoder: WaybillJSONDecoder, at path: [EnvelopeKey], keeping metadata: [[EnvelopeKey]]) {
        parser = ElementParser(decoder.strategies, at: path, keeping: metadata)
    }

    init(_ decoder: WaybillJSONDecoder, from data: Data, at path: [EnvelopeKey], keeping metadata: [[EnvelopeKey]]) {
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

    /// Takes the next bytes of the document; they are read when ``next()`` or ``finish()`` is called.
    ///
    /// Chunks may be cut anywhere, within a character as well. They are in UTF-8, with or without a byte order mark;
    /// UTF-16 and UTF-32 are refused, because they cannot be told from the first byte.
    public mutating func append(_ chunk: Data) { parser.waiting.append(chunk) }

    /// Takes the next bytes of the document; they are copied.
    public mutating func append(_ chunk: some Sequence<UInt8>) {
        if let chunk = chunk as? Data { parser.waiting.append(chunk) } else { parser.waiting.append(Data(chunk)) }
    }

    /// The next element; nil where the bytes that were appended have no other one.
    ///
    /// All of them have been read and checked when it returns nil. Where the document was given as a whole, nil means
    /// that it has been checked to its end.
    ///
    /// - Throws: `DecodingError`, with a ``JSONDiagnosis`` as its underlying error; and whatever an element throws that
    ///   decodes itself. Behind an element that cannot be decoded the next call goes on; any other error comes again.
    public mutating func next() throws -> Element? {
        var element: Element?
        switch try parser.next(Element.self, into: &element) {
        case .element: return element
        case .failure(let failure): throw failure.error
        case .nothing:
            if isComplete { try parser.finish() }
            return nil
        }
    }

    /// The next element, or why it cannot be decoded; nil where the bytes that were appended have no other one.
    ///
    /// This is for documents of which one bad element should not spoil the rest:
    ///
    /// ```swift
    /// while let result = try products.nextResult() {
    ///     switch result {
    ///     case .success(let product): show(product)
    ///     case .failure(let failure): log("left out: \(failure)")
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `DecodingError` where the document is not JSON, is nested too deep or has no array at the path. Nothing
    ///   is read behind such an error, and it comes again.
    public mutating func nextResult() throws -> Result<Element, DroppedItem>? {
        var element: Element?
        switch try parser.next(Element.self, into: &element) {
        case .element: return element.map { .success($0) }
        case .failure(let failure): return .failure(failure)
        case .nothing:
            if isComplete { try parser.finish() }
            return nil
        }
    }

    /// Checks that the document is complete, once all of it has been appended.
    ///
    /// What was appended and not yet read is checked, too, and its elements are passed over. So one can stop in the middle
    /// and still be sure of the rest.
    ///
    /// - Throws: `DecodingError` where the document is cut, or is not JSON.
    public mutating func finish() throws { try parser.finish() }

    /// Decodes a value beside the array, or before or after it.
    ///
    /// It must have been named in `keeping` when the reader was made, or lie within such a value. It can be read as soon as
    /// the bytes have come that it has, and as often as needed.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The way from the top of the document to the value.
    /// - Throws: `DecodingError`; `.keyNotFound` and `.valueNotFound` where the path leads nowhere, or did so far.
    public func metadata<Value: Decodable>(_ type: Value.Type, at path: EnvelopeKey...) throws -> Value {
        try parser.decodeMetadata(type, at: path)
    }

    /// Decodes a value beside the array, by a path that is known only when the program runs.
    public func metadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
        try parser.decodeMetadata(type, at: path)
    }
}
