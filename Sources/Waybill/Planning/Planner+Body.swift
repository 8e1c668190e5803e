extension Planner {
    /// The body in bytes, as clause, scope and page say; what is wrong with it is among the mistakes.
    mutating func encodedBody() -> EncodedBody? {
        var body = encodedClause()
        if let patch = page?.body {
            do {
                body = try (body ?? EncodedBody.emptyObject).merging(patch)
            } catch {
                mistakes.append(
                    Mistake(
                        clause: "Paginated",
                        value: "",
                        reason: "the token of a page goes into a JSON body, and this request's body is none"
                    )
                )
            }
        }
        if body != nil, method == .head || method == .trace || method == .connect {
            mistakes.append(
                Mistake(
                    clause: "Body",
                    value: "",
                    reason: "a \(method) request has no body (RFC 9110, section 9.3); leave it out"
                )
            )
        }
        if let type = body?.contentType, type.isEmpty || !HTTPField.isValid(value: type) {
            mistakes.append(
                Mistake(
                    clause: "Body",
                    value: "",
                    reason: "its content type cannot be the value of a header field; give one such as image/png"
                )
            )
        }
        return body
    }

    private mutating func encodedClause() -> EncodedBody? {
        guard let body = resolution.body else { return nil }
        let settings = resolution.settings
        do {
            return try EncodedBody(body, bodies: settings[Bodies.self], encoder: settings[Encode.self]?.encoder)
        } catch {
            mistakes.append(
                Mistake(clause: "Body", value: EncodedBody.typeName(of: body), reason: EncodingReason.text(of: error))
            )
            return nil
        }
    }
}
