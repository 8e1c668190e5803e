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
                "Metadata in a generated response is not a declared failure"
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
                "A declared success status is the only success"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockConformanceTests",
                "A declared success status replaces the usual one"
            ),
            comparison: .compared,
            drift: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "Drift in a response with a declared success status is reported under the call's name"
            ),
            recording: .recorded
        ),
        Row(
            "Problem",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Problems are listed by status, and those without a status under 4XX and 5XX"
            ),
            mock: .read("WaybillDescriptionTests/Mock/MockServerTests", "An unknown id gets the declared problem"),
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
                "The parameters of later pages are listed as optional"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "Every built-in paging scheme is walked to the end"
            ),
            comparison: .compared,
            drift: .read(
                "WaybillDescriptionTests/Drift/DriftTests",
                "Members read by paging are not drift on any page"
            ),
            recording: .sending
        ),
        Row(
            "LongRunning",
            document: .read(
                "WaybillDescriptionTests/Mock/MockOperationTests",
                "The OpenAPI document lists a 202 response with the status location"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockOperationTests",
                "An operation in each declared convention runs, completes and returns a result that decodes"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/ComparisonTests",
                "The response that starts an operation is checked for the declared status location"
            ),
            drift: .notRead("Members of a status beside the result, such as the state, are reported as not read."),
            recording: .sending
        ),
        Row(
            "WriteResult",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/ResponseShapeTests",
                "A merged response requires no member and may have no body"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A write response has the declared part of the entity, and the client returns the complete entity"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentComparisonTests",
                "A write response is compared according to the declared write result"
            ),
            drift: .read(
                "WaybillDescriptionTests/Drift/DriftTests",
                "Members omitted from a merged response are not missing"
            ),
            recording: .read(
                "WaybillTestingTests/Recording/RecordingDriftTests",
                "A recorded write is compared according to its declared result"
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
                "A batch response has its entities at the declared item path"
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
                "A streamed list has the media type of its format and the schema of an element"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A call that streams JSON texts gets them in the declared format"
            ),
            comparison: .compared,
            drift: .stream,
            recording: .recordedStream
        ),
        events(
            "Events.End",
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "An event stream ends with the declared end event"
            ),
            recording: .recordedStream
        ),
        Row(
            "Events.MediaTypes",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "An event stream has the declared media type"
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
        "A list has its envelope, metadata and paging parameters"
    )

    static let keys = Self.read(
        "WaybillDescriptionTests/OpenAPI/OpenAPITests",
        "Keys are converted in both responses and requests"
    )

    static let coding = Self.read(
        "WaybillDescriptionTests/Mock/MockCodingTests",
        "Seeds, drafts and examples decode with the declared decoder"
    )

    fileprivate static let decodingItems = Self.notRead("A schema has the items that decode.")

    fileprivate static let stream = Self.notRead("A stream is not compared.")

    fileprivate static let recordedStream = Self.notRead(
        "A stream is recorded as one body, which is not compared with a type."
    )
}
