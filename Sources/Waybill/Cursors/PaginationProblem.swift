/// What a scheme cannot make sense of in a page.
package enum PaginationProblem: Error, CustomStringConvertible {
    /// Something that the scheme needs is not there, or is not of the kind that it needs.
    case missing(String)

    package var description: String {
        switch self {
        case .missing(let text): text
        }
    }
}
