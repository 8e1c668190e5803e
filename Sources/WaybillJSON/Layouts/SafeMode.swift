import WaybillSystem

/// The mode in which the decoder and the encoder rely on no layout that belongs to the standard library.
///
/// Outside safe mode, they rely on the layouts of strings (``SmallString``), type metadata (``TypeMetadata``), and the
/// boxes of keyed containers (``ContainerBox``, ``EncodingBox``). Each of these four types checks its layout once, and
/// behaves as in safe mode if the check fails. `Documentation/Declare/JSONDecoding.md` describes the layouts.
enum SafeMode {
    /// The name of the environment variable that turns safe mode on.
    static let variable = "WAYBILL_JSON_SAFE"

    /// Whether safe mode is on; the environment is read once.
    static let isOn = isRequested(by: ProcessInfo.processInfo.environment)

    /// Whether an environment turns safe mode on, with any value except `0` and the empty string.
    static func isRequested(by environment: [String: String]) -> Bool {
        guard let value = environment[variable] else { return false }
        return !value.isEmpty && value != "0"
    }
}
