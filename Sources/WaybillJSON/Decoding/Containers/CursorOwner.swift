/// Keeps a cursor for a container that is not to be used again, and the session with it.
final class CursorOwner {
    let cursor: UnsafeMutablePointer<ObjectCursor>
    /// Its index among those of the call in the session.
    var place = 0
    private let session: DecodingSession
    private let ownsKeyType: Bool
    private var isOwner = true

    init(of session: DecodingSession, for keyType: UnsafeMutablePointer<KeyType>) {
        self.session = session
        // After the call no table of the session has it.
        ownsKeyType = session.state.pointee.isDetached
        cursor = .allocate(capacity: 1)
        cursor.initialize(to: ObjectCursor(state: session.state, keyType: keyType))
        if !session.state.pointee.isDetached { session.state.pointee.add(self) }
    }

    deinit {
        if !session.state.pointee.isDetached { session.state.pointee.remove(self) }
        guard isOwner else { return }
        if ownsKeyType { KeyType.free(cursor.pointee.keyType) }
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// Hands the cursor over.
    func takeCursor() -> UnsafeMutablePointer<ObjectCursor> {
        isOwner = false
        return cursor
    }
}
