import Foundation
import Waybill
import WaybillTransfers

extension DecodingBenchmark {
    /// A named decoder to measure in a ``DecodingBenchmark``.
    ///
    /// ```swift
    /// let candidates: [DecodingBenchmark.Candidate<[Product]>] = [
    ///     .decoder(JSONDecoder()),
    ///     .decoder("Waybill", WaybillJSONDecoder()),
    ///     .stream("Waybill, one by one"),
    /// ]
    /// ```
    public struct Candidate<Value: Decodable & Sendable>: Sendable {
        let name: String
        let subject: @Sendable (DecodingTask, Instruments) -> Subject

        /// Returns a candidate that decodes the whole document, named after the decoder's type.
        ///
        /// - Parameter decoder: the decoder, from any library. It is reused across rounds.
        /// - Returns: the candidate.
        public static func decoder(_ decoder: some ResponseDecoder) -> Self {
            .decoder("\(type(of: decoder))", decoder)
        }

        /// Returns a candidate that decodes the whole document.
        ///
        /// - Parameters:
        ///   - name: the name in the report, unique among the document's candidates.
        ///   - decoder: the decoder, from any library. It is reused across rounds.
        /// - Returns: the candidate.
        public static func decoder(_ name: String, _ decoder: some ResponseDecoder) -> Self {
            Self(name) { task, instruments in
                Subject(
                    name,
                    decoding: task.document,
                    with: instruments,
                    by: task.decoding(Value.self, by: name, decoder),
                    result: { ComparedValue($0) }
                )
            }
        }

        /// Returns a candidate for a decoder that is not `Sendable`, such as a stateful class.
        ///
        /// The decoder's type conforms to ``UnsharedDecoder``, usually with an empty extension.
        ///
        /// - Parameters:
        ///   - name: the name in the report, unique among the document's candidates.
        ///   - make: a closure that creates the decoder; called once. The decoder is reused across rounds, by one
        ///     thread at a time.
        /// - Returns: the candidate.
        public static func decoder<Base: UnsharedDecoder>(
            _ name: String,
            made make: @escaping @Sendable () -> Base
        ) -> Self {
            .decoder(name, ExclusiveDecoder(make))
        }

        init(_ name: String, subject: @escaping @Sendable (DecodingTask, Instruments) -> Subject) {
            self.name = name
            self.subject = subject
        }
    }
}

extension DecodingBenchmark {
    /// A decoder that is not required to be `Sendable`, such as a stateful class.
    ///
    /// Most decoders already satisfy the only requirement, so an empty extension is enough.
    public protocol UnsharedDecoder: SendableMetatype {
        /// Decodes a value from bytes.
        ///
        /// - Parameters:
        ///   - type: the type to decode.
        ///   - data: the document.
        /// - Returns: the value.
        /// - Throws: an error if the value cannot be decoded.
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
    }
}

/// A wrapper that limits a decoder to one thread at a time.
///
/// An uncontended lock adds about 20 ns per document.
private final class ExclusiveDecoder<Base: DecodingBenchmark.UnsharedDecoder>: ResponseDecoder {
    private let make: @Sendable () -> Base
    private let made = Locked<Base?>(nil)

    init(_ make: @escaping @Sendable () -> Base) { self.make = make }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try made.withLock { made in
            let decoder = made ?? make()
            made = decoder
            return try decoder.decode(type, from: data)
        }
    }
}

extension DecodingBenchmark.Candidate {
    /// Returns a candidate that reads a list element by element, like an endpoint's `stream()` in an app.
    ///
    /// Each decoding is a complete call through a client with an in-memory transport, which returns the document in
    /// 16 KiB chunks. The call adds about 20 µs, which is noticeable for small documents. Elements are freed one by
    /// one, within the measured time.
    ///
    /// A stream cannot resolve an index from the end of an array. If the envelope contains one,
    /// ``DecodingBenchmark/run(rounds:)`` throws an error.
    ///
    /// - Parameters:
    ///   - name: the name in the report, unique among the document's candidates.
    ///   - decoder: the decoder. Decoders of other types cannot decode part of a document.
    /// - Returns: the candidate.
    @inlinable
    public static func stream<Element>(
        _ name: String = "stream",
        by decoder: WaybillJSONDecoder = WaybillJSONDecoder()
    ) -> Self where Value == [Element] {
        // Inlinable, so that the loop is specialized for the element type, as in an app.
        Self(name, streamingBy: decoder) { elements in
            var count = 0
            for try await _ in elements { count += 1 }
            return count
        }
    }

    @usableFromInline
    init<Element: Decodable & Sendable>(
        _ name: String,
        streamingBy decoder: WaybillJSONDecoder,
        count: @escaping @Sendable (ElementStream<Element>) async throws -> Int
    ) where Value == [Element] {
        self.init(name) { task, instruments in
            // The client is created once, as in an app, and the document is loaded on first use.
            let endpoint = Once { try await task.endpoint([Element].self, by: decoder) }
            @Sendable func reading<Result>(
                _ data: Data,
                _ read: (ElementStream<Element>) async throws -> Result
            ) async throws -> Result {
                do {
                    return try await read(try await endpoint.value.stream())
                } catch {
                    throw task.error(Self.cause(of: error), decoding: Value.self, by: name, decoder, from: data)
                }
            }
            return Subject(name, streaming: task.document, with: instruments) { data in
                try await reading(data) { try await count($0) }
            } outcome: { data in
                try await reading(data) { stream in
                    var elements: [Element] = []
                    for try await element in stream { elements.append(element) }
                    return ComparedValue(elements)
                }
            }
        }
    }

    /// Returns the error that caused a call to fail, such as the decoder's error.
    private static func cause(of error: any Error) -> any Error {
        switch error as? APIError {
        case .decoding(let failure): failure.underlying
        case .request: IndexFromEnd()
        default: error
        }
    }
}

/// The only possible declaration error of an endpoint that streams a document.
private struct IndexFromEnd: Error, CustomStringConvertible {
    var description: String { "the envelope has an index from the end, which a stream cannot resolve" }
}

extension DecodingTask {
    /// Returns an endpoint whose response is the document.
    fileprivate func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type,
        by decoder: WaybillJSONDecoder
    ) async throws -> Endpoint<Value> {
        guard let url = URL(string: "https://benchmark.invalid") else { throw URLError(.badURL) }
        return Client(url, transport: DocumentTransport(try await document.value)).endpoint {
            GET("document")
            envelope
            Decode.StreamFormat(isJSONLines ? .jsonLines : .array)
            Decode(with: decoder)
        }
    }
}

/// A transport that responds with a document, in chunks as large as those from libcurl.
struct DocumentTransport: Transport {
    private let chunks: [Data]

    init(_ document: Data) {
        // The maximum size of a chunk from libcurl, in bytes.
        let size = 16_384
        chunks = stride(from: 0, to: document.count, by: size).map { document.dropFirst($0).prefix(size) }
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headerFields: [HTTPField(name: .contentType, value: "application/json")],
            body: HTTPBody(Chunks(chunks: chunks)),
            url: nil
        )
    }

    private struct Chunks: AsyncSequence, Sendable {
        let chunks: [Data]

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>

            mutating func next() async -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
    }
}
