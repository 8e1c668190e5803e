import Foundation

extension Call {
    /// How many bytes of a failed response's body are kept.
    package static var failureBodyLimit: Int { 256 * 1024 }

    /// Reads the body of a response to its end and leaves it in the response, unless it has been read before.
    ///
    /// Of the body of a failed response the first bytes are kept. Observers are told of it.
    ///
    /// - Throws: ``APIError/transport(_:)`` for a body that breaks off.
    package func readBody(of response: inout HTTPResponse) async throws(APIError) {
        guard !response.isRead else { return }
        let isSuccess = plan.isSuccess(response.status)
        do {
            let bytes: Data
            if isSuccess {
                bytes = try await response.body.collect()
            } else {
                (bytes, response.isBodyTruncated) = try await Self.beginning(of: response.body)
            }
            response.body = HTTPBody(bytes, trailerFields: response.body.trailerFields)
            response.isRead = true
            if isObserved { report(.body(bytes: bytes.count), of: response) }
        } catch {
            throw transportFailure(TransportError(wrapping: error))
        }
    }

    private static func beginning(of body: HTTPBody) async throws -> (bytes: Data, isTruncated: Bool) {
        if let bytes = body.bytes, bytes.count <= failureBodyLimit { return (bytes, false) }
        var collected = Data()
        for try await chunk in body {
            let room = failureBodyLimit - collected.count
            collected.append(chunk.prefix(room))
            if chunk.count > room { return (collected, true) }
        }
        return (collected, false)
    }
}

extension Plan {
    /// Whether a status counts as success.
    package func isSuccess(_ status: HTTPResponse.Status) -> Bool {
        (settings[Success.self]?.statuses ?? .success).contains(status)
    }
}
