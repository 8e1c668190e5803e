import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTransfers

/// An API with one call, with and without a clause.
struct ClauseRow: Sendable, CustomTestStringConvertible {
    struct Thing: Entity, Equatable {
        let id: Int
        var name: String
        var unitPrice: Int
    }

    struct Total: ResponseContent { let total: Int }

    struct Fault: ResponseContent { let error: String }

    enum Reading: Readable {}

    enum Patching: Patchable {}

    enum BatchCreating: BatchCreatable {}

    /// An API with the given calls.
    struct Listing: DescribedAPI {
        let client: Client
        let calls: APIDescription

        init(_ client: Client, @APIDescription.Builder _ calls: () -> APIDescription) {
            self.client = client
            self.calls = calls()
        }
    }

    static let thing = Thing(id: 1, name: "a", unitPrice: 2)

    /// The name of the clause.
    let testDescription: String
    let calls: @Sendable (Client, Bool) -> APIDescription

    /// Sends the call, with or without the clause.
    let send: @Sendable (Client, Bool) async throws -> Void

    /// Returns the API with or without the clause.
    func api(_ client: Client = Client(.mocked), hasClause: Bool) -> Listing {
        Listing(client) { calls(client, hasClause) }
    }
}

// Factory methods for rows.
extension ClauseRow {
    static func sent<Value: Sendable>(
        _ clause: String,
        _ endpoint: @escaping @Sendable (Client, Bool) -> Endpoint<Value>
    ) -> ClauseRow {
        ClauseRow(
            testDescription: clause,
            calls: { APIDescription.Builder.buildExpression(endpoint($0, $1)) },
            send: { _ = try await endpoint($0, $1).send() }
        )
    }

    /// Returns a row for a clause of a call that reads a value.
    static func read(_ clause: String, @Scope.Builder _ clauses: @escaping @Sendable () -> Scope) -> ClauseRow {
        sent(clause) { client, hasClause -> Endpoint<Thing> in
            let scope = hasClause ? clauses() : Scope()
            return client.endpoint {
                GET("things")
                scope
            }
        }
    }

    static func listed(
        _ clause: String,
        @Scope.Builder _ clauses: @escaping @Sendable () -> Scope
    ) -> ClauseRow {
        sent(clause) { client, hasClause -> Endpoint<[Thing]> in
            let scope = hasClause ? clauses() : Scope()
            return client.endpoint {
                GET("things")
                Envelope("data")
                scope
            }
        }
    }

    static func streamed(
        _ clause: String,
        @Scope.Builder _ clauses: @escaping @Sendable () -> Scope
    ) -> ClauseRow {
        sent(clause) { client, hasClause -> Endpoint<Events<Thing>> in
            let scope = hasClause ? clauses() : Scope()
            return client.endpoint {
                GET("events")
                scope
            }
        }
    }

    static func posted(
        _ clause: String,
        _ thing: Thing? = nil,
        @Scope.Builder _ clauses: @escaping @Sendable () -> Scope
    ) -> ClauseRow {
        sent(clause) { client, hasClause -> Endpoint<Thing> in
            let scope = hasClause ? clauses() : Scope()
            guard let thing else {
                return client.endpoint {
                    POST("things")
                    scope
                }
            }
            return client.endpoint {
                POST("things")
                Body(thing)
                scope
            }
        }
    }

    static func posted(_ clause: String, body: @escaping @Sendable () -> Body) -> ClauseRow {
        sent(clause) { client, hasClause -> Endpoint<Thing> in
            if hasClause {
                return client.endpoint {
                    POST("things")
                    body()
                }
            }
            return client.endpoint { POST("things") }
        }
    }
}

extension ClauseRow {
    /// The clauses that are described in a document and compared.
    static let described: [ClauseRow] = requests + fields + responses + bundles

    /// The request clauses that a replay matches against the recording.
    static let matched: [ClauseRow] = requests + [differences]

    private static let requests: [ClauseRow] = [
        read("Query") { Query("q", "a") },
        posted("Body", body: { Body(thing) }),
        posted("Body.Member") { Body.Member("limit", 5) },
        posted("Multipart", body: { Multipart { Multipart.Part("title", "Dawn") }.body }),
        posted("Body.Format", thing) { Body.Format(as: .form) },
        posted("Encode", thing) { Encode(keys: .convertToSnakeCase) },
    ]

    private static let fields: [ClauseRow] = [
        read("Header") { Header("X-Org", "a") },
        read("IfMatch") { IfMatch(.any) },
        read("IfNoneMatch") { IfNoneMatch(.any) },
        read("IfModifiedSince") { IfModifiedSince(Date(timeIntervalSince1970: 0)) },
        read("IfUnmodifiedSince") { IfUnmodifiedSince(Date(timeIntervalSince1970: 0)) },
        posted("IdempotencyKey") { IdempotencyKey() },
    ]

    private static let responses: [ClauseRow] = [
        read("Envelope") { Envelope("data") },
        listed("Metadata") { Metadata(Total.self, at: "meta") },
        listed("Metadata(field:)") { Metadata(Int.self, field: "X-Total") },
        read("Success") { Success(202) },
        read("Decode") { Decode(keys: .convertFromSnakeCase) },
        listed("Decode.StreamFormat") { Decode.StreamFormat(.jsonLines) },
        streamed("Events.MediaTypes") { Events.MediaTypes("text/plain") },
        listed("Paginated") { Paginated(.cursor(at: "next", as: "after", size: .query("limit", 5))) },
        sent("Envelope") { client, hasClause -> Endpoint<[Thing]> in
            client.endpoint {
                GET("things")
                Envelope("data", missingList: hasClause ? [.isEmpty, .isOneItem] : .isError)
            }
        },
        sent("Paginated") { client, hasClause -> Endpoint<[Thing]> in
            let scope = hasClause ? unpaged() : Scope()
            return client.endpoint {
                GET("things")
                Style("paged") { Paginated(.cursor(at: "next", as: "after", size: .query("limit", 5))) }
                scope
            }
        },
        sent("Problem") { client, hasClause -> Endpoint<Thing> in
            let scope = hasClause ? fault() : Scope()
            return client.endpoint {
                GET("things")
                Problem(Total.self, on: 500)
                scope
            }
        },
        ClauseRow(
            testDescription: "WriteResult.ItemProblem",
            calls: { client, hasClause in
                let scope = hasClause ? itemProblem() : Scope()
                let things: Resource<Thing, BatchCreating> = client.resource("things") { scope }
                return APIDescription.Builder.buildExpression(things)
            },
            send: { _, _ in }
        ),
    ]

    private static let bundles: [ClauseRow] = [
        read("Style") { Style("wrapped") { Envelope("data") } },
        read("Scope") { wrapped() },
        ClauseRow(
            testDescription: "On",
            calls: { client, hasClause in
                let wrapped: Resource<Thing, Reading> = client.resource("things") { On(.read) { Envelope("data") } }
                let plain: Resource<Thing, Reading> = client.resource("things")
                return APIDescription.Builder.buildExpression(hasClause ? wrapped : plain)
            },
            send: { _, _ in }
        ),
    ]

    @Scope.Builder private static func wrapped() -> Scope { Envelope("data") }

    @Scope.Builder private static func unpaged() -> Scope { Paginated.none }

    @Scope.Builder private static func fault() -> Scope { Problem(Fault.self, on: 404) }

    @Scope.Builder static func itemProblem() -> Scope {
        WriteResult.ItemProblem(Fault.self, at: "error", item: ["thing"])
    }
}
