/// A clause that attaches a handle to calls for pausing and resuming them and observing their progress.
///
/// ```swift
/// let control = TransferControl()
/// let export = Task { try await client.get("export", as: Data.self) { Control(with: control) } }
/// control.pause()
/// control.resume()
/// export.cancel()         // for good
///
/// Control.none            // no handle, even if an outer scope declares one
/// ```
///
/// For a single call, ``Endpoint/send(controlledBy:)`` is shorter. A call without a handle cannot be paused. A
/// transport that cannot pause ignores the handle; `URLSession` on Linux can only delay a call that has not been sent
/// yet. The progress is available as `TransferControl.progress`. A ``Timeout`` keeps running while the call is paused.
public struct Control: Setting {
    /// The handle; nil if the clause turns off an outer scope's handle.
    public let control: TransferControl?

    /// Creates the clause with a handle.
    ///
    /// - Parameter control: the handle, which several calls can share.
    public init(with control: TransferControl) { self.control = control }

    private init() { control = nil }

    /// No handle, even if an outer scope declares one.
    public static let none = Control()

    /// The current state, `paused` or `not paused`; `none` without a handle.
    public var summary: String { control.map { $0.isPaused ? "paused" : "not paused" } ?? "none" }
}
