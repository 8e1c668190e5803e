/// The text of a null in a query or a form, which have no null of their own.
///
/// It holds for a null that a value encodes on purpose, such as ``Nullable/null``. An optional without a value is left
/// out, unless ``Bodies`` says that nil is sent.
public enum NullStyle: Sendable, Hashable {
    /// An item with an empty value: `note=`.
    case empty
    /// No item; the server cannot tell it from a member that was never there.
    case omitted
    /// An item with this text: `note=null`.
    case text(String)

    /// The text of the value; nil if there is no item.
    var text: String? {
        switch self {
        case .empty: ""
        case .omitted: nil
        case .text(let text): text
        }
    }
}
