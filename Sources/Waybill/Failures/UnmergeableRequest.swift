/// A request whose body is not JSON, so that no response can be merged over it.
package struct UnmergeableRequest: Error, CustomStringConvertible {
    package let description =
        "WriteResult(.merged) needs a request with JSON, and what was sent is not JSON; declare .reread"

    package init() {}
}

/// A response without the URL at which a created entity is fetched.
struct MissingLocation: Error, CustomStringConvertible {
    /// Whether there is a `Location` that is no URL.
    var invalid = false

    var description: String {
        "WriteResult(.reread) fetches it from the Location of the response,"
            + " which \(invalid ? "is no URL" : "has none"); declare WriteResult(.merged) if the response has the id"
    }
}
