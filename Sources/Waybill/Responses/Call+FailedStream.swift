import WaybillJSON
import WaybillSystem

extension Call {
    /// The time limit for reading a failed response to a streaming call, whose body may never end.
    private static var longestWaitForFailure: Duration { .seconds(1) }

    /// Reads the body of a failed response of unknown length, for at most one second.
    ///
    /// Stops early after the first JSON document or the first chunk of server-sent events.
    ///
    /// - Throws: ``APIError/transport(_:)`` if the body ends early.
    func readFailure(ofStream response: inout CallResponse) async throws(APIError) {
        let timer = DeadlineTimer(Deadline(Self.longestWaitForFailure, on: context.time), of: self)
        defer { timer.stop() }
        let body = LentBody(response.body)
        let mediaType = response.headerFields[.contentType].map { MediaType($0).essence }
        var texts = WaybillJSONDecoder.ElementReader<JSONValue>(JSONDefaults.lenientDecoder, sequence: .concatenated)
        var bytes = Data()
        var isTruncated = false
        while !isTruncated, let chunk = try await next(of: body, by: timer, isLate: &isTruncated) {
            let room = plan.failureLimit - bytes.count
            bytes.append(chunk.prefix(room))
            isTruncated = chunk.count > room || mediaType == "text/event-stream"
            texts.append(chunk)
            if JSONText.isContainer(bytes), case .whole = texts.nextText { break }
        }
        response.isBodyTruncated = isTruncated
        response.body = HTTPBody(bytes, trailerFields: response.body.trailerFields)
    }

    /// Returns the next chunk; nil at the end of the body or when the time limit expires.
    private func next(
        of body: LentBody,
        by timer: DeadlineTimer,
        isLate: inout Bool
    ) async throws(APIError) -> Data? {
        do throws(APIError) {
            return try await timer.perform { () async throws(APIError) in
                do throws(TransportError) {
                    return try await body.chunks.next()
                } catch {
                    throw transportFailure(error)
                }
            }
        } catch {
            guard case .timeout = error else { throw error }
            isLate = true
            return nil
        }
    }
}

/// A body's iterator, shared by a timer's successive tasks.
///
/// `@unchecked Sendable`: only one task reads at a time; each starts after the previous one has ended.
private final class LentBody: @unchecked Sendable {
    var chunks: HTTPBody.Iterator

    init(_ body: HTTPBody) { chunks = body.makeAsyncIterator() }
}
