/// The state of decoding one document, stored at a fixed address so that containers can be trivial types.
struct DecodingState {
    /// The document.
    var bytes: UnsafePointer<UInt8>
    var count = 0
    var tape = Tape()
    var shapes = ShapeTable()
    let powers = PowersOfFive.shared
    let powersOfTen = EightDigits.powersOfTen
    let makesSmallStrings = SmallString.isAvailable

    /// The number of documents and array elements scanned so far, including the current one.
    var documentNumber = 0
    /// The key conversion that the decoder's strategy requires.
    var keyConversion = KeyConversion.none
    /// Whether lone surrogates in strings and keys are replaced with U+FFFD.
    var replacesLoneSurrogates = false

    var types = TypeCache<TypeEntry>()
    var keyTypes = TypeCache<UnsafeMutablePointer<KeyType>>()
    /// The head of the linked list of cursors in use.
    private(set) var firstCursor: UnsafeMutablePointer<ObjectCursor>?
    private var lastCursor: UnsafeMutablePointer<ObjectCursor>?
    /// The owners of cursors that are not reused.
    private(set) var owners: [Unmanaged<CursorOwner>] = []
    /// The maximum number of owners to search for the key of a coding path, which prevents quadratic time for types
    /// that store their containers.
    static let searchedOwners = 1024
    /// Whether the call has ended while its containers or decoders are still referenced, possibly from several threads.
    ///
    /// All shared state is then immutable: each value is decoded in a separate call, and members are found by name, in
    /// an index guarded by a lock.
    var isDetached = false
    /// The most recently requested array elements, grouped by array depth; used to compute coding paths quickly.
    var lastElements: [ElementPlace] = []
    /// The number of elements kept per depth.
    static let placesKept = 4
    /// The keys of missing members for which `superDecoder(forKey:)` has created decoders.
    ///
    /// Their values follow the document's words on the tape, in the same order.
    var absentValues: [String] = []

    /// The session, which owns this state and outlives it.
    let session: Unmanaged<DecodingSession>

    init(session: Unmanaged<DecodingSession>) {
        self.session = session
        bytes = UnsafePointer(tape.words).withMemoryRebound(to: UInt8.self, capacity: 1) { $0 }
    }

    /// Adds a cursor to the list of those in use.
    @inline(__always)
    mutating func use(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursor.pointee.isInUse = true
        if let lastCursor { lastCursor.pointee.next = cursor } else { firstCursor = cursor }
        lastCursor = cursor
    }

    /// Removes and returns the first cursor in the list of those in use; nil if the list is empty.
    mutating func nextUnused() -> UnsafeMutablePointer<ObjectCursor>? {
        guard let cursor = firstCursor else { return nil }
        firstCursor = cursor.pointee.next
        if firstCursor == nil { lastCursor = nil }
        cursor.pointee.next = nil
        cursor.pointee.isInUse = false
        return cursor
    }

    /// Registers a cursor owner for the rest of the call.
    mutating func add(_ owner: CursorOwner) {
        owner.place = owners.count
        owners.append(.passUnretained(owner))
    }

    /// Removes an owner; the last one moves to its index.
    mutating func remove(_ owner: CursorOwner) {
        let last = owners.removeLast()
        guard last.toOpaque() != Unmanaged.passUnretained(owner).toOpaque() else { return }
        last._withUnsafeGuaranteedRef { $0.place = owner.place }
        owners[owner.place] = last
    }

    /// Detaches the containers that have owners from the call, and removes the owners.
    mutating func detachOwners() {
        for owner in owners { owner._withUnsafeGuaranteedRef { $0.cursor.pointee.detach() } }
        owners = []
    }

    /// An element of an array, with its tape index and its index in the array.
    struct ElementPlace {
        var array: Int
        var position: Int
        var index: Int
    }
}

/// The conversion of a document's keys to coding keys.
enum KeyConversion: UInt8 {
    /// No conversion.
    case none
    /// Conversion of `created_at` to `createdAt`.
    case snakeCase
    /// Conversion by a user-supplied closure, which can convert the same key differently at each path.
    case custom
}
