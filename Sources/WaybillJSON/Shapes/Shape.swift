/// The keys of an object in their order: one key, behind those of another shape.
///
/// Most objects of a document have the keys of another one, in the same order. A scanner that expects the key which came
/// last time compares a few bytes instead of reading a string, and a container that has seen the shape knows where each
/// of its keys is without reading any.
struct Shape {
    /// The number of the key.
    var key: UInt16 = 0
    /// How many keys there are.
    var count: UInt16 = 0
    /// The shape of the keys before this one.
    var parent: UInt16 = 0
    /// The shape that followed this one last time; 0 for none.
    var predicted: UInt16 = 0
    /// The one that followed it before that.
    var predictedNext: UInt16 = 0
    /// The shape with which an object began last time that was the value of the key, or an element of its array.
    var predictedInside: UInt16 = 0
    /// How many shapes have one more key.
    var childCount: UInt16 = 0
}
