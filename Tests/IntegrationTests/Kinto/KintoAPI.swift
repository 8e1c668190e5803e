import Foundation
import Waybill
import WaybillURLSession

/// The API of Kinto, a JSON record store: buckets contain collections, and collections contain records.
struct KintoAPI: API {
    let client: Client

    init(_ url: URL, user: String, password: String, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Authorization(.basic(user: user, password: password))
            Encode(keys: .convertToSnakeCase)
            Decode(keys: .convertFromSnakeCase)
            Body.Format(under: "data")
            Envelope("data")
            Metadata(Permissions?.self, at: "permissions")
            Problem(KintoProblem.self)
            Paginated(.next(field: "Next-Page", size: .query("_limit", 5)))
        }
    }

    /// Returns the description of the server and the user.
    func root(authorized: Bool = true) -> Endpoint<Root> {
        endpoint {
            GET("/")
            Envelope.none
            if !authorized { Authorization.none }
        }
    }

    var buckets: Resource<Bucket, ReadWrite> { resource("buckets") }

    func collections(in bucket: Bucket.ID) -> Resource<Collection, ReadWrite> {
        resource("buckets/\(bucket)/collections")
    }

    /// Returns the articles of a collection.
    ///
    /// - Parameter version: the tag that an article must still have for a change to succeed.
    func articles(
        in collection: Collection.ID,
        of bucket: Bucket.ID,
        ifMatch version: String? = nil
    ) -> Resource<Article, ReadWrite> {
        resource("buckets/\(bucket)/collections/\(collection)/records") {
            On(.update, .patch, .delete) { Header(.ifMatch, version) }
        }
    }
}

// Kinto's operations beyond those of a resource.
extension Resource where Element == KintoAPI.Article {
    /// Returns the articles with at least the given number, highest first.
    func atLeast(_ number: Int) -> Endpoint<[Element]> {
        endpoint {
            GET("\(.resource)")
            Query("min_n", number)
            Query("_sort", "-n")
        }
    }

    /// Returns the articles; nil if the server still has the version of the list with the tag.
    func list(unlessTagged tag: String?) -> Endpoint<[Element]?> {
        endpoint {
            GET("\(.resource)")
            Header(.ifNoneMatch, tag)
            Success(.success, 304)
        }
    }

    /// Returns the articles created, changed or deleted after a time.
    func changes(since lastModified: Int) -> Endpoint<[KintoAPI.Change]> {
        endpoint {
            GET("\(.resource)")
            Query("_since", "\"\(lastModified)\"")
        }
    }

    /// The list's header fields; `Total-Records` contains the number of articles.
    var head: Endpoint<Void> {
        endpoint { HEAD("\(.resource)") }
    }

    /// Puts an article under a client-chosen id, unless the id exists.
    func insert(_ draft: Element.Draft, as id: Element.ID) -> Endpoint<Element> {
        endpoint {
            PUT("\(.resource)/\(id)")
            Body(draft)
            Header(.ifNoneMatch, "*")
        }
    }

    /// Changes an article with the operations of a JSON Patch (RFC 6902).
    func apply(_ steps: [JSONPatchStep], to id: Element.ID) -> Endpoint<Element> {
        endpoint {
            PATCH("\(.resource)/\(id)")
            Header(.contentType, "application/json-patch+json")
            Body(unwrapped: steps)
        }
    }
}

extension KintoAPI {
    /// Sends several requests in one; each gets its own response.
    func batch(_ requests: [BatchRequest]) -> Endpoint<[BatchResponse]> {
        endpoint {
            POST("batch")
            Body(requests, under: "requests")
            Envelope("responses")
        }
    }
}
