/// A key of a coding path, as it is found in a document.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// Creates the key of a member.
    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// Creates the index of an element, from 0.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
