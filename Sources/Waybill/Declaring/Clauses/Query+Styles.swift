extension Query {
    /// The representation of arrays in a query or a form, which is not standardized.
    public enum ArrayStyle: Sendable, Hashable, CaseIterable {
        /// The name is repeated for each element: `tag=a&tag=b`.
        case repeated
        /// All elements are in one item: `tag=a,b`. Commas inside an element are percent-encoded.
        case commaSeparated
        /// The name with empty brackets is repeated for each element, as in PHP and Rails: `tag[]=a&tag[]=b`.
        case brackets
        /// The name is followed by the element's index in brackets: `tag[0]=a&tag[1]=b`.
        ///
        /// This is the only style for arrays of objects or arrays: `lines[0][sku]=a&lines[1][sku]=b`.
        case indexed
    }

    /// The representation of empty arrays and objects in a query or a form.
    ///
    /// By default, they are omitted. The form body of a request that changes an existing resource, such as a PUT or a
    /// PATCH, is an exception, because the change would be lost: an empty array is written if its ``Query/ArrayStyle``
    /// can represent it (`tags[]=` with brackets, `tags=` if comma-separated) and is a declaration error otherwise. An
    /// empty object is always a declaration error there.
    public enum EmptyStyle: Sendable, Hashable {
        /// An item with an empty value: `tags=`, and with brackets `tags[]=`.
        case empty
        /// No item. The server cannot distinguish this from a missing member.
        case omitted
        /// An item with this text: `tags=[]`.
        case text(String)
    }

    /// The representation of null in a query or a form.
    ///
    /// It applies to a null that a value encodes explicitly, such as ``Nullable/null``. A nil optional is omitted
    /// unless ``Body/Format`` declares that nil is sent.
    public enum NullStyle: Sendable, Hashable {
        /// An item with an empty value: `note=`.
        case empty
        /// No item. The server cannot distinguish this from a missing member.
        case omitted
        /// An item with this text: `note=null`.
        case text(String)

        /// The text of the item; nil if there is no item.
        var text: String? {
            switch self {
            case .empty: ""
            case .omitted: nil
            case .text(let text): text
            }
        }
    }
}
