import Foundation
import Waybill
import WaybillURLSession

extension KintoAPI {
    struct Bucket: Entity {
        let id: String
        var lastModified: Int?
    }

    struct Collection: Entity {
        let id: String
        var lastModified: Int?
    }

    struct Article: Entity, Equatable {
        let id: String
        var title: String
        var n: Int?
        /// The time of the last change of the record, in milliseconds since 1970; its tag is made of it.
        var lastModified: Int

        /// The tag of this version.
        var tag: String { "\"\(lastModified)\"" }

        struct Draft: Encodable, Sendable {
            var title: String
            var n: Int?
        }

        struct Patch: Encodable, Sendable {
            var title: Nullable<String> = .absent
            var n: Nullable<Int> = .absent
        }
    }

    /// A record in a list of changes, with the fields that a deleted record still has.
    struct Change: Decodable, Sendable {
        let id: String
        let lastModified: Int
        let deleted: Bool?
    }

    /// The description of the server and of the user.
    struct Root: Decodable, Sendable {
        let projectName: String
        /// The user; nil if the request has no credential.
        let user: User?
    }

    struct User: Decodable, Sendable, Equatable {
        let id: String
        let principals: [String]
    }

    /// The users that may read and write an item.
    struct Permissions: Decodable, Sendable {
        let read: [String]?
        let write: [String]?
    }

    struct BatchRequest: Encodable, Sendable {
        var method: String
        var path: String
        var body: JSONValue?
    }

    struct BatchResponse: Decodable, Sendable {
        let status: Int
        let path: String
        let body: JSONValue
    }
}

/// The body of a failure of Kinto.
struct KintoProblem: Decodable, Sendable {
    /// The number of the status.
    let code: Int
    /// Kinto's own number of the error: 110 is a record that does not exist.
    let errno: Int
    /// The status in words.
    let error: String
    let message: String?
    /// An object or a list, depending on the error.
    let details: JSONValue?
}

/// A step of a JSON patch (RFC 6902).
struct JSONPatchStep: Encodable, Sendable {
    var op: String
    var path: String
    var value: JSONValue?
}
