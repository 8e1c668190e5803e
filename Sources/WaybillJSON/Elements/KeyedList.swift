import WaybillSystem

/// Writes an object of entities as a list, while its document arrives: `{"a":{"n":1}}` becomes `[{"n":1,"id":"a"}]`.
///
/// The key of an entity becomes its member of a name, unless it has one. The order is that of the document. Only the
/// brackets around the entities and their keys change, so that the list is decoded as any other one is. Invalid JSON
/// remains invalid, and a document with something else at the path stays as it is.
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

    /// A container on the path, the list or an entity.
    private struct Level {
        let isObject: Bool
        /// The index of the present element of an array.
        var index = 0
        /// The last key of an object, as it is written, without its quotation marks.
        var key: [UInt8] = []
        /// Whether the next text is a key.
        var expectsKey: Bool
    }

    private let form: Form
    /// The containers on the path, down to an entity.
    private var levels: [Level] = []
    /// The number of open containers.
    private var depth = 0
    /// Whether the next byte begins a value.
    private var expectsValue = true
    /// Whether a key has ended whose colon has not come.
    private var expectsColon = false
    private var isInText = false
    private var isEscaped = false
    private var isInKey = false
    /// Whether the list has been found.
    private var isFound = false
    private var isInList = false
    /// Whether the present entity has a member, and whether it has the id.
    private var (hasMembers, hasID) = (false, false)

    /// The keys of the list so far, as they are written.
    private(set) var keys: [[UInt8]] = []

    package init(_ form: Form) { self.form = form }

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
        for byte in chunk { write(byte, to: &written) }
        return written
    }

    private mutating func write(_ byte: UInt8, to written: inout Data) {
        guard !isInText else { return writeText(byte, to: &written) }
        switch byte {
        case UInt8(ascii: "\""):
            isInText = true
            isInKey = isTracked && levels.last?.expectsKey == true
            if isInKey { levels[levels.count - 1].key = [] } else { beginValue(&written) }
            if isListKey { return written.append(0x20) }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return open(byte, to: &written)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            return close(byte, to: &written)
        case UInt8(ascii: ":"):
            let isHidden = isInListItself && expectsColon
            if isTracked { (expectsValue, expectsColon) = (true, false) }
            if isHidden { return written.append(0x20) }
        case UInt8(ascii: ","):
            guard isTracked, let last = levels.indices.last else { break }
            levels[last].index += 1
            levels[last].expectsKey = levels[last].isObject
            expectsValue = !levels[last].isObject
        case 0x20, 0x09, 0x0A, 0x0D, 0x80...: break
        default: beginValue(&written)
        }
        written.append(byte)
    }

    private mutating func writeText(_ byte: UInt8, to written: inout Data) {
        let isHidden = isListKey
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            if isInKey { endKey() }
            return written.append(isHidden ? 0x20 : byte)
        }
        if isInKey { levels[levels.count - 1].key.append(byte) }
        // Columns are counted in characters, of which each has one byte that continues none.
        if !isHidden || byte < 0x20 { written.append(byte) } else if byte & 0xC0 != 0x80 { written.append(0x20) }
    }

    private mutating func endKey() {
        isInKey = false
        guard let last = levels.indices.last else { return }
        levels[last].expectsKey = false
        expectsColon = true
        guard isInList, levels.count == listDepth + 1 else { return }
        hasMembers = true
        if text(of: levels[last].key) == form.idKey { hasID = true }
    }

    private mutating func open(_ byte: UInt8, to written: inout Data) {
        let isObject = byte == UInt8(ascii: "{")
        let leadsOn = isTracked && expectsValue && isOnPath
        let isList = leadsOn && levels.count == form.path.count && !isFound
        let isEntity = isInListItself && expectsValue && isObject
        beginValue(&written)
        if isList, isObject {
            (isFound, isInList) = (true, true)
            push(isObject)
            written.append(UInt8(ascii: "["))
            return
        }
        if isEntity {
            push(isObject)
            (hasMembers, hasID) = (false, false)
        } else if leadsOn, levels.count < form.path.count {
            push(isObject)
        } else {
            depth += 1
        }
        written.append(byte)
    }

    private mutating func close(_ byte: UInt8, to written: inout Data) {
        guard isTracked, !levels.isEmpty else {
            depth = max(0, depth - 1)
            return written.append(byte)
        }
        let isList = isInListItself
        // A key without a value is not JSON, and a comma at the end is read by some decoders.
        let isAfterComma = isList && (levels.last.map { $0.expectsKey && $0.index > 0 } ?? false)
        if isList, expectsValue || expectsColon || isAfterComma { written.append(UInt8(ascii: ":")) }
        if isInList, levels.count == listDepth + 1, !hasID {
            if hasMembers { written.append(UInt8(ascii: ",")) }
            written.append(contentsOf: idMember)
        }
        levels.removeLast()
        depth -= 1
        expectsValue = false
        guard isList else { return written.append(byte) }
        isInList = false
        written.append(byte == UInt8(ascii: "}") ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }

    /// Begins a value; if it is in the list, its key is stored.
    private mutating func beginValue(_ written: inout Data) {
        guard isTracked else { return }
        guard expectsValue else {
            // A value without a key is not JSON, unless it is one that has begun.
            if isInListItself, expectsColon || levels.last?.expectsKey == true { written.append(UInt8(ascii: ":")) }
            return
        }
        expectsValue = false
        if isInListItself, let key = levels.last?.key { keys.append(key) }
    }

    private mutating func push(_ isObject: Bool) {
        levels.append(Level(isObject: isObject, expectsKey: isObject))
        depth += 1
        (expectsValue, expectsColon) = (!isObject, false)
    }

    /// Whether the innermost container is one of those that are followed.
    private var isTracked: Bool { levels.count == depth }

    /// The number of followed containers within the list.
    private var listDepth: Int { form.path.count + 1 }

    /// Whether the innermost container is the list.
    private var isInListItself: Bool { isInList && isTracked && levels.count == listDepth }

    /// Whether the text that is being read is a key of the list.
    private var isListKey: Bool { isInKey && isInListItself }

    /// Whether the value that begins is the next one on the path.
    private var isOnPath: Bool {
        guard !isFound, levels.count <= form.path.count else { return false }
        guard let level = levels.last else { return true }
        switch form.path[levels.count - 1] {
        case .key(let key): return level.isObject && text(of: level.key) == key
        case .index(let index): return !level.isObject && level.index == index
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
