extension TaskLocal {
    /// Goes on with a request while a value is bound; the value's own method would lose the type of the error.
    func withValue(
        _ value: Value,
        call next: Middleware.Next,
        with request: HTTPRequest
    ) async throws(APIError) -> HTTPResponse {
        let result: Result<HTTPResponse, APIError> = await withValue(value) {
            do throws(APIError) {
                return .success(try await next(request))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
