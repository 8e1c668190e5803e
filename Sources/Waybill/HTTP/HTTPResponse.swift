import Foundation

/// A response as a transport delivers it: the head at once, the body as it arrives.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields as they came: order, duplicates and spelling kept where the transport knows them.
    public var headerFields: HTTPFields

    /// The body; an empty one where the response has none.
    public var body: HTTPBody

    /// The URL that answered, which after redirects is not the one that was asked; nil stands for the latter.
    public var url: URL?

    /// The request that was answered, with its credential: for taking its secrets out of texts.
    package var request: HTTPRequest?

    /// Which attempt of its call was answered, and why those before it failed.
    package var attempt = 1
    package var earlierFailures: [any Error] = []

    /// Why a failed status was not repeated, though it is worth it.
    package var retryRefusal: (any Error)?

    /// Whether the body has been read to its end, or as far as it is wanted, and whether more than that was left out.
    package var isRead = false
    package var isBodyTruncated = false

    /// Creates a response.
    public init(
        status: Status,
        headerFields: HTTPFields = [],
        body: HTTPBody = HTTPBody(),
        url: URL? = nil
    ) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.url = url
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// The status and a line for each header field, cookies redacted; the body is not shown.
    public var description: String {
        headerFields.isEmpty ? "\(status)" : "\(status)\n\(headerFields)"
    }
}
