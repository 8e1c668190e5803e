extension Client {
    /// Creates the call of a plan, with its deadline and its observers.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - change: a closure that changes the rest of the call's context.
    /// - Returns: the call, at its first attempt.
    @inline(never)
    func call(of plan: Plan, changing change: (inout CallContext) -> Void = { _ in }) -> Call {
        var context = context
        let limit = plan.settings[Timeout.self]?.limit.map { Deadline($0, on: context.time) }
        context.deadline = Deadline.earlier(limit, TaskContext.current.deadline)
        context.reporting = Call.Reporting(plan, context.time)
        change(&context)
        return Call(plan: plan, context: context)
    }
}
