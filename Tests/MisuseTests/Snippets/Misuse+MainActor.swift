extension Misuse {
    /// Plain `Codable` types in a module whose default isolation is the main actor.
    static let mainActor = [
        Misuse(
            "an endpoint of a plain Decodable type",
            says: rejected("Summary", "Decodable"),
            declaring: "private struct Summary: Decodable { let total: Int }",
            """
                private var summary: Endpoint<Summary> { endpoint { GET("summary") } }
            """
        ),
        Misuse(
            "an endpoint of a Decodable type that is Sendable",
            says: rejected("Summary", "Decodable"),
            declaring: "private struct Summary: Decodable, Sendable { let total: Int }",
            """
                private var summary: Endpoint<Summary> { endpoint { GET("summary") } }
            """
        ),
        Misuse(
            "an endpoint of a list of a plain Decodable type",
            says: rejected("Summary", "Decodable"),
            declaring: "private struct Summary: Decodable { let total: Int }",
            """
                private var summaries: Endpoint<[Summary]> { endpoint { GET("summaries") } }
            """
        ),
        Misuse(
            "a call in one line with a plain Decodable type",
            says: rejected("Summary", "Decodable"),
            declaring: "private struct Summary: Decodable { let total: Int }",
            """
                private func run() async throws { _ = try await client.get("summary", as: Summary.self) }
            """
        ),
        Misuse(
            "a plain Decodable type as a problem",
            says: rejected("ShopProblem", "Decodable"),
            declaring: "private struct ShopProblem: Decodable { let title: String }",
            """
                private static func client(_ url: URL) -> Client { Client(url) { Problem(ShopProblem.self) } }
            """
        ),
        Misuse(
            "a plain Decodable type as metadata",
            says: rejected("Summary", "Decodable"),
            declaring: "private struct Summary: Decodable { let total: Int }",
            """
                private static func client(_ url: URL) -> Client {
                    Client(url) { Metadata(Summary.self, at: "summary") }
                }
            """
        ),
        Misuse(
            "a plain Encodable type as a body",
            says: rejected("Rating", "Encodable"),
            declaring: "private struct Rating: Encodable { var stars: Int }",
            """
                private func rate(_ rating: Rating) -> Endpoint<Void> {
                    endpoint {
                        POST("ratings")
                        Body(rating)
                    }
                }
            """
        ),
        Misuse(
            "a plain Encodable type as the body of a call in one line",
            says: rejected("Rating", "Encodable"),
            declaring: "private struct Rating: Encodable { var stars: Int }",
            """
                private func run() async throws { try await client.post("ratings", body: Rating(stars: 5)) }
            """
        ),
    ]

    /// A plain value in a `Hashable` entity: its error is in synthesized code, so the compiler reports it only if the
    /// rest of the module has no errors.
    static let mainActorSynthesized = Misuse(
        "a plain Hashable type in an entity that is Hashable",
        says: "main actor-isolated conformance of 'Author' to 'Equatable' cannot be used in nonisolated context",
        declaring: """
            private struct Author: Codable, Hashable { var name: String }
            private struct Book: Entity, Hashable {
                let id: Int
                var author: Author
            }
            """,
        """
            private var books: Resource<Book, ReadWrite> { resource("books") }
        """
    )

    private static func rejected(_ type: String, _ conformance: String) -> String {
        """
        main actor-isolated conformance of '\(type)' to '\(conformance)' cannot satisfy conformance requirement for a \
        'Sendable' type parameter
        """
    }
}
