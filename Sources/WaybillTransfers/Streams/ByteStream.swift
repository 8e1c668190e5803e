import Waybill
import WaybillSystem

/// A response whose body is returned in chunks as it arrives.
///
/// ```swift
/// let hits = try await shop.search("lamp").bytes()
/// for try await chunk in hits { print(chunk.count) }
/// ```
///
/// A slow reader applies back-pressure through TCP or HTTP/2 flow control. Leaving the loop or cancelling the task
/// closes the connection. The body can be read only once, by one task; a second loop continues where the first stopped.
///
/// A `Timeout` and the limits on calls apply until the last byte. `BodyLimits` do not apply, because they limit only
/// bodies held in memory.
public struct ByteStream: AsyncSequence, Sendable {
    /// A nonempty chunk of the body.
    public typealias Element = Data

    package let reader: BodyReader

    package init(_ reader: BodyReader) { self.reader = reader }

    /// The status of the response.
    public var status: HTTPResponse.Status { reader.response.status }

    /// The header fields; a field that repeats one of the call's secrets is marked as sensitive.
    public var headerFields: HTTPFields { reader.response.markedFields(of: reader.call.plan) }

    /// The trailer fields (RFC 9110, section 6.5); empty until the body has been read to its end.
    public var trailerFields: HTTPFields { reader.response.body.trailerFields }

    /// The URL of the response, which differs from the request's after a redirect.
    public var url: URL { reader.response.url ?? reader.call.plan.url }

    /// The length of the body in bytes; nil if the server does not announce it, or if the transport decodes the body.
    public var length: Int? { reader.response.body.length }

    /// Returns an iterator that continues at the current position in the body.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// An iterator over the chunks of the body.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: BodyReader

        /// Returns the next chunk; nil at the end of the body.
        ///
        /// Chunks that arrive before an error are returned first.
        ///
        /// - Returns: the chunk; nil at the end of the body.
        /// - Throws: `APIError.transport` if the body ends early, `APIError.timeout` or
        ///   `APIError.cancelled`.
        public mutating func next() async throws(APIError) -> Data? { try await reader.next() }
    }
}

extension ByteStream: CustomStringConvertible, PartlyShown {
    /// The status and the length of the body, if known.
    public var description: String { "\(status), \(reader.response.body)" }

    /// The head of the response, with secrets redacted.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "status": status, "headerFields": headerFields, "url": reader.response.shownURL(of: reader.call.plan),
            "length": length as Any,
        ]
    }
}

extension Endpoint {
    /// Sends the call and returns as soon as the head of the response has arrived, with the body as a stream of bytes.
    ///
    /// The declared envelope and the type of the value have no effect. Content codings such as gzip are decoded. A
    /// coding that the transport does not support is an error, unless the call requests it by name with
    /// `Header("Accept-Encoding", …)`.
    ///
    /// The body is neither cached nor shared with other calls. `Retry` applies only until a response with a success
    /// status arrives. If the body ends early after that, iteration throws an error.
    ///
    /// If a `Problem` is declared for the status, the call does not return until the received bytes rule it out.
    ///
    /// - Returns: the head of the response, with the body to read.
    /// - Throws: `APIError`; `APIError.status` for a failed status, or for a declared problem in the body.
    public func bytes() async throws(APIError) -> ByteStream {
        let reader = try await client.run(try planForCall(), .leftAsBytes) { (response, call) throws(APIError) in
            try call.rejectCoding(of: response, offersPlain: true)
            return BodyReader(response, of: call)
        }
        return ByteStream(reader)
    }
}

extension Call {
    /// Rejects a body whose content coding was neither decoded by the transport nor requested by name.
    ///
    /// - Parameters:
    ///   - response: the response, whose body will be returned as bytes.
    ///   - offersPlain: whether the error suggests requesting a body without a content coding.
    /// - Throws: `APIError.transport`, with advice on what to declare.
    func rejectCoding(of response: CallResponse, offersPlain: Bool) throws(APIError) {
        guard !response.isDecoded, response.body.length != 0 else { return }
        let codings = response.headerFields.contentCodings
        let accepted = plan.headerFields.names(in: .acceptEncoding)
        guard !codings.isEmpty, !codings.allSatisfy(accepted.contains) else { return }
        let names = codings.joined(separator: ", ")
        let plain = offersPlain ? " Header(\"Accept-Encoding\", \"identity\") for a body without one, or" : ""
        throw transportFailure(
            TransportError(
                .invalidResponse,
                "the body has the content coding \(names), which this transport does not decode; declare\(plain)"
                    + " Header(\"Accept-Encoding\", \"\(names)\") for the coded bytes"
            ),
            sent: response.request
        )
    }
}

extension HTTPFields {
    /// Whether the representation has a content coding.
    var isCoded: Bool { !contentCodings.isEmpty }

    /// The content codings in lowercase, in the order they were applied.
    package var contentCodings: [String] { names(in: .contentEncoding).filter { $0 != "identity" } }

    /// Returns the names in a list-valued field, in lowercase and without parameters such as weights.
    func names(in field: HTTPField.Name) -> [String] {
        self[values: field].flatMap { $0.split(separator: ",") }
            .map { $0.prefix { $0 != ";" }.trimmed().asciiLowercased }.filter { !$0.isEmpty }
    }
}
