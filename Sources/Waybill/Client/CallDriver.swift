/// A setting that performs a call as a series of other calls, which are reported to observers separately.
package protocol CallDriver: CallOption {
    /// Performs the call and returns its response.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint of the call.
    ///   - plan: the plan of the call.
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    func response<Value>(to endpoint: Endpoint<Value>, _ plan: Call.Plan) async throws(APIError) -> Response<Value>

    /// Returns the error for a call whose body is left to the caller, which drivers do not support.
    func rejectionOfStreaming(_ plan: Call.Plan) -> APIError
}

extension Scope.Settings {
    /// The driver of the call; nil if no option is a driver.
    var driver: (any CallDriver)? {
        var driver: (any CallDriver)?
        forEachOption { option in
            // The cast is several times slower than the rest of the loop, and few options are drivers.
            if driver == nil, type(of: option).drivesCalls { driver = option as? any CallDriver }
        }
        return driver
    }
}
