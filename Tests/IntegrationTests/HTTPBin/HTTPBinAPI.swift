import Foundation
import Waybill

/// The API of httpbin, which echoes requests and sends the requested responses.
struct HTTPBinAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Header(.userAgent, "waybill-tests")
            // The server closes a connection after two idle seconds, possibly while a request is in flight. Its methods
            // change nothing, so every request can be retried.
            Retry(statuses: [], methods: [.get, .head, .post, .put, .patch, .delete, .options])
        }
    }

    /// Returns a request with a method and a body as the server received it.
    func echo<Payload: Encodable & Sendable>(_ method: String, _ payload: Payload) -> Endpoint<Echo> {
        endpoint {
            Route(method, "anything")
            Body(payload)
        }
    }

    /// Returns a path segment as the server received it.
    func echo(segment: String) -> Endpoint<Echo> {
        endpoint { GET("anything/\(segment)") }
    }

    /// Returns a query as the server received it.
    func echo(query value: String, tags: [String], as style: Query.ArrayStyle) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            Query("q", value)
            Query("tag", tags, as: style)
        }
    }

    /// Returns header fields as the server received them.
    func echo(fields: [(name: String, value: String)]) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            for field in fields { Header(field.name, field.value) }
        }
    }

    /// Returns form data of name-value pairs as the server received it.
    func echo(form: KeyValuePairs<String, String>) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(form: form)
        }
    }

    /// Returns form data of a flattened value as the server received it.
    func echo<Form: Encodable & Sendable>(formEncoding form: Form) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(formEncoding: form)
        }
    }

    /// Returns parts as the server received them.
    func echo(@Multipart.Builder parts: () -> [Multipart.Part]) -> Endpoint<Echo> {
        let parts = parts()
        return endpoint {
            POST("post")
            Multipart(parts)
        }
    }

    /// Returns a response with a status and no body.
    func status(_ code: Int) -> Endpoint<JSONValue?> {
        endpoint { GET("status/\(code)") }
    }

    /// Returns a response with the given header fields.
    func response(with fields: KeyValuePairs<String, String>) -> Endpoint<Void> {
        endpoint {
            GET("response-headers")
            for field in fields { Query(field.key, field.value) }
        }
    }

    /// Greets a user authenticated with Basic credentials (RFC 7617).
    func greeting(for user: String, password: String, credential: Authorization.Credential?) -> Endpoint<Greeting> {
        endpoint {
            GET("basic-auth/\(user)/\(password)")
            if let credential { Authorization(credential) }
        }
    }

    /// Greets the holder of a bearer token (RFC 6750).
    func greeting(forHolderOf token: @escaping @Sendable () async throws -> String) -> Endpoint<Greeting> {
        endpoint {
            GET("bearer")
            Authorization(.bearer(token))
        }
    }

    /// Redirects a POST to a URL, possibly relative.
    func redirect(to url: String, status: Int) -> Endpoint<Echo> {
        endpoint {
            POST("redirect-to")
            Query("url", url)
            Query("status_code", status)
            Body(["name": "Lamp"])
            Authorization(.bearer("secret-token"))
        }
    }

    /// Redirects a number of times, with absolute or relative URLs, to an echo.
    func redirects(_ kind: RedirectKind, count: Int) -> Endpoint<Echo> {
        endpoint { GET("\(kind)/\(count)") }
    }

    enum RedirectKind: String, PathSegmentConvertible, CaseIterable, Sendable {
        case relative = "relative-redirect"
        case absolute = "absolute-redirect"
    }

    /// Returns an echo after a number of seconds, within a time limit.
    func delay(_ seconds: Int, limit: Duration) -> Endpoint<Echo> {
        endpoint {
            GET("delay/\(seconds)")
            Timeout(limit)
        }
    }

    /// Returns a response in a content coding: `gzip` or `deflate`.
    func compressed(_ coding: String) -> Endpoint<JSONValue> {
        endpoint { GET("\(coding)") }
    }

    /// Sets a cookie and redirects to an endpoint that returns the received cookies.
    func setCookie(_ name: String, _ value: String) -> Endpoint<[String: String]> {
        endpoint {
            GET("cookies/set")
            Query(name, value)
            Envelope("cookies")
        }
    }

    /// The cookies that the server receives.
    var cookies: Endpoint<[String: String]> {
        endpoint {
            GET("cookies")
            Envelope("cookies")
        }
    }

    /// Returns `count` random bytes for a seed, in chunks or with `Content-Length`.
    func bytes(_ count: Int, seed: Int, chunked: Bool) -> Endpoint<Data> {
        endpoint {
            GET("\(chunked ? "stream-bytes" : "bytes")/\(count)")
            Query("seed", seed)
            if chunked { Query("chunk_size", 1000) }
            Header(.accept, "application/octet-stream")
        }
    }

    /// Returns a part of the alphabet, selected by a byte range.
    func alphabet(_ range: String?) -> Endpoint<Data> {
        endpoint {
            GET("range/26")
            Header(.range, range)
        }
    }

    /// Returns a resource with a tag, under the given conditions.
    func tagged(_ tag: String, ifMatch: String? = nil, ifNoneMatch: String? = nil) -> Endpoint<Echo?> {
        endpoint {
            GET("etag/\(tag)")
            Header(.ifMatch, ifMatch)
            Header(.ifNoneMatch, ifNoneMatch)
            Success(.success, 304)
        }
    }
}

extension HTTPBinAPI {
    /// A request as the server received it.
    struct Echo: Decodable, Sendable {
        let method: String?
        let url: String
        /// The values by name; a list if a name is repeated.
        let args: [String: JSONValue]
        let headers: [String: String]
        let form: [String: JSONValue]?
        /// File contents by part name.
        let files: [String: JSONValue]?
        let data: String?
        let json: JSONValue?
    }

    struct Greeting: Decodable, Sendable, Equatable {
        let authenticated: Bool
        let user: String?
        let token: String?
    }
}
