extension UnsafeMutablePointer<DecodingState> {
    /// A null in the place of a member that an object does not have.
    func absentValue(named name: String) -> Int {
        let index = pointee.tape.count + pointee.absentValues.count
        // Numbers are read together with the word behind them, before anybody knows that this is none.
        if index + 1 >= pointee.tape.capacity { pointee.tape.growWithoutDocument(toHold: index + 16) }
        pointee.tape.words[index] = TapeWord.make(TapeKind.null, payload: 0, offset: 0)
        pointee.absentValues.append(name)
        return index
    }
}
