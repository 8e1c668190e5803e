import WaybillSystem

/// Output memory that can grow in place and be transferred to `Data` without a copy.
enum OutputMemory {
    /// The minimum length of a document whose memory is transferred instead of copied: 32 KiB.
    ///
    /// Copying a shorter document costs less than allocating new memory for the next one.
    static let copiedBytes = 1 << 15

    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> { resize(nil, to: capacity) }

    /// Changes the capacity of memory, which may move.
    static func resize(_ bytes: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        // If memory is exhausted, `allocate` ends the process, as for any other allocation.
        realloc(bytes, capacity)?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: capacity)
    }

    static func deallocate(_ bytes: UnsafeMutablePointer<UInt8>) { free(bytes) }

    /// Returns the first bytes of memory, whose ownership is transferred to the result.
    static func data(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Data {
        Data(bytesNoCopy: resize(bytes, to: count), count: count, deallocator: .free)
    }
}
