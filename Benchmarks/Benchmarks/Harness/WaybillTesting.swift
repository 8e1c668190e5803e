// The harness of the suites is a part of WaybillTesting, so that users measure their documents by the same code.
@_exported import WaybillTesting

/// The harness's type, not the one of this name in Foundation.
typealias Measurement = WaybillTesting.Measurement
