/// The error of a store.
public enum StoreError: Error, Sendable {
    /// The database of the store cannot be opened, read or written.
    case database(DatabaseFailure)
}

extension StoreError: CustomStringConvertible {
    /// The description of the case's value.
    public var description: String {
        switch self {
        case .database(let failure): failure.description
        }
    }
}
