import TestSupport
import Testing

@Suite(
    "Samples in doc comments",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct DocCommentTests {
    static let samples = DocCommentSample.all.filter { $0.language == "swift" }

    private static let compilations = Dictionary(
        uniqueKeysWithValues: DefaultIsolation.tried.map { isolation in
            let files =
                [(name: "Fixture.swift", text: DocCommentFixture.file)]
                + samples.map { (name: $0.fileName, text: $0.file) }
            return (isolation, Task { try await Compilation(of: files, arguments: isolation.arguments) })
        }
    )

    @Test("A sample in a doc comment compiles, on the main actor too", arguments: samples, DefaultIsolation.tried)
    func compiles(_ sample: DocCommentSample, in isolation: DefaultIsolation) async throws {
        let compilation = try #require(try await Self.compilations[isolation]?.value)
        let errors = compilation.diagnostics(in: sample.fileName).filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map(\.description).joined(separator: "\n"))")
    }

    @Test(
        "The fixture for samples in doc comments compiles without a warning",
        arguments: DefaultIsolation.tried
    )
    func fixture(_ isolation: DefaultIsolation) async throws {
        let compilation = try #require(try await Self.compilations[isolation]?.value)
        #expect(compilation.diagnostics(in: "Fixture.swift").isEmpty, "\(compilation.output)")
    }

    @Test("Six modules have samples in doc comments, and every fence names its language")
    func fences() {
        #expect(Set(Self.samples.compactMap { $0.path.split(separator: "/").dropFirst().first }).count == 6)
        let unnamed = DocCommentSample.all.filter { !["swift", "text"].contains($0.language) }
        #expect(unnamed.isEmpty, "\(unnamed.map(\.testDescription))")
    }

    @Test("A sample in a doc comment is extracted with its line, language and condition")
    func extraction() {
        let text = """
            /// A thing.
            ///
            /// ```swift
            /// let thing = Thing()
            ///     .with(1)
            /// ```
            struct Thing {
                #if os(Linux)
                    /// ```text
                    /// a
                    /// ```
                    let thing = 1
                    // ```
                #endif
            }
            """
        let samples = DocCommentSample.samples(in: text, path: "Thing.swift")
        #expect(samples.map(\.testDescription) == ["Thing.swift:3", "Thing.swift:9"])
        #expect(samples.map(\.language) == ["swift", "text"])
        #expect(samples.map(\.condition) == [nil, "os(Linux)"])
        #expect(samples.map(\.code) == [["let thing = Thing()", "    .with(1)"], ["a"]])
    }
}
