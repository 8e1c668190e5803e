import Foundation
import Waybill

extension Walkthrough {
    /// Runs a step: prints its title and code, runs it, and prints its value.
    @discardableResult
    func step<Value>(
        _ title: String,
        _ work: () async throws -> Value,
        showing text: (Value) -> String = { "\($0)" }
    ) async throws -> Value {
        console.heading(title, code: Source.code(below: title))
        let value = try await work()
        if !(value is Void) { console.result(text(value)) }
        return value
    }

    /// Runs a step that must fail, and prints the error.
    func failure<Value>(_ title: String, _ work: () async throws -> Value) async throws -> APIError {
        console.heading(title, code: Source.code(below: title))
        let value: Value
        do {
            value = try await work()
        } catch {
            guard let failure = error as? APIError else { throw error }
            console.error("\(failure)")
            return failure
        }
        throw Unexpected("\(title): expected an error, got \(value)")
    }

    /// Checks the result of a step.
    func expect(_ condition: Bool, _ expectation: String) throws(Unexpected) {
        if !condition { throw Unexpected(expectation) }
    }
}

/// The error for a step with an unexpected result.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    /// Creates the error for an expectation that was not met.
    init(_ expectation: String) { description = "expectation failed: \(expectation)" }
}

/// The source file of the walkthrough.
///
/// Each step prints its lines from this file, so the printed code is the code that runs.
enum Source {
    /// Returns the lines of the closure after a step's title; empty if the file cannot be read.
    static func code(below title: String) -> [String] {
        let rest = lines.drop { !$0.contains("(\"\(title)\") {") }
        guard let opening = rest.first else { return [] }
        let code = rest.dropFirst().prefix { $0.indentation > opening.indentation }
        let margin = code.map(\.indentation).min() ?? 0
        return code.map { String($0.dropFirst(margin)) }
    }

    private static let lines: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Walkthrough.swift")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n")
    }()
}

extension String {
    fileprivate var indentation: Int { prefix { $0 == " " }.count }
}
