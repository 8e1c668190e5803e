extension UnsafeMutablePointer<EncodingState> {
    /// Returns the error for a value that cannot be encoded.
    @inline(never)
    func invalid(_ value: Any, _ path: [any CodingKey], _ reason: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: reason))
    }

    /// Records an error that cannot be thrown here; the encoding call throws it later.
    func fail(_ error: any Error) {
        if pointee.failure == nil, !pointee.isDetached { pointee.failure = error }
    }

    /// Returns the error for a value nested too deeply.
    @inline(never)
    func tooDeep(_ path: [any CodingKey]) -> EncodingError {
        invalid("[…]", path, "The value is nested deeper than \(pointee.maximumDepth) levels.")
    }

    /// Returns the error for a type that encodes a value where it has already encoded a different one.
    @inline(never)
    func secondValue(in slot: UnsafeMutablePointer<ValueSlot>) -> EncodingError {
        invalid("…", slot.codingPath, "A value of another kind has already been encoded here.")
    }

    /// Returns the error for a container or encoder used after its call.
    @inline(never)
    func outdated() -> EncodingError {
        invalid("…", [], "A container or an encoder was used after the encode(to:) that it was made in.")
    }
}

extension EncodingSession {
    /// Returns a session for a container whose methods all fail.
    static func unusable(_ state: UnsafeMutablePointer<EncodingState>) -> EncodingSession {
        let session = EncodingSession()
        session.state.pointee.failure = state.pointee.failure ?? state.outdated()
        session.state.pointee.isDetached = true
        return session
    }
}
