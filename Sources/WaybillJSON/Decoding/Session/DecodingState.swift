/// The state of decoding one document: plain memory at one address, so that containers can be plain data too.
struct DecodingState {
    /// The document.
    var bytes: UnsafePointer<UInt8>
    var count = 0
    var tape = Tape()
    var shapes = ShapeTable()
    let powers = PowersOfFive.shared
    let powersOfTen = EightDigits.powersOfTen
    let makesSmallStrings = SmallString.isLaidOutAsExpected

    /// The number of documents so far, this one included.
    var documentNumber = 0
    /// The conversion of keys by the decoder's strategies.
    var keyConversion = KeyConversion.none
    /// Whether lone surrogates in strings and keys become U+FFFD, by the decoder's strategies.
    var replacesLoneSurrogates = false

    var types = TypeCache<TypeEntry>()
    var keyTypes = TypeCache<UnsafeMutablePointer<KeyType>>()
    /// The cursors that were used since the session began, in a list from the first one on.
    private(set) var firstCursor: UnsafeMutablePointer<ObjectCursor>?
    private var lastCursor: UnsafeMutablePointer<ObjectCursor>?
    /// The owners of the cursors that are not used again.
    private(set) var owners: [Unmanaged<CursorOwner>] = []
    /// Whether the call has ended and left containers or decoders, which any number of threads may use from then on.
    ///
    /// All that they share stays as it is: each value is decoded by a call of its own, and a container finds its
    /// members by their names, under a lock until they are known.
    var isDetached = false
    /// The last elements of arrays whose paths were requested, by the depth of the array.
    var lastElements: [ElementPlace] = []
    /// The number of these elements for each depth.
    static let placesKept = 4
    /// The keys of absent values that `superDecoder(forKey:)` has made decoders for, by their index after the
    /// document's words.
    var absentValues: [String] = []

    /// The session that owns this state, and outlives it.
    let session: Unmanaged<DecodingSession>

    init(session: Unmanaged<DecodingSession>) {
        self.session = session
        bytes = UnsafePointer(tape.words).withMemoryRebound(to: UInt8.self, capacity: 1) { $0 }
    }

    /// Adds a cursor to those in use.
    @inline(__always)
    mutating func use(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursor.pointee.isInUse = true
        if let lastCursor { lastCursor.pointee.next = cursor } else { firstCursor = cursor }
        lastCursor = cursor
    }

    /// Removes a cursor from those in use, the first one first.
    mutating func nextUnused() -> UnsafeMutablePointer<ObjectCursor>? {
        guard let cursor = firstCursor else { return nil }
        firstCursor = cursor.pointee.next
        if firstCursor == nil { lastCursor = nil }
        cursor.pointee.next = nil
        cursor.pointee.isInUse = false
        return cursor
    }

    /// Registers an owner for the time of the call.
    mutating func add(_ owner: CursorOwner) {
        owner.place = owners.count
        owners.append(.passUnretained(owner))
    }

    /// Removes an owner; the last one takes its place.
    mutating func remove(_ owner: CursorOwner) {
        let last = owners.removeLast()
        guard last.toOpaque() != Unmanaged.passUnretained(owner).toOpaque() else { return }
        last._withUnsafeGuaranteedRef { $0.place = owner.place }
        owners[owner.place] = last
    }

    /// Detaches the containers with owners from the call, and removes the owners.
    mutating func detachOwners() {
        for owner in owners { owner._withUnsafeGuaranteedRef { $0.cursor.pointee.detach() } }
        owners = []
    }

    /// An element of an array.
    struct ElementPlace {
        var array: Int
        var position: Int
        var index: Int
    }
}

/// The conversion of a document's keys to those of containers.
enum KeyConversion: UInt8 {
    /// They are the same.
    case none
    /// `created_at` becomes `createdAt`.
    case snakeCase
    /// A closure of the user's, which may convert the same key differently at each path.
    case custom
}
