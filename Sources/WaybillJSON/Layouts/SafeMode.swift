import WaybillSystem

/// A mode that avoids relying on the standard library's internal layouts.
///
/// Outside safe mode, they rely on the layouts of small strings (``SmallString``), type metadata (``TypeMetadata``),
/// and the boxes of keyed containers (``ContainerBox``, ``EncodingBox``). Each of these four types checks its layout
/// once and, if the check fails, behaves as in safe mode. `Documentation/Declare/JSONDecoding.md` describes the
/// layouts.
enum SafeMode {
    /// The environment variable that enables safe mode.
    static let variable = "WAYBILL_JSON_SAFE"

    /// Whether safe mode is enabled; the environment is read once.
    static let isOn = isRequested(by: ProcessInfo.processInfo.environment)

    /// Whether an environment enables safe mode, with any value except `0` and the empty string.
    static func isRequested(by environment: [String: String]) -> Bool {
        guard let value = environment[variable] else { return false }
        return !value.isEmpty && value != "0"
    }
}
