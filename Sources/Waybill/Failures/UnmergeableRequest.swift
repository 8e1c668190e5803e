/// A request whose body is not JSON, so that no response can be merged over it.
package struct UnmergeableRequest: Error, CustomStringConvertible {
    package let description =
        "WriteResult(.merged) needs a request with JSON, and what was sent is not JSON; declare .reread"

    package init() {}
}
