import Foundation

extension DocCommentSample {
    /// The name of the file in which the compiler sees the sample.
    var fileName: String {
        let name = path.split { !$0.isLetter && !$0.isNumber }.dropLast().joined()
        return "\(name)\(line).swift"
    }

    /// The file, which has a sample with an extension at the top level, and any other one in a function.
    ///
    /// Diagnostics name the line of the doc comment. `#expect` is written without `#`, because a bare compiler has no
    /// macros.
    var file: String {
        let text = code.joined(separator: "\n").replacingOccurrences(of: "#expect(", with: "expect(")
        let located = "#sourceLocation(file: \"\(fileName)\", line: \(line + 1))\n\(text)\n#sourceLocation()"
        let function = "extension Samples {\nprivate func sample() async throws {\n\(located)\n}\n}"
        return """
            import Foundation
            import Waybill
            import WaybillBenchmarking
            import WaybillJSON
            import WaybillTesting
            #if \(condition ?? "true")
            \(text.contains("extension ") ? located : function)
            #endif
            """
    }
}
