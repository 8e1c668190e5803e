import Foundation
import Testing
import Waybill
import WaybillTesting

/// A trait that records and replays a test's responses, with one recording per test.
///
/// ```swift
/// @Test(.recorded) func reading() async throws {
///     let shop = Shop(url, transport: .recorded)
///     #expect(try await shop.products.read(7).name == "Lamp")
/// }
/// ```
///
/// The recording is replayed unless the trait or the `WAYBILL_RECORDING` environment variable selects a different mode.
/// A recorded request that the test did not repeat is reported as an issue after the test.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
    let mode: RecordedTransport.Mode?
    let file: String?
    let transport: (any Transport)?
    let variations: [RecordedTransport.Variation]

    /// Whether the trait also applies to the tests within a suite; always true.
    public var isRecursive: Bool { true }

    /// Returns the trait for a test case, or nil for a suite.
    ///
    /// - Parameters:
    ///   - test: the test or suite.
    ///   - testCase: the case of the test; nil for a suite.
    /// - Returns: the trait itself for a test case; otherwise nil.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> RecordedTrait? {
        test.isSuite || testCase == nil ? nil : self
    }

    /// Runs a test with its recording.
    ///
    /// - Parameters:
    ///   - test: the test, whose name and source file determine the recording.
    ///   - testCase: the case of the test, which must not have arguments.
    ///   - function: the body of the test, which runs with the recording as `RecordedTransport.current`.
    /// - Throws: `RecordedTransport.Failure` if the test has arguments or if the recording cannot be used or finished,
    ///   or the error of the test.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase?.isParameterized ?? false {
            throw RecordedTransport.Failure(.parameterizedTest(Self.name(of: test)), file: nil)
        }
        let mode = try self.mode ?? .ofProcess()
        let recorded = try open(Self.file(of: test, named: file), mode, name: name(of: test))
        try await RecordedTransport.$current.withValue(recorded) { try await function() }
        try recorded.finish()
    }

    private func open(
        _ file: URL,
        _ mode: RecordedTransport.Mode,
        name: String?
    ) throws -> RecordedTransport {
        guard let transport else { return try RecordedTransport(file, mode, named: name, varying: variations) }
        return try RecordedTransport(file, mode, named: name, over: transport, varying: variations)
    }

    /// Returns the name of a test's recording in a shared file; nil if the file has only one.
    private func name(of test: Test) -> String? { file == nil ? nil : Self.name(of: test) }

    private static func name(of test: Test) -> String {
        test.id.nameComponents.map { $0.filter { !"`/()".contains($0) } }.joined(separator: ".")
    }

    private static func file(of test: Test, named name: String?) -> URL {
        let folder = URL(fileURLWithPath: test.sourceLocation.filePath).deletingLastPathComponent()
            .appendingPathComponent("Recordings")
        return folder.appendingPathComponent("\(name ?? Self.name(of: test)).har")
    }
}

extension Trait where Self == RecordedTrait {
    /// A trait for a test with a separate recording file, in the `Recordings` folder beside its source file.
    public static var recorded: Self { recorded() }

    /// Returns a trait for a test with a recording.
    ///
    /// - Parameters:
    ///   - mode: the mode; nil for the mode selected by the process's environment.
    ///   - file: the name, without extension, of a file shared by several tests; nil for a separate file.
    ///   - transport: the transport that sends the requests to record; nil for the default.
    ///   - variations: the parts of a request that may differ from the recorded one.
    /// - Returns: the trait.
    public static func recorded(
        _ mode: RecordedTransport.Mode? = nil,
        in file: String? = nil,
        over transport: (any Transport)? = nil,
        varying variations: [RecordedTransport.Variation] = []
    ) -> Self {
        RecordedTrait(mode: mode, file: file, transport: transport, variations: variations)
    }
}
