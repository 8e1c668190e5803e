// The suites use the harness of WaybillBenchmarking, so users measure their documents with the same code.
@_exported import WaybillBenchmarking

/// The harness's measurement type, in place of Foundation's type with the same name.
typealias Measurement = WaybillBenchmarking.Measurement
