extension JSONSchema {
    /// The members that RFC 9457 defines for a problem; others may stand beside them.
    static let problemDetails = JSONSchema(
        .object([
            Property("type", JSONSchema(.string(format: "uri-reference")), isRequired: false),
            Property("title", JSONSchema(.string(format: nil)), isRequired: false),
            Property("status", JSONSchema(.integer(format: nil)), isRequired: false),
            Property("detail", JSONSchema(.string(format: nil)), isRequired: false),
            Property("instance", JSONSchema(.string(format: "uri-reference")), isRequired: false),
        ])
    )
}
