import WaybillSystem

extension RefreshingToken {
    /// A response that may mean that the token is not accepted any more.
    public struct Rejection: Sendable {
        /// The status.
        public let status: HTTPResponse.Status

        /// The header fields; their texts leave secrets out.
        public let headerFields: HTTPFields

        /// The body, of a failed response up to the limit of ``BodyLimits``.
        public let body: Data

        /// Creates a response, for tests of the closure that detects rejections.
        public init(status: HTTPResponse.Status, headerFields: HTTPFields = [], body: Data = Data()) {
            self.status = status
            self.headerFields = headerFields
            self.body = body
        }

        /// The challenges in `WWW-Authenticate`, in their order.
        public var challenges: [Challenge] { Challenge.all(in: headerFields) }

        /// Decodes the body as JSON; nil if it is not JSON of this type.
        ///
        /// ```swift
        /// let tokens = RefreshingToken(when: { $0.value(as: MatrixError.self)?.code == "M_UNKNOWN_TOKEN" }) { _ in
        ///     let grant = try await auth.refresh(refreshToken).send()
        ///     return .init(grant.accessToken)
        /// }
        /// ```
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
