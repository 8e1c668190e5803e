extension JSONText {
    /// The location of a value and its key.
    package struct Location: Sendable, Hashable {
        /// The range of the value.
        package let value: Range<Int>
        /// The range of the key, including its quotation marks; nil for array elements and the root value.
        package let key: Range<Int>?
    }

    /// Returns the location of the value at a coding path; nil if there is no value at the path, or a syntax error
    /// precedes the end of the value.
    ///
    /// If a key is repeated, the first member wins. If no key is equal, the first one that differs only in case, `_`
    /// and `-` matches, because decoders that convert keys report `createdAt` for `created_at`.
    package func location(of path: [any CodingKey]) -> Location? {
        do throws(JSONSyntaxError) {
            guard var place = try place(of: path) else { return nil }
            try place.tokens.skipRest(of: place.value)
            return Location(value: place.value.range.lowerBound..<place.tokens.offset, key: place.key)
        } catch {
            return nil
        }
    }

    /// Returns the opening bracket of the object or array at a coding path; nil for any other value.
    func opening(of path: [any CodingKey]) -> Range<Int>? {
        guard let token = (try? place(of: path))?.value else { return nil }
        return token.kind == .beginObject || token.kind == .beginArray ? token.range : nil
    }

    /// Returns the keys of the object at a coding path in document order, including duplicates; nil if there is no
    /// object.
    package func keys(at path: [any CodingKey]) -> [String]? {
        do throws(JSONSyntaxError) {
            guard var place = try place(of: path), place.value.kind == .beginObject else { return nil }
            var keys: [String] = []
            while let key = try place.tokens.next(), key.kind == .key, let value = try place.tokens.next() {
                keys.append(string(at: key.range))
                try place.tokens.skipRest(of: value)
            }
            return keys
        } catch {
            return nil
        }
    }

    /// A value and its first token, which has been read.
    struct Place {
        var tokens: JSONTokens
        var value: JSONTokens.Token
        var key: Range<Int>?
    }

    func place(of path: [any CodingKey]) throws(JSONSyntaxError) -> Place? {
        var tokens = tokens
        guard let first = try tokens.next() else { return nil }
        var place = Place(tokens: tokens, value: first)
        for key in path {
            let child: Place?
            switch place.value.kind {
            case .beginObject: child = try member(key.stringValue, of: place)
            case .beginArray: child = try element(key.intValue, of: place)
            default: child = nil
            }
            guard let child else { return nil }
            place = child
        }
        return place
    }

    private func member(_ name: String, of object: Place) throws(JSONSyntaxError) -> Place? {
        let similarName = KeySpelling.folded(name)
        var similar: Place?
        var tokens = object.tokens
        while let key = try tokens.next(), key.kind == .key, let value = try tokens.next() {
            let found = string(at: key.range)
            let place = Place(tokens: tokens, value: value, key: key.range)
            if found == name { return place }
            if similar == nil, KeySpelling.folded(found) == similarName { similar = place }
            try tokens.skipRest(of: value)
        }
        return similar
    }

    private func element(_ index: Int?, of array: Place) throws(JSONSyntaxError) -> Place? {
        guard var remaining = index, remaining >= 0 else { return nil }
        var tokens = array.tokens
        while let value = try tokens.next(), value.kind != .endArray {
            if remaining == 0 { return Place(tokens: tokens, value: value) }
            remaining -= 1
            try tokens.skipRest(of: value)
        }
        return nil
    }

    /// Returns the member to show in place of a container that spans several lines; nil to show the container itself.
    ///
    /// For an object, returns the member with the given name, if any. Otherwise, if the opening bracket is alone on its
    /// line, returns the first member or element, because a bracket alone is not informative.
    func member(toShowOf container: Range<Int>, named name: String?) -> Range<Int>? {
        let line = line(ofByte: container.lowerBound)
        guard line.upperBound < container.upperBound else { return nil }
        do throws(JSONSyntaxError) {
            if let name, let member = try self.member(named: name, of: container) { return member }
            var shown: Range<Int>?
            var place = container
            // Each step scans the rest of the container, so the number of steps is limited in case of deeply nested
            // brackets.
            for _ in 1...8 {
                guard isBracketAlone(at: place.lowerBound), let first = try firstMember(of: place) else { break }
                shown = first.range
                place = first.value
            }
            return shown
        } catch {
            return nil
        }
    }

    /// Returns the keys whose values are objects, in the object at the given path.
    package func objectKeys(inObjectAt path: [any CodingKey]) -> [String] {
        var found: [String] = []
        do throws(JSONSyntaxError) {
            guard let object = try place(of: path), object.value.kind == .beginObject else { return [] }
            var tokens = object.tokens
            while let key = try tokens.next(), key.kind == .key, let value = try tokens.next() {
                if value.kind == .beginObject { found.append(string(at: key.range)) }
                try tokens.skipRest(of: value)
            }
        } catch {
            // The search ends at the first syntax error.
        }
        return found
    }

    /// Returns the paths to the first four arrays within the object at a coding path, shortest first.
    ///
    /// Nested objects are searched up to three levels deep.
    package func arrayPaths(inObjectAt path: [any CodingKey]) -> [[String]] {
        var found: [[String]] = []
        do throws(JSONSyntaxError) {
            guard let object = try place(of: path), object.value.kind == .beginObject else { return [] }
            var level = [(path: [String](), tokens: object.tokens)]
            for _ in 1...3 {
                var deeper = level
                deeper.removeAll()
                for object in level {
                    var tokens = object.tokens
                    while let key = try tokens.next(), key.kind == .key, let value = try tokens.next() {
                        let path = object.path + [string(at: key.range)]
                        if value.kind == .beginArray { found.append(path) }
                        if value.kind == .beginObject { deeper.append((path, tokens)) }
                        guard found.count < 4 else { return found }
                        try tokens.skipRest(of: value)
                    }
                }
                level = deeper
            }
        } catch {
            // The search ends at the first syntax error.
        }
        return found
    }

    /// Returns the range of the member with the given name, from its key to the end of its value.
    private func member(named name: String, of object: Range<Int>) throws(JSONSyntaxError) -> Range<Int>? {
        var tokens = JSONTokens(bytes, from: object.lowerBound)
        guard try tokens.next()?.kind == .beginObject else { return nil }
        while let key = try tokens.next(), key.kind == .key, let value = try tokens.next() {
            try tokens.skipRest(of: value)
            if string(at: key.range) == name { return key.range.lowerBound..<tokens.offset }
        }
        return nil
    }

    /// Returns the range of the first member (including its key) or element, and the range of its value.
    private func firstMember(
        of container: Range<Int>
    ) throws(JSONSyntaxError) -> (range: Range<Int>, value: Range<Int>)? {
        var tokens = JSONTokens(bytes, from: container.lowerBound)
        guard let opening = try tokens.next(), let first = try tokens.next() else { return nil }
        var value = first
        switch (opening.kind, first.kind) {
        case (_, .endObject), (_, .endArray): return nil
        case (.beginObject, _):
            guard let next = try tokens.next() else { return nil }
            value = next
        case (.beginArray, _): break
        default: return nil
        }
        try tokens.skipRest(of: value)
        return (first.range.lowerBound..<tokens.offset, value.range.lowerBound..<tokens.offset)
    }

    /// Whether the byte at an offset is an opening bracket that is alone on its line.
    private func isBracketAlone(at offset: Int) -> Bool {
        guard bytes[offset] == UInt8(ascii: "{") || bytes[offset] == UInt8(ascii: "[") else { return false }
        let line = line(ofByte: offset)
        return bytes[line].enumerated().allSatisfy { index, byte in
            line.lowerBound + index == offset || byte == 0x20 || byte == 0x09
        }
    }
}
