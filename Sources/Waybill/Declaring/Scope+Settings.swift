extension Scope {
    /// The settings that hold for a call, by their types.
    public struct Settings: Sendable {
        private struct Entry: Sendable {
            let type: ObjectIdentifier
            var value: any Setting
        }

        // A call has a handful of settings: a search through an array beats hashing.
        private var entries: [Entry] = []

        /// Creates empty settings.
        public init() {}

        /// Returns the setting of a type; nil if none is declared.
        public subscript<Value: Setting>(type: Value.Type) -> Value? {
            index(of: ObjectIdentifier(type)).flatMap { entries[$0].value as? Value }
        }

        /// Whether no setting is declared, as in most scopes of operations.
        var isEmpty: Bool { entries.isEmpty }

        /// Every setting, in the order in which their types were first declared.
        package var all: [any Setting] { entries.map(\.value) }

        /// Merges the setting of an inner scope over the one of its type.
        package mutating func merge<Value: Setting>(setting: Value) {
            store(self[Value.self].map { setting.merged(over: $0) } ?? setting)
        }

        /// Adds a setting of the same scope.
        mutating func add<Value: Setting>(_ setting: Value) {
            store(self[Value.self].map { setting.joined(after: $0) } ?? setting)
        }

        /// Replaces the setting of its type.
        package mutating func replace<Value: Setting>(with setting: Value) { store(setting) }

        /// Returns the settings without those of some types.
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
            } else {
                entries.append(Entry(type: type, value: setting))
            }
        }

        private func index(of type: ObjectIdentifier) -> Int? {
            // By index: an entry that is passed to a closure would be copied, with its value.
            for index in entries.indices where entries[index].type == type { return index }
            return nil
        }

        /// Merges the settings of an inner scope over these.
        package mutating func merge(_ inner: Settings) {
            if entries.isEmpty {
                self = inner
                return
            }
            if inner.entries.isEmpty { return }
            entries.reserveCapacity(entries.count + inner.entries.count)
            for entry in inner.entries {
                // A setting that meets no other is appended in its box: that saves a copy.
                if index(of: entry.type) == nil { entries.append(entry) } else { merge(setting: entry.value) }
            }
        }
    }
}

extension Scope.Settings: CustomStringConvertible, CustomReflectable {
    /// Each setting with its ``Setting/summary``, which has no secrets.
    public var description: String { all.map { "\(type(of: $0).clauseName): \($0.summary)" }.joined(separator: ", ") }

    /// The summary of each setting by its type.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: all.map { (label: type(of: $0).clauseName, value: $0.summary as Any) },
            displayStyle: .struct
        )
    }
}
