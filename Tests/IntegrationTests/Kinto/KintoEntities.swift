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
        /// The time of the last change, in milliseconds since 1970; the tag is derived from it.
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

    /// A record in a list of changes, with the fields that remain after a deletion.
    struct Change: Decodable, Sendable {
        let id: String
        let lastModified: Int
        let deleted: Bool?
    }

    /// A description of the server and the user.
    struct Root: Decodable, Sendable {
        let projectName: String
        /// The user; nil if the request has no credential.
        let user: User?
    }

    struct User: Decodable, Sendable, Equatable {
        let id: String
        let principals: [String]
    }

    /// The users that can read and write an item.
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

/// The body of a failed Kinto response.
struct KintoProblem: Decodable, Sendable {
    /// The status code.
    let code: Int
    /// Kinto's own error number; 110 means that the record does not exist.
    let errno: Int
    /// The reason phrase.
    let error: String
    let message: String?
    /// An object or an array, depending on the error.
    let details: JSONValue?
}

/// A step of a JSON patch (RFC 6902).
struct JSONPatchStep: Encodable, Sendable {
    var op: String
    var path: String
    var value: JSONValue?
}
