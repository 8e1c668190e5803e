import WaybillSystem

/// The state of a decoding call, whose memory is reused by later calls on the same thread.
///
/// Containers and decoders point into a session. Those that outlive their call keep it alive: a decoder always
/// references it, and a container receives a reference when the call ends. A session that outlives its call is not
/// reused. It can be accessed from several threads, so it is immutable except for a few values guarded by a lock.
final class DecodingSession: PooledSession {
    /// The maximum number of tape words retained between documents, which take 512 KiB.
    private static let keptWords = 1 << 16

    let state: UnsafeMutablePointer<DecodingState>
    private(set) var strategies = DecodingStrategies.unchanged
    private var sharedUserInfo: [CodingUserInfoKey: Any]?
    private var sharedDocument: JSONSource?
    /// The session whose document contains this one's value; see ``decodeAfterCall(_:at:in:)``.
    private var origin: DecodingSession?
    /// The lock that guards values computed after the call has ended.
    private let lock = Lock()
    /// The members of objects accessed after the call ended, keyed by the object's tape index.
    private var membersAfterCall: [Int: MemberIndex] = [:]
    /// The key types used by the call, moved here when the session is detached.
    private var keyTypesOfCall: [UnsafeMutablePointer<KeyType>] = []
    /// The pool of reusable sessions.
    static let pool = SessionPool<DecodingSession>()

