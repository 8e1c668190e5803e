import WaybillSystem

/// The strategy for encoding values of a type.
struct EncodingTypeEntry {
    enum Strategy: UInt8 {
        /// Calls the type's `encode(to:)`.
        case itself
        case bool, string, double, float
        case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, int128, uint128
        case date, data, url, decimal, uuid, jsonValue
        /// An array whose elements need no slots.
        case ints, doubles, strings
        /// Another collection written by the encoder.
        case collection
    }

    let strategy: Strategy
    /// The type that writes the collection; nil for other strategies.
    let writer: (any CollectionWriter.Type)?

    init<Value>(_ type: Value.Type) {
        let strategy = Self.strategies[ObjectIdentifier(type)]
        writer = strategy == nil && TypeMetadata.mayBeCollection(type) ? type as? any CollectionWriter.Type : nil
        self.strategy = strategy ?? (writer == nil ? .itself : .collection)
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
            ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(JSONValue.self): .jsonValue,
            ObjectIdentifier([Int].self): .ints, ObjectIdentifier([Double].self): .doubles,
            ObjectIdentifier([String].self): .strings,
        ]
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            strategies[ObjectIdentifier(Int128.self)] = .int128
            strategies[ObjectIdentifier(UInt128.self)] = .uint128
        }
        return strategies
    }()
}

/// A collection that is written without an encoding container: an array or a dictionary.
protocol CollectionWriter {
    /// Writes the collection as a value in an array or object.
    func write(to state: UnsafeMutablePointer<EncodingState>, in parent: UnsafeMutablePointer<ValueSlot>) throws
}
