/// The first words of a type's metadata.
///
/// Nothing here is trusted before it was compared with the metadata of known types.
enum TypeMetadata {
    /// Whether a type is an enumeration without payloads of at most 256 cases, of which one byte tells the case.
    static func isEnumerationWithoutPayload<Value>(_ type: Value.Type) -> Bool {
        canTell && MemoryLayout<Value>.size <= 1 && _isPOD(type) && kind(of: type) == kind(of: ReferenceKey.self)
    }

    /// Whether a type may be an array or a dictionary; it may also be another type if the metadata does not tell.
    static func mayBeCollection(_ type: Any.Type) -> Bool {
        guard canTell else { return true }
        guard kind(of: type) == kind(of: [Int].self) else { return false }
        let found = descriptor(of: type)
        return found == descriptor(of: [Int].self) || found == descriptor(of: [Int: Int].self)
    }

    private enum ReferenceKey: CodingKey { case first, second }

    private struct ReferenceStructure: Hashable { let value: UInt8 }

    /// Whether the metadata of known types have the expected layout.
    private static let canTell: Bool = {
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
