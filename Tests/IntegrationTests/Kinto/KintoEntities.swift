import Foundation
import Waybill

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
        /// When the server last changed the record, in milliseconds since 1970; its tag is made of it.
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

    /// A record as a list of changes has it: of a deleted one only this is left.
    struct Change: Decodable, Sendable {
        let id: String
        let lastModified: Int
        let deleted: Bool?
    }

    /// What the server says of itself and of who is asking.
    struct Root: Decodable, Sendable {
        let projectName: String
        /// Nil where the request has no credential.
        let user: User?
    }

    struct User: Decodable, Sendable, Equatable {
        let id: String
        let principals: [String]
    }

    /// Who may do what with an item.
    struct Permissions: Decodable, Sendable {
        let read: [String]?
        let write: [String]?
    }

    struct BatchRequest: Encodable, Sendable {
        var method: String
        var path: String
        var body: JSONValue?
    }

    struct BatchAnswer: Decodable, Sendable {
        let status: Int
        let path: String
        let body: JSONValue
    }
}

/// A failure as Kinto words it.
struct KintoProblem: Decodable, Sendable {
    /// The status, once more.
    let code: Int
    /// What went wrong, by Kinto's own numbers: 110 is a record that is not there.
    let errno: Int
    /// The status in words.
    let error: String
    let message: String?
    /// An object or a list, depending on what went wrong.
    let details: JSONValue?
}

/// A step of a JSON patch (RFC 6902).
struct JSONPatchStep: Encodable, Sendable {
    var op: String
    var path: String
    var value: JSONValue?
}
