/// A map from keys of documents to cases of an enumeration: for objects whose members come in any order.
struct KeyCaseMap {
    /// The case of each key by its number in the table of keys, plus 1; 0 for none.
    private var cases: [UInt8] = []
    /// The number of each case's key; 0 if it is not known yet.
    private var numbers: [UInt16] = []
    /// The document with which each case's key became known.
    private var documents: [Int] = []

    /// The number of a case whose name is not kept in the table of keys.
    static let notKept: UInt16 = .max

    mutating func removeAll() { self = KeyCaseMap() }

    /// Returns the number of a case's key; nil if it is not known yet.
    @inline(__always)
    func number(ofCase index: Int) -> UInt16? {
        guard index < numbers.count, numbers[index] != 0 else { return nil }
        return numbers[index]
    }

    /// Whether a case's key was known before a document was read, so that each such key in it has its number.
    @inline(__always)
    func isKnown(case index: Int, before document: Int) -> Bool { documents[index] < document }

    /// Returns the case of a key; nil if it has none, or none that is known.
    @inline(__always)
    func index(ofKey number: Int) -> Int? {
        guard number < cases.count, cases[number] != 0 else { return nil }
        return Int(cases[number]) &- 1
    }

    /// Learns the key of a case.
    ///
    /// - Returns: the number of the case's key.
    mutating func learn(case index: Int, number: Int, in document: Int) -> UInt16 {
        while numbers.count <= index {
            numbers.append(0)
            documents.append(0)
        }
        while cases.count <= number { cases.append(0) }
        // Cases can share a name; one of them has an entry, and the others are looked up by name.
        let isKept = number != 0 && cases[number] == 0
        if isKept { cases[number] = UInt8(truncatingIfNeeded: index + 1) }
        numbers[index] = isKept ? UInt16(truncatingIfNeeded: number) : Self.notKept
        documents[index] = document
        return numbers[index]
    }
}
