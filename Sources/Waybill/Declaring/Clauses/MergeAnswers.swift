/// Takes what a server answers to a create, an update or a patch as additions to what was sent.
///
/// For servers that answer with only some of the fields, such as the new id, or with nothing: the answer's fields are
/// laid over those of the JSON that was sent, objects recursively, and the entity is decoded from the result.
///
/// ```swift
/// resource("messages") { MergeAnswers() }
/// // POST {"text":"hi"} → {"id":7}     gives Message(id: 7, text: "hi")
/// ```
///
/// What was sent has to be JSON: with a form or with bytes, the call is made and its answer is a ``DecodingFailure``.
public struct MergeAnswers: Setting {
    /// Lays answers over what was sent.
    public init() {}

    /// What answers are laid over: `over what was sent`.
    public var summary: String { "over what was sent" }
}
