/// The items of an array or an object without elements in a query or a form, which have no empty array.
///
/// Without one, they have no items; in a write that changes what is there, a PUT or a PATCH, an array is sent as its
/// ``ArrayStyle`` can: as `tags[]=` with brackets, as `tags=` if it is comma-separated. The other styles, and objects,
/// can write none there: that is a declaration error, so that no change is lost.
public enum EmptyStyle: Sendable, Hashable {
    /// An item with an empty value: `tags=`, and with brackets `tags[]=`.
    case empty
    /// No item; the server cannot tell it from a member that was never there.
    case omitted
    /// An item with this text: `tags=[]`.
    case text(String)
}
