/// A value with an identity, of which a server keeps a collection.
///
/// The id can be of any type that can be a segment of a path: `Int`, `String`, `UUID`, or an app's own
/// ``PathSegmentConvertible``.
///
/// ```swift
/// struct Product: Entity {
///     let id: Int
///     var name: String
///     struct Draft: RequestContent { var name: String }      // what POST takes
/// }
/// ```
public protocol Entity: Representation, Identifiable where ID: PathSegmentConvertible {}
