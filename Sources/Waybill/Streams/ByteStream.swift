import WaybillSystem

/// A response whose head has arrived, and whose body is read while it arrives.
///
/// ```swift
/// let hits = try await shop.search("lamp").bytes()
/// for try await chunk in hits { print(chunk.count) }
/// ```
///
/// A slow reader applies back-pressure, by the flow control of TCP or HTTP/2. When the loop is left, or the task is
/// cancelled, the connection is closed. The body can be read once, by one task: a second loop continues where the first
/// has stopped.
///
/// A ``Timeout`` counts until the last byte, and so do the limits on calls. ``BodyLimits`` do not: they are for bodies
/// in memory.
public struct ByteStream: AsyncSequence, Sendable {
    /// A chunk of the body, of any size but zero.
    public typealias Element = Data

    package let reader: BodyReader

    package init(_ reader: BodyReader) { self.reader = reader }

    /// The status.
    public var status: HTTPResponse.Status { reader.response.status }

    /// The header fields; those in which the server repeats a secret of the call are sensitive.
    public var headerFields: HTTPFields { reader.response.markedFields(of: reader.call.plan) }

    /// The fields after the body (RFC 9110, section 6.5); empty until the body has been read to its end.
    public var trailerFields: HTTPFields { reader.response.body.trailerFields }

    /// The URL of the response: after redirects not that of the request.
    public var url: URL { reader.response.url ?? reader.call.plan.url }

    /// The number of bytes of the whole body; nil if the server does not state it, or if a content coding is undone.
    public var length: Int? { reader.response.body.length }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// An iterator over the chunks of the body.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: BodyReader

        /// Returns the next chunk; nil at the end of the body.
        ///
        /// - Throws: ``APIError/transport(_:)`` if the body breaks off, ``APIError/timeout(_:)`` and
        ///   ``APIError/cancelled(_:)``. All chunks that arrived before have been returned.
        public mutating func next() async throws(APIError) -> Data? { try await reader.next() }
    }
}

extension ByteStream: CustomStringConvertible, CustomReflectable {
    /// The status, and the number of bytes if it is known.
    public var description: String { "\(status), \(reader.response.body)" }

    /// The parts of the head, secrets redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headerFields": headerFields, "url": reader.response.shownURL(of: reader.call.plan),
                "length": length as Any,
            ],
            displayStyle: .struct
        )
    }
}

extension Endpoint {
    /// Sends the call and returns the head of the response at once, with its body as bytes that are still arriving.
    ///
    /// The declared envelope and the type of the value do not matter. The bytes are those of the representation: a
    /// content coding such as gzip has been undone. One that the transport cannot undo is an error, unless the call
    /// declares `Header("Accept-Encoding", …)` with its name.
    ///
    /// The body is not kept by a cache, and no other call shares it. A ``Retry`` repeats the call until a head with a
    /// successful status has come; a body that breaks off later is an error of the loop.
    ///
    /// If a ``Problem`` is declared for the status, it returns when the body can no longer be one.
    ///
    /// - Returns: the head, and the body to read.
    /// - Throws: ``APIError``; ``APIError/status(_:)`` for a failed status, and for a declared problem in place of the
    ///   bytes.
    public func bytes() async throws(APIError) -> ByteStream {
        let reader = try await client.run(try planForCall(), .leftAsBytes) { (response, call) throws(APIError) in
            try call.rejectCoding(of: response, offersPlain: true)
            return BodyReader(response, of: call)
        }
        return ByteStream(reader)
    }
}

extension Call {
    /// Rejects a body in a content coding that neither the transport has undone nor the call asks for by its name.
    ///
    /// - Parameters:
    ///   - response: the response, whose body is left as bytes.
    ///   - offersPlain: whether to suggest a request for a body without a coding.
    /// - Throws: ``APIError/transport(_:)`` with the declaration that helps.
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
                "the body has the content coding \(names), which this transport does not undo; declare\(plain)"
                    + " Header(\"Accept-Encoding\", \"\(names)\") for the coded bytes"
            ),
            sent: response.request
        )
    }
}
