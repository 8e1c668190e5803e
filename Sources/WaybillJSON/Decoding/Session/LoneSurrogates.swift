/// The replacement of lone surrogates where the declared strategy does not decide.
package enum LoneSurrogates {
    /// Decodes from a decoder whose lone surrogates become U+FFFD meanwhile, whatever its strategy is.
    ///
    /// It is for problems: one whose text a server has cut is worth more than its text. A decoder of another module
    /// stays as it is.
    ///
    /// - Parameters:
    ///   - decoder: the decoder.
    ///   - body: decodes from it.
    /// - Returns: the value of the closure.
    /// - Throws: the error of the closure.
    package static func replaced<Value>(in decoder: any Decoder, _ body: () throws -> Value) rethrows -> Value {
        guard let state = (decoder as? TapeDecoder)?.state, !state.pointee.isDetached else { return try body() }
        let replaces = state.pointee.replacesLoneSurrogates
        state.pointee.replacesLoneSurrogates = true
        defer { state.pointee.replacesLoneSurrogates = replaces }
        return try body()
    }
}
