extension UnsafeMutablePointer<DecodingState> {
    /// The keys of an object in their order, duplicates included, converted as the decoder converts keys.
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

    /// A null in the place of a member that an object does not have.
    func absentValue(named name: String, in object: Int) -> Int {
        let index = pointee.tape.count + pointee.absentValues.count
        if index >= pointee.tape.capacity { pointee.tape.growWithoutDocument(toHold: index + 16) }
        pointee.tape.words[index] = TapeWord.make(TapeKind.null, payload: 0, offset: 0)
        pointee.absentValues.append(.init(container: object, key: name))
        return index
    }
}
