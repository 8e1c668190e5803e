// Clauses of a response.
nonisolated extension ReadingTable {
    static let responses: [Row] = [
        Row(
            "Envelope",
            document: .list,
            mock: .read("WaybillDescriptionTests/Mock/MockServerTests", "Seeds are listed and read"),
            comparison: .compared,
            drift: .drifting,
            recording: .recorded
        ),
        Row(
            "Metadata",
            document: .list,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "The metadata beside an example is not what the declaration calls a failure"
            ),
            comparison: .compared,
            drift: .drifting,
            recording: .recorded
        ),
        Row(
            "Decode",
            document: .keys,
            mock: .coding,
            comparison: .compared,
            drift: .drifting,
            recording: .recorded
        ),
        Row(
            "Success",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/ResponseShapeTests",
                "A success of a declared status is the only one"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockConformanceTests",
                "A declared status of success takes the place of the usual one"
            ),
            comparison: .compared,
            drift: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "Drift is found in a response of a declared success, and reported by the name of the call"
            ),
            recording: .recorded
        ),
        Row(
            "Problem",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Problems are listed by status, those without one for all failures that no other has"
            ),
            mock: .read("WaybillDescriptionTests/Mock/MockServerTests", "An unknown id is the declared problem"),
            comparison: .compared,
            drift: .notRead("A problem is not compared with its type."),
            recording: .recorded
        ),
        Row(
            "DropInvalidItems",
            document: .decodingItems,
            mock: .notRead("Every item of a mock decodes."),
            comparison: .decodingItems,
            drift: .drifting,
            recording: .notRead("An item that a call would drop is drift.")
        ),
    ]

    static let results: [Row] = [
        Row(
            "Paginated",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/PageParameterTests",
                "The parameters of later pages are listed, and none is required"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "Every scheme of the library is walked to its end"
            ),
            comparison: .compared,
            drift: .read(
                "WaybillDescriptionTests/Drift/DriftTests",
                "The fields that paging reads are no drift, on any page"
            ),
            recording: .sending
        ),
        Row(
            "LongRunning",
            document: .read(
                "WaybillDescriptionTests/Mock/MockOperationTests",
                "The OpenAPI document has the response 202, with the place of the status"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockOperationTests",
                "An operation runs, is done, and has a result that decodes, in each way that is declared"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/ComparisonTests",
                "The response that begins an operation is compared with the place of its status"
            ),
            drift: .notRead("Members of a status beside the result, such as the state, are reported as not read."),
            recording: .sending
        ),
        Row(
            "WriteResult",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/ResponseShapeTests",
                "A merged response promises no member, and may have no body"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "The response to a write has the declared part of the entity, and the client has the whole of it"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentComparisonTests",
                "The response of a write is what it declares: merged over what was sent, or not read"
            ),
            drift: .read(
                "WaybillDescriptionTests/Drift/DriftTests",
                "Members that a merged response leaves out are not missing"
            ),
            recording: .read(
                "WaybillTestingTests/Recording/RecordingDriftTests",
                "A recorded write fits if its response is what it declares"
            )
        ),
        Row(
            "WriteResult.ItemProblem",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/ResponseShapeTests",
                "The items of a batch may be problems"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "The entities of a batch are at the path that is declared for its items"
            ),
            comparison: .compared,
            drift: .notRead("batches with a `WriteResult.ItemProblem`"),
            recording: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "A recorded batch may have declared problems in place of items"
            )
        ),
    ]

    static let streams: [Row] = [
        Row(
            "Decode.StreamFormat",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/ResponseShapeTests",
                "A list in another form than an array has the media type of the form and the schema of an element"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A call that streams JSON texts gets them in the declared form"
            ),
            comparison: .compared,
            drift: .stream,
            recording: .recordedStream
        ),
        events(
            "Events.End",
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A stream of events ends with the event that is declared as its end"
            ),
            recording: .recordedStream
        ),
        Row(
            "Events.MediaTypes",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A stream of events has the declared media type"
            ),
            comparison: .compared,
            drift: .stream,
            recording: .recordedStream
        ),
        events("Events.Reconnection", recording: .sending),
        events("Events.IgnoreUnknown", recording: .recordedStream),
    ]

    private static func events(
        _ clause: String,
        mock: Cell = .notRead("A stream has one event of the declared type."),
        recording: Cell
    ) -> Row {
        let described = Cell.notRead("A stream has the schema of one event.")
        return Row(
            clause,
            document: described,
            mock: mock,
            comparison: described,
            drift: .stream,
            recording: recording
        )
    }
}

// Cells shared by several response clauses.
nonisolated extension ReadingTable.Cell {
    fileprivate static let list = Self.read(
        "WaybillDescriptionTests/OpenAPI/OpenAPITests",
        "A list has its envelope, its metadata and what paging reads"
    )

    static let keys = Self.read(
        "WaybillDescriptionTests/OpenAPI/OpenAPITests",
        "Keys are those of the documents, for what is read and what is sent"
    )

    static let coding = Self.read(
        "WaybillDescriptionTests/Mock/MockCodingTests",
        "Seeds, drafts and examples are decoded by the declared decoder"
    )

    fileprivate static let decodingItems = Self.notRead("A schema has the items that decode.")

    fileprivate static let stream = Self.notRead("A stream is not compared.")

    fileprivate static let recordedStream = Self.notRead(
        "A stream is recorded as one body, which is not compared with a type."
    )
}
