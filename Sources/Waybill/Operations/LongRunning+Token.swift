import WaybillSystem

extension LongRunning {
    /// An operation under way, with which ``Endpoint/send(continuing:following:)`` continues it in another process.
    ///
    /// It has no credential: the next call has one of its own. Its URL may be one that lets others see the operation,
    /// if the server writes such URLs.
    public struct Token: Codable, Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The URL of the status resource; its texts leave secrets out.
        public let url: URL

        /// The URL of the result, if the response to the request named it.
        package let resultURL: URL?

        /// The method, the template and a digest of the URL, which identify the endpoint.
        package let endpoint: String

        /// The origin of the operation; the path of its URL may be a secret.
        public var description: String { "operation at \(HTTPRequest.Origin(url)?.description ?? "no URL")" }

        /// The description: the URL may be a secret.
        public var customMirror: Mirror { Mirror(self, children: ["operation": description], displayStyle: .struct) }
    }

    /// The status of an operation, as its server reports it.
    public struct Status: Sendable {
        /// The token with which the operation can be continued.
        public let token: Token

        /// The declared state as the server writes it; nil if the state is that of the status code.
        public let state: String?

        /// The progress from 0 to 1; nil if the server does not send it, or ``LongRunning`` does not declare it.
        public let fractionDone: Double?

        /// The status resource; nil if it is not JSON.
        public let document: JSONValue?
    }
}
