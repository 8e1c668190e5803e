import Foundation
import Waybill

/// The API of httpbin, which sends requests back and responds as it is told.
struct HTTPBinAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Header(.userAgent, "waybill-tests")
            // The server closes a connection that idles for two seconds, maybe while a request is on its way. Its
            // methods change nothing, so every one may be sent again.
            Retry(statuses: [], methods: [.get, .head, .post, .put, .patch, .delete, .options])
        }
    }

    /// Returns the received form of a request with a method and a body.
    func echo<Payload: Encodable & Sendable>(_ method: String, _ payload: Payload) -> Endpoint<Echo> {
        endpoint {
            Route(method, "anything")
            Body(payload)
        }
    }

    /// Returns the received form of a segment of the path.
    func echo(segment: String) -> Endpoint<Echo> {
        endpoint { GET("anything/\(segment)") }
    }

    /// Returns the received form of a query.
    func echo(query value: String, tags: [String], as style: Query.ArrayStyle) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            Query("q", value)
            Query("tag", tags, as: style)
        }
    }

    /// Returns the received form of header fields.
    func echo(fields: [(name: String, value: String)]) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            for field in fields { Header(field.name, field.value) }
        }
    }

    /// Returns the received form data of name-value pairs.
    func echo(form: KeyValuePairs<String, String>) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(form: form)
        }
    }

    /// Returns the received form data of a flattened value.
    func echo<Form: Encodable & Sendable>(formEncoding form: Form) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(formEncoding: form)
        }
    }

    /// Returns the received form of parts.
    func echo(@Multipart.Builder parts: () -> [Multipart.Part]) -> Endpoint<Echo> {
        let parts = parts()
        return endpoint {
            POST("post")
            Multipart(parts)
        }
    }

    /// Returns a response of that status, without a body.
    func status(_ code: Int) -> Endpoint<JSONValue?> {
        endpoint { GET("status/\(code)") }
    }

    /// Returns a response with these header fields.
    func response(with fields: KeyValuePairs<String, String>) -> Endpoint<Void> {
        endpoint {
            GET("response-headers")
            for field in fields { Query(field.key, field.value) }
        }
    }

    /// Greets a user by Basic authentication (RFC 7617).
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

    /// Redirects a POST to a URL, which may be relative.
    func redirect(to url: String, status: Int) -> Endpoint<Echo> {
        endpoint {
            POST("redirect-to")
            Query("url", url)
            Query("status_code", status)
            Body(["name": "Lamp"])
            Authorization(.bearer("secret-token"))
        }
    }

    /// Redirects a number of times, by URLs of a kind, to an echo.
    func redirects(_ kind: RedirectKind, count: Int) -> Endpoint<Echo> {
        endpoint { GET("\(kind)/\(count)") }
    }

    enum RedirectKind: String, PathSegmentConvertible, CaseIterable, Sendable {
        case relative = "relative-redirect"
        case absolute = "absolute-redirect"
    }

    /// Returns an echo that comes after a number of seconds, if that is soon enough.
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

    /// Sets a cookie and redirects to the cookies that come back.
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

    /// Returns `count` random bytes, which are the same for the same seed; in chunks, or with `Content-Length`.
    func bytes(_ count: Int, seed: Int, chunked: Bool) -> Endpoint<Data> {
        endpoint {
            GET("\(chunked ? "stream-bytes" : "bytes")/\(count)")
            Query("seed", seed)
            if chunked { Query("chunk_size", 1000) }
            Header(.accept, "application/octet-stream")
        }
    }

    /// Returns a part of the alphabet, by a range of bytes.
    func alphabet(_ range: String?) -> Endpoint<Data> {
        endpoint {
            GET("range/26")
            Header(.range, range)
        }
    }

    /// Returns a resource with a tag, under conditions.
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
    /// A request as it arrived.
    struct Echo: Decodable, Sendable {
        let method: String?
        let url: String
        /// The values by name; a list if a name came several times.
        let args: [String: JSONValue]
        let headers: [String: String]
        let form: [String: JSONValue]?
        /// The contents of files by the names of their parts.
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
