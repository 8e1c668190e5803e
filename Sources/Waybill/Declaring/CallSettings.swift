/// The settings that hold for a call, by their types.
public struct CallSettings: Sendable {
    private struct Entry: Sendable {
        let type: ObjectIdentifier
        var value: any Setting
    }

    // A call has a handful: looking through an array beats hashing.
    private var entries: [Entry] = []

    /// Creates settings without any.
    public init() {}

    /// The setting of a type, or nil where none is declared.
    public subscript<Value: Setting>(type: Value.Type) -> Value? {
        place(of: ObjectIdentifier(type)).flatMap { entries[$0].value as? Value }
    }

    /// Every setting, in the order in which their types were first declared.
    package var all: [any Setting] { entries.map(\.value) }

    /// Lays a nearer setting over what is there.
    package mutating func lay<Value: Setting>(_ setting: Value) {
        store(self[Value.self].map { setting.merged(over: $0) } ?? setting)
    }

    /// Adds a setting of the scope that these are of.
    mutating func add<Value: Setting>(_ setting: Value) {
        store(self[Value.self].map { setting.joined(after: $0) } ?? setting)
    }

    private mutating func store<Value: Setting>(_ setting: Value) {
        let type = ObjectIdentifier(Value.self)
        if let place = place(of: type) {
            entries[place].value = setting
        } else {
            entries.append(Entry(type: type, value: setting))
        }
    }

    private func place(of type: ObjectIdentifier) -> Int? {
        // By index, since an entry that is handed to a closure is copied, its value too.
        for place in entries.indices where entries[place].type == type { return place }
        return nil
    }

    /// Lays the settings of a nearer scope over these.
    package mutating func lay(_ nearer: CallSettings) {
        if entries.isEmpty {
            self = nearer
            return
        }
        if nearer.entries.isEmpty { return }
        entries.reserveCapacity(entries.count + nearer.entries.count)
        for entry in nearer.entries {
            // One that meets no other is taken over in the box in which it is.
            if place(of: entry.type) == nil { entries.append(entry) } else { lay(entry.value) }
        }
    }
}

extension CallSettings: CustomStringConvertible, CustomReflectable {
    /// Each setting with its ``Setting/summary``, which has no secrets.
    public var description: String { all.map { "\(type(of: $0)): \($0.summary)" }.joined(separator: ", ") }

    /// The summary of each setting by its type.
    public var customMirror: Mirror {
        Mirror(self, children: all.map { (label: "\(type(of: $0))", value: $0.summary as Any) }, displayStyle: .struct)
    }
}
