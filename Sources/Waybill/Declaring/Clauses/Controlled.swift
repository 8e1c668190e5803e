/// A handle with which the calls that have it are paused and go on.
///
/// ```swift
/// let control = TransferControl()
/// let export = Task { try await client.get("export", as: Data.self) { Controlled(by: control) } }
/// control.pause()
/// control.resume()
/// export.cancel()         // for good
/// ```
///
/// Without it a call cannot be paused. A transport that cannot pause ignores it; see ``TransferControl``. The time of a ``Timeout`` goes
/// on while the call is paused.
public struct Controlled: Setting {
    /// The handle.
    public let control: TransferControl

    /// Calls are paused and go on as this handle says.
    public init(by control: TransferControl) { self.control = control }

    /// Whether they are paused now.
    public var summary: String { control.isPaused ? "paused" : "not paused" }
}
