extension JSONText {
    /// The place of a value.
    package struct Location: Sendable, Hashable {
        /// The bytes of the value.
        package let value: Range<Int>
        /// The bytes of its key, quotation marks included; nil for an element of an array and for the whole text.
        package let key: Range<Int>?
    }

    /// Returns the place of the value at a coding path; nil if the path leads nowhere, or the text is not JSON up to
    /// there.
    ///
    /// Of a key that occurs more than once, the first one counts. If a key does not occur in its spelling, the first
    /// one counts that differs in case, `_` and `-` alone: decoders that convert keys report `createdAt` for
    /// `created_at`.
    package func location(of path: [any CodingKey]) -> Location? {
        do throws(JSONSyntaxError) {
            guard var place = try place(of: path) else { return nil }
            try place.tokens.skipRest(of: place.value)
            return Location(value: place.value.range.lowerBound..<place.tokens.offset, key: place.key)
        } catch {
            return nil
        }
    }

    /// Returns the bracket that opens the object or array at a coding path; nil for any other value.
    func opening(of path: [any CodingKey]) -> Range<Int>? {
        guard let token = (try? place(of: path))?.value else { return nil }
        return token.kind == .beginObject || token.kind == .beginArray ? token.range : nil
    }

    /// Returns the keys of the object at a coding path, in their order, duplicates included; nil if there is no object.
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

    /// A value of which the first token has been read.
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
}
