extension UnsafeMutablePointer<ObjectCursor> {
    /// Finds the value of a key; nil if the object has no such key.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int? {
        if let places = pointee.places {
            let number = number(of: key)
            if number < KeyType.maximumKeys {
                let entry = places[number]
                if entry == KeyOffsetCache.absent { return nil }
                if entry != KeyOffsetCache.unknown { return value(atPlace: Int(entry) &- 1) }
                return findFirstTime(key, number: number, places: places)
            }
        }
        return findWithoutPlaces(key)
    }

    /// Returns the number of a case; an enumeration of one case has no bytes.
    @inline(__always)
    private func number<Key: CodingKey>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }

    /// Returns the value of the member at a position of the object's shape.
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
        if !pointee.preparations.contains(.places) {
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
            pointee.members.preparePlaces(of: pointee.object, on: pointee.state.pointee.tape)
            pointee.preparations.insert(.places)
        }
        pointee.place = place
        pointee.position = Int(pointee.members.positions[place])
    }

    /// Finds a key by its name, and remembers its place.
    @inline(never)
    private func findFirstTime(
        _ key: some CodingKey,
        number: Int,
        places: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        guard pointee.state.pointee.keyConversion != .custom else { return find(named: key.stringValue) }
        guard let place = place(ofCase: number, key), place < KeyOffsetCache.absent - 1 else {
            places[number] = KeyOffsetCache.absent
            return nil
        }
        places[number] = UInt8(truncatingIfNeeded: place &+ 1)
        return value(atPlace: place)
    }

    /// Returns the position of a case's key in the shape: by the number of the key, if it has one.
    private func place(ofCase index: Int, _ key: some CodingKey) -> Int? {
        let state = pointee.state
        if state.pointee.keyConversion == .none {
            let number = pointee.keyType.pointee.cases.number(ofCase: index) ?? learn(case: index, key)
            if number != KeyCaseMap.notKept { return state.pointee.shapes.place(ofKey: Int(number), in: pointee.shape) }
        }
        return state.place(of: key.stringValue, in: pointee.shape)
    }

    @inline(never)
    private func findWithoutPlaces<Key: CodingKey>(_ key: Key) -> Int? {
        let state = pointee.state
        if pointee.keyType.pointee.isEnumeration, state.pointee.keyConversion == .none, !state.pointee.isDetached,
            !pointee.preparations.contains(.names)
        {
            let number = number(of: key)
            if number < KeyType.maximumKeys, let position = find(case: number, key) {
                return position == 0 ? nil : position &+ 1
            }
        }
        return find(named: key.stringValue)
    }

    /// Finds the key of an enumeration's case: nil if that is unknown, and 0 if the key is absent.
    @inline(__always)
    private func find(case index: Int, _ key: some CodingKey) -> Int? {
        let state = pointee.state
        let number = pointee.keyType.pointee.cases.number(ofCase: index) ?? learn(case: index, key)
        guard number != KeyCaseMap.notKept else { return nil }
        if !pointee.preparations.contains(.cases) {
            pointee.members.prepareCases(pointee.keyType.pointee.cases, of: pointee.object, on: state.pointee.tape)
            pointee.preparations.insert(.cases)
        }
        return pointee.members.position(
            ofCase: index,
            isKnown: pointee.keyType.pointee.cases.isKnown(case: index, before: state.pointee.documentNumber)
        )
    }

    /// Learns the key of a case.
    @inline(never)
    private func learn(case index: Int, _ key: some CodingKey) -> UInt16 {
        let state = pointee.state
        var name = key.stringValue
        let number = name.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? state.pointee.shapes.keys.number(of: bytes, keepingNew: true) : 0
        }
        // The members have to be looked through for this case too.
        pointee.preparations.remove(.cases)
        return pointee.keyType.pointee.cases.learn(case: index, number: number, in: state.pointee.documentNumber)
    }

    /// Finds the value of a key by its name.
    @inline(never)
    func find(named name: String) -> Int? {
        let state = pointee.state
        if pointee.shape != 0, state.pointee.keyConversion == .none, let next = nextIfNamed(name) { return next }
        if state.pointee.isDetached { return state.session.findAfterCall(name, in: pointee.object) }
        if !pointee.preparations.contains(.names) {
            let convertedKeys = state.convertedKeys(of: pointee.object)
            pointee.members.prepareNames(of: pointee.object, state, convertedKeys: convertedKeys)
            // From here on all keys go this way.
            pointee.preparations = .names
            pointee.places = nil
            pointee.shape = 0
        }
        guard let place = pointee.members.place(of: name, in: state) else { return nil }
        return state.pointee.tape.end(of: Int(pointee.members.positions[place]))
    }

    /// Returns the value of the next member if it has the name: all keys of a shape are different.
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
