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

/// `read` and `refresh`: GET on one item.
public protocol Readable: Capabilities {}

/// `create`: POST on the collection, or on a singleton.
public protocol Creatable: Capabilities {}

/// `create` with several drafts: POST of an array.
public protocol BatchCreatable: Capabilities {}

/// `update`: PUT on one item.
public protocol Updatable: Capabilities {}

/// `upsert`: PUT on one item, which is created under its id if it does not exist.
public protocol Upsertable: Capabilities {}

/// `update` of several items: PATCH of an array.
public protocol BatchUpdatable: Capabilities {}

/// `patch`: PATCH on one item.
public protocol Patchable: Capabilities {}

/// `delete`: DELETE on one item.
public protocol Deletable: Capabilities {}

/// Listing and reading.
public enum ReadOnly: Listable, Readable {}

/// All operations on one item at a time: listing, reading, creating, updating, patching, deleting.
public enum ReadWrite: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}
