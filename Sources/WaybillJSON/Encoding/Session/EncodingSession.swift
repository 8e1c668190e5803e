import WaybillSystem

/// The state of an encoding call, whose memory is reused by later calls on the same thread.
///
/// Containers and encoders point into a session. They are valid until the `encode(to:)` that created them returns. A
/// container or encoder that is stored longer keeps the session alive, but all of its methods throw, and the session is
/// not reused.
final class EncodingSession: PooledSession {
    /// The maximum number of output bytes retained between documents: 512 KiB.
    private static let keptBytes = 1 << 19
    /// The maximum number of slots retained between documents.
    private static let keptSlots = 1024

    let state: UnsafeMutablePointer<EncodingState>
    private(set) var strategies = EncodingStrategies.unchanged
    private var sharedUserInfo: [CodingUserInfoKey: Any]?
    /// The format of the encoded keys stored by the key types.
    private var keyForm = KeyForm(convertsToSnakeCase: false, escapesSlashes: true)
    /// The pool of reusable sessions.
    static let pool = SessionPool<EncodingSession>()

    var next: EncodingSession?

    private struct KeyForm: Equatable {
        let convertsToSnakeCase: Bool
        let escapesSlashes: Bool
    }

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: EncodingState(session: Unmanaged.passUnretained(self), at: state))
    }

    deinit {
        state.removeSegments()
        state.pointee.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The value of `Encoder.userInfo`, converted on first access.
    var userInfo: [CodingUserInfoKey: Any] {
        if state.pointee.isDetached { return strategies.userInfo }
        if let sharedUserInfo { return sharedUserInfo }
        let made: [CodingUserInfoKey: Any] = strategies.userInfo
        sharedUserInfo = made
        return made
    }

    /// Begins encoding a document.
    func begin(_ strategies: EncodingStrategies) {
        self.strategies = strategies
        state.pointee.prepareOutput(for: Self.keptBytes)
        state.pointee.top = state.pointee.root
        state.pointee.root.pointee.isEmpty = true
        state.pointee.maximumDepth = strategies.maximumDepth
        state.pointee.writesInt64AsText = strategies.int64s == .convertToString
        let escapesSlashes = !strategies.formatting.contains(.withoutEscapingSlashes)
        state.pointee.slash = UInt8(ascii: escapesSlashes ? "/" : "\"")
        var convertsToSnakeCase = false
        var hasCustomKeys = false
        switch strategies.keys {
        case .useDefaultKeys: break
        case .convertToSnakeCase: convertsToSnakeCase = true
        case .custom: hasCustomKeys = true
        }
        state.pointee.sorter.begin(isEnabled: strategies.formatting.contains(.sortedKeys))
        state.pointee.hasCustomKeys = hasCustomKeys
        state.pointee.convertsToSnakeCase = convertsToSnakeCase
        let form = KeyForm(convertsToSnakeCase: convertsToSnakeCase, escapesSlashes: escapesSlashes)
        if form != keyForm {
            keyForm = form
            state.pointee.keyTypes.forEachValue { $0.pointee.pointee.removeTexts() }
        }
    }

    /// Returns the document, formatted according to the strategies.
    ///
    /// - Throws: the first deferred error, or `EncodingError.invalidValue` if nothing has been encoded.
    func document<Value>(of type: Value.Type) throws -> Data {
        if let failure = state.pointee.failure { throw failure }
        state.joinSegments()
        guard state.pointee.count > 0 else {
            throw state.invalid(type, [], "The value has encoded nothing.")
        }
        let formatting = strategies.formatting
        let isPretty = formatting.contains(.prettyPrinted)
        let hasDuplicates = state.pointee.hasDuplicates
        let isUnsorted = state.pointee.sorter.isUnsorted || formatting.contains(.sortedKeys) && hasDuplicates
        if isPretty || isUnsorted || hasDuplicates {
            let output = UnsafeBufferPointer(start: state.pointee.bytes, count: state.pointee.count)
            return JSONRewriter.rewrite(
                output,
                isPretty: isPretty,
                isSorted: isUnsorted,
                removingDuplicates: hasDuplicates
            )
        }
        return state.pointee.takeOutput()
    }

    /// Ends the encoding of the document.
    ///
    /// - Returns: whether the session can be reused because nothing references it.
    static func finish(_ session: inout EncodingSession) -> Bool {
        let state = session.state
        var isFree = isKnownUniquelyReferenced(&session)
        for cursor in state.pointee.cursorsInUse {
            cursor.pointee.isInUse = false
            if !isKnownUniquelyReferenced(&cursor.pointee.box), let box = cursor.pointee.box {
                EncodingBox.setOwner(session, of: box)
                isFree = false
            }
        }
        state.pointee.cursorsInUse.removeAll(keepingCapacity: true)
        // After an error, some values remain open.
        state.abandonSlots()
        state.removeSegments()
        guard isFree, !state.pointee.isDetached else {
            session.detach()
            return false
        }
        state.pointee.hasDuplicates = false
        state.pointee.failure = nil
        state.pointee.shrink(to: keptBytes, slots: keptSlots)
        // User-supplied values must not outlive the call.
        session.strategies = EncodingStrategies.unchanged
        session.sharedUserInfo = nil
        return true
    }

    /// Detaches the session from the call; later uses of its containers and encoders throw.
    private func detach() {
        state.pointee.isDetached = true
        state.pointee.keyTypes.forEachValue { $0.pointee.pointee.releaseBoxes() }
    }
}
