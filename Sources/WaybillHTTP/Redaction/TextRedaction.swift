/// The secrets that the texts of a message leave out.
///
/// A message, its URL and its fields refer to the same one, so that each can be printed by itself.
package protocol TextRedaction: AnyObject, Sendable {
    /// The secret names and values.
    ///
    /// Collected at each access: only texts need them, and most messages are never printed.
    var hidden: SecretNameSet { get }

    /// The values that are secret anywhere.
    var values: [String] { get }
}

extension TextRedaction {
    /// Returns a text without the secret values.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isExcerpt: whether `…` stands for omitted text; a piece of a value next to it is then removed too.
    /// - Returns: the text without the values.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        Redaction.removing(hidden.longValues, from: text, isExcerpt: isExcerpt)
    }
}
