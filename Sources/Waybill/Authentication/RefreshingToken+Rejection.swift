import WaybillSystem

extension RefreshingToken {
    /// A response that may reject the token.
    public struct Rejection: Sendable {
        /// The response status.
        public let status: HTTPResponse.Status

        /// The response header fields.
        public let headerFields: HTTPFields

        /// The response body; for a failed response, only the first bytes, up to the limit declared by ``BodyLimits``.
        public let body: Data

        /// Creates a rejection, for testing the closure that detects rejections.
        ///
        /// - Parameters:
        ///   - status: the response status.
        ///   - headerFields: the response header fields.
        ///   - body: the response body.
        public init(status: HTTPResponse.Status, headerFields: HTTPFields = [], body: Data = Data()) {
            self.status = status
            self.headerFields = headerFields
            self.body = body
        }

        /// The challenges in `WWW-Authenticate`, in order.
        public var challenges: [HTTPField.Challenge] { HTTPField.Challenge.all(in: headerFields) }

        /// Decodes the body as JSON; returns nil if that fails.
        ///
        /// ```swift
        /// let tokens = RefreshingToken(when: { $0.value(as: MatrixError.self)?.code == "M_UNKNOWN_TOKEN" }) { _ in
        ///     let grant = try await auth.refresh(refreshToken).send()
        ///     return .init(grant.accessToken)
        /// }
        /// ```
        ///
        /// - Parameter type: the type to decode.
        /// - Returns: the decoded value; nil if the body is not JSON of this type.
        public func value<Value: Decodable>(as type: Value.Type) -> Value? {
            try? JSONDefaults.lenientDecoder.decode(type, from: body)
        }
    }

    package func isRejected(by response: HTTPResponse) -> Bool {
        isRejection(
            Rejection(
                status: response.status,
                headerFields: response.headerFields,
                body: response.body.bytes ?? Data()
            )
        )
    }
}
