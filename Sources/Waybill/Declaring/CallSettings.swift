/// The settings that hold for a call, by their types.
public struct CallSettings: Sendable {
    // A call has a handful: looking through an array beats hashing. The types lie apart, because most of what is looked
    // for is not declared, and then nothing else has to be touched.
    private var types: [ObjectIdentifier] = []
    private var values: [any Setting] = []

    /// Creates settings without any.
    public init() {}

    /// The setting of a type, or nil where none is declared.
    public subscript<Value: Setting>(type: Value.Type) -> Value? {
        types.firstIndex(of: ObjectIdentifier(type)).flatMap { values[$0] as? Value }
    }

    /// Every setting, in the order in which their types were first declared.
    package var all: [any Setting] { values }

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
        if let place = types.firstIndex(of: type) {
            values[place] = setting
        } else {
            types.append(type)
            values.append(setting)
        }
    }

    /// Lays the settings of a nearer scope over these.
    package mutating func lay(_ nearer: CallSettings) {
        if types.isEmpty {
            self = nearer
        } else {
            for value in nearer.values { lay(value) }
        }
    }
}
