import WaybillSystem

/// An action that runs once: when it is asked to, or when nothing refers to it any more.
package final class EndAction: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    deinit { run() }

    /// Runs the action, unless it has run before.
    package func run() {
        let action = action.withLock { $0.take() }
        action?()
    }
}

extension HTTPBody {
    /// Returns the body with an action for its end: after its last byte, its error, or its last reader.
    package func ending(with action: EndAction) -> HTTPBody {
        HTTPBody(EndingChunks(body: self, action: action), length: length) { [self] in trailerFields }
    }
}

/// The chunks of a body, behind which an action runs.
private struct EndingChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let body: HTTPBody
    let action: EndAction

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), action: action) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: HTTPBody.Iterator
        let action: EndAction

        mutating func next() async throws -> Data? {
            do {
                let chunk = try await chunks.next()
                if chunk == nil { action.run() }
                return chunk
            } catch {
                action.run()
                throw error
            }
        }
    }
}
