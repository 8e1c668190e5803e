extension UnsafeMutablePointer<DecodingState> {
    /// Returns the position of a key in a shape, by the decoder's conversion of keys; nil if the shape does not have
    /// it.
    func place(of name: String, in shape: Int) -> Int? {
        var shape = shape
        var place: Int?
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        while shape != ShapeTable.root, shape != 0 {
            let current = pointee.shapes[shape].pointee
            let key = pointee.shapes.keys.spelling(of: Int(current.key))
            if pointee.keyConversion == .snakeCase {
                // This goes from the last key to the first; of two that become the same the first one counts.
                if SnakeCase.camelCase(String(decoding: key, as: UTF8.self)) == name { place = Int(current.count) - 1 }
            } else if isASCII ? name.utf8.elementsEqual(key) : String(decoding: key, as: UTF8.self) == name {
                // Unicode holds some characters equal to ones of ASCII, as the sign for kelvin.
                return Int(current.count) - 1
            }
            shape = Int(current.parent)
        }
        return place
    }

    /// Returns the keys of members, by the decoder's conversion of keys.
    func convertedKeys(_ positions: [UInt32], _ path: () -> [any CodingKey]) -> [String] {
        switch pointee.keyConversion {
        case .none: return positions.map { text(at: Int($0)) }
        case .snakeCase: return positions.map { SnakeCase.camelCase(text(at: Int($0))) }
        case .custom:
            let path = path()
            return positions.map { session.strategies.keys.converting(text(at: Int($0)), behind: path) }
        }
    }

    /// Returns the keys of an object in their order; nil unless the decoder converts keys.
    func convertedKeys(of object: Int) -> [String]? {
        pointee.keyConversion == .none ? nil : keyNames(of: object)
    }

    /// Returns the keys of an object in their order, duplicates included, by the decoder's conversion of keys.
    func keyNames(of object: Int) -> [String] {
        var positions: [UInt32] = []
        var position = object &+ 2
        let end = TapeWord.lower(pointee.tape[object])
        while position < end {
            positions.append(UInt32(truncatingIfNeeded: position))
            position = pointee.tape.end(of: pointee.tape.end(of: position))
        }
        return convertedKeys(positions) { codingPath(to: object, in: container(of: object)) }
    }
}
