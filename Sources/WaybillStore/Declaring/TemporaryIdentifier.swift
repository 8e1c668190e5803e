import Waybill
import WaybillSystem

/// An id type with values that identify new items until the server assigns permanent ids.
///
/// `Int`, `Int64`, `String`, `UUID` and `JSONValue.EntityID` conform. A custom type derives an id from a number that
/// the store has not used before:
///
/// ```swift
/// struct SKU: RawRepresentable, Codable, Hashable, PathSegmentConvertible, TemporaryIdentifier {
///     let rawValue: String
///
///     static func temporary(_ number: Int) -> SKU { SKU(rawValue: "temporary-\(number)") }
/// }
/// ```
///
/// The store replaces a temporary id wherever it occurs as a whole value: in rows, in pending writes, and in the paths
/// of collections. A server must never assign such an id, and no other value in the data may be equal to it.
public protocol TemporaryIdentifier: PathSegmentConvertible {
    /// Returns the temporary id for a number.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id, which must always be the same for the same number.
    static func temporary(_ number: Int) -> Self
}

extension Int: TemporaryIdentifier {
    /// Returns a number below −9·10¹⁵, which a `Double` represents exactly and no server assigns.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id.
    public static func temporary(_ number: Int) -> Int { Int(Int64.temporary(number)) }
}

extension Int64: TemporaryIdentifier {
    /// Returns a number below −9·10¹⁵, which a `Double` represents exactly and no server assigns.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id.
    public static func temporary(_ number: Int) -> Int64 { Int64(number) - (1 << 53) }
}

extension String: TemporaryIdentifier {
    /// Returns `temporary-` followed by the number.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id.
    public static func temporary(_ number: Int) -> String { "temporary-\(number)" }
}

extension UUID: TemporaryIdentifier {
    /// Returns a version 8 UUID (RFC 9562, section 5.8) with the number in its last bytes.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id.
    public static func temporary(_ number: Int) -> UUID {
        let bytes = withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) }
        return UUID(
            uuid: (
                0x57, 0x61, 0x79, 0x62, 0x69, 0x6C, 0x80, 0x6C, 0x80, bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
                bytes[6], bytes[7]
            )
        )
    }
}

extension JSONValue.EntityID: TemporaryIdentifier {
    /// Returns `temporary-` followed by the number.
    ///
    /// - Parameter number: a number from 1, unique within the store.
    /// - Returns: the id.
    public static func temporary(_ number: Int) -> JSONValue.EntityID { .string(.temporary(number)) }
}

extension JSONValue {
    /// Returns the value with every occurrence of an id replaced by another one.
    func replacing(_ temporary: JSONValue, by permanent: JSONValue) -> JSONValue {
        switch self {
        case _ where self == temporary: permanent
        case .array(let elements): .array(elements.map { $0.replacing(temporary, by: permanent) })
        case .object(let members): .object(members.mapValues { $0.replacing(temporary, by: permanent) })
        default: self
        }
    }

    /// Whether the value equals or contains an id.
    func contains(_ id: JSONValue) -> Bool {
        switch self {
        case _ where self == id: true
        case .array(let elements): elements.contains { $0.contains(id) }
        case .object(let members): members.values.contains { $0.contains(id) }
        default: false
        }
    }
}
