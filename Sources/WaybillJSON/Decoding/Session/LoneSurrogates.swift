/// Replacement of lone surrogates regardless of the decoder's strategy.
package enum LoneSurrogates {
    /// Runs a closure while a decoder replaces lone surrogates with U+FFFD.
    ///
    /// Used for problem details: an error response is useful even if the server has truncated its text. Decoders from
    /// other libraries, and decoders used after their call has ended, are not affected.
    ///
    /// - Parameters:
    ///   - decoder: the decoder.
    ///   - body: the closure that decodes from the decoder.
    /// - Returns: the closure's return value.
    /// - Throws: any error thrown by the closure.
    package static func replaced<Value>(in decoder: any Decoder, _ body: () throws -> Value) rethrows -> Value {
        guard let state = (decoder as? TapeDecoder)?.state, !state.pointee.isDetached else { return try body() }
        let replaces = state.pointee.replacesLoneSurrogates
        state.pointee.replacesLoneSurrogates = true
        defer { state.pointee.replacesLoneSurrogates = replaces }
        return try body()
    }
}
