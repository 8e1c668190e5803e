extension TaskLocal {
    /// Goes on with a request while a value is bound; the value's own method would lose the type of the error.
    func withValue(
        _ value: Value,
        call next: CallStep.Next,
        with request: CallRequest
    ) async throws(APIError) -> CallResponse {
        let result: Result<CallResponse, APIError> = await withValue(value) {
            do throws(APIError) {
                return .success(try await next(request))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