    var next: DecodingSession?
    /// The path to the decoded value if it is only part of the document.
    var pathPrefix: [PathKey] = []
    /// The index of the decoded value in the array at ``pathPrefix`` if it is an array element.
    var elementIndex: Int?

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: DecodingState(session: Unmanaged.passUnretained(self)))
    }

    deinit {
        state.pointee.keyTypes.forEachValue { KeyType.free($0.pointee) }
        for keyType in keyTypesOfCall { KeyType.free(keyType) }
        if state.pointee.isDetached { state.pointee.bytes.deallocate() }
        state.pointee.tape.deallocate()
        state.pointee.shapes.deallocate()
        state.pointee.types.deallocate()
        state.pointee.keyTypes.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The value of `Decoder.userInfo`, converted on first access.
    var userInfo: [CodingUserInfoKey: Any] {
        exclusively {
            if let sharedUserInfo { return sharedUserInfo }
            let made: [CodingUserInfoKey: Any] = strategies.userInfo
            sharedUserInfo = made
            return made
        }
    }

    /// The document for error messages; the first error copies it, because errors outlive the call.
    var document: JSONSource {
        get {
            exclusively {
                if let sharedDocument { return sharedDocument }
                let bytes = state.pointee.bytes
                let made = origin?.document ?? JSONSource(data: Data(bytes: bytes, count: state.pointee.count))
                sharedDocument = made
                return made
            }
        }
        set { sharedDocument = newValue }
    }

    /// Updates the range of the document when decoding moves to another value in the same bytes.
    func moveDocument(to range: Range<Int>) { sharedDocument?.range = range }

    /// Runs a closure, holding the lock if the call has ended; the closure must not call user code.
    func exclusively<Result>(_ body: () -> Result) -> Result {
        state.pointee.isDetached ? lock.withLock(body) : body()
    }

    /// Begins decoding a document, whose memory must remain valid until ``finish(_:)``.
    func begin(_ bytes: UnsafeBufferPointer<UInt8>, _ strategies: DecodingStrategies) {
        if self.strategies !== strategies { self.strategies = strategies }
        beginValue(bytes)
        // Most documents need one word per 8 to 20 bytes. If the tape must grow, its size is extrapolated from the part
        // already read.
        state.pointee.tape.reserve(min(bytes.count / 16, 8192) + 64)
        state.pointee.takeKeyConversion(strategies.keys)
        state.pointee.replacesLoneSurrogates = strategies.loneSurrogates == .replace
    }

    /// Begins the next value of the document, after ``finishValue(_:)``.
    func beginValue(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let start = bytes.baseAddress { state.pointee.bytes = start }
        state.pointee.count = bytes.count
        state.pointee.tape.count = 1
        state.pointee.documentNumber &+= 1
        if let elementIndex { self.elementIndex = elementIndex + 1 }
        if state.pointee.shapes.isCrowded() { state.pointee.forgetShapes() }
    }

    /// Ends the decoding of the document.
    ///
    /// - Returns: whether the session can be reused because nothing references it.
    static func finish(_ session: inout DecodingSession) -> Bool {
        guard finishValue(&session) else { return false }
        session.state.pointee.tape.shrink(to: keptWords)
        // User-supplied values must not outlive the call.
        if session.strategies !== DecodingStrategies.unchanged { session.strategies = DecodingStrategies.unchanged }
        session.sharedUserInfo = nil
        session.sharedDocument = nil
        session.origin = nil
        session.pathPrefix = []
        session.elementIndex = nil
        return true
    }

    /// Ends the decoding of one value of the document.
    ///
    /// - Returns: whether the session can be reused because nothing references it.
    static func finishValue(_ session: inout DecodingSession) -> Bool {
        let state = session.state
        var isFree = isKnownUniquelyReferenced(&session)
        while let cursor = state.pointee.nextUnused() {
            if !state.pointee.isDetached, !isKnownUniquelyReferenced(&cursor.pointee.box) {
                ContainerBox.setOwner(session, of: cursor)
                isFree = false
            } else {
                cursor.pointee.members.shrink()
            }
        }
        guard isFree, !state.pointee.isDetached else {
            session.detach()
            return false
        }
        if !state.pointee.absentValues.isEmpty { state.pointee.absentValues.removeAll(keepingCapacity: true) }
        if !state.pointee.lastElements.isEmpty { state.pointee.lastElements.removeAll(keepingCapacity: true) }
        return true
    }

    /// Detaches the session from the call: copies the document, and drops all state shared with later calls.
    private func detach() {
        guard !state.pointee.isDetached else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: state.pointee.count + 1)
        copy.update(from: state.pointee.bytes, count: state.pointee.count)
        state.pointee.bytes = UnsafePointer(copy)
        state.pointee.keyTypes.forEachValue { keyType in
            keyType.pointee.pointee.detachCursors()
            keyTypesOfCall.append(keyType.pointee)
        }
        state.pointee.forgetTypes()
        state.pointee.isDetached = true
    }

    /// Decodes a value after the call has ended, in a separate call with the value's text as its document.
    func decodeAfterCall<Value: Decodable>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        let path = state.codingPath(to: index, in: container)
        var session = Self.pool.take()
        defer { if Self.finish(&session) { Self.pool.leave(session) } }
        try session.begin(with: state.text(fromValueAt: index), of: self, at: path)
        return try session.state.decode(type, at: 1, in: 0)
    }

    /// Finds the value for a key by name, after the call has ended.
    func findAfterCall(_ name: String, in object: Int) throws -> Int? {
        let members =
            exclusively { membersAfterCall[object] }
            ?? {
                var members = MemberIndex()
                // A key strategy is user code, which must not run under the lock.
                members.prepareNames(of: object, state, convertedKeys: state.convertedKeys(of: object))
                exclusively { membersAfterCall[object] = members }
                return members
            }()
        guard let place = members.place(of: name, in: state) else { return nil }
        let position = Int(members.positions[place])
        try state.checkKey(at: position, of: object)
        return state.pointee.tape.end(of: position)
    }

    /// Returns the decoder of a missing member, after the call has ended.
    func absentDecoder(named name: String, in object: Int) -> TapeDecoder {
        let path = state.codingPath(to: object, in: state.container(of: object)) + [PathKey(name)]
        let session = DecodingSession()
        // Scanning `null` cannot fail.
        try? session.begin(with: DecodingState.null, of: self, at: path)
        session.detach()
        return TapeDecoder(session: session, index: 1, container: 0)
    }

    /// Begins decoding the value at the start of text from another session's document, and keeps that session alive.
    private func begin(
        with text: UnsafeBufferPointer<UInt8>,
        of origin: DecodingSession,
        at path: [any CodingKey]
    ) throws {
        begin(text, origin.strategies)
        self.origin = origin
        pathPrefix = path.map { key in key.intValue.map { PathKey(index: $0) } ?? PathKey(key.stringValue) }
        var end = 0
        if let rejection = state.scan(from: &end, .oneValue, maximumDepth: .max) { throw state.rejected(rejection) }
        state.pointee.count = end
    }
}

extension DecodingState {
    /// Sets the key conversion, and discards the positions of keys if it changes.
    mutating func takeKeyConversion(_ strategy: WaybillJSONDecoder.KeyDecodingStrategy) {
        let conversion: KeyConversion =
            switch strategy {
            case .useDefaultKeys: .none
            case .convertFromSnakeCase: .snakeCase
            case .custom: .custom
            }
        guard conversion != keyConversion else { return }
        keyConversion = conversion
        forgetPlaces()
    }

    /// Discards the shapes and the positions of keys in them.
    mutating func forgetShapes() {
        shapes.removeAll()
        forgetPlaces()
    }

    private mutating func forgetPlaces() {
        keyTypes.forEachValue { $0.pointee.pointee.removePlaces() }
    }

    /// Clears the type tables permanently: later lookups find nothing, and nothing is added.
    fileprivate mutating func forgetTypes() {
        detachOwners()
        types.deallocate()
        types = TypeCache()
        keyTypes.deallocate()
        keyTypes = TypeCache()
    }
}
