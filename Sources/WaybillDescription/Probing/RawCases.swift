import Waybill
import WaybillSystem

/// The cases and raw values of an enum that decodes as its raw value.
struct RawCases {
    let values: [Any]
    let rawValues: [JSONValue]

    /// Whether the type also decodes other values, for example as a case for unknown values.
    let isOpen: Bool

    /// Creates the cases of a type; returns nil if it is not an enum, or does not decode as its raw value.
    init?<Value: Decodable>(_ type: Value.Type) {
        guard let raw = type as? any RawRepresentable.Type, let cases = EnumCases.all(of: type), !cases.isEmpty else {
            return nil
        }
        let texts = cases.compactMap { Self.rawValue(of: $0, raw) }
        guard texts.count == cases.count else { return nil }
        for (text, value) in zip(texts, cases) {
            guard let decoded = Self.decode(type, text), Self.rawValue(of: decoded, raw) == text,
                Self.rawValue(of: value, raw) == text
            else { return nil }
        }
        values = cases
        rawValues = texts
        let unlisted: JSONValue = texts[0].stringValue == nil ? .integer(987_654_321) : "waybill-unlisted-value"
        isOpen = Self.decode(type, unlisted) != nil
    }

    private static func rawValue<Raw: RawRepresentable>(of value: Any, _ type: Raw.Type) -> JSONValue? {
        switch (value as? Raw)?.rawValue {
        case let text as String: .string(text)
        case let number as any FixedWidthInteger: Int("\(number)").map(JSONValue.integer)
        case let number as Double: JSONValue(number)
        case let character as Character: .string(String(character))
        default: nil
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ value: JSONValue) -> Value? {
        try? WaybillJSONDecoder().decode(type, from: Data(value.description.utf8))
    }
}

/// The cases of enums without associated values.
///
/// For a `CaseIterable` enum, these are its `allCases`. For any other enum, the type metadata contains the number of
/// cases, and each case is stored as its index in as few bytes as needed. Both facts are part of the ABI on Apple
/// platforms. The metadata is used only if it yields the correct cases of a known enum.
enum EnumCases {
    /// Returns all cases of a type; nil if it is not an enum, has associated values, or cannot be listed.
    static func all<Value>(of type: Value.Type) -> [Value]? {
        if let iterable = type as? any CaseIterable.Type { return list(iterable).map { $0 as? [Value] } ?? nil }
        guard isReadable else { return nil }
        return read(type)
    }

    private static func list<Value: CaseIterable>(_ type: Value.Type) -> [Value]? { Array(type.allCases) }

    private enum Known: Equatable { case first, second, third }

    private static let isReadable = read(Known.self) == [.first, .second, .third] && read(Int.self) == nil

    private static func read<Value>(_ type: Value.Type) -> [Value]? {
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self)
        guard metadata[0] == 0x201, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return nil }
        let payloadCases = descriptor.loadUnaligned(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let count = Int(descriptor.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        guard payloadCases == 0, count > 0, count <= 65_536, _isPOD(type) else { return nil }
        let size = count == 1 ? 0 : count <= 256 ? 1 : 2
        guard MemoryLayout<Value>.size == size else { return nil }
        return (0..<count).map { number in
            withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { memory in
                memory.storeBytes(of: UInt64(number).littleEndian, as: UInt64.self)
                return memory.load(as: type)
            }
        }
    }
}
