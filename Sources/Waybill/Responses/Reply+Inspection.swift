import WaybillJSON

extension Reply {
    /// Shows the body to the inspectors of the call; costs one look-up if the call has no inspectors.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - extraction: the place of the value.
    ///   - extras: what is decoded beside the value and the declared metadata.
    ///   - plan: the plan of the call.
    ///   - outcome: the way in which the decoding ended.
    package func inspect(
        _ type: any Decodable.Type,
        _ extraction: Extraction,
        extras: [Extraction.SideValue],
        plan: Plan,
        outcome: @autoclosure () -> InspectedResponse.Outcome
    ) {
        guard let inspectors = plan.settings[CallObservers.self]?.inspectors, !inspectors.isEmpty else { return }
        for inspector in inspectors {
            inspector.inspect {
                let isOptional = extraction.treatsMissingListAsEmpty || extraction.treatsMissingValueAsNil
                let metadata = plan.settings[MetadataRules.self]?.elements ?? []
                // A list that is read without its other pages has their fields too.
                let scheme = Shape.isList(type) ? plan.settings[Paginated.self]?.scheme : nil
                return InspectedResponse(
                    method: plan.method,
                    template: plan.template,
                    settings: plan.settings,
                    body: extraction.keyedList.flatMap { try? KeyedList.rewrite(body, $0) }?.document ?? unmerged
                        ?? body,
                    parts: [.init(type, at: extraction.path, isRequired: !isOptional)]
                        + metadata.map { .init($0.valueType, at: $0.path, isRequired: !$0.isOptional) }
                        + extras.map { .init($0.type, at: $0.path, isRequired: $0.isRequired) }
                        + (scheme?.reads ?? []).map { .init(JSONValue.self, at: $0, isRequired: false) },
                    outcome: outcome()
                )
            }
        }
    }
}
