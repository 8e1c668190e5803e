extension UnsafeMutablePointer<DecodingState> {
    /// The error of a value that is of another kind than asked for.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        mismatch(type, at: index, codingPath(to: index, in: container))
    }

    /// The same with the path that is known already.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        // The type stands in the error; its name would cost more than all the rest, and `try?` swallows it.
        if isNull(index) { return error(path, "Found null instead of a value.") { .valueNotFound(type, $0) } }
        return error(path, "Found \(kindName(at: index)) instead.") { .typeMismatch(type, $0) }
    }

    /// The error of a number that a type cannot hold without loss.
    @inline(never)
    func unfitting(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted("The number \(text) does not fit into the type.", codingPath(to: index, in: container))
    }

    /// The error of a value whose content is not what it should be.
    @inline(never)
    func corrupted(_ reason: String, _ path: [any CodingKey]) -> DecodingError {
        error(path, reason) { .dataCorrupted($0) }
    }

    /// An error with what it takes to tell later where in the document it is.
    func error(
        _ path: [any CodingKey],
        _ reason: String,
        _ make: (DecodingError.Context) -> DecodingError
    ) -> DecodingError {
        let plain = make(DecodingError.Context(codingPath: path, debugDescription: reason))
        let diagnosis = JSONDiagnosis(of: plain, in: session.document)
        return make(DecodingError.Context(codingPath: path, debugDescription: reason, underlyingError: diagnosis))
    }

    private func kindName(at index: Int) -> String {
        switch TapeWord.kind(pointee.tape[index]) {
        case TapeKind.null: "null"
        case TapeKind.true: "true"
        case TapeKind.false: "false"
        case TapeKind.array: "an array"
        case TapeKind.object: "an object"
        case TapeKind.positiveInteger, TapeKind.negativeInteger, TapeKind.decimal, TapeKind.longNumber: "a number"
        default: "a string"
        }
    }
}
