import WaybillSystem

extension UnsafeMutablePointer<DecodingState> {
    /// Decodes a value of any type.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        let entry = typeEntry(type)
        if entry.pointee.strategy == .itself { return try decodeItself(type, at: index, in: container) }
        return try decode(type, entry.pointee, at: index, in: container)
    }

    /// Decodes a value with the type's `init(from:)`.
    @inline(__always)
    func decodeItself<Value: Decodable>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        // Not `Value(from:)`: `type` can be a subclass known only at run time.
        try type.init(from: TapeDecoder(session: session, index: index, container: container))
    }

    /// Returns the entry that determines how values of a type are decoded.
    @inline(__always)
    func typeEntry<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<TypeEntry> {
        pointee.types.find(ObjectIdentifier(type)) ?? newTypeEntry(type)
    }

    @inline(never)
    private func newTypeEntry<Value: Decodable>(_ type: Value.Type) -> UnsafeMutablePointer<TypeEntry> {
        guard !pointee.isDetached else { return TypeEntry.afterCall }
        let key = ObjectIdentifier(type)
        let entry = TypeEntry(type)
        if pointee.types.find(key) == nil { pointee.types.insert(entry, for: key) }
        return typeEntry(type)
    }

    /// Decodes a value with the strategy for its type.
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

    /// Returns a date, decoded with the decoder's strategy.
    @inline(never)
    func date(at index: Int, in container: Int) throws -> Date {
        guard !isNull(index) else { throw mismatch(Date.self, at: index, in: container) }
        switch session.strategies.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try seconds(at: index, in: container))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try seconds(at: index, in: container))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try seconds(at: index, in: container) / 1000)
        case .iso8601:
            guard isString(index) else { throw dateMismatch(String.self, at: index, in: container) }
            let (bytes, kind) = spelling(at: index)
            if kind == TapeKind.asciiString, let date = ISO8601Date.parse(bytes) { return date }
            let text = try string(at: index, in: container)
            var utf8 = text
            if kind == TapeKind.escapedString, let date = utf8.withUTF8({ ISO8601Date.parse($0) }) { return date }
            throw corrupted(ISO8601Date.reason(against: text), codingPath(to: index, in: container))
        case .formatted(let date):
            let text = try string(at: index, in: container)
            guard let date = date(text) else {
                throw corrupted(
                    "The date does not have the format that the formatter expects.",
                    codingPath(to: index, in: container)
                )
            }
            return date
        case .custom(let decode):
            return try decode(TapeDecoder(session: session, index: index, container: container))
        }
    }

    /// Returns binary data, decoded with the decoder's strategy.
    @inline(never)
    func data(at index: Int, in container: Int) throws -> Data {
        guard !isNull(index) else { throw mismatch(Data.self, at: index, in: container) }
        switch session.strategies.data {
        case .deferredToData:
            return try decodeItself(Data.self, at: index, in: container)
        case .base64:
            guard let data = Data(base64Encoded: try string(at: index, in: container)) else {
                throw corrupted("The string is not valid Base64.", codingPath(to: index, in: container))
            }
            return data
        case .custom(let decode):
            return try decode(TapeDecoder(session: session, index: index, container: container))
        }
    }

    /// Returns a URL from a string.
    @inline(never)
    func url(at index: Int, in container: Int) throws -> URL {
        guard !isNull(index) else { throw mismatch(URL.self, at: index, in: container) }
        guard let url = URL(string: try string(at: index, in: container)) else {
            throw corrupted("The string is not a valid URL.", codingPath(to: index, in: container))
        }
        return url
    }

    /// Returns a decimal number; throws instead of rounding.
    @inline(never)
    func decimal(at index: Int, in container: Int) throws -> Decimal {
        guard let digits = number(at: index) else { throw mismatch(Decimal.self, at: index, in: container) }
        guard let value = ExactNumber.decimal(digits: digits) else { throw unfitting(digits, at: index, in: container) }
        return value
    }

    /// Returns a UUID from its canonical string.
    @inline(never)
    func uuid(at index: Int, in container: Int) throws -> UUID {
        guard let uuid = UUID(uuidString: try string(at: index, in: container)) else {
            throw corrupted("The string is not a UUID.", codingPath(to: index, in: container))
        }
        return uuid
    }

    /// Returns the number that represents a date.
    ///
    /// It must be finite: Foundation traps when describing a NaN date.
    private func seconds(at index: Int, in container: Int) throws -> Double {
        let seconds: Double
        do {
            seconds = try double(at: index, in: container)
        } catch DecodingError.typeMismatch {
            throw dateMismatch(Double.self, at: index, in: container)
        }
        guard seconds.isFinite else {
            throw corrupted("A date cannot be \(seconds).", codingPath(to: index, in: container))
        }
        return seconds
    }
}
