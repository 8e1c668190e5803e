import WaybillJSON
import WaybillSystem

/// A text of a sequence: an element, or a problem that is declared for the status of the response.
///
/// Some servers begin with 200 and report an error in a line of its own: `{"error": "no space left"}`.
private enum SequenceText<Element: Decodable>: Decodable {
    case element(Element)
    case problem(JSONValue)

    init(from decoder: any Decoder) throws {
        let rules = CodingUserInfoKey.problems.flatMap { decoder.userInfo[$0] } as? [ProblemRule] ?? []
        let container = try decoder.singleValueContainer()
        // A text of another shape is no problem.
        let isProblem = rules.contains { rule in (try? rule.extra.decode(decoder)) ?? nil != nil }
        self = isProblem ? .problem(try container.decode(JSONValue.self)) : .element(try container.decode(Element.self))
    }
}

extension CodingUserInfoKey {
    /// The problems that a text of a sequence may be.
    static let problems = CodingUserInfoKey(rawValue: "Waybill.problems")
}

extension ElementSource {
    /// Decodes the texts of the bytes that have come, up to one that is a declared problem.
    ///
    /// - Returns: the failure of an element after those that were decoded.
    func readTexts(_ parsing: Parsing, into elements: inout [Element]) throws -> DroppedItem? {
        var read: [Element] = []
        let failure = try parsing.reader.nextElements(as: SequenceText<Element>.self) { text in
            guard parsing.problem == nil else { return }
            switch text {
            case .element(let element): read.append(element)
            case .problem(let problem): parsing.problem = problem
            }
        }
        elements += read
        return failure
    }

    /// Returns the failure of a text that is a declared problem.
    func failure(ofProblem problem: JSONValue) -> APIError {
        problemFailure(of: problem)
            ?? .status(APIError.StatusFailure(call: reply(Data()).call(of: plan), status: body.response.status))
    }

    /// Returns the failure of a text; nil if it is no declared problem.
    func problemFailure(of text: JSONValue) -> APIError? {
        let reply = reply((try? JSONDefaults.encoder.encode(text)) ?? Data())
        return reply.failure(of: plan, request: body.response.request ?? plan.request, isJSON: true).map { .status($0) }
    }
}

extension WaybillJSONDecoder.ElementReader {
    /// The next text of the bytes that have come.
    enum NextText {
        case whole(Element)
        case unfinished
        case invalid
    }

    /// Reads the next text.
    var nextText: NextText {
        mutating get {
            do { return try next().map { .whole($0) } ?? .unfinished } catch { return .invalid }
        }
    }
}
