/// The settings that hold for a call, by their types.
public struct CallSettings: Sendable {
    private struct Entry: Sendable {
        let type: ObjectIdentifier
        let setting: any Setting
    }

    // A call has a handful: looking through an array beats hashing.
    private var entries: [Entry] = []

    /// Creates settings without any.
    public init() {}

    /// The setting of a type, or nil where none is declared.
    public subscript<Value: Setting>(type: Value.Type) -> Value? {
        let wanted = ObjectIdentifier(type)
        for entry in entries where entry.type == wanted { return entry.setting as? Value }
        return nil
    }

    /// Every setting, in the order in which their types were first declared.
    package var all: [any Setting] { entries.map(\.setting) }

    /// Lays a nearer setting over what is there.
    package mutating func lay<Value: Setting>(_ setting: Value) {
        store(self[Value.self].map { setting.merged(over: $0) } ?? setting)
    }

    /// Adds a setting of the scope that these are of.
    mutating func add<Value: Setting>(_ setting: Value) {
        store(self[Value.self].map { setting.joined(after: $0) } ?? setting)
    }

    private mutating func store<Value: Setting>(_ setting: Value) {
        let entry = Entry(type: ObjectIdentifier(Value.self), setting: setting)
        if let place = entries.firstIndex(where: { $0.type == entry.type }) {
            entries[place] = entry
        } else {
            entries.append(entry)
        }
    }

    /// Lays the settings of a nearer scope over these.
    package mutating func lay(_ nearer: CallSettings) {
        if entries.isEmpty {
            entries = nearer.entries
        } else {
            for entry in nearer.entries { lay(entry.setting) }
        }
    }
}
