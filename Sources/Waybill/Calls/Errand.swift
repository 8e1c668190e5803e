/// What a task does on behalf of calls that wait for it, and hold places in lines meanwhile.
///
/// It must not wait for anything that one of them has: both would wait for ever.
package enum Errand {
    /// Whether the task refreshes a token, for which any number of calls may wait.
    @TaskLocal package static var isRefresh = false

    /// Whether the task is within a call that a limit has let through.
    @TaskLocal package static var isBehindLimit = false
}
