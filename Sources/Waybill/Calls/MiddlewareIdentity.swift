/// The identity of a middleware: where it is declared, and which values it has.
///
/// A declaration in a computed resource is made anew for each call. It is the same one each time if the middleware has
/// no properties, or is `Hashable` and equal.
package struct MiddlewareIdentity: Sendable, Hashable {
    /// The values of a middleware.
    private enum Value: Sendable, Hashable {
        case none
        case comparable(ComparableMiddleware)
        /// Values that cannot be compared: no other middleware is the same.
        case unique(Int)
    }

    /// A middleware that can be compared.
    ///
    /// `@unchecked Sendable`: it is made of a middleware, which is `Sendable`.
    private struct ComparableMiddleware: @unchecked Sendable, Hashable {
        let value: AnyHashable
    }

    private static let numbers = Locked(0)

    private let site: DeclarationSite
    private let type: ObjectIdentifier
    private let value: Value

    /// Creates the identity of a middleware that is declared at a site.
    package init<M: Middleware>(of middleware: M, at site: DeclarationSite) {
        self.site = site
        type = ObjectIdentifier(M.self)
        if let hashable = middleware as? any Hashable {
            value = .comparable(ComparableMiddleware(value: AnyHashable(hashable)))
        } else if MemoryLayout<M>.size == 0 {
            value = .none
        } else {
            value = .unique(
                Self.numbers.withLock { number in
                    number += 1
                    return number
                }
            )
        }
    }
}
