/// Inspection of the first words of a type's metadata.
///
/// The first word of a type's metadata is its kind, such as structure or enumeration. The second word of a structure's
/// metadata is the address of its descriptor, which is shared by all specializations of a generic type.
enum TypeMetadata {
    /// Whether a type is an enumeration with values of at most one byte, which therefore identifies the value; false
    /// for all types if metadata is not inspected.
    static func isEnumerationWithoutPayload<Value>(_ type: Value.Type) -> Bool {
        isAvailable && MemoryLayout<Value>.size <= 1 && _isPOD(type) && kind(of: type) == kind(of: ReferenceKey.self)
    }

    /// Whether a type may be an array or a dictionary; true for all types if metadata is not inspected.
    static func mayBeCollection(_ type: Any.Type) -> Bool {
        guard isAvailable else { return true }
        guard kind(of: type) == kind(of: [Int].self) else { return false }
        let found = descriptor(of: type)
        return found == descriptor(of: [Int].self) || found == descriptor(of: [Int: Int].self)
    }

    private enum ReferenceKey: CodingKey { case first, second }

    private struct ReferenceStructure: Hashable { let value: UInt8 }

    /// Whether metadata is inspected: true outside safe mode, if the metadata of known types has the expected layout.
    static let isAvailable: Bool = {
        guard !SafeMode.isOn else { return false }
        let enumerations: [Any.Type] = [ReferenceKey.self, FloatingPointSign.self]
        let structures: [Any.Type] = [Int.self, String.self, [Int].self, [Int: Int].self, ReferenceStructure.self]
        return enumerations.allSatisfy { kind(of: $0) == kind(of: ReferenceKey.self) }
            && structures.allSatisfy { kind(of: $0) == kind(of: [Int].self) }
            && kind(of: ReferenceKey.self) != kind(of: [Int].self)
            && descriptor(of: [String].self) == descriptor(of: [Int].self)
            && descriptor(of: [String: Int].self) == descriptor(of: [Int: Int].self)
            && descriptor(of: Set<Int>.self) != descriptor(of: [Int].self)
    }()

    private static func kind(of type: Any.Type) -> Int {
        unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee
    }

    private static func descriptor(of type: Any.Type) -> Int {
        unsafeBitCast(type, to: UnsafePointer<Int>.self)[1]
    }
}
