/// The keys of an object in their order: one key, after those of another shape.
///
/// Most objects of a document have the keys of another one, in the same order. A scanner that expects the key of the
/// last time compares a few bytes instead of reading a string, and a container that has seen the shape knows the place
/// of each of its keys without reading any.
struct Shape {
    /// The first 16 bytes of the key, with the quotation mark that ends it: beside the rest, so that the next key is
    /// one step away.
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// The mask of the bits to compare.
    var lowMask: UInt64 = 0
    var highMask: UInt64 = 0
    /// The number of bytes of the key.
    var length: UInt16 = 0
    /// The number of the key.
    var key: UInt16 = 0
    /// The number of keys.
    var count: UInt16 = 0
    /// The shape of the keys before this one.
    var parent: UInt16 = 0
    /// The shape that followed this one last time; 0 for none.
    var predicted: UInt16 = 0
    /// The one that followed it before that.
    var predictedNext: UInt16 = 0
    /// The shape with which an object began last time that was the value of the key, or an element of its array.
    var predictedInside: UInt16 = 0
    /// The number of shapes with one more key.
    var childCount: UInt16 = 0

    /// Takes over the bytes of the key.
    mutating func spell(_ key: UnsafeBufferPointer<UInt8>) {
        length = UInt16(truncatingIfNeeded: key.count)
        for place in 0..<min(16, key.count + 1) {
            let byte = place < key.count ? UInt64(key[place]) : UInt64(UInt8(ascii: "\""))
            let shift = UInt64(place & 7) * 8
            if place < 8 {
                low |= byte << shift
                lowMask |= 0xFF << shift
            } else {
                high |= byte << shift
                highMask |= 0xFF << shift
            }
        }
    }
}
