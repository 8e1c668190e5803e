/// A key that is known only when the program runs.
package struct EnvelopeCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    package init(stringValue: String) { self.init(stringValue) }

    package init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
