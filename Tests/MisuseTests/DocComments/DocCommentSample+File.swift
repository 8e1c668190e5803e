import Foundation

extension DocCommentSample {
    /// The file name under which the sample is compiled.
    var fileName: String {
        let name = path.split { !$0.isLetter && !$0.isNumber }.dropLast().joined()
        return "\(name)\(line).swift"
    }

    /// The text of the file: a sample with an extension is at the top level, any other one in a function.
    ///
    /// Diagnostics refer to the line of the doc comment. `#expect` loses its `#`, because the compiler runs without
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
