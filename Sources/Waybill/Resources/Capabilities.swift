/// The operations that a resource supports: ``ReadOnly``, ``ReadWrite``, or a custom set.
///
/// Calling an operation outside the set is a compile-time error.
///
/// ```swift
/// enum Inbox: Listable, Creatable, Deletable {}
///
/// var messages: Resource<Message, Inbox> { resource("messages") }
/// ```
public protocol Capabilities {}

/// `list`, `page`, `pages`, `all` and `stream`: GET on the collection.
public protocol Listable: Capabilities {}

/// `read` and `refresh`: GET on one item.
public protocol Readable: Capabilities {}

/// `create`: POST on the collection, or on a singleton.
public protocol Creatable: Capabilities {}

/// `create` with an array of drafts: POST of an array.
public protocol BatchCreatable: Capabilities {}

/// `update`: PUT on one item.
public protocol Updatable: Capabilities {}

/// `upsert`: PUT on one item, which creates the item if it does not exist.
public protocol Upsertable: Capabilities {}

/// `update` with an array of items: PATCH of an array.
public protocol BatchUpdatable: Capabilities {}

/// `patch`: PATCH on one item.
public protocol Patchable: Capabilities {}

/// `delete`: DELETE on one item.
public protocol Deletable: Capabilities {}

/// Listing the collection and reading individual items.
public enum ReadOnly: Listable, Readable {}

/// Listing the collection, and reading, creating, updating, patching and deleting individual items.
public enum ReadWrite: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}
