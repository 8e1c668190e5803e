import WaybillSystem

/// A reader that replaces secrets in text in a single pass.
struct SecretMemberReader {
    private let bytes: [UInt8]
    private let names: SecretNameSet
    private let depth: Int
    private let kinds = ByteKinds.shared
    /// The secret values that consist of digits.
    ///
    /// A number that contains one is replaced by 0, because a redaction mark is not a valid JSON number.
    private let numbers: [String]
    private let shortestNumber: Int
    private var place = 0
    /// The redacted text up to and including the last replacement; `keptEnd` is the position after the replaced bytes.
    private var kept: [UInt8] = []
    private var keptEnd = 0
    private var values: [String] = []
    /// Whether the last string may contain JSON, or a URL's query item or user info.
    private var stringHasSigns = false
    /// Whether the last string contains a backslash.
    private var stringHasEscapes = false
    /// Keys that are not secret regardless of their values, cached because documents repeat keys.
    private var publicKeys: Set<String> = []
    /// Whether `code` is secret in this text, determined when the name first occurs.
    private lazy var isTokenRequest = hasNameOfTokenRequest

    init(_ bytes: [UInt8], _ names: SecretNameSet, depth: Int) {
        self.bytes = bytes
        self.names = names
        self.depth = depth
        numbers = names.longValues.filter { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        shortestNumber = numbers.map(\.utf8.count).min() ?? .max
    }

    /// Whether there is nothing to search for.
    var findsNothing: Bool { numbers.isEmpty && !names.hasNames }

    /// Returns the text without secret values, or nil if nothing was replaced, and the removed values.
    mutating func split() -> (bytes: [UInt8]?, values: [String]) {
        readItem()
        // Copied to local variables, because unoptimized builds read them twice as fast.
        let (bytes, all, isWord, count) = (bytes, kinds.all, kinds.isWord, bytes.count)
        while place < count {
            switch all[Int(bytes[place])] {
            case .quotationMark: readString()
            // An escaped quotation mark does not begin a string.
            case .backslash: place = min(place + 2, count)
            case .number: readNumber()
            case .word:
                var end = place + 1
                while end < count, isWord[Int(bytes[end])] { end += 1 }
                place = end
            // A semicolon may end `&amp;` or begin a path parameter; either way, an item may follow.
            case .beginsItem:
                place += 1
                readItem()
            case .colon where bytes[place...].starts(with: "://".utf8):
                place += 3
                readUserInformation()
            case .colon, .other: place += 1
            }
        }
        guard keptEnd > 0 else { return (nil, values) }
        return (kept + bytes[keptEnd...], values)
    }

    /// Replaces the bytes from a position to the current one.
    private mutating func replace(from start: Int, by replacement: some Sequence<UInt8>) {
        kept += bytes[keptEnd..<start]
        kept += replacement
        keptEnd = place
    }

    /// Reads a string, and removes the value after it if the string is a secret key.
    private mutating func readString() {
        let start = place
        let isWhole = skipString()
        let (afterString, isEscaped) = (place, stringHasEscapes)
        skipSpace()
        guard place < bytes.count, bytes[place] == 0x3A else {
            let isString = place == bytes.count || kinds.follows[Int(bytes[place])] || place > afterString
            place = afterString
            guard isString || !isWhole else {
                // A quotation mark in prose, which may directly precede JSON.
                place = start + 1
                return
            }
            if stringHasSigns { removeSecrets(inStringFrom: start, isWhole: isWhole) }
            return
        }
        place += 1
        skipSpace()
        let literal = bytes[start..<afterString]
        let inner = String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        if isSecret(key: isEscaped ? Self.text(literal) ?? inner : inner) { removeValue() }
    }

    /// Whether a key whose value begins at the current position is secret.
    private mutating func isSecret(key: String) -> Bool {
        guard !publicKeys.contains(key) else { return false }
        if names.contains(key) { return true }
        guard names.hasTokens(key) || key.hasSameBytes(as: "code") else {
            publicKeys.insert(key)
            return false
        }
        guard place < bytes.count, bytes[place] == 0x22 else { return false }
        let start = place
        let isWhole = skipString()
        let value = Self.text(bytes[start..<place], isWhole: isWhole) ?? ""
        place = start
        return isSecret(key, of: value)
    }

    /// Whether the value under a name is secret.
    private mutating func isSecret(_ name: String, of value: String) -> Bool {
        names.contains(name, of: value) || SecretNameSet.isCode(name, value) && isTokenRequest
    }

    /// Whether the bytes contain a parameter name that occurs only in token requests.
    private var hasNameOfTokenRequest: Bool {
        bytes.split { !kinds.isName[Int($0)] }.contains { word in
            // The length and first letter rule out nearly all words.
            9...14 ~= word.count && (word.first.map { "gcGC".utf8.contains($0) } ?? false)
                && SecretNameSet.isTokenRequestParameter(String(decoding: word, as: UTF8.self))
        }
    }

    /// Removes the secrets from a string that ends at the current position.
    private mutating func removeSecrets(inStringFrom start: Int, isWhole: Bool) {
        guard let text = Self.text(bytes[start..<place], isWhole: isWhole), SecretMembers.mayHaveSecrets(text) else {
            return
        }
        guard depth > 0 else { return replace(from: start, by: "\"\(Redaction.mark)\"".utf8) }
        let inner = SecretMembers.split(text, names, depth: depth - 1)
        values += inner.values
        guard inner.text != text else { return }
        replace(from: start, by: JSONValue.string(inner.text).description.utf8.dropLast(isWhole ? 0 : 1))
    }

    /// Returns the text of a string literal; nil if the literal is invalid.
    private static func text(_ literal: ArraySlice<UInt8>, isWhole: Bool = true) -> String? {
        guard literal.contains(UInt8(ascii: "\\")) || !isWhole else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        if isWhole { return try? JSONDefaults.lenientDecoder.decode(String.self, from: Data(literal)) }
        // An escape at the end may be truncated.
        for count in 0...6 {
            let closed = Data(literal.dropLast(count)) + [UInt8(ascii: "\"")]
            if let text = try? JSONDefaults.lenientDecoder.decode(String.self, from: closed) { return text }
        }
        return nil
    }

    /// Replaces all strings and numbers in the value at the current position, including those in nested containers.
    private mutating func removeValue() {
        var isKey = false
        var objects: [Bool] = []
        repeat {
            guard place < bytes.count else { return }
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                objects.append(bytes[place] == UInt8(ascii: "{"))
                isKey = objects.last ?? false
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard objects.popLast() != nil else { return }
                isKey = false
                place += 1
            case UInt8(ascii: "\""):
                let start = place
                let isWhole = skipString()
                if !isKey {
                    values += [Self.text(bytes[start..<place], isWhole: isWhole)].compactMap { $0 }
                    replace(from: start, by: "\"\(Redaction.mark)\"".utf8)
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = place
                skipWord()
                values.append(String(decoding: bytes[start..<place], as: UTF8.self))
                replace(from: start, by: "0".utf8)
            case UInt8(ascii: ","):
                isKey = objects.last ?? false
                place += 1
            case UInt8(ascii: ":"):
                isKey = false
                place += 1
            // true, false and null reveal nothing beyond their type.
            case UInt8(ascii: "a")...UInt8(ascii: "z"): skipWord()
            default: place += 1
            }
        } while !objects.isEmpty
    }

    /// Reads a query item if one begins here, and removes its value if it is secret.
    private mutating func readItem() {
        var equals = place
        while equals < bytes.count, kinds.isName[Int(bytes[equals])] { equals += 1 }
        guard equals < bytes.count, bytes[equals] == 0x3D else { return }
        let start = equals + 1
        var end = start
        while end < bytes.count, !kinds.endsItem[Int(bytes[end])] { end += 1 }
        let name = String(decoding: bytes[place..<equals], as: UTF8.self)
        let value = String(decoding: bytes[start..<end], as: UTF8.self)
        let decoded = PercentEncoding.decode(value) ?? value
        let isSecret = self.isSecret(PercentEncoding.decode(name) ?? name, of: decoded)
        guard isSecret, !value.isEmpty, decoded != Redaction.mark else { return }
        values.append(decoded)
        place = end
        replace(from: start, by: Redaction.mark.utf8)
    }

    /// Replaces a URL's user info, unless it is only a user name that does not look like a token, as in
    /// `ssh://git@host`.
    private mutating func readUserInformation() {
        let end =
            bytes[place...].firstIndex { kinds.endsItem[Int($0)] || "/?".utf8.contains($0) } ?? bytes.count
        guard let at = bytes[place..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        let parts = String(decoding: bytes[place..<at], as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard let last = parts.last, parts.count == 2 || SecretNameSet.isToken(String(last)) else { return }
        values.append(PercentEncoding.decode(last) ?? String(last))
        let start = place
        place = at
        replace(from: start, by: Redaction.mark.utf8)
    }

    /// Reads a number, and replaces it if it contains a secret value.
    private mutating func readNumber() {
        let start = place
        repeat { place += 1 } while place < bytes.count && kinds.continuesNumber[Int(bytes[place])]
        guard place - start >= shortestNumber else { return }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if numbers.contains(where: { text.contains($0) }) { replace(from: start, by: "0".utf8) }
    }

    /// Skips a string, or the rest of its line if the string is unterminated.
    ///
    /// - Returns: whether the string is terminated.
    private mutating func skipString() -> Bool {
        let (bytes, isOfString, count) = (bytes, kinds.isOfString, bytes.count)
        (stringHasSigns, stringHasEscapes) = (false, false)
        var end = place + 1
        defer { place = min(end, count) }
        while end < count {
            let byte = bytes[end]
            guard isOfString[Int(byte)] else {
                end += 1
                continue
            }
            switch byte {
            case 0x22:
                end += 1
                return true
            case 0x0A, 0x0D:
                stringHasSigns = true
                return false
            case 0x5C:
                // An escaped quotation mark, or a Unicode escape, which can represent any character.
                if end + 1 < count, bytes[end + 1] == 0x22 || bytes[end + 1] == 0x75 { stringHasSigns = true }
                stringHasEscapes = true
                end += 2
            default:
                stringHasSigns = true
                end += 1
            }
        }
        // A truncated escape may represent one of these bytes.
        stringHasSigns = true
        return false
    }

    private mutating func skipWord() {
        repeat { place += 1 } while place < bytes.count && !kinds.endsWord[Int(bytes[place])]
    }

    private mutating func skipSpace() {
        let (bytes, isSpace) = (bytes, kinds.isSpace)
        while place < bytes.count, isSpace[Int(bytes[place])] { place += 1 }
    }
}
