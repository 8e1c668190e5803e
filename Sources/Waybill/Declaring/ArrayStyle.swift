/// How an array is written in a query or a form, where no standard says how.
public enum ArrayStyle: String, Sendable, Hashable, CaseIterable {
    /// `tag=a&tag=b`
    case repeated
    /// `tag=a,b`
    case commaSeparated
    /// `tag[]=a&tag[]=b`
    case brackets
    /// `tag[0]=a&tag[1]=b`
    case indexed
}
