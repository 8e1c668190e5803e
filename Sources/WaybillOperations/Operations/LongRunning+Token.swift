import Waybill
import WaybillSystem

extension LongRunning {
    /// A token for an operation in progress, with which `Endpoint.send(continuing:following:)` can continue it in
    /// another process.
    ///
    /// A token contains no credential: the next call provides one. On some servers, however, the URL alone grants
    /// access to the operation.
    public struct Token: Codable, Sendable, Hashable, CustomStringConvertible, PartlyShown {
        /// The URL of the status resource; the token's descriptions contain only its origin.
        public let url: URL

        /// The URL of the result, if the response to the initial request contained it.
        package let resultURL: URL?

        /// The method, the template and a digest of the URL, which identify the endpoint.
        package let endpoint: String

        /// The origin of the operation, without the path of its URL, which may be secret.
        public var description: String { "operation at \(HTTPRequest.Origin(url)?.description ?? "no URL")" }

        /// The description, because the URL may be secret.
        package var shownParts: KeyValuePairs<String, Any> { ["operation": description] }
    }

    /// The status of an operation, as reported by its server.
    public struct Status: Sendable {
        /// The token for continuing the operation.
        public let token: Token

        /// The state as spelled by the server; nil unless the state is declared as a text member of the body.
        public let state: String?

        /// The progress from 0 to 1; nil if the server does not report it, or if ``LongRunning`` does not declare it.
        public let fractionDone: Double?

        /// The status resource; nil if it is not JSON.
        public let document: JSONValue?
    }
}
