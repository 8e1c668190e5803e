/// The capabilities of a resource: ``ReadOnly``, ``ReadWrite``, or an app's own set.
///
/// An operation whose capability is not in the set does not compile.
///
/// ```swift
/// enum Inbox: Listable, Creatable, Deletable {}
///
/// var messages: Resource<Message, Inbox> { resource("messages") }
/// ```
public protocol Capabilities {}

/// `list`, `page`, `pages` and `all`: GET on the collection.
public protocol Listable: Capabilities {}

/// `read` and `refresh`: GET on one.
public protocol Readable: Capabilities {}

/// `create`: POST on the collection, or on a singleton.
public protocol Creatable: Capabilities {}

/// `create` of several at once: POST of an array.
public protocol BatchCreatable: Capabilities {}

/// `update`: PUT on one.
public protocol Updatable: Capabilities {}

/// `upsert`: PUT on one that may not be there yet, and is created under that id then.
public protocol Upsertable: Capabilities {}

/// `update` of several at once: PATCH of an array.
public protocol BatchUpdatable: Capabilities {}

/// `patch`: PATCH on one.
public protocol Patchable: Capabilities {}

/// `delete`: DELETE on one.
public protocol Deletable: Capabilities {}

/// Listing and reading.
public enum ReadOnly: Listable, Readable {}

/// Everything that is done to one at a time: listing, reading, creating, updating, patching, deleting.
public enum ReadWrite: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}
