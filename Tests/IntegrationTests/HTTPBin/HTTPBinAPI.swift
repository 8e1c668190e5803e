import Foundation
import Waybill

/// The API of httpbin, which tells what it was sent and answers as it is told.
struct HTTPBinAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Header(.userAgent, "waybill-tests")
        }
    }

    /// What arrives of a request with a method and a body.
    func echo<Payload: Encodable & Sendable>(_ method: String, _ payload: Payload) -> Endpoint<Echo> {
        endpoint {
            Route(method, "anything")
            Body(payload)
        }
    }

    /// What arrives of a segment of the path.
    func echo(segment: String) -> Endpoint<Echo> {
        endpoint { GET("anything/\(segment)") }
    }

    /// What arrives of a query.
    func echo(query value: String, tags: [String], as style: ArrayStyle) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            Query("q", value)
            Query("tag", tags, as: style)
        }
    }

    /// What arrives of header fields.
    func echo(fields: [(name: String, value: String)]) -> Endpoint<Echo> {
        endpoint {
            GET("anything")
            for field in fields { Header(field.name, field.value) }
        }
    }

    /// What arrives of a form.
    func echo(form: KeyValuePairs<String, String>) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(form: form)
        }
    }

    /// What arrives of a value that is flattened into a form.
    func echo<Form: Encodable & Sendable>(formEncoding form: Form) -> Endpoint<Echo> {
        endpoint {
            POST("anything")
            Body(formEncoding: form)
        }
    }

    /// An answer of that status, without a body.
    func status(_ code: Int) -> Endpoint<JSONValue?> {
        endpoint { GET("status/\(code)") }
    }

    /// An answer with these header fields.
    func answer(with fields: KeyValuePairs<String, String>) -> Endpoint<Void> {
        endpoint {
            GET("response-headers")
            for field in fields { Query(field.key, field.value) }
        }
    }

    /// Greets a user by Basic authentication (RFC 7617).
    func greeting(for user: String, password: String, credential: Credential?) -> Endpoint<Greeting> {
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

    /// An echo that comes after a number of seconds, if that is soon enough.
    func delay(_ seconds: Int, limit: Duration) -> Endpoint<Echo> {
        endpoint {
            GET("delay/\(seconds)")
            Timeout(limit)
        }
    }

    /// An answer in a content coding: `gzip` or `deflate`.
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

    /// The cookies that arrive.
    var cookies: Endpoint<[String: String]> {
        endpoint {
            GET("cookies")
            Envelope("cookies")
        }
    }

    /// That many bytes by chance, which are the same for the same seed; in chunks, or with their length told.
    func bytes(_ count: Int, seed: Int, chunked: Bool) -> Endpoint<Data> {
        endpoint {
            GET("\(chunked ? "stream-bytes" : "bytes")/\(count)")
            Query("seed", seed)
            if chunked { Query("chunk_size", 1000) }
            Header(.accept, "application/octet-stream")
        }
    }

    /// A part of the alphabet, by a range of bytes.
    func alphabet(_ range: String?) -> Endpoint<Data> {
        endpoint {
            GET("range/26")
            Header(.range, range)
        }
    }

    /// A resource with a tag, under conditions.
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
        /// A value, or a list where a name came several times.
        let args: [String: JSONValue]
        let headers: [String: String]
        let form: [String: JSONValue]?
        let data: String?
        let json: JSONValue?
    }

    struct Greeting: Decodable, Sendable, Equatable {
        let authenticated: Bool
        let user: String?
        let token: String?
    }
}
