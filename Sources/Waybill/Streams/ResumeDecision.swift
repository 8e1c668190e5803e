import WaybillSystem

/// The consequence of a response for an unfinished file.
enum ResumeDecision: Sendable, Hashable {
    /// The body belongs at this range of the file, and nothing is kept behind its start.
    case append(Range<Int>, complete: Int?)
    /// The body is the whole file; the reason is nil if nothing was there to be dropped.
    case startAgain(CallEvent.RestartReason?)
    /// The response does not help: the whole file has to be requested.
    case requestWhole(CallEvent.RestartReason)
    /// The file is complete.
    case complete
    /// The status is a failure of the call.
    case fail
    /// The response is not allowed in HTTP.
    case reject(String)
}

/// The state of an unfinished file and the request for the rest of it.
struct ResumeState: Sendable, Hashable {
    /// The number of bytes that are there.
    var length = 0

    /// The facts about them; nil if they cannot be continued.
    var record: PartRecord?

    /// The offset from which the rest was requested; nil if the whole was.
    var requestedOffset: Int?

    /// Whether the declaration itself asks for a part, which is then all there is to save.
    var isPartDeclared = false

    /// The offset from which to request the rest; nil if the whole has to be requested.
    ///
    /// Of a file that may be complete the last byte is requested again: the response to it states the validator, which
    /// a 416 need not.
    var nextOffset: Int? {
        guard let record, length > 0, !isPartDeclared else { return nil }
        guard let complete = record.length else { return length }
        return length > complete ? nil : min(length, complete - 1)
    }

    /// Returns the consequence of a response.
    ///
    /// - Parameters:
    ///   - response: the head of the response.
    ///   - isDecoded: whether the transport has undone a content coding.
    ///   - isSuccess: whether its status counts as success.
    /// - Returns: the consequence for the file.
    func decision(after response: HTTPResponse, isDecoded: Bool = false, isSuccess: Bool) -> ResumeDecision {
        let fields = response.headerFields
        if let requestedOffset, let record {
            if response.status == 206 { return decision(record, from: requestedOffset, response, isDecoded) }
            if response.status == 416 { return isComplete(record, fields) ? .complete : .requestWhole(.rangeRejected) }
        }
        guard isSuccess else { return .fail }
        if response.status == 206, !isPartDeclared {
            return .reject("it is a part of the file, and the whole was requested")
        }
        guard length > 0 else { return .startAgain(nil) }
        guard requestedOffset != nil, let record else { return .startAgain(.notResumable) }
        return .startAgain(record.validator.isStated(by: fields) ? .rangeIgnored : .changed)
    }

    /// Returns the consequence of a 206 (RFC 9110, section 15.3.7).
    private func decision(
        _ record: PartRecord,
        from offset: Int,
        _ response: HTTPResponse,
        _ isDecoded: Bool
    ) -> ResumeDecision {
        let fields = response.headerFields
        guard record.validator.isStated(by: fields, mayOmitDate: true) else { return .requestWhole(.changed) }
        guard !isDecoded, !fields.isCoded,
            case .part(let range, let complete)? = fields[.contentRange].flatMap(ContentRange.init),
            // A part that begins early overlaps what is there; one that begins late leaves a gap.
            range.lowerBound <= length,
            // Without a byte more than before, the next request would be the same.
            range.upperBound > length || range.upperBound == record.length
        else { return .requestWhole(.unusableRange) }
        if let complete, let expected = record.length, complete != expected { return .requestWhole(.changed) }
        return .append(range, complete: complete ?? record.length)
    }

    /// Whether a 416 says that nothing is missing (RFC 9110, section 15.5.17).
    private func isComplete(_ record: PartRecord, _ fields: HTTPFields) -> Bool {
        guard case .unsatisfied(let complete)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
        return complete == length && (record.length ?? complete) == complete && record.validator.isStated(by: fields)
    }
}

extension HTTPFields {
    /// Whether the representation has a content coding.
    var isCoded: Bool { self[.contentEncoding].map { $0.trimmed().lowercased() != "identity" } ?? false }
}
