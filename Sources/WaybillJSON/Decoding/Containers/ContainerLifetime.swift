/// What keeps the session of a container alive.
///
/// An optional would say the same; but to copy one is to call the reference counting even where there is nothing to
/// count, and a container is copied for each of its members. With two cases that have no reference the compiler looks
/// at the case first.
enum ContainerLifetime {
    /// The call that decodes the document: it ends later than the container, or gives it an owner.
    case call
    /// Never used.
    case none
    /// The container itself, by a reference to the session.
    case owned(AnyObject)
}
