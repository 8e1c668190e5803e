extension Suite {
    /// Documents of several shapes, decoded into models as apps write them.
    static let decoding = Suite(
        name: "decoding",
        summary: "JSON documents into Codable models",
        rounds: 15
    ) {
        Case.documents + Case.keysInAnotherOrder + Case.strategies + Case.corpus + Case.large
    }
}
