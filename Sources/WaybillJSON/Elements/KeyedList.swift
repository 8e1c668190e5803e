import WaybillSystem

/// A rewriter of an object of entities as a list, while its document arrives.
///
/// `{"a":{"n":1}}` becomes `[{"n":1,"id":"a"}]`: the key of an entity becomes its member of a name, unless it has one.
/// The order is that of the document. Only the brackets around the entities and their keys change, so that the list is
/// decoded as any other one is. Invalid JSON remains invalid, and is not rewritten from the fault on. A document with
/// something else at the path stays as it is.
package struct KeyedList: Sendable {
    /// The place and the form of a list with keys.
    package struct Form: Sendable {
        let path: [EnvelopeKey]
        let idKey: String
        /// The name of the member as JSON, with its colon.
        let idName: [UInt8]
        let hasNumbers: Bool

        /// Creates the form of a list.
        ///
        /// - Parameters:
        ///   - path: the path to the object; one with an index from the end finds nothing.
        ///   - idKey: the name of the member for the key.
        ///   - hasNumbers: whether a key that is a whole number becomes a number.
        package init(path: [EnvelopeKey], idKey: String, hasNumbers: Bool) {
            self.path = path
            self.idKey = idKey
            self.hasNumbers = hasNumbers
            let escaped = idKey.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case "\0"..."\u{1F}": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
                default: String(scalar)
                }
            }
            idName = Array("\"\(escaped.joined())\":".utf8)
        }
    }

    private let form: Form
    private var validator = JSONValidator(maximumDepth: .max, longestKey: .max)
    /// The number of open containers on the path, the list and an entity included; those within them are not followed.
    private var followed = 0
    /// The number of values that have begun in each followed container.
    private var counts: [Int] = []
    private var isFound = false
    /// Whether the next byte is in the list and in none of its values.
    private var isBetweenValues = false
    private var isInKey = false
    /// Whether the present entity has a member, and whether it has the id.
    private var (hasMembers, hasID) = (false, false)
    private var isInvalid = false

    /// The keys of the list so far, as they are written.
    private(set) var keys: [[UInt8]] = []

    package init(_ form: Form) {
        self.form = form
        validator.watchedDepth = form.path.count + 2
    }

    /// Returns the whole of a document with its list in the form of an array, and the keys of the list; nil if it has
    /// no such list.
    package static func rewrite(_ document: Data, _ form: Form) throws -> (document: Data, keys: [String])? {
        var list = KeyedList(form)
        let written = list.write(try DocumentReader.utf8(of: document))
        guard list.isFound else { return nil }
        return (written, list.keys.map { $0.withUnsafeBufferPointer(JSONEscapes.resolving) })
    }

    /// Returns the next bytes of the document, rewritten.
    package mutating func write(_ chunk: Data) -> Data {
        var written = Data()
        written.reserveCapacity(chunk.count + 64)
        chunk.withUnsafeBytes { write($0.assumingMemoryBound(to: UInt8.self), to: &written) }
        return written
    }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>, to written: inout Data) {
        var (index, copied) = (0, 0)
        while !isInvalid {
            switch validator.read(bytes, from: &index) {
            case .needsBytes: return copy(bytes[copied...], to: &written)
            case .byteOrderMark: break
            case .key:
                guard validator.depth == followed else { continue }
                if followed == listDepth + 1 {
                    hasMembers = true
                    if text(of: validator.keyBytes) == form.idKey { hasID = true }
                }
                copy(bytes[copied..<index], to: &written)
                (copied, isInKey) = (index, false)
            case .valueBegins:
                guard validator.depth == followed else { continue }
                copy(bytes[copied..<index], to: &written)
                (copied, isBetweenValues) = (index, false)
                if beginValue(bytes[index]) {
                    written.append(UInt8(ascii: "["))
                    (copied, isBetweenValues) = (index + 1, true)
                }
            case .valueEnds:
                if validator.depth < followed {
                    copy(bytes[copied..<index - 1], to: &written)
                    copied = index - 1
                    if followed == listDepth + 1, !hasID {
                        if hasMembers { written.append(UInt8(ascii: ",")) }
                        written.append(contentsOf: idMember)
                    } else if followed == listDepth {
                        written.append(UInt8(ascii: "]"))
                        copied = index
                    }
                    followed -= 1
                    counts.removeLast()
                }
                copy(bytes[copied..<index], to: &written)
                copied = index
                isBetweenValues = followed == listDepth && validator.depth == listDepth
            case .rejected:
                copy(bytes[copied..<index], to: &written)
                copied = index
                // Without its keys, the list might be valid.
                if isBetweenValues { written.append(UInt8(ascii: ":")) }
                isInvalid = true
            }
        }
        written.append(contentsOf: bytes[copied...])
    }

    /// Copies bytes; a key of the list and its colon become spaces, one for each character, as columns are counted.
    private mutating func copy(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, to written: inout Data) {
        guard isBetweenValues else { return written.append(contentsOf: bytes) }
        for byte in bytes {
            if isInKey {
                if byte & 0xC0 != 0x80 { written.append(0x20) }
            } else {
                isInKey = byte == UInt8(ascii: "\"")
                written.append(isInKey || byte == UInt8(ascii: ":") ? 0x20 : byte)
            }
        }
    }

    /// Begins a value in the innermost container, which is followed, and returns whether it is the list.
    private mutating func beginValue(_ first: UInt8) -> Bool {
        let isObject = first == UInt8(ascii: "{")
        let isOnPath = isOnPath
        if followed > 0 { counts[followed - 1] += 1 }
        if followed == listDepth {
            keys.append(validator.keyBytes)
            if isObject { follow() }
            (hasMembers, hasID) = (false, false)
        } else if isOnPath, followed == form.path.count, isObject {
            isFound = true
            follow()
            return true
        } else if isOnPath, followed < form.path.count, isObject || first == UInt8(ascii: "[") {
            follow()
        }
        return false
    }

    private mutating func follow() {
        followed += 1
        counts.append(0)
    }

    /// The number of open containers within the list.
    private var listDepth: Int { form.path.count + 1 }

    /// Whether the value that begins is the next one on the path.
    private var isOnPath: Bool {
        guard !isFound, followed <= form.path.count else { return false }
        guard followed > 0 else { return true }
        switch form.path[followed - 1] {
        case .key(let key): return validator.isObject && text(of: validator.keyBytes) == key
        case .index(let index): return !validator.isObject && counts[followed - 1] == index
        }
    }

    /// The member for the key of the present entity.
    private var idMember: [UInt8] {
        let key = keys.last ?? []
        let number = form.hasNumbers ? Int(String(decoding: key, as: UTF8.self)) : nil
        let isNumber = number.map { "\($0)".utf8.elementsEqual(key) } ?? false
        let quote = isNumber ? [] : [UInt8(ascii: "\"")]
        return form.idName + quote + key + quote
    }

    private func text(of key: [UInt8]) -> String {
        key.withUnsafeBufferPointer(JSONEscapes.resolving)
    }
}
