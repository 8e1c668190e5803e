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
        var index = 0
        while index < count {
            if self[index] != other[index] { return false }
            index &+= 1
        }
        return true
    }
}
