/// A reference that keeps the session of a container alive.
///
/// An optional would have the same meaning; but a copy of one calls the reference counting even if there is nothing to
/// count, and a container is copied for each of its members. With two cases without a reference the compiler checks the
/// case first.
enum ContainerLifetime {
    /// The call that decodes the document: it ends later than the container, or gives it an owner.
    case call
    /// Never used.
    case none
    /// The container itself, by a reference to the session.
    case owned(AnyObject)
}
