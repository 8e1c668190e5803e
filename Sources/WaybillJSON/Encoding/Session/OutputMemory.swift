import WaybillSystem

/// Memory for output that can grow in place, and that a `Data` can take over without a copy.
enum OutputMemory {
    /// The length from which a document is taken over instead of copied: 32 KiB.
    ///
    /// Copying a shorter one costs less than new memory for the next document.
    static let copiedBytes = 1 << 15

    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> { resize(nil, to: capacity) }

    /// Changes the capacity of memory, which may move.
    static func resize(_ bytes: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        // If there is no memory left, `allocate` ends the process, as it does for any other value.
        realloc(bytes, capacity)?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: capacity)
    }

    static func deallocate(_ bytes: UnsafeMutablePointer<UInt8>) { free(bytes) }

    /// Returns the first bytes of memory, which belongs to the result from now on.
    static func data(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Data {
        Data(bytesNoCopy: resize(bytes, to: count), count: count, deallocator: .free)
    }
}
