extension Endpoint {
    /// Sends the call and returns the head of the response at once, with its body as bytes that are still arriving.
    ///
    /// The declared envelope and the type of the value do not matter. The bytes are those of the representation: a
    /// content coding such as gzip has been undone.
    ///
    /// The body is not kept by a cache, and no other call shares it. A ``Retry`` repeats the call until a head with a
    /// successful status has come; a body that breaks off later is an error of the loop.
    ///
    /// - Returns: the head, and the body to read.
    /// - Throws: ``APIError``; for a failed status ``APIError/status(_:)`` with the declared problem.
    public func bytes() async throws(APIError) -> ByteStream {
        ByteStream(try await client.open(try planForCall()))
    }
}
