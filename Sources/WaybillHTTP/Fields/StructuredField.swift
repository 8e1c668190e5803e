import WaybillSystem

/// Structured field values (RFC 9651).
package enum StructuredField {
    /// A bare item: a value without parameters.
    package enum Value: Sendable, Hashable {
        /// An integer with at most 15 digits.
        case integer(Int)
        /// A number with at most 12 integer digits and 3 fractional digits.
        case decimal(Double)
        case string(String)
        case token(String)
        case bytes(Data)
        case boolean(Bool)
        /// A date, in seconds since 1970.
        case date(Int)
        /// A Unicode string.
        case displayString(String)
    }

    /// A value with its parameters, in order.
    package struct Item: Sendable, Hashable {
        package var value: Value
        package var parameters: [Parameter]

        package init(_ value: Value, _ parameters: [Parameter] = []) {
            self.value = value
            self.parameters = parameters
        }
    }

    package struct Parameter: Sendable, Hashable {
        package var key: String
        package var value: Value

        package init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// A member of a list or a dictionary.
    package enum Member: Sendable, Hashable {
        case item(Item)
        case innerList([Item], [Parameter])

        /// The value of an item; nil for an inner list.
        package var value: Value? {
            if case .item(let item) = self { item.value } else { nil }
        }
    }

    /// A dictionary that preserves the order of its members.
    package struct Members: Sendable, Hashable {
        package struct Entry: Sendable, Hashable {
            package var key: String
            package var member: Member
        }

        package private(set) var entries: [Entry] = []

        package init() {}

        /// The member for a key; setting a missing member appends it.
        package subscript(key: String) -> Member? {
            get { entries.first { $0.key == key }?.member }
            set {
                let index = entries.firstIndex { $0.key == key }
                switch (index, newValue) {
                case (let index?, let member?): entries[index].member = member
                case (let index?, nil): entries.remove(at: index)
                case (nil, let member?): entries.append(Entry(key: key, member: member))
                case (nil, nil): break
                }
            }
        }
    }

    /// Parses an item; returns nil if the text is not a valid item.
    package static func item(_ text: String) -> Item? {
        var parser = StructuredFieldParser(text)
        return parser.whole { $0.item() }
    }

    /// Parses a list; returns nil if the text is not a valid list.
    package static func list(_ text: String) -> [Member]? {
        var parser = StructuredFieldParser(text)
        return parser.whole { $0.list() }
    }

    /// Parses a dictionary; returns nil if the text is not a valid dictionary.
    package static func dictionary(_ text: String) -> Members? {
        var parser = StructuredFieldParser(text)
        return parser.whole { $0.dictionary() }
    }
}

// Serialization (RFC 9651, section 4.1).
extension StructuredField {
    /// Returns an item as a field value; nil if it cannot be represented.
    package static func text(_ item: Item) -> String? {
        guard let value = text(item.value), let parameters = text(item.parameters) else { return nil }
        return value + parameters
    }

    /// Returns a list as a field value; nil if it cannot be represented.
    package static func text(_ list: [Member]) -> String? { joined(list.map { text($0) }, ", ") }

    /// Returns a dictionary as a field value; nil if it cannot be represented.
    package static func text(_ members: Members) -> String? {
        joined(
            members.entries.map { entry in
                guard isKey(entry.key) else { return nil }
                if case .item(let item) = entry.member, item.value == .boolean(true) {
                    return text(item.parameters).map { entry.key + $0 }
                }
                return text(entry.member).map { "\(entry.key)=\($0)" }
            },
            ", "
        )
    }

    private static func text(_ member: Member) -> String? {
        switch member {
        case .item(let item): return text(item)
        case .innerList(let items, let parameters):
            guard let list = joined(items.map { text($0) }, " "), let parameters = text(parameters) else { return nil }
            return "(\(list))\(parameters)"
        }
    }

    private static func text(_ parameters: [Parameter]) -> String? {
        joined(
            parameters.map { parameter in
                guard isKey(parameter.key) else { return nil }
                if parameter.value == .boolean(true) { return ";\(parameter.key)" }
                return text(parameter.value).map { ";\(parameter.key)=\($0)" }
            },
            ""
        )
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .integer(let number): return integer(number)
        case .decimal(let number): return decimal(number)
        case .string(let text):
            guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
            return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .token(let text):
            var parser = StructuredFieldParser(text)
            return parser.whole { $0.value() } == .token(text) ? text : nil
        case .bytes(let data): return ":\(data.base64EncodedString()):"
        case .boolean(let isTrue): return isTrue ? "?1" : "?0"
        case .date(let seconds): return integer(seconds).map { "@\($0)" }
        case .displayString(let text):
            let escaped = text.utf8.map { byte in
                let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\"")
                return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
            return "%\"\(escaped.joined())\""
        }
    }

    private static func integer(_ number: Int) -> String? {
        (-999_999_999_999_999...999_999_999_999_999).contains(number) ? "\(number)" : nil
    }

    private static func decimal(_ number: Double) -> String? {
        // Rounds half to even (RFC 9651, section 4.1.5).
        let thousandths = (number * 1000).rounded(.toNearestOrEven)
        guard abs(thousandths) < 1e15 else { return nil }
        let whole = Int(abs(thousandths))
        let fraction = String(String(1000 + whole % 1000).dropFirst())
        let digits = fraction.prefix(max(1, 3 - fraction.reversed().prefix { $0 == "0" }.count))
        return "\(thousandths < 0 ? "-" : "")\(whole / 1000).\(digits)"
    }

    private static func isKey(_ text: String) -> Bool {
        var parser = StructuredFieldParser(text)
        return parser.key() == text && parser.isAtEnd
    }

    private static func joined(_ texts: [String?], _ separator: String) -> String? {
        let known = texts.compactMap { $0 }
        return known.count == texts.count ? known.joined(separator: separator) : nil
    }
}
