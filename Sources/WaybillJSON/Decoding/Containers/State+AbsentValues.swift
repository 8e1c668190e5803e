extension DecodingState {
    /// The text of a value that is not in the document.
    static var null: UnsafeBufferPointer<UInt8> {
        let text: StaticString = "null"
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns the document from the first byte of a value on.
    func text(fromValueAt index: Int) -> UnsafeBufferPointer<UInt8> {
        guard index < pointee.tape.count else { return DecodingState.null }
        let word = pointee.tape[index]
        let offset =
            switch TapeWord.kind(word) {
            case TapeKind.array, TapeKind.object: TapeWord.lower(pointee.tape[index &+ 1])
            // The offset of a string is that after its quotation mark.
            case TapeKind.asciiString...TapeKind.longString: TapeWord.lower(word) &- 1
            default: TapeWord.lower(word)
            }
        return UnsafeBufferPointer(start: pointee.bytes + offset, count: pointee.count &- offset)
    }

    /// Returns the index of a null for a member that an object does not have.
    func absentValue(named name: String) -> Int {
        let index = pointee.tape.count + pointee.absentValues.count
        // A number is read together with the word after it, before its kind is known.
        if index + 1 >= pointee.tape.capacity { pointee.tape.growWithoutDocument(toHold: index + 16) }
        pointee.tape.words[index] = TapeWord.make(TapeKind.null, payload: 0, offset: 0)
        pointee.absentValues.append(name)
        return index
    }
}
