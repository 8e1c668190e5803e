extension Array: CollectionBuilder where Element: Decodable {
    static func build(
        at index: Int,
        in container: Int,
        of state: UnsafeMutablePointer<DecodingState>
    ) throws -> [Element] {
        guard TapeWord.kind(state.pointee.tape[index]) == TapeKind.array else {
            throw state.mismatch([Any].self, at: index, in: container)
        }
        let entry = state.typeEntry(Element.self)
        switch entry.pointee.strategy {
        case .double: return unsafeBitCast(try state.doubles(of: index), to: [Element].self)
        case .string: return unsafeBitCast(try state.strings(of: index), to: [Element].self)
        case .int: return unsafeBitCast(try state.integers(of: index), to: [Element].self)
        case .itself: return try state.elements(of: index) { try state.decodeItself(Element.self, at: $0, in: index) }
        case .collection:
            guard let builder = entry.pointee.builder else { fallthrough }
            return try state.collections(of: index, builder)
        default: return try state.elements(of: index) { try state.decode(Element.self, at: $0, in: index) }
        }
    }
}

extension Dictionary: CollectionBuilder where Key == String, Value: Decodable {
    static func build(
        at index: Int,
        in container: Int,
        of state: UnsafeMutablePointer<DecodingState>
    ) throws -> [String: Value] {
        guard TapeWord.kind(state.pointee.tape[index]) == TapeKind.object else {
            throw state.mismatch([String: Any].self, at: index, in: container)
        }
        state.keepKeys(of: index)
        var values: [String: Value] = [:]
        values.reserveCapacity(state.memberCount(of: index))
        var position = index &+ 2
        let end = TapeWord.lower(state.pointee.tape[index])
        while position < end {
            let place = state.pointee.tape.end(of: position)
            let key = try state.keyText(at: position, of: index)
            // If a name is repeated, the first member wins, even if the others cannot be decoded.
            do {
                if let first = values.updateValue(try state.decode(Value.self, at: place, in: index), forKey: key) {
                    values[key] = first
                }
            } catch  where values[key] != nil {}
            position = state.pointee.tape.end(of: place)
        }
        return values
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns the number of elements in an array.
    @inline(__always)
    func elementCount(of array: Int) -> Int {
        let count = Int(truncatingIfNeeded: TapeWord.payload(pointee.tape[array]))
        return count < Int(truncatingIfNeeded: TapeWord.maximumCount) ? count : countElements(of: array)
    }

    /// Marks an object as a dictionary, so that its keys are not converted.
    @inline(__always)
    func keepKeys(of object: Int) {
        guard pointee.keyConversion != .none else { return }
        pointee.tape.words[object] |= TapeWord.keepsKeys &<< 32
    }

    /// Returns the number of members in an object, including duplicates; for very large objects, a lower bound.
    func memberCount(of object: Int) -> Int {
        let payload = TapeWord.objectPayload(pointee.tape[object])
        guard payload & TapeWord.withoutShape == 0 else {
            return Int(truncatingIfNeeded: payload & TapeWord.maximumCount)
        }
        return Int(pointee.shapes[Int(truncatingIfNeeded: payload)].pointee.count)
    }

    /// Decodes the elements of an array with a closure that receives the tape index of each.
    @inline(__always)
    func elements<Element>(of array: Int, _ decode: (Int) throws -> Element) throws -> [Element] {
        let count = elementCount(of: array)
        guard count > 0 else { return [] }
        var position = array &+ 2
        return try [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            while initialized < count {
                (start + initialized).initialize(to: try decode(position))
                initialized &+= 1
                position = pointee.tape.end(of: position)
            }
        }
    }

    @inline(never)
    func doubles(of array: Int) throws -> [Double] { try knownElements(of: array) { try double(at: $0, in: array) } }

    @inline(never)
    func strings(of array: Int) throws -> [String] { try knownElements(of: array) { try string(at: $0, in: array) } }

    @inline(never)
    func integers(of array: Int) throws -> [Int] {
        try knownElements(of: array) { try integer(Int.self, at: $0, in: array) }
    }

    /// Decodes elements that are themselves collections.
    func collections<Builder: CollectionBuilder, Element>(of array: Int, _ builder: Builder.Type) throws -> [Element] {
        let elements = try elements(of: array) { try Builder.build(at: $0, in: array, of: self) }
        // The builder was looked up by the element type, so the two types are the same.
        return unsafeBitCast(elements, to: [Element].self)
    }

    /// Decodes the elements of an array whose element type is known at compile time.
    ///
    /// Arrays of up to three elements, such as coordinates and pairs, are created from array literals, so their storage
    /// type is also known at compile time. For any other array, the storage type is looked up at run time, which takes
    /// longer than decoding a few elements.
    @inline(__always)
    private func knownElements<Element>(of array: Int, _ decode: (Int) throws -> Element) throws -> [Element] {
        let count = elementCount(of: array)
        guard count > 0 else { return [] }
        guard count <= 3 else { return try elements(of: array, decode) }
        let tape = pointee.tape
        var position = array &+ 2
        let first = try decode(position)
        guard count > 1 else { return [first] }
        position = tape.end(of: position)
        let second = try decode(position)
        guard count > 2 else { return [first, second] }
        return [first, second, try decode(tape.end(of: position))]
    }

    @inline(never)
    private func countElements(of array: Int) -> Int {
        var count = 0
        var position = array &+ 2
        let end = TapeWord.lower(pointee.tape[array])
        while position < end {
            position = pointee.tape.end(of: position)
            count += 1
        }
        return count
    }
}
