extension Scope {
    /// The settings that apply to a call, keyed by type.
    public struct Settings: Sendable {
        private struct Entry: Sendable {
            let type: ObjectIdentifier
            var value: any Setting
            // Cached because every plan and every call reads it.
            var option: (any AnyObject & Sendable)?
        }

        // A call has only a few settings, so a linear search is faster than hashing.
        private var entries: [Entry] = []

        /// Creates an empty collection of settings.
        public init() {}

        /// Returns the setting of the given type.
        ///
        /// - Parameter type: the type of the setting.
        /// - Returns: the setting; nil if none is declared.
        public subscript<Value: Setting>(type: Value.Type) -> Value? {
            index(of: ObjectIdentifier(type)).flatMap { entries[$0].value as? Value }
        }

        /// Whether there are no settings, as in most operation scopes.
        var isEmpty: Bool { entries.isEmpty }

        /// The indices of the settings.
        var indices: Range<Int> { entries.indices }

        /// Returns the implementation of a setting's effect on plans and calls; nil if it only provides a value.
        func option(at index: Int) -> (any AnyObject & Sendable)? { entries[index].option }

        /// Whether there is a setting of a type.
        func contains(_ type: any Setting.Type) -> Bool { index(of: ObjectIdentifier(type)) != nil }

        /// All settings, in order of their types' first declaration.
        package var all: [any Setting] { entries.map(\.value) }

        /// Merges a setting from an inner scope over the existing one of the same type.
        package mutating func merge<Value: Setting>(setting: Value) {
            store(self[Value.self].map { setting.merged(over: $0) } ?? setting)
        }

        /// Adds a setting, joining it with any earlier one of the same type in the same scope.
        mutating func add<Value: Setting>(_ setting: Value) {
            store(self[Value.self].map { setting.joined(after: $0) } ?? setting)
        }

        /// Replaces the setting of the same type.
        package mutating func replace<Value: Setting>(with setting: Value) { store(setting) }

        /// Returns the settings without those of the given types.
        package func removing(_ types: [any Setting.Type]) -> Settings {
            let removed = types.map { ObjectIdentifier($0) }
            var settings = self
            settings.entries.removeAll { removed.contains($0.type) }
            return settings
        }

        private mutating func store<Value: Setting>(_ setting: Value) {
            let type = ObjectIdentifier(Value.self)
            if let index = index(of: type) {
                entries[index].value = setting
                entries[index].option = setting._option
            } else {
                entries.append(Entry(type: type, value: setting, option: setting._option))
            }
        }

        private func index(of type: ObjectIdentifier) -> Int? {
            // This loop uses indices, because passing an entry to a closure would copy it and its value.
            for index in entries.indices where entries[index].type == type { return index }
            return nil
        }

        /// Merges the settings of an inner scope over these settings.
        package mutating func merge(_ inner: Settings) {
            if entries.isEmpty {
                self = inner
                return
            }
            if inner.entries.isEmpty { return }
            entries.reserveCapacity(entries.count + inner.entries.count)
            for entry in inner.entries {
                // A new setting is appended in its existential box, which avoids a copy.
                if index(of: entry.type) == nil { entries.append(entry) } else { merge(setting: entry.value) }
            }
        }
    }
}

extension Scope.Settings: CustomStringConvertible, CustomReflectable {
    /// Each setting with its ``Setting/summary``, which contains no secrets.
    public var description: String { all.map { "\(type(of: $0).clauseName): \($0.summary)" }.joined(separator: ", ") }

    /// The summary of each setting, labeled with the clause's name.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: all.map { (label: type(of: $0).clauseName, value: $0.summary as Any) },
            displayStyle: .struct
        )
    }
}
