/// The cases of enums without payloads.
///
/// An enum that is `CaseIterable` says them itself. Of another one the type's metadata has their number, and a case is
/// its number in as few bytes as it needs: both are part of the ABI on Apple's platforms. Elsewhere they are used only
/// if an enum whose cases are known comes out right.
enum EnumCases {
    /// Returns all cases of a type; nil if it is not an enum, has payloads, or cannot be listed.
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
