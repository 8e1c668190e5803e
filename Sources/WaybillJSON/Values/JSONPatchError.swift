extension JSONPatch {
    /// The error thrown when an operation of a ``JSONPatch`` cannot be applied to a document.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The cause of the error.
        public enum Reason: Sendable, Hashable {
            /// There is no value at the location.
            case noValue(JSONPatch.Pointer)
            /// A token is not a valid array index, which consists of decimal digits without a leading zero.
            case invalidIndex(JSONPatch.Pointer)
            /// The parent of an added value is neither an object nor an array.
            case invalidParent(JSONPatch.Pointer)
            /// The value at the location differs from the expected value.
            case valueMismatch(JSONPatch.Pointer)
            /// The operation would move a value into itself.
            case movedIntoItself(JSONPatch.Pointer)
            /// The operation would remove the whole document.
            case removedDocument
        }

        /// The index of the operation in the patch, starting at 0.
        public let index: Int

        /// The operation that failed.
        public let operation: JSONPatch.Operation

        /// The cause of the error.
        public let reason: Reason

        /// The operation and the cause; values are omitted because they can be secret.
        public var description: String { "operation \(index), \(operation.name) of \"\(operation.path)\": \(reason)" }
    }
}

extension JSONPatch.Failure.Reason: CustomStringConvertible {
    /// A description of the cause.
    public var description: String {
        switch self {
        case .noValue(let place): "there is no value at \"\(place)\""
        case .invalidIndex(let place): "\"\(place)\" contains a token that is not an index of the array"
        case .invalidParent(let place): "the value around \"\(place)\" is neither an object nor an array"
        case .valueMismatch: "the value differs"
        case .movedIntoItself(let source): "the value of \"\(source)\" cannot be moved into itself"
        case .removedDocument: "the whole document cannot be removed; replace it"
        }
    }
}

extension JSONValue {
    /// Returns the value with a JSON Patch applied to it.
    ///
    /// A patch is applied completely or not at all.
    ///
    /// - Parameter patch: the patch.
    /// - Returns: the changed value.
    /// - Throws: ``JSONPatch/Failure`` for the first operation that fails.
    public func applying(_ patch: JSONPatch) throws(JSONPatch.Failure) -> JSONValue {
        var document = self
        for (index, operation) in patch.operations.enumerated() {
            do throws(JSONPatch.Failure.Reason) {
                try document.apply(operation)
            } catch {
                throw JSONPatch.Failure(index: index, operation: operation, reason: error)
            }
        }
        return document
    }

    private mutating func apply(_ operation: JSONPatch.Operation) throws(JSONPatch.Failure.Reason) {
        switch operation {
        case .add(let place, let value): try add(value, at: place)
        case .remove(let place): _ = try remove(at: place)
        case .replace(let place, let value):
            guard !place.tokens.isEmpty else { return self = value }
            _ = try self.value(at: place)
            try change(at: place) { (parent, token) throws(JSONPatch.Failure.Reason) in
                try parent.replace(token, with: value, at: place)
            }
        case .move(let source, let place):
            guard !source.contains(place) else { throw .movedIntoItself(source) }
            let value = try self.value(at: source)
            guard source != place else { return }
            _ = try remove(at: source)
            try add(value, at: place)
        case .copy(let source, let place): try add(try value(at: source), at: place)
        case .test(let place, let expected):
            guard try value(at: place).isIdentical(to: expected) else { throw .valueMismatch(place) }
        }
    }

    private func value(at place: JSONPatch.Pointer) throws(JSONPatch.Failure.Reason) -> JSONValue {
        var value = self
        for token in place.tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { throw .noValue(place) }
                value = member
            case .array(let elements):
                guard let index = Self.index(token) else { throw .invalidIndex(place) }
                guard index < elements.count else { throw .noValue(place) }
                value = elements[index]
            default: throw .noValue(place)
            }
        }
        return value
    }

    private mutating func add(_ value: JSONValue, at place: JSONPatch.Pointer) throws(JSONPatch.Failure.Reason) {
        guard !place.tokens.isEmpty else { return self = value }
        try change(at: place) { (parent, token) throws(JSONPatch.Failure.Reason) in
            switch parent {
            case .object(var members):
                parent = .null  // So that the members are not copied.
                members[token] = value
                parent = .object(members)
            case .array(var elements):
                guard let index = token == "-" ? elements.count : Self.index(token) else { throw .invalidIndex(place) }
                guard index <= elements.count else { throw .noValue(place) }
                parent = .null
                elements.insert(value, at: index)
                parent = .array(elements)
            default: throw .invalidParent(place)
            }
        }
    }

    private mutating func remove(at place: JSONPatch.Pointer) throws(JSONPatch.Failure.Reason) -> JSONValue {
        guard !place.tokens.isEmpty else { throw .removedDocument }
        let value = try self.value(at: place)
        try change(at: place) { (parent, token) throws(JSONPatch.Failure.Reason) in
            try parent.replace(token, with: nil, at: place)
        }
        return value
    }

    /// Replaces or removes an existing value.
    private mutating func replace(
        _ token: String,
        with value: JSONValue?,
        at place: JSONPatch.Pointer
    ) throws(JSONPatch.Failure.Reason) {
        switch self {
        case .object(var members):
            self = .null
            members[token] = value
            self = .object(members)
        case .array(var elements):
            guard let index = Self.index(token), index < elements.count else { throw .noValue(place) }
            self = .null
            if let value { elements[index] = value } else { elements.remove(at: index) }
            self = .array(elements)
        default: throw .noValue(place)
        }
    }

    /// Changes the parent of the value at a location, which must not be the root.
    private mutating func change(
        at place: JSONPatch.Pointer,
        _ tokens: ArraySlice<String>? = nil,
        _ body: (inout JSONValue, String) throws(JSONPatch.Failure.Reason) -> Void
    ) throws(JSONPatch.Failure.Reason) {
        let tokens = tokens ?? place.tokens[...]
        guard let first = tokens.first else { return }
        if tokens.count == 1 { return try body(&self, first) }
        switch self {
        case .object(var members):
            guard var member = members[first] else { throw .noValue(place) }
            self = .null
            members[first] = .null
            try member.change(at: place, tokens.dropFirst(), body)
            members[first] = member
            self = .object(members)
        case .array(var elements):
            guard let index = Self.index(first) else { throw .invalidIndex(place) }
            guard index < elements.count else { throw .noValue(place) }
            self = .null
            try elements[index].change(at: place, tokens.dropFirst(), body)
            self = .array(elements)
        default: throw .noValue(place)
        }
    }

    /// Parses an array index, which consists of digits without a leading zero (RFC 6901, section 4); nil for any other
    /// token.
    private static func index(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            token == "0" || token.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(token)
    }
}

extension JSONPatch.Failure.Reason: Error {}

extension JSONValue {
    /// Whether two values denote the same JSON, and their strings consist of the same code points.
    ///
    /// Swift considers canonically equivalent strings equal; a patch can change one into the other.
    package func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { right.value(ofExactly: $0.key)?.isIdentical(to: $0.value) ?? false }
        default: self == other
        }
    }
}

extension Dictionary where Key == String, Value == JSONValue {
    /// Returns the value for a key with exactly these bytes; nil without one.
    func value(ofExactly key: String) -> JSONValue? {
        guard let index = index(forKey: key), keys[index].utf8.elementsEqual(key.utf8) else { return nil }
        return self[index].value
    }
}
