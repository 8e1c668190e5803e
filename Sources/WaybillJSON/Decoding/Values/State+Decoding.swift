extension UnsafeMutablePointer<DecodingState> {
    /// Decodes a value of any type.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        let entry = typeEntry(type)
        if entry.pointee.strategy == .itself { return try decodeItself(type, at: index, in: container) }
        return try decode(type, entry.pointee, at: index, in: container)
    }

    /// Lets a type decode itself.
    @inline(__always)
    func decodeItself<Value: Decodable>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        // Not `Value(from:)`: the type may be a subclass that is known only at run time.
        try type.init(from: TapeDecoder(session: session, index: index, container: container))
    }

    /// Returns the entry for decoding values of a type.
    @inline(__always)
    func typeEntry<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<TypeEntry> {
        pointee.types.find(unsafeBitCast(type, to: UnsafeRawPointer.self)) ?? newTypeEntry(type)
    }

    @inline(never)
    private func newTypeEntry<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<TypeEntry> {
        guard !pointee.isDetached else { return TypeEntry.afterCall }
        let key = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let entry = TypeEntry(type)
        if pointee.types.find(key) == nil { pointee.types.insert(entry, for: key) }
        return typeEntry(type)
    }

    /// Decodes a value of a type that the decoder knows.
    @inline(never)
    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ entry: TypeEntry,
        at index: Int,
        in container: Int
    ) throws -> Value {
        switch entry.strategy {
        case .itself: return try decodeItself(type, at: index, in: container)
        case .string: return unsafeBitCast(try string(at: index, in: container), to: Value.self)
        case .bool: return unsafeBitCast(try bool(at: index, in: container), to: Value.self)
        case .double: return unsafeBitCast(try double(at: index, in: container), to: Value.self)
        case .float: return unsafeBitCast(try float(at: index, in: container), to: Value.self)
        case .int: return unsafeBitCast(try integer(Int.self, at: index, in: container), to: Value.self)
        case .int8: return unsafeBitCast(try integer(Int8.self, at: index, in: container), to: Value.self)
        case .int16: return unsafeBitCast(try integer(Int16.self, at: index, in: container), to: Value.self)
        case .int32: return unsafeBitCast(try integer(Int32.self, at: index, in: container), to: Value.self)
        case .int64: return unsafeBitCast(try integer(Int64.self, at: index, in: container), to: Value.self)
        case .uint: return unsafeBitCast(try integer(UInt.self, at: index, in: container), to: Value.self)
        case .uint8: return unsafeBitCast(try integer(UInt8.self, at: index, in: container), to: Value.self)
        case .uint16: return unsafeBitCast(try integer(UInt16.self, at: index, in: container), to: Value.self)
        case .uint32: return unsafeBitCast(try integer(UInt32.self, at: index, in: container), to: Value.self)
        case .uint64: return unsafeBitCast(try integer(UInt64.self, at: index, in: container), to: Value.self)
        case .int128, .uint128:
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                return entry.strategy == .int128
                    ? unsafeBitCast(try integer(Int128.self, at: index, in: container), to: Value.self)
                    : unsafeBitCast(try integer(UInt128.self, at: index, in: container), to: Value.self)
            }
            return try decodeItself(type, at: index, in: container)
        case .date: return unsafeBitCast(try date(at: index, in: container), to: Value.self)
        case .data: return unsafeBitCast(try data(at: index, in: container), to: Value.self)
        case .url: return unsafeBitCast(try url(at: index, in: container), to: Value.self)
        case .decimal: return unsafeBitCast(try decimal(at: index, in: container), to: Value.self)
        case .uuid: return unsafeBitCast(try uuid(at: index, in: container), to: Value.self)
        case .collection:
            guard let builder = entry.builder else { return try decodeItself(type, at: index, in: container) }
            return try build(builder, at: index, in: container)
        case .afterCall: return try session.decodeAfterCall(type, at: index, in: container)
        }
    }

    private func build<Builder: CollectionBuilder, Value>(
        _ builder: Builder.Type,
        at index: Int,
        in container: Int
    ) throws -> Value {
        unsafeBitCast(try Builder.build(at: index, in: container, of: self), to: Value.self)
    }
}
