/// What decoding one document works with: plain memory at one place, so that containers can be plain data too.
struct DecodingState {
    /// The document.
    var bytes: UnsafePointer<UInt8>
    var count = 0
    var tape = Tape()
    var shapes = ShapeTable()
    let powers = PowersOfFive.shared
    let powersOfTen = EightDigits.powersOfTen

    /// How many documents there were before and with this one.
    var documentNumber = 0
    /// How the strategies of the decoder change what is read.
    var keyConversion = KeyConversion.none

    var types = PointerTable<TypeEntry>()
    var keyTypes = PointerTable<UnsafeMutablePointer<KeyType>>()
    /// The cursors that were used since the session began.
    var cursorsInUse: [UnsafeMutablePointer<ObjectCursor>] = []
    /// Whether containers outlive the call that made them; then each holds on to the session.
    var isDetached = false
    /// Where the last elements of arrays were that somebody asked the path of, by the depth of the array.
    var lastElements: [ElementPlace] = []
    /// How many of them there are for each depth.
    static let placesKept = 4
    /// The keys of absent values that `superDecoder(forKey:)` has made decoders for, by their place behind the document's
    /// words.
    var absentValues: [String] = []

    /// The session that all of this belongs to, and that outlives it.
    let session: Unmanaged<DecodingSession>

    init(session: Unmanaged<DecodingSession>) {
        self.session = session
        bytes = UnsafePointer(tape.words).withMemoryRebound(to: UInt8.self, capacity: 1) { $0 }
    }

    /// An element of an array.
    struct ElementPlace {
        var array: Int
        var position: Int
        var index: Int
    }
}
