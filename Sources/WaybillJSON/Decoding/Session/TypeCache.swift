/// A table by the addresses of types; nothing is ever removed.
struct TypeCache<Value> {
    private var keys: UnsafeMutablePointer<UnsafeRawPointer?>
    private var values: UnsafeMutablePointer<Value>
    private var mask = 15
    private(set) var count = 0

    init() {
        keys = .allocate(capacity: mask + 1)
        keys.initialize(repeating: nil, count: mask + 1)
        values = .allocate(capacity: mask + 1)
    }

    func deallocate() {
        forEach { (values + $0).deinitialize(count: 1) }
        keys.deallocate()
        values.deallocate()
    }

    /// Returns the address of a type's value; nil if it has none.
    @inline(__always)
    func find(_ key: UnsafeRawPointer) -> UnsafeMutablePointer<Value>? {
        var index = Self.start(key) & mask
        while true {
            let found = keys[index]
            if found == key { return values + index }
            if found == nil { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// Keeps a type's value; it moves when others join.
    mutating func insert(_ value: Value, for key: UnsafeRawPointer) {
        if count * 2 > mask { grow() }
        var index = Self.start(key) & mask
        while keys[index] != nil { index = (index + 1) & mask }
        keys[index] = key
        (values + index).initialize(to: value)
        count += 1
    }

    /// Calls a closure with each value.
    func forEachValue(_ body: (UnsafeMutablePointer<Value>) -> Void) { forEach { body(values + $0) } }

    private func forEach(_ body: (Int) -> Void) {
        for index in 0...mask where keys[index] != nil { body(index) }
    }

    private mutating func grow() {
        let old = self
        mask = mask * 2 + 1
        keys = .allocate(capacity: mask + 1)
        keys.initialize(repeating: nil, count: mask + 1)
        values = .allocate(capacity: mask + 1)
        count = 0
        old.forEach { index in
            if let key = old.keys[index] { insert((old.values + index).move(), for: key) }
        }
        old.keys.deallocate()
        old.values.deallocate()
    }

    /// Returns the first slot of a key; metadata is aligned, so its lowest bits carry nothing.
    @inline(__always)
    private static func start(_ key: UnsafeRawPointer) -> Int {
        let bits = UInt(bitPattern: key) &>> 3
        return Int(truncatingIfNeeded: bits ^ bits &>> 7)
    }
}
