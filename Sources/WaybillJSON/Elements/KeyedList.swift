import WaybillSystem

/// An incremental rewriter that converts an object of entities to a list.
///
/// `{"a":{"n":1}}` becomes `[{"n":1,"id":"a"}]`: the key of an entity becomes a member, unless the entity already has
/// that member. The list preserves document order. Only the keys and the brackets around the entities change, so the
/// list is decoded like any other. Invalid JSON remains invalid, and is not rewritten after the error. If the value at
/// the path is not an object, the document remains unchanged.
package struct KeyedList: Sendable {
    /// The location and format of a keyed list.
    package struct Form: Sendable {
        let path: [EnvelopeKey]
        let idKey: String
        /// The member name as a JSON string, followed by a colon.
        let idName: [UInt8]
        let hasNumbers: Bool

        /// Creates the format of a list.
        ///
        /// - Parameters:
        ///   - path: the path to the object; negative indices match nothing.
        ///   - idKey: the name of the member that receives the key.
        ///   - hasNumbers: whether integer keys become numbers.
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
    /// The number of open containers on the path, including the list and the current entity but none inside the entity.
    private var followed = 0
    /// The number of values begun so far in each of these containers.
    private var counts: [Int] = []
    private var isFound = false
    /// Whether the next byte is directly in the list, outside its values.
    private var isBetweenValues = false
    private var isInKey = false
    /// Whether the current entity has any members, and whether one of them is the id.
    private var (hasMembers, hasID) = (false, false)
    private var isInvalid = false

    /// The keys of the entities so far, as spelled in the document.
    private(set) var keys: [[UInt8]] = []

    package init(_ form: Form) {
        self.form = form
        validator.watchedDepth = form.path.count + 2
    }

    /// Rewrites a whole document, and returns it with the keys of the entities; nil if there is no object at the path.
    package static func rewrite(_ document: Data, _ form: Form) throws -> (document: Data, keys: [String])? {
        var list = KeyedList(form)
        let written = list.write(try DocumentReader.utf8(of: document))
        guard list.isFound else { return nil }
        return (written, list.keys.map { $0.withUnsafeBufferPointer(JSONEscapes.resolving) })
    }

    /// Returns a document with a member added to the object at a path; nil if there is no object or it already has the
    /// member.
    ///
    /// - Parameters:
    ///   - value: the value of the member, as JSON.
    ///   - form: the path to the object, and the key of the member.
    ///   - document: the document.
    /// - Returns: the changed document, as UTF-8.
    package static func inserting(_ value: String, _ form: Form, into document: Data) -> Data? {
        let text = JSONText((try? DocumentReader.utf8(of: document)) ?? document)
        let path = form.path.map { PathKey($0) }
        guard let keys = text.keys(at: path), !keys.contains(form.idKey),
            let object = text.location(of: path)?.value
        else { return nil }
        let member = (keys.isEmpty ? [] : [UInt8(ascii: ",")]) + form.idName + Array(value.utf8)
        let end = object.upperBound - 1
        return Data(text.bytes[..<end]) + Data(member) + Data(text.bytes[end...])
    }

    /// Rewrites the next bytes of the document.
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
                // Otherwise, removing the keys could make an invalid list valid.
                if isBetweenValues { written.append(UInt8(ascii: ":")) }
                isInvalid = true
            }
        }
        written.append(contentsOf: bytes[copied...])
    }

    /// Copies bytes, replacing each character of an entity's key and its colon with a space, so that error columns
    /// remain correct.
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

    /// Begins a value in the innermost open container on the path, and returns whether it is the list.
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

    /// The number of open containers around an entity, including the list.
    private var listDepth: Int { form.path.count + 1 }

    /// Whether the value about to begin is the next one on the path.
    private var isOnPath: Bool {
        guard !isFound, followed <= form.path.count else { return false }
        guard followed > 0 else { return true }
        switch form.path[followed - 1] {
        case .key(let key): return validator.isObject && text(of: validator.keyBytes) == key
        case .index(let index): return !validator.isObject && counts[followed - 1] == index
        }
    }

    /// The member that contains the key of the current entity.
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
