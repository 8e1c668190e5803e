/// Gives a call's request the key by which the server knows its attempts, if its plan has none.
package struct IdempotencyStep: CallStep {
    private let name: HTTPField.Name
    private let form: IdempotencyKey.Form

    /// Creates the step; nil if the call has no use for a key.
    package init?(_ call: Call) {
        guard let (name, form) = call.plan.expectedKey else { return nil }
        self.name = name
        self.form = form
    }

    /// Sends the request on with a key; one that it has already stays.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        guard !request.headerFields.contains(name) else { return try await next(request) }
        var request = request
        request.headerFields[name] = form.fieldValue(of: IdempotencyKey.random(call.context.randomSource))
        return try await next(request)
    }
}
