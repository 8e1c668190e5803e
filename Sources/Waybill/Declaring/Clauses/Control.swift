/// A handle that pauses and resumes its calls, and tells their progress.
///
/// ```swift
/// let control = TransferControl()
/// let export = Task { try await client.get("export", as: Data.self) { Control(with: control) } }
/// control.pause()
/// control.resume()
/// export.cancel()         // for good
/// ```
///
/// ``Endpoint/send(controlledBy:)`` is the short form for one call. Without a handle a call cannot be paused. A
/// transport that cannot pause ignores it: `URLSession` on Linux only holds back a call that has not been sent. The
/// progress is `TransferControl.progress`. The time of a ``Timeout`` continues while the call is paused.
public struct Control: Setting {
    /// The handle.
    public let control: TransferControl

    /// Creates the clause with a handle.
    ///
    /// - Parameter control: the handle, which other calls may share.
    public init(with control: TransferControl) { self.control = control }

    /// The present state: `paused` or `not paused`.
    public var summary: String { control.isPaused ? "paused" : "not paused" }
}
