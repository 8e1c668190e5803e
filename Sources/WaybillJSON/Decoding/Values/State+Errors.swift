extension UnsafeMutablePointer<DecodingState> {
    /// Returns the error of a value that is not of the expected kind.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        mismatch(type, at: index, codingPath(to: index, in: container))
    }

    /// Returns the same error with a path that is known already.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        // The error has the type; its name would cost more than all the rest, and `try?` swallows it.
        if isNull(index) { return error(path, "Found null instead of a value.") { .valueNotFound(type, $0) } }
        return error(path, "Found \(kindName(at: index)) instead.") { .typeMismatch(type, $0) }
    }

    /// Returns the error of a value that is not of the kind from which a date is made.
    ///
    /// It has the type that Foundation's decoder gives; its words say that a date is expected.
    @inline(never)
    func dateMismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        error(codingPath(to: index, in: container), "Found \(kindName(at: index)) instead of a date.") {
            .typeMismatch(type, $0)
        }
    }

    /// Returns the error of a number that a type cannot hold without loss.
    @inline(never)
    func unfitting(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted("The number \(text) does not fit into the type.", codingPath(to: index, in: container))
    }

    /// Returns the error of a value whose content is not valid.
    @inline(never)
    func corrupted(_ reason: String, _ path: [any CodingKey]) -> DecodingError {
        error(path, reason) { .dataCorrupted($0) }
    }

    /// Returns an error with the state for finding its place in the document later.
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
