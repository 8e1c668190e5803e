// The harness of the suites is that of WaybillBenchmarking, so that users measure their documents by the same code.
@_exported import WaybillBenchmarking

/// The harness's type, not the one of this name in Foundation.
typealias Measurement = WaybillBenchmarking.Measurement
