/// The progress of a keyed container in its object.
///
/// The standard library copies a container at every call, so all mutable state, and all references, are here. A cursor
/// belongs to one container at a time, and to the session for good.
struct ObjectCursor {
    let state: UnsafeMutablePointer<DecodingState>
    let keyType: UnsafeMutablePointer<KeyType>
    /// The standard library's box of the container.
    var box: AnyObject?
    /// Whether the cursor was used since the session began.
    var isInUse = false
    /// The ways of finding members that are prepared for the object.
    var preparations: Preparations = []
    /// The index of the object's first word on the tape.
    var object = 0
    /// The shape of the object; 0 for none.
    var shape = 0
    /// The place of each key in the shape, by the key's number; see ``KeyOffsetCache``.
    var places: UnsafeMutablePointer<UInt8>?
    /// The place of the member that was found last.
    var place = -1
    /// The index of that member's key on the tape.
    var position = 0
    /// The members of the object, if they are not read in their order.
    var members = MemberIndex()

    /// The content of ``members`` for the object.
    struct Preparations: OptionSet {
        let rawValue: UInt8

        /// The members by their positions in the shape.
        static let places = Preparations(rawValue: 1)
        /// The members by the cases of the enumeration of keys.
        static let cases = Preparations(rawValue: 2)
        /// The members by their names.
        static let names = Preparations(rawValue: 4)
    }

    /// Begins with an object.
    @inline(__always)
    mutating func begin(_ object: Int, payload: UInt64) {
        self.object = object
        preparations = []
        place = -1
        shape = payload & TapeWord.withoutShape == 0 ? Int(truncatingIfNeeded: payload) : 0
        places = shape == 0 ? nil : keyType.pointee.places(in: shape)
    }

    /// Gives up what belongs to the call, so that members are found by their names alone; from then on it never
    /// changes.
    mutating func detach() {
        places = nil
        shape = 0
    }
}
