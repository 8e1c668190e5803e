extension CallResponse {
    /// The decision whether a response is a failure of a call.
    struct Verdict: Sendable {
        /// The call for which it was made; another call that shares the response may declare other problems.
        let planID: ObjectIdentifier
        /// The failure; nil for a success.
        let failure: APIError.StatusFailure?
    }
}

extension Call {
    /// Returns the failure that a response represents; nil for a success.
    ///
    /// The steps of a call and the call itself ask here, and a problem in the body is decoded once. The body must have
    /// been read, unless the status is a success.
    func failure(of response: inout CallResponse) -> APIError.StatusFailure? {
        // A success status is a failure only if the body has been read and is a declared problem.
        if plan.isSuccess(response.status),
            !response.isRead || !(plan.settings[ProblemRules.self]?.mayApply(to: response.status) ?? false)
        {
            return nil
        }
        let reply = Reply(response, of: plan)
        if let verdict = response.verdict, verdict.planID == plan.id {
            guard var failure = verdict.failure else { return nil }
            // Steps may have added earlier failures since.
            failure.call = reply.call(of: plan)
            return failure
        }
        let failure = reply.failure(of: plan, request: response.request ?? plan.request)
        response.verdict = CallResponse.Verdict(planID: plan.id, failure: failure)
        return failure
    }
}
