/// The form of an array's elements as named items in a query or a form, for which there is no standard.
public enum ArrayStyle: Sendable, Hashable, CaseIterable {
    /// The name once for each element: `tag=a&tag=b`.
    case repeated
    /// All elements in one item: `tag=a,b`. A comma inside an element is percent-encoded, those between are not.
    case commaSeparated
    /// The name with empty brackets once for each element, as PHP and Rails read it: `tag[]=a&tag[]=b`.
    case brackets
    /// The name with the element's index in brackets: `tag[0]=a&tag[1]=b`.
    ///
    /// The only style for arrays of objects and of arrays: `lines[0][sku]=a&lines[1][sku]=b`.
    case indexed
}

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
