import WaybillSystem

/// The strategy for decoding values of a type.
struct TypeEntry {
    enum Strategy: UInt8 {
        /// Calls the type's `init(from:)`.
        case itself
        case bool, string, double, float
        case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, int128, uint128
        case date, data, url, decimal, uuid
        /// A collection built by the decoder.
        case collection
        /// Decodes in a separate call, because the original call has ended.
        case afterCall
    }

    let strategy: Strategy
    /// The type that builds the collection; nil for other strategies.
    let builder: (any CollectionBuilder.Type)?

    /// The entry for every type after the call has ended.
    // Shared by all threads, and never mutated.
    nonisolated(unsafe) static let afterCall: UnsafeMutablePointer<TypeEntry> = {
        let entry = UnsafeMutablePointer<TypeEntry>.allocate(capacity: 1)
        entry.initialize(to: TypeEntry(strategy: .afterCall, builder: nil))
        return entry
    }()

    private init(strategy: Strategy, builder: (any CollectionBuilder.Type)?) {
        self.strategy = strategy
        self.builder = builder
    }

    init<Value>(_ type: Value.Type) {
        builder = TypeMetadata.mayBeCollection(type) ? type as? any CollectionBuilder.Type : nil
        strategy = builder == nil ? Self.strategies[ObjectIdentifier(type)] ?? .itself : .collection
    }

    private static let strategies: [ObjectIdentifier: Strategy] = {
        var strategies: [ObjectIdentifier: Strategy] = [
            ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(String.self): .string,
            ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float.self): .float,
            ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8,
            ObjectIdentifier(Int16.self): .int16, ObjectIdentifier(Int32.self): .int32,
            ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(UInt.self): .uint,
            ObjectIdentifier(UInt8.self): .uint8, ObjectIdentifier(UInt16.self): .uint16,
            ObjectIdentifier(UInt32.self): .uint32, ObjectIdentifier(UInt64.self): .uint64,
            ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .data,
            ObjectIdentifier(URL.self): .url, ObjectIdentifier(Decimal.self): .decimal,
            ObjectIdentifier(UUID.self): .uuid,
        ]
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            strategies[ObjectIdentifier(Int128.self)] = .int128
            strategies[ObjectIdentifier(UInt128.self)] = .uint128
        }
        return strategies
    }()
}

/// A collection that is built without a decoding container: an array, or a dictionary with string keys.
protocol CollectionBuilder {
    /// Decodes the collection at a tape index.
    static func build(
        at index: Int,
        in container: Int,
        of state: UnsafeMutablePointer<DecodingState>
    ) throws -> Self
}

/// A hash table keyed by types; entries are never removed.
struct TypeCache<Value> {
    private var keys: UnsafeMutablePointer<ObjectIdentifier?>
    private var values: UnsafeMutablePointer<Value>
    private var mask = 15
    private(set) var count = 0

    init() {
        keys = .allocate(capacity: mask + 1)
        keys.initialize(repeating: nil, count: mask + 1)
        values = .allocate(capacity: mask + 1)
    }

    func deallocate() {
        forEach { (values + $0).deinitialize(count: 1) }
        keys.deallocate()
        values.deallocate()
    }

    /// Returns the address of a type's value; nil if the table does not contain it.
    @inline(__always)
    func find(_ key: ObjectIdentifier) -> UnsafeMutablePointer<Value>? {
        var index = Self.start(key) & mask
        while true {
            let found = keys[index]
            if found == key { return values + index }
            if found == nil { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// Stores a type's value; its address changes when other values are added.
    mutating func insert(_ value: Value, for key: ObjectIdentifier) {
        if count * 2 > mask { grow() }
        var index = Self.start(key) & mask
        while keys[index] != nil { index = (index + 1) & mask }
        keys[index] = key
        (values + index).initialize(to: value)
        count += 1
    }

    /// Calls a closure with the address of each value.
    func forEachValue(_ body: (UnsafeMutablePointer<Value>) -> Void) { forEach { body(values + $0) } }

    private func forEach(_ body: (Int) -> Void) {
        for index in 0...mask where keys[index] != nil { body(index) }
    }

    private mutating func grow() {
        let old = self
        mask = mask * 2 + 1
        keys = .allocate(capacity: mask + 1)
        keys.initialize(repeating: nil, count: mask + 1)
        values = .allocate(capacity: mask + 1)
        count = 0
        old.forEach { index in
            if let key = old.keys[index] { insert((old.values + index).move(), for: key) }
        }
        old.keys.deallocate()
        old.values.deallocate()
    }

    /// Returns the first slot to probe for a key; a key is an aligned address, so its lowest bits are always zero.
    @inline(__always)
    private static func start(_ key: ObjectIdentifier) -> Int {
        let bits = UInt(bitPattern: key) &>> 3
        return Int(truncatingIfNeeded: bits ^ bits &>> 7)
    }
}
