/// How far a keyed container has got in its object.
///
/// The standard library copies a container at every call, so what changes, and whatever has a reference, is here. A
/// cursor belongs to one container at a time, and to the session for good.
struct ObjectCursor {
    let state: UnsafeMutablePointer<DecodingState>
    let keyType: UnsafeMutablePointer<KeyType>
    /// What the standard library keeps the container in.
    var box: AnyObject?
    /// Whether the cursor was used since the session began.
    var isInUse = false
    /// Which ways of finding members are prepared for the object.
    var preparations: Preparations = []
    /// Where the object's first word is on the tape.
    var object = 0
    /// The shape of the object; 0 for none.
    var shape = 0
    /// The place of each key in the shape, by the key's number; see ``PlaceTables``.
    var places: UnsafeMutablePointer<UInt8>?
    /// The place of the member that was found last.
    var place = -1
    /// Where that member's key is on the tape.
    var position = 0
    /// The members of the object, where they are not read in their order.
    var members = MemberIndex()

    /// What ``members`` knows of the object.
    struct Preparations: OptionSet {
        let rawValue: UInt8

        /// Where the members are, by their places in the shape.
        static let places = Preparations(rawValue: 1)
        /// Where they are by the cases of the enumeration of keys.
        static let cases = Preparations(rawValue: 2)
        /// Where they are by their names.
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
