import Foundation
import Testing
import Waybill
import WaybillTesting

/// A trait of tests whose responses are recorded, one recording a test.
///
/// ```swift
/// @Test(.recorded) func reading() async throws {
///     let shop = Shop(url, transport: .recorded)
///     #expect(try await shop.products.read(7).name == "Lamp")
/// }
/// ```
///
/// The recording is replayed, unless the variable `WAYBILL_RECORDING` names another mode. After the test it is
/// finished: a recorded request that the test did not repeat is an issue of the test.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
    let mode: RecordedTransport.Mode?
    let file: String?
    let transport: (any Transport)?
    let variations: [RecordedTransport.Variation]

    /// Whether the tests of a suite with the trait have it too.
    public var isRecursive: Bool { true }

    /// Returns the trait for the tests, and none for a suite itself.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> RecordedTrait? {
        test.isSuite || testCase == nil ? nil : self
    }

    /// Runs a test with its recording.
    ///
    /// - Parameters:
    ///   - test: the test, by whose name and file the recording is found.
    ///   - testCase: the case of the test; one with arguments is an error.
    ///   - function: the body of the test, for which the recording is `RecordedTransport.current`.
    /// - Throws: `RecordedTransport.Failure` if the recording cannot be used or finished, and the error of the test.
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

    /// Returns the name of a test's recording in a file that tests share; nil in a file of its own.
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
    /// The trait of a test with a recording of its own, in `Recordings` beside its source file.
    public static var recorded: Self { recorded() }

    /// Returns the trait of a test with a recording.
    ///
    /// - Parameters:
    ///   - mode: the mode; nil stands for that of the process.
    ///   - file: the name, without an extension, of a file that several tests share; nil for a file of its own.
    ///   - transport: the transport of requests that are sent; nil stands for the default.
    ///   - variations: the parts of requests in which a request may differ from the recorded one.
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
