/// The keys of an object in their order: one key, behind those of another shape.
///
/// Most objects of a document have the keys of another one, in the same order. A scanner that expects the key which came
/// last time compares a few bytes instead of reading a string, and a container that has seen the shape knows where each
/// of its keys is without reading any.
struct Shape {
    /// The first 16 bytes of the key as the document writes it, with the quotation mark that ends it.
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// Which bits of these are to be compared.
    var lowMask: UInt64 = 0
    var highMask: UInt64 = 0
    /// The key's first word on a tape, but for its offset.
    var word: UInt64 = 0
    /// How many bytes the key has in the document, without quotation marks.
    var length: Int32 = 0
    /// Where the key's bytes are in the table, as the document writes them, and behind these as they are meant.
    var spelling: Int32 = 0
    /// How many bytes the key has without escapes.
    var meaningLength: Int32 = 0
    /// The shape of the keys before this one.
    var parent: Int32 = 0
    /// How many keys there are.
    var count: Int32 = 0
    /// The shape that followed this one last time; 0 for none.
    var predicted: Int32 = 0
    /// The first of the shapes with one more key; 0 for none.
    var firstChild: Int32 = 0
    /// The next shape with the same keys before this one; 0 for none.
    var nextSibling: Int32 = 0
    /// How many shapes have one more key.
    var childCount: Int32 = 0
    /// Whether the key consists of ASCII.
    var isASCII = true
}
