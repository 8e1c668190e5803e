import WaybillSystem

/// The way in which values of a type are decoded.
struct TypeEntry {
    enum Strategy: UInt8 {
        /// By the type's own `init(from:)`.
        case itself
        case bool, string, double, float
        case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, int128, uint128
        case date, data, url, decimal, uuid
        /// A collection that is built here.
        case collection
        /// By a call of its own: the one that the decoder is from has ended.
        case afterCall
    }

    let strategy: Strategy
    /// The type that builds the collection.
    let builder: (any CollectionBuilder.Type)?

    /// The entry of every type after the call.
    // Threads share it, and none writes to it.
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

/// A collection that is built by the decoder itself, without a container: arrays, and dictionaries with string keys.
protocol CollectionBuilder {
    /// Decodes the collection at an index of the tape.
    static func build(
        at index: Int,
        in container: Int,
        of state: UnsafeMutablePointer<DecodingState>
    ) throws -> Self
}
