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

    /// The same key however it is spelled: letters and digits in lower case.
    ///
    /// A decoder that converts keys (`next_page` → `nextPage`) shows them converted only.
    package static func normalized(_ key: String) -> String {
        key.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
