/// Keeps a cursor for a container that is not to be used again, and the session with it.
final class CursorOwner {
    let cursor: UnsafeMutablePointer<ObjectCursor>
    private let session: DecodingSession
    private var isOwner = true

    init(of session: DecodingSession, for keyType: UnsafeMutablePointer<KeyType>) {
        self.session = session
        cursor = .allocate(capacity: 1)
        cursor.initialize(to: ObjectCursor(state: session.state, keyType: keyType))
    }

    deinit {
        guard isOwner else { return }
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// Hands the cursor over.
    func takeCursor() -> UnsafeMutablePointer<ObjectCursor> {
        isOwner = false
        return cursor
    }
}
