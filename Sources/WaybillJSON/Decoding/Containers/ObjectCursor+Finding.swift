extension UnsafeMutablePointer<ObjectCursor> {
    /// Finds the value of a key; nil where the object has no such key.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int? {
        if let places = pointee.places {
            // An enumeration of one case has no bytes.
            let number = MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
            if number < KeyType.maximumKeys {
                let entry = places[number]
                if entry == KeyType.absent { return nil }
                if entry != KeyType.unknown { return value(atPlace: Int(entry) &- 1) }
                return findFirstTime(key, number, places)
            }
        }
        return find(named: key.stringValue)
    }

    /// The value of the member at a place in the object's shape.
    @inline(__always)
    private func value(atPlace place: Int) -> Int {
        if place == pointee.place &+ 1 {
            let tape = pointee.state.pointee.tape
            pointee.position = place == 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
            pointee.place = place
        } else if place != pointee.place {
            seek(place)
        }
        return pointee.position &+ 1
    }

    /// Finds a member that is not the next one.
    @inline(never)
    private func seek(_ place: Int) {
        if !pointee.isIndexed {
            if place > pointee.place {
                let tape = pointee.state.pointee.tape
                var position = pointee.place < 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
                var skipped = pointee.place &+ 1
                while skipped < place {
                    position = tape.end(of: position &+ 1)
                    skipped &+= 1
                }
                pointee.place = place
                pointee.position = position
                return
            }
            pointee.members.index(shaped: pointee.object, on: pointee.state.pointee.tape)
            pointee.isIndexed = true
        }
        pointee.place = place
        pointee.position = Int(pointee.members.positions[place])
    }

    /// Finds a key by its name, and remembers its place.
    @inline(never)
    private func findFirstTime(_ key: some CodingKey, _ number: Int, _ places: UnsafeMutablePointer<UInt8>) -> Int? {
        guard pointee.state.pointee.keyConversion != .custom else { return find(named: key.stringValue) }
        guard let place = pointee.state.place(of: key.stringValue, in: pointee.shape), place < KeyType.absent - 1 else {
            places[number] = KeyType.absent
            return nil
        }
        places[number] = UInt8(truncatingIfNeeded: place &+ 1)
        return value(atPlace: place)
    }

    /// Finds the value of a key by its name.
    @inline(never)
    func find(named name: String) -> Int? {
        let state = pointee.state
        if pointee.shape != 0, state.pointee.keyConversion == .none, let next = nextIfNamed(name) { return next }
        if !pointee.isIndexedByName {
            let object = pointee.object
            pointee.members.index(object, of: state) {
                state.codingPath(to: object, in: state.container(of: object))
            }
            pointee.isIndexedByName = true
            // From here on all keys go this way.
            pointee.places = nil
            pointee.shape = 0
        }
        guard let place = pointee.members.place(of: name, in: state) else { return nil }
        return state.pointee.tape.end(of: Int(pointee.members.positions[place]))
    }

    /// The value of the next member, where it has the name: all keys of a shape are different.
    private func nextIfNamed(_ name: String) -> Int? {
        let tape = pointee.state.pointee.tape
        let position = pointee.place < 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
        guard position < TapeWord.lower(tape[pointee.object]) else { return nil }
        var name = name
        let isNext = name.withUTF8 { pointee.state.isKey(at: position, $0) }
        guard isNext else { return nil }
        pointee.place &+= 1
        pointee.position = position
        return position &+ 1
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// The place of a key in a shape, converted as the decoder converts keys; nil where the shape does not have it.
    func place(of name: String, in shape: Int) -> Int? {
        var shape = shape
        var place: Int?
        // From the last key to the first, because of two keys that are converted to one the first counts.
        while shape != ShapeTable.root, shape != 0 {
            let key = pointee.shapes.meaning(of: shape)
            if pointee.keyConversion == .snakeCase {
                let converted = SnakeCase.camelCase(String(decoding: key, as: UTF8.self))
                if converted == name { place = Int(pointee.shapes[shape].pointee.count) - 1 }
            } else if pointee.shapes[shape].pointee.isASCII
                ? name.utf8.elementsEqual(key) : String(decoding: key, as: UTF8.self) == name
            {
                return Int(pointee.shapes[shape].pointee.count) - 1
            }
            shape = Int(pointee.shapes[shape].pointee.parent)
        }
        return place
    }

    /// The keys of members, converted as the decoder converts keys.
    func convertedKeys(_ positions: [UInt32], _ path: () -> [any CodingKey]) -> [String] {
        switch pointee.keyConversion {
        case .none: return positions.map { string(ofKeyAt: Int($0)) }
        case .snakeCase: return positions.map { SnakeCase.camelCase(string(ofKeyAt: Int($0))) }
        case .custom:
            let path = path()
            return positions.map { session.strategies.keys.converting(string(ofKeyAt: Int($0)), behind: path) }
        }
    }
}
