extension UnsafeMutablePointer {
    /// Moves values to more memory, and frees this.
    func moved(_ count: Int, toCapacity capacity: Int) -> UnsafeMutablePointer {
        let larger = UnsafeMutablePointer.allocate(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}

extension UnsafePointer<UInt8> {
    /// Whether the bytes here are those at another place.
    @inline(__always)
    func isEqual(to other: UnsafePointer<UInt8>?, count: Int) -> Bool {
        guard let other else { return count == 0 }
        guard count >= 8 else {
            var index = 0
            while index < count {
                if self[index] != other[index] { return false }
                index &+= 1
            }
            return true
        }
        let (one, two) = (UnsafeRawPointer(self), UnsafeRawPointer(other))
        // The last word may overlap the one before it.
        var index = count &- 8
        while true {
            let difference =
                one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                ^ two.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if difference != 0 { return false }
            if index == 0 { return true }
            index = Swift.max(0, index &- 8)
        }
    }
}
